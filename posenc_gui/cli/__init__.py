"""The export command and its flags; no Qt at import."""
