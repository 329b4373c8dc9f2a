"""Text to statements: lines, where regions begin and end, and what has been learned of both."""
