"""What the configuration and model classes of transformers know about positions."""
