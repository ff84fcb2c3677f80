"""Families that turn queries and keys as RoPE does, or change what its rotation sees."""
