"""What is declared of a response, by status, and how its content is written.

The option ``responses=`` goes in, a :class:`DeclaredResponse` for each status comes
out; what an annotation means goes in, a :class:`Content` comes out. What Flask sends of
that, and what an error handler says that it sends, is told here, too.
"""

from __future__ import annotations

import typing as t
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from types import NoneType

from .._common import STANDARD_ERROR, Once, has_content, is_success_key
from .._signature.argument import EMPTY
from .._types.adapters import UnknownClassError, type_adapter
from .._types.annotations import (
    is_base_model,
    is_model,
    is_union,
    issubclass_of,
    members,
    show_type,
    unwrap,
)
from .._types.argument_type import string_types
from ..exceptions import SignatureError
from .annotation import (
    STREAMS,
    UNKNOWN_RETURN,
    Returns,
    find_ambiguous_type,
    is_response_tuple,
    read_returns,
    return_kind_of,
    split_statuses,
    takes_other_values,
)
from .serializer import ResponseSerializer, compile_serializer
from .stream import compile_stream

if t.TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from .._routing.declaration import Declaration
    from .._types.adapters import Adapter
    from .annotation import ReturnKind
    from .failures import ViewReporter
    from .headers import ResponseHeaders
    from .stream import StreamFormat


@dataclass(frozen=True, slots=True)
class DeclaredContent:
    """What ``responses=`` declares of one media type.

    :param written: the Media Type Object, without a schema that is a type.
    :param adapter: of the type in place of the schema, ``None`` where there is none.
    """

    written: Mapping[str, t.Any]
    adapter: Adapter | None = None


@dataclass(frozen=True, slots=True)
class DeclaredResponse:
    """What ``responses=`` declares of one status.

    :param serializer: of its model, ``None`` where there is none.
    :param description: of the response.
    :param headers: Header Objects by name, or types of theirs.
    :param content: what is sent besides the model, by media type.
    :param examples: of the model, Example Objects by name.
    :param is_standard: whether it is an error in the format of the application.
    :param summary: of the response, which OpenAPI 3.2 has.
    """

    serializer: ResponseSerializer | None
    description: str | None = None
    headers: Mapping[str, t.Any] = field(default_factory=dict)
    content: Mapping[str, DeclaredContent] = field(default_factory=dict)
    examples: Mapping[str, t.Any] = field(default_factory=dict)
    is_standard: bool = False
    summary: str | None = None


#: What ``responses=[404]`` declares.
STANDARD: t.Final = DeclaredResponse(None, is_standard=True)


def read_responses(declaration: Declaration) -> dict[int | str, DeclaredResponse]:
    """What ``responses=`` declares, by status: a number, ``"4XX"`` or ``"default"``.

    :raises SignatureError: if a status or what it is given can't be understood.
    """
    responses = {read_status(key): said for key, said in declaration.responses.items()}
    options = declaration.serializer_options
    return {
        status: _read_declared(
            status, said, options if is_success_key(status) else None
        )
        for status, said in responses.items()
    }


def read_status(status: t.Any) -> int | str:
    """A key of ``responses=``: ``404`` for ``"404"``, ``"4XX"`` for ``"4xx"``.

    :raises SignatureError: if it is none.
    """
    name = str(int(status)) if isinstance(status, int) else str(status)
    if name == "default":
        return name
    if len(name) == 3 and name[0] in "12345":
        if name.isascii() and name.isdigit():
            return int(name)
        if name[1:].upper() == "XX":
            return name.upper()
    raise SignatureError(
        f"responses= has the status {status!r}. Use a number such as 404, a class such"
        " as '4XX', or 'default'."
    )


def keys_of_response(status: int | str) -> Iterator[int | str]:
    """The keys of ``responses=`` that may be about a status, the nearest first.

    ``404`` gives ``404``, ``"4XX"`` and ``"default"``; ``"4XX"`` gives itself.
    """
    yield status
    if isinstance(status, int):
        yield f"{status // 100}XX"
        if status >= 400:
            yield "default"


def declared_of(
    responses: Mapping[int | str, DeclaredResponse], status: int
) -> DeclaredResponse | None:
    """What is declared of a status, ``None`` where nothing is."""
    found = (responses[key] for key in keys_of_response(status) if key in responses)
    return next(found, None)


