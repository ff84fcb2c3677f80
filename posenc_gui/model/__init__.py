"""The document, its history and the cursor."""
