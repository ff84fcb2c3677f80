"""The map of a picture's patches, by what one of them gets from each."""
