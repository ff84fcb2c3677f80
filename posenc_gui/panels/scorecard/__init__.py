"""What each family can and cannot do, measured."""
