"""What panels draw tables with: waves and their tokens, coloured cells, and lines of words."""
