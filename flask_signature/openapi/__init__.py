"""The OpenAPI documents of an application, made of its operations.

Nothing is analysed here: a document is made of the compiled operations and their
adapters.
"""
