"""Scores by distance."""
