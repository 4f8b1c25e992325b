def register_docs(app, registry): pass
