"""The part of a function that matters to a group of buffers, and what a path may forget."""
