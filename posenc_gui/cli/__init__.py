"""The commands export, inspect and diff, and their flags; no Qt at import."""
