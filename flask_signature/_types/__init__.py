"""Types: their shapes, their fields and their adapters."""
