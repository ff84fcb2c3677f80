"""Every family as a small multiple."""
