"""How much memory a function takes: what lives at once, on which path, and what ideal placement would reach."""
