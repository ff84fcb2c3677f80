"""Where the pairs of encodings part, by position."""
