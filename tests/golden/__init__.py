"""Findings of the test programs, kept in `findings.txt`: a change of the analysis shows what it changes in them."""
