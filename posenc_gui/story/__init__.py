"""Lessons in a dock, whose pages predict and show; questions as ways into the window; a search over all there is."""
