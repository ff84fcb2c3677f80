"""Any panel of vectors for two encodings and their difference."""
