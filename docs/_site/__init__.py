"""What Sphinx does not do by itself, for this site alone."""
