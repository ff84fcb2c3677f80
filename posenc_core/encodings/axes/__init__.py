"""RoPE on several axes: the grid of text and pictures, the rules that assign axes to pairs, and the family itself.

``rules.py`` has the formulas and ``grid.py`` the coordinates; independent of both, ``lattice.py`` evaluates angles
that are linear in the indices of cells.
"""
