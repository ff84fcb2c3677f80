"""Results of engines for the model, and their differences from its own class."""
