"""Measured properties of each family."""
