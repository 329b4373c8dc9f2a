"""Where control may go in one function, what each of its operations does to memory, and what its scalars are."""
