"""The controls around the pictures: what is shown is chosen here, and the numbers are read."""
