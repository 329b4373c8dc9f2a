"""What functions do to their callers' buffers: questions, answers, and functions that call each other."""
