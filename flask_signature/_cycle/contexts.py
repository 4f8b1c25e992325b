"""The contexts of a request, pushed and popped, of the Flask that is installed.

Each version has a module with these names; what they do differs in nothing else.

``are_original()``
    whether the methods whose work is done there are Flask's own.
``push(context)`` and ``pop(context, pushed, error)``
    do what the methods of a context do. What ``push()`` returns, ``pop()`` gets.
``is_current(context)``
    whether Flask takes the request from it, also where a function of the author's has
    left another one pushed.
``preserve(context, keep)``
    gives a debugger or a test client what it keeps.
``session_of(context)``
    the session that ``push()`` has opened.
"""

from __future__ import annotations

from .versions import PASSES_CONTEXT

if PASSES_CONTEXT:
    from .merged_context import are_original as are_original
    from .merged_context import is_current as is_current
    from .merged_context import pop as pop
    from .merged_context import preserve as preserve
    from .merged_context import push as push
    from .merged_context import session_of as session_of
else:
    from .two_contexts import are_original as are_original
    from .two_contexts import is_current as is_current
    from .two_contexts import pop as pop
    from .two_contexts import preserve as preserve
    from .two_contexts import push as push
    from .two_contexts import session_of as session_of
