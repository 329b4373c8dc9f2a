"""Where the buffers of a function die on each path, and what that says of their deallocations."""
