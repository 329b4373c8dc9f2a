"""A document from version to version: its pieces, what an edit leaves standing, and parts of it that are read alone."""
