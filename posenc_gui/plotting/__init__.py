"""The few pyqtgraph items of our own, with our fixed policy."""
