"""Pictures and numbers in files and on the clipboard."""
