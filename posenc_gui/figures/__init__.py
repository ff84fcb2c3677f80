"""What all panels share: the figure, its card in the window, and pictures that appear part by part."""