#: What the value of a key is, in words and as a type.
ANY_VALUE: t.Final = ("anything", object)

DICTIONARY: t.Final = ("a dictionary", Mapping)

STRING_VALUE: t.Final = ("a string", str)

Keys: t.TypeAlias = "Mapping[str, tuple[str, type]]"

#: What is said of a status, of a media type and of an example.
#: Source: OpenAPI 3.1, Response Object, Media Type Object and Example Object.
RESPONSE: t.Final[Keys] = {
    "model": ANY_VALUE,
    "summary": STRING_VALUE,
    "description": STRING_VALUE,
    "headers": DICTIONARY,
    "content": DICTIONARY,
    "examples": DICTIONARY,
}

MEDIA_TYPE_KEYS: t.Final[Keys] = {
    "schema": ANY_VALUE,
    "example": ANY_VALUE,
    "examples": DICTIONARY,
}

EXAMPLE: t.Final[Keys] = {
    "value": ANY_VALUE,
    "externalValue": STRING_VALUE,
    "summary": STRING_VALUE,
    "description": STRING_VALUE,
}

#: Of these an object has one at most.
EXCLUSIVE: t.Final = (("example", "examples"), ("value", "externalValue"))


def _check_object(value: t.Any, keys: Keys, what: str) -> None:
    """Refuse an object with other keys, or with values of other types.

    :param what: the object describes: ``"409"``, ``"the example 'none' of 409"``.
    :raises SignatureError: if it has.
    """
    *names, last = map(repr, keys)
    choice = f"{', '.join(names)} or {last}"
    if not isinstance(value, Mapping):
        raise SignatureError(
            f"responses= says {value!r} of {what}. Write a dictionary of {choice}."
        )
    for name, item in value.items():
        if name not in keys:
            raise SignatureError(f"responses= says {name!r} of {what}. Use {choice}.")
        words, tp = keys[name]
        if not isinstance(item, tp):
            raise SignatureError(
                f"responses= says {item!r} for {name!r} of {what}, which takes {words}."
            )
    for one, other in EXCLUSIVE:
        if one in value and other in value:
            raise SignatureError(
                f"responses= says {one!r} and {other!r} of {what}. Remove one of them."
            )


def _read_declared(
    status: int | str, value: t.Any, options: Mapping[str, t.Any] | None
) -> DeclaredResponse:
    """What is declared of one status.

    :param options: of the serializer of its model.
    """
    if value is STANDARD_ERROR:
        return STANDARD
    if not isinstance(value, Mapping):
        return DeclaredResponse(_optional_serializer(value, options))
    said = {key: item for key, item in value.items() if item is not None}
    _check_object(said, RESPONSE, str(status))
    for key in ("content", "examples"):
        if said.get(key) and isinstance(status, int) and not has_content(status):
            raise SignatureError(
                f"responses= says {key!r} of {status}, but a {status} response has no"
                " content. Remove it."
            )
    examples = _read_examples(said.get("examples", {}), str(status))
    content = {
        name: _read_content(name, item, status)
        for name, item in said.get("content", {}).items()
    }
    return DeclaredResponse(
        _optional_serializer(said.get("model"), options),
        said.get("description"),
        said.get("headers", {}),
        content,
        examples,
        is_standard=not said.keys() & {"model", "content"} and str(status) >= "4",
        summary=said.get("summary"),
    )


def _read_examples(examples: Mapping[str, t.Any], what: str) -> Mapping[str, t.Any]:
    for name, example in examples.items():
        _check_object(example, EXAMPLE, f"the example {name!r} of {what}")
    return examples


def _read_content(name: t.Any, value: t.Any, status: int | str) -> DeclaredContent:
    if not isinstance(name, str) or "/" not in name:
        raise SignatureError(
            f"responses= has the media type {name!r} in the content of {status}. Write"
            " one such as 'image/png'."
        )
    what = f"{name!r} of {status}"
    _check_object(value, MEDIA_TYPE_KEYS, what)
    _read_examples(value.get("examples", {}), what)
    schema = value.get("schema", {})
    if isinstance(schema, (Mapping, bool)):
        return DeclaredContent(value)
    written = {key: item for key, item in value.items() if key != "schema"}
    return DeclaredContent(written, type_adapter(schema))


