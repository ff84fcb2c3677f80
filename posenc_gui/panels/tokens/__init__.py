"""The vector of every token."""
