"""The map of a picture's patches by their scores with one of them."""
