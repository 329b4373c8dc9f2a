"""Buffers that need no path exploration: their allocation, uses and deallocation are decided from the text."""
