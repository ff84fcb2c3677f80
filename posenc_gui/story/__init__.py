"""Lessons in a dock: pages with a prediction, what the panels show of it, and a question."""
