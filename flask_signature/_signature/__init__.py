"""The signature of a view under one rule and method: the only reader of signatures."""
