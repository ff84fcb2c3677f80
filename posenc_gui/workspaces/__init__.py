"""The workspaces: which panels are on the screen, made when first seen, each set with its own sizes."""
