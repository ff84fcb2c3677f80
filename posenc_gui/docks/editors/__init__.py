"""Editors made from fields."""
