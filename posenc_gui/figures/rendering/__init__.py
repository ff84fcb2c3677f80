"""Pictures of figures: what they are, computed at once, or part by part beside the window."""
