"""What the operations of a function do to memory: places of local memory, effects, indirect names."""
