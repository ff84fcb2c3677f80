"""The map of the angles that training did not show."""
