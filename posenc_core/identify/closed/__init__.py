"""Encodings whose parameters are fitted: kernels, sums of cosines, fading pairs, planes, and axes of cells."""
