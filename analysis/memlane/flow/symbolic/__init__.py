"""Numbers, flags and sizes as expressions, and bytes as amounts."""
