"""Families that rotate queries and keys as RoPE does, or change the distances of its rotation."""
