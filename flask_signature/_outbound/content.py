"""The content of a response: how the values of a return annotation are written.

What an annotation means goes in, a :class:`Content` comes out; the compilation of an
outbound plan calls it for each status that an annotation names.
"""

from __future__ import annotations

import typing as t
from dataclasses import dataclass, replace

from .._once import Once
from .._signature.argument import EMPTY
from .._types.adapters import UnknownClassError
from .._types.annotations import is_base_model, issubclass_of, members
from ..exceptions import SignatureError
from .annotation import Returns, find_ambiguous_type
from .kinds import takes_other_values
from .serializer import compile_serializer
from .stream_format import compile_stream

if t.TYPE_CHECKING:
    from collections.abc import Callable

    from .._routing.declaration import Declaration
    from .failure import ViewReporter
    from .serializer import ResponseSerializer
    from .stream_format import StreamFormat

#: What an author may write who does not want to name a model in the annotation.
INSTEAD_OF_ANNOTATION: t.Final = (
    ", or the fields to send, such as response_model=RowOut, or give"
    " response_model=None if Flask can send it as it is"
)


@dataclass(frozen=True, slots=True)
class Content:
    """How the values of a return annotation are written.

    :param returns: what the annotation means.
    :param serializer: of the model, ``None`` where there is none.
    :param stream: how the items of a stream are written, ``None`` where it is none.
    :param containers: returns the serializer of dicts and lists of ``Any`` that hold a
        model, ``None`` where the annotation names none.
    """

    returns: Returns
    serializer: ResponseSerializer | None
    stream: StreamFormat | None
    containers: Callable[[], ResponseSerializer] | None

    @property
    def of_plan(self) -> dict[str, t.Any]:
        """The fields of an :class:`.OutboundPlan` that say how content is written."""
        model = self.returns.model
        return {
            "serializer": self.serializer,
            "passthrough": self.returns.passthrough,
            "returns_none": self.returns.returns_none,
            "body_may_be_tuple": self.serializer is not None and _may_be_tuple(model),
            "stream": self.stream,
            "containers": self.containers,
        }


def compile_content(
    returns: Returns,
    declaration: Declaration,
    reporter: ViewReporter,
    *,
    is_annotated: bool,
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
    returns, serializer = _with_serializer(
        reporter,
        declaration,
        returns,
        is_annotated=is_annotated,
        has_status=has_status,
    )
    if problem := find_ambiguous_type(returns.passthrough, returns.model):
        raise SignatureError(f"the return annotation of {reporter.view} {problem}")
    stream = compile_stream(
        returns, declaration.media_type, declaration.serializer_options
    )
    return Content(returns, serializer, stream, _containers(declaration, returns))


def _with_serializer(
    reporter: ViewReporter,
    declaration: Declaration,
    returns: Returns,
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
        return returns, compile_serializer(
            returns.model, declaration.serializer_options
        )
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


def _containers(
    declaration: Declaration, returns: Returns
) -> Callable[[], ResponseSerializer] | None:
    """Returns the serializer of dicts and lists of ``Any``, compiled for the first.

    Most of them hold no model, and are written by Flask.
    """
    if returns.containers is EMPTY or returns.model is not EMPTY:
        return None
    options = declaration.serializer_options
    return Once(lambda: compile_serializer(returns.containers, options))


def _may_be_tuple(model: t.Any) -> bool:
    """Whether a value of a model may be a tuple, as one with a status is."""
    if is_base_model(model):
        return False
    return any(issubclass_of(t.get_origin(tp) or tp, tuple) for tp in members(model))
