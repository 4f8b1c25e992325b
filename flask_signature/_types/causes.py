"""Which exception stands behind a refusal: the author's own, or nothing worth reading.

Whoever raises a :class:`SignatureError` for another exception asks here what to raise
it from.
"""

from __future__ import annotations

import typing as t

#: The packages whose exceptions say no more than the message that quotes them.
TYPE_PACKAGES: t.Final = frozenset(
    {
        "annotated_types",
        "annotationlib",
        "flask_signature",
        "inspect",
        "pydantic",
        "typing",
    }
)


def author_error(error: Exception) -> Exception | None:
    """The exception itself if it was raised in code of the author's, else ``None``.

    Pydantic's exceptions and those of an annotation that is evaluated are ``None``: the
    traceback then ends in the message alone. What Pydantic was handling when it called
    the author's code is not shown either.
    """
    if not _is_of_author(error):
        return None
    context = error.__context__
    if context is not None and not _is_of_author(context):
        error.__suppress_context__ = True
    return error


def _is_of_author(error: BaseException) -> bool:
    traceback = error.__traceback__
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    if traceback is None:
        return False
    frame = traceback.tb_frame
    package = str(frame.f_globals.get("__name__", "")).partition(".")[0]
    # An annotation is evaluated in its module, from a string or by Python 3.14.
    code = frame.f_code
    is_evaluated = code.co_filename == "<string>" or code.co_name == "__annotate__"
    return not is_evaluated and package not in TYPE_PACKAGES
