"""The control flow graph of a function: blocks, edges, dominators, loops; where the text breaks off."""
