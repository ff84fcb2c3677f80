"""What engines compute for the model, and where they part from its own class."""
