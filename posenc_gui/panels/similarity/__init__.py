"""Similarity of the rows of two positions."""
