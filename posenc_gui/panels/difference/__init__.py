"""The tables of two encodings and their difference, side by side."""