def _optional_serializer(
    model: t.Any, options: Mapping[str, t.Any] | None
) -> ResponseSerializer | None:
    return None if model is None else compile_serializer(model, options)


def check_ambiguous(
    view: str,
    passthrough: tuple[type, ...],
    responses: Mapping[int | str, DeclaredResponse],
) -> None:
    """Refuse a type that is sent as it is, if a value for a declared model may be one.

    :param view: its name, ``"show()"``.
    :raises SignatureError: if there is one.
    """
    if not passthrough:
        return
    serializers = [item.serializer for item in responses.values()]
    for serializer in filter(None, serializers):
        if problem := find_ambiguous_type(passthrough, serializer.model):
            raise SignatureError(f"the return annotation of {view} {problem}")


#: What an author may write who does not want to name a model in the annotation.
INSTEAD_OF_ANNOTATION: t.Final = (
    ", or the fields to send, such as response_model=RowOut, or give"
    " response_model=None if Flask can send it as it is"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Content:
    """How what a view returns with one status is written.

    :param annotation: of its body, ``EMPTY`` where there is none.
    :param serializer: of the model, ``None`` where there is none.
    :param passthrough: the types that go to Flask as they are beside a model or stream.
    :param returns_none: whether the annotation is ``None``.
    :param may_be_tuple: whether a value of the model may be a tuple, as one with a
        status is.
    :param stream: how the items of a stream are written, ``None`` where it is none.
    :param containers: returns the serializer of dicts and lists of ``Any`` that hold a
        model, ``None`` where the annotation names none.
    :param headers: that the annotation names, ``None`` where they are Flask's.
    :param may_have_none: whether these may be left out.
    """

    annotation: t.Any
    serializer: ResponseSerializer | None
    passthrough: tuple[type, ...]
    returns_none: bool
    may_be_tuple: bool
    stream: StreamFormat | None
    containers: Callable[[], ResponseSerializer] | None
    headers: ResponseHeaders | None = None
    may_have_none: bool = False


def compile_content(
    annotation: t.Any,
    returns: Returns,
    declaration: Declaration,
    *,
    reporter: ViewReporter,
    is_annotated: bool = True,
    has_status: bool = False,
) -> Content:
    """How the values of a return annotation are written.

    :param is_annotated: whether the annotation says so, and not ``response_model=``.
    :param has_status: whether the annotation names its status, as ``response_model=``
        can't.
    :raises SignatureError: if the annotation can't be used, or a model can't be
        serialized.
    """
    if is_annotated and returns.problem:
        raise SignatureError(
            f"the return annotation of {reporter.view} {returns.problem}"
        )
    if declaration.named_fields and returns.model is EMPTY:
        # What Flask writes has all that is in it.
        returns = replace(returns, model=returns.containers)
    options = declaration.serializer_options
    returns, serializer = _with_serializer(
        returns,
        options,
        reporter,
        is_annotated=is_annotated,
        has_status=has_status,
    )
    if problem := find_ambiguous_type(returns.passthrough, returns.model):
        raise SignatureError(f"the return annotation of {reporter.view} {problem}")
    containers = None
    if returns.containers is not EMPTY and returns.model is EMPTY:
        # Most of them hold no model, and are written by Flask.
        containers = Once(lambda: compile_serializer(returns.containers, options))
    return Content(
        annotation=annotation,
        serializer=serializer,
        passthrough=returns.passthrough,
        returns_none=returns.returns_none,
        may_be_tuple=serializer is not None and _may_be_tuple(returns.model),
        stream=compile_stream(returns, declaration.media_type, options),
        containers=containers,
    )


def _with_serializer(
    returns: Returns,
    options: Mapping[str, t.Any],
    reporter: ViewReporter,
    *,
    is_annotated: bool,
    has_status: bool,
) -> tuple[Returns, ResponseSerializer | None]:
    """What a view returns, and the serializer of its model, ``None`` without one.

    An annotation with a class that Pydantic does not know is no model where the
    application makes responses of its own kinds of values.

    :raises SignatureError: if the model can't be serialized.
    """
    if returns.model is EMPTY:
        return returns, None
    try:
        return returns, compile_serializer(returns.model, options)
    except UnknownClassError as error:
        if not is_annotated:
            raise
        if takes_other_values(reporter.app):
            return Returns(), None
        problem = str(error).removesuffix(".")
        advice = ", and return one" if has_status else INSTEAD_OF_ANNOTATION
        raise SignatureError(
            f"the return annotation of {reporter.view} is no response model:"
            f" {problem}{advice}."
        ) from error.__cause__


def _may_be_tuple(model: t.Any) -> bool:
    if is_base_model(model):
        return False
    return any(issubclass_of(t.get_origin(tp) or tp, tuple) for tp in members(model))


@dataclass(frozen=True, slots=True)
class PlainBody:
    """A body that Flask makes a response of.

    :param kind: of the value.
    :param is_str: whether it is a ``str``, or a stream of those.
    """

    kind: ReturnKind
    is_str: bool


def plain_bodies(content: Content) -> tuple[PlainBody, ...]:
    """What a view returns that Flask makes responses of, as its annotation says.

    A type of which Flask knows nothing may be anything, and so may a value without an
    annotation; ``None`` has no body. Beside a model these are the types that are sent
    as they are. A stream is none of them where the plan says how its items are written.
    """
    types = [content.annotation]
    if content.serializer is not None:
        types = [*content.passthrough]
    bodies = [
        PlainBody(return_kind_of(tp) or UNKNOWN_RETURN, is_str=_holds_str(tp))
        for annotation in types
        for tp in _body_types(annotation)
        if content.stream is None or (t.get_origin(tp) or tp) not in STREAMS
    ]
    return tuple(dict.fromkeys(bodies))


def _body_types(annotation: t.Any) -> Iterator[t.Any]:
    """The types of body in an annotation, unions and Flask's tuples taken apart."""
    plain = t.Any if annotation is EMPTY else unwrap(annotation)
    if is_union(plain):
        for member in t.get_args(plain):
            yield from _body_types(member)
    elif is_response_tuple(plain):
        yield from _body_types(t.get_args(plain)[0])
    elif plain not in (None, NoneType):
        yield plain


def _holds_str(tp: t.Any) -> bool:
    if t.get_origin(tp) in STREAMS:
        tp = t.get_args(tp)[0]
    kinds = string_types(tp)
    return bool(kinds) and all(issubclass(kind, str) for kind in kinds)


def names_model(annotation: t.Any, name: str, *, needs_status: bool) -> bool:
    """Whether a handler says what it sends, with which status.

    :param name: of the handler, for messages.
    :param needs_status: whether it has to say that, as an error handler.
    :raises SignatureError: if it has a model without a status that it needs.
    """
    if not isinstance(annotation, Hashable) or annotation is EMPTY:
        # "-> [str, int]" is no type, and Flask never looks at it.
        return False
    try:
        annotated = split_statuses(annotation)
    except SignatureError as error:
        raise SignatureError(f"the return annotation of {name} {error}") from None
    bare = EMPTY if annotated.bare is EMPTY else read_returns(annotated.bare).model
    model = None if bare is EMPTY else _find_model(bare)
    if model is not None and needs_status:
        shown = show_type(model)
        raise SignatureError(
            f"{name} is annotated with {shown!r}, but an error handler has no status of"
            f" its own. Write tuple[{shown}, Literal[409]], with the status that it"
            " sends."
        )
    return bool(annotated.by_status) or model is not None


def sends_standard_error(annotation: t.Any) -> bool:
    """Whether an annotation has a response in the format of the application."""
    metadata = getattr(annotation, "__metadata__", ())
    if any(item is STANDARD_ERROR for item in metadata):
        return True
    plain = unwrap(annotation)
    return is_union(plain) and any(map(sends_standard_error, t.get_args(plain)))


def _find_model(annotation: t.Any) -> t.Any:
    """A type with named fields in an annotation, ``None`` if there is none.

    Flask sends a dictionary, a list or a string without one.
    """
    plain = unwrap(annotation)
    if is_model(plain) or is_model(t.get_origin(plain)):
        return plain
    found = map(_find_model, t.get_args(plain))
    return next((tp for tp in found if tp is not None), None)
