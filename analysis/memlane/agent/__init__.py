"""Memlane for agents: the work of `memlane mcp`, without the protocol (tools.py) and with it (serve.py)."""
