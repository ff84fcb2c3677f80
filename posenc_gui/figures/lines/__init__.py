"""Plots of lines: what they show, their items, the words in them, and figures of such plots above a matrix."""
