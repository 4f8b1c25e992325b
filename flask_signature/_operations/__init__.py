"""The operations of an application, and the functions that Flask calls for them."""
