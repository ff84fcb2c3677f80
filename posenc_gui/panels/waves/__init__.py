"""Columns as stacked waves."""
