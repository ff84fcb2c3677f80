"""Positions from which the pairs of two encodings differ."""
