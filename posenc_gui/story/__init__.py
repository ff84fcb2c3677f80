"""Questions as ways into the window: the first ones in a row, all in a list, and a search over all there is."""
