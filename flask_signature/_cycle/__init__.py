"""Flask's way from an environ to a response, in fewer steps, unobservably."""
