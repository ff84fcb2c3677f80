"""The ways to stretch rotary frequencies for a longer context, one small file each; see ``rope_scaling``."""
