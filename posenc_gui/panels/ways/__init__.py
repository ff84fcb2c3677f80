"""Three ways: a right rotation, the wrong convention and broken code, side by side."""
