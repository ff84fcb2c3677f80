"""The family of typed formulas: its fields, the kinds of formulas, and their pictures.

``family.Formula`` makes the encoding of a kind from the file with that kind's name.
"""
