"""The graph of what a view needs besides the request, flattened into steps."""
