"""Flask's way from a WSGI environ to a response, in fewer steps where nobody can tell.

Each piece stands for documented methods of Flask or Werkzeug, says in one place when it
may, and leaves every other case to them. None knows of views that are compiled.
"""
