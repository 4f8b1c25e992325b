"""From the return value of a view to a response."""
