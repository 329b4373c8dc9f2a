"""What is known at one point of one path, what may go wrong there, and the fixpoint over both."""
