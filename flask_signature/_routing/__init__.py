"""What a route declares, and what its rule says."""
