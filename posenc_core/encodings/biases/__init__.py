"""Biases on logits by distance, by both positions, or by content."""
