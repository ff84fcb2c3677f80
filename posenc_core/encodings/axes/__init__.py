"""RoPE on several axes: the grid of text and pictures, the rules that give pairs their axes, and the family itself.

Here ``rules.py`` has the formulas and ``grid.py`` the coordinates; ``lattice.py`` knows neither: it evaluates angles
that are linear in the indices of cells.
"""
