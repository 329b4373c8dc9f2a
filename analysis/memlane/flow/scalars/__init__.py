"""The numbers and flags of a function: expressions, trip counts, assertions, what decides edges."""
