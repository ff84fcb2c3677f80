"""Distances that rotations see of one query and its keys."""
