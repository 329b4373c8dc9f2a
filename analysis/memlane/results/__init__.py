"""Results on disk: what was found in texts, for the next time that they are checked."""
