"""The description of an application: OpenAPI documents made of its operations.

Nothing is analysed here: a document is made of the compiled operations and their
adapters.
"""
