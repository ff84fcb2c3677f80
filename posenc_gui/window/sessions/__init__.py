"""Opening, saving and restoring the document: what files do to the store, and what the user is asked."""
