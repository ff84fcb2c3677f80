"""Requests for pictures of figures, computed at once, or part by part in a thread."""
