"""One statement: its shape (all of it but names and numbers), its tokens and its parts."""
