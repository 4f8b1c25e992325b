"""What is wrong with a type, in a sentence for its author, and the cause of it."""

from __future__ import annotations

import inspect
import re
import sys
import typing as t
from traceback import walk_tb

from pydantic.errors import PydanticSchemaGenerationError
from typing_extensions import is_protocol
from werkzeug.wrappers import Request, Response

from .annotations import is_base_model, is_class, is_model, issubclass_of, show_type

if t.TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


#: What other frameworks pass to a view, and where Flask has it.
NEVER_PASSED: t.Final = {
    Request: (
        ", since Flask passes no request to views. Remove the argument, and use 'from"
        " flask import request'."
    ),
    Response: (
        ", since Flask passes no response to views. Remove the argument, and return"
        " '(body, status, headers)' or a Response."
    ),
}

#: A class in an error message of Pydantic.
CLASS_WITHOUT_SCHEMA: t.Final = re.compile(r"schema for <class '(?:[^']*\.)?(\w+)'>")


def argument_problem(name: str, tp: t.Any, error: Exception) -> str:
    """Why Pydantic can't read the type of an argument, as a sentence.

    :param name: of the argument.
    """
    problem = type_problem(tp, error)
    if unknown_class_reason(tp, error):
        problem = (
            f"{problem.rstrip('.')}, or declare {name!r} with Depends() or Injected()"
            " if it is not in the request."
        )
    never = (
        advice
        for cls in classes_in(tp)
        for refused, advice in NEVER_PASSED.items()
        if issubclass_of(cls, refused)
    )
    problem = next(never, problem)
    return f"Pydantic can't read the type of {name!r}, {show_type(tp)!r}{problem}"


def type_problem(tp: t.Any, error: Exception) -> str:
    """Why Pydantic can't read a type, with a comma or a colon before it."""
    if reason := unknown_class_reason(tp, error):
        return f", since {reason}. Name a BaseModel or a dataclass instead."
    if isinstance(error, NameError) and (missing := getattr(error, "name", None)):
        return f": {_undefined_problem(tp, missing)}"
    return f": {first_line(error)}"


def unknown_class_reason(tp: t.Any, error: Exception) -> str:
    """The class of which Pydantic knows nothing, ``""`` if there is none."""
    if not isinstance(error, PydanticSchemaGenerationError):
        return ""
    for cls in classes_in(tp):
        if repr(cls) in str(error) and is_protocol(cls):
            return f"{cls.__name__!r} is a Protocol"
    found = CLASS_WITHOUT_SCHEMA.search(str(error))
    return f"it knows no fields of {found[1]!r}" if found else ""


def first_line(error: Exception) -> str:
    """The first line of an error's message, as a sentence."""
    return str(error).partition("\n")[0].rstrip(".") + "."


def classes_in(annotation: t.Any) -> Iterator[type]:
    """The classes that an annotation is made of: ``int`` in ``list[int] | None``."""
    if is_class(annotation):
        yield annotation
    for argument in t.get_args(annotation):
        yield from classes_in(argument)


def _undefined_problem(tp: t.Any, missing: str) -> str:
    """The field that names something which is not defined, and the advice."""
    found = _find_field(tp, missing)
    if found is None:
        return (
            f"{missing!r} is not defined when the view is registered. Define it above"
            " the view."
        )
    model, field = found
    if "<locals>" not in model.__qualname__:
        advice = advise_on_name(model, missing)
    elif is_base_model(model):
        advice = (
            f"Define it before the view, and call {model.__name__}.model_rebuild()"
            " after it."
        )
    else:
        advice = f"Define {model.__name__!r} and {missing!r} at the top of the module."
    return (
        f"the field {field!r} of {model.__name__!r} names {missing!r}, which is not"
        f" defined when the view is registered. {advice}"
    )


def _find_field(tp: t.Any, missing: str) -> tuple[type, str] | None:
    """The model and its field whose annotation has a name, searched from a type."""
    word = re.compile(rf"\b{re.escape(missing)}\b")
    waiting, seen = [*classes_in(tp)], set[type]()
    while waiting:
        cls = waiting.pop(0)
        if cls in seen or not is_model(cls):
            continue
        seen.add(cls)
        for base in cls.__mro__:
            for name, annotation in _annotations_of(base).items():
                if word.search(str(annotation)):
                    return base, name
                waiting += _classes_named(base, annotation)
    return None


def _classes_named(cls: type, annotation: t.Any) -> Iterator[type]:
    """The classes in an annotation of a class, which may be a string."""
    yield from classes_in(annotation)
    if isinstance(annotation, str):
        known = vars(sys.modules.get(cls.__module__, None) or t)
        for word in re.findall(r"\w+", annotation):
            yield from classes_in(known.get(word))


def _annotations_of(cls: type) -> Mapping[str, t.Any]:
    """The annotations of a class alone, without a look at what they name."""
    if sys.version_info >= (3, 14):
        import annotationlib

        return annotationlib.get_annotations(cls, format=annotationlib.Format.STRING)
    return inspect.get_annotations(cls)


def is_defined_in(source: str, name: str) -> bool:
    """Whether a module defines a name by a statement of its own."""
    definition = rf"^(?:class|type)\s+{re.escape(name)}\b|^{re.escape(name)}\s*[:=]"
    return re.search(definition, source, re.MULTILINE) is not None


def source_of(item: t.Callable[..., t.Any]) -> str:
    """The source of the module of a function or a class, ``""`` where there is none."""
    try:
        return inspect.getsource(sys.modules[item.__module__])
    except (KeyError, OSError, TypeError):
        return ""


def advise_on_name(item: t.Callable[..., t.Any], missing: str) -> str:
    """What to do about a name that a function or a class uses and does not find."""
    if is_defined_in(source_of(item), missing):
        return "Define it above the view, or register the view with a Blueprint."
    return "Import it outside 'if TYPE_CHECKING'."


#: The packages whose exceptions say no more than the message that quotes them.
TYPE_PACKAGES: t.Final = frozenset(
    {"annotated_types", "annotationlib", "flask_signature", "inspect", "pydantic"}
    | {"typing"}
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
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    if not frames:
        return False
    code = frames[-1].f_code
    package = str(frames[-1].f_globals.get("__name__", "")).partition(".")[0]
    # An annotation is evaluated in its module, from a string or by Python 3.14.
    is_evaluated = code.co_filename == "<string>" or code.co_name == "__annotate__"
    return not is_evaluated and package not in TYPE_PACKAGES
