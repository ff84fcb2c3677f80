"""The bar with the sentence."""
