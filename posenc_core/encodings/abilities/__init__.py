"""Abilities of encodings: rows, pictures at any zoom, turning pairs, scores by distance, numbers of token pairs.

No file here names a family. ``base.Encoding`` returns each ability as a value, or None for a family without it.
"""
