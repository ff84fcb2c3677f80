"""The window of PosEnc, on top of posenc_core."""
