"""From a request to the keyword arguments of a view."""
