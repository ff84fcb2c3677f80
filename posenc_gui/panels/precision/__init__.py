"""The errors of rounded angles along the positions."""
