"""Hostile input: files, folders, disks and clients at their worst. `python -m tests.hostile` runs the full sizes."""
