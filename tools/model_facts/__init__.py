"""Facts about positions in the configuration and model classes of transformers."""
