"""How alike the rows of two positions are."""
