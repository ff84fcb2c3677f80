"""Style, numbers, formulas and small dialogs."""
