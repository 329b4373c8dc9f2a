"""Following buffers along every path: transfer functions, how certain events are, and paths in words."""
