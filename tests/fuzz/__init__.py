"""Fuzzing: nothing raises, hangs or grows, whatever the input. `python -m tests.fuzz --help` runs it by hand."""
