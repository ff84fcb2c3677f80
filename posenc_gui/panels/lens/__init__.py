"""Pair lens: which two columns turn together, and how far they are at a position."""
