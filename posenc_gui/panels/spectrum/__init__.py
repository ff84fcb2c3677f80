"""Wavelengths of rotary pairs under several scalings."""
