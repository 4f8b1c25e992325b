"""Flask's and Werkzeug's work in fewer steps, which never changes a response."""
