"""Queries by keys as colours."""
