"""Buffers that the text tells of, so that no path has to be followed: made, used and freed in plain sight."""
