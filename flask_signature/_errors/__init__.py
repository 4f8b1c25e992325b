"""A failed request: the entries that say what is wrong, and the error formats."""
