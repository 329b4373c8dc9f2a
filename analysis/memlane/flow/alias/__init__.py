"""Which values may denote the same memory, without regard to paths, and when each is last used."""
