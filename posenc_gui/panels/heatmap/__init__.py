"""Positions by columns as colours."""
