"""The contexts of a request, pushed and popped, of the Flask that is installed.

One module for each of the two designs that Flask has had, with the same names:

``are_original()``
    whether the methods whose work is done there are Flask's own.
``make(app, environ)``
    returns the context of a request.
``push(context)`` and ``pop(context, pushed, error)``
    do what the methods of a context do. What ``push()`` returns, ``pop()`` gets.
``CURRENT``
    the variable of the context of the request.
``preserve(context, keep)``
    gives a debugger or a test client what it keeps.
``SESSION``
    the attribute of the session that ``push()`` has opened, which is not noted to be
    accessed where that is read.
"""

from __future__ import annotations

from .versions import PASSES_CONTEXT

if PASSES_CONTEXT:
    from .merged_context import CURRENT as CURRENT
    from .merged_context import SESSION as SESSION
    from .merged_context import are_original as are_original
    from .merged_context import make as make
    from .merged_context import pop as pop
    from .merged_context import preserve as preserve
    from .merged_context import push as push
else:
    from .two_contexts import CURRENT as CURRENT
    from .two_contexts import SESSION as SESSION
    from .two_contexts import are_original as are_original
    from .two_contexts import make as make
    from .two_contexts import pop as pop
    from .two_contexts import preserve as preserve
    from .two_contexts import push as push
