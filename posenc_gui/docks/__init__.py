"""The docks around the pictures: forms that choose what is shown, and the numbers of a cell and of a position."""
