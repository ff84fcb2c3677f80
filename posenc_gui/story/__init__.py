"""Lessons in a dock, questions in a row and a list, and a search over all there is in the window."""
