"""The family of formulas that a person types: its fields, the kinds of formulas, and their pictures.

``family.Formula`` makes the encoding of a kind from the file of that kind's name.
"""
