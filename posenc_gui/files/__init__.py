"""Sessions, presets, settings and recovery: what is read and written."""
