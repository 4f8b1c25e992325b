"""Models and their fields: which there are, their names, their defaults."""

from __future__ import annotations

import dataclasses
import typing as t
from copy import deepcopy

from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict, create_model
from typing_extensions import NotRequired, ReadOnly, Required, is_typeddict

from .annotations import annotate, is_base_model, referenced_names, resolve

if t.TYPE_CHECKING:
    from collections.abc import Mapping

    from pydantic.fields import FieldInfo


def model_fields(model: t.Any) -> dict[str, FieldInfo]:
    """The fields of a model by name, with their aliases, whatever kind it is."""
    if is_base_model(t.get_origin(model) or model):
        return dict(model.model_fields)
    return dict(_as_base_model(model).model_fields)


def model_config(model: t.Any) -> ConfigDict:
    """The Pydantic configuration of a model, whatever kind it is."""
    name = "model_config" if is_base_model(model) else "__pydantic_config__"
    config: ConfigDict = getattr(model, name, ConfigDict())
    return config


def _as_base_model(model: t.Any) -> type[BaseModel]:
    """A ``BaseModel`` with the fields of a dataclass, TypedDict or NamedTuple."""
    origin = t.get_origin(model) or model
    known = referenced_names(reversed(origin.__mro__))
    parameters = getattr(origin, "__parameters__", ())
    arguments = dict(zip(parameters, t.get_args(model), strict=False))
    defaults = dict(getattr(origin, "_field_defaults", {}))
    for field in dataclasses.fields(origin) if dataclasses.is_dataclass(origin) else ():
        if field.default is not dataclasses.MISSING:
            defaults[field.name] = field.default
    fields: dict[str, t.Any] = {}
    for name, hint in _hints(origin).items():
        tp, _ = _read_qualifiers(resolve(hint, known))
        fields[name] = (_with_arguments(tp, arguments), defaults.get(name, ...))
    config = model_config(model) | ConfigDict(arbitrary_types_allowed=True)
    return create_model(origin.__name__, __config__=config, **fields)


def _hints(model: type) -> dict[str, t.Any]:
    return t.get_type_hints(model, localns={model.__name__: model}, include_extras=True)


def _with_arguments(hint: t.Any, arguments: Mapping[t.Any, t.Any]) -> t.Any:
    """A type with the arguments of its generic class: ``int`` for ``T``."""
    if isinstance(hint, t.TypeVar):
        return arguments.get(hint, hint)
    inner = getattr(hint, "__parameters__", ())
    if not inner or not arguments:
        return hint
    return hint[tuple(arguments.get(item, item) for item in inner)]


def optional_keys(model: t.Any) -> set[str]:
    """The keys of a TypedDict that may be left out; none of another kind of model."""
    origin = t.get_origin(model) or model
    if not is_typeddict(origin):
        return set()
    said = {name: _read_qualifiers(hint)[1] for name, hint in _hints(origin).items()}
    # The class itself does not know what its annotations say where they are strings.
    return {name for name, found in said.items() if NotRequired in found} | {
        name for name in origin.__optional_keys__ if Required not in said[name]
    }


def _read_qualifiers(hint: t.Any) -> tuple[t.Any, set[t.Any]]:
    """The type of a key of a TypedDict, and its qualifiers.

    ``NotRequired[int]`` gives ``int`` and ``{NotRequired}``. A qualifier may be in
    ``Annotated``, too. Source: PEP 655.
    """
    origin = t.get_origin(hint)
    if origin in (Required, NotRequired, ReadOnly):
        tp, found = _read_qualifiers(t.get_args(hint)[0])
        return tp, {origin, *found}
    if origin is t.Annotated:
        tp, found = _read_qualifiers(hint.__origin__)
        return annotate(tp, hint.__metadata__), found
    return hint, set()


def alias_paths(field: FieldInfo) -> list[list[str | int]]:
    """The names and paths under which Pydantic looks for a field, aliases only.

    ``AliasChoices("a", AliasPath("b", 0))`` gives ``[["a"], ["b", 0]]``.
    """
    alias = field.validation_alias or field.alias
    if alias is None:
        return []
    choices = alias.choices if isinstance(alias, AliasChoices) else [alias]
    return [
        list(choice.path) if isinstance(choice, AliasPath) else [choice]
        for choice in choices
    ]


#: The modules of what can't be changed, though ``copy.deepcopy()`` makes another of it.
IMMUTABLE_MODULES: t.Final = frozenset({"datetime", "ipaddress", "pathlib", "uuid"})


class CopiedDefault:
    """Makes Pydantic copy a default for each request.

    Pydantic copies a default without a hash and shares any other. This object has none,
    and its copy is a copy of the default, or the default where it can't be copied.
    """

    __slots__ = ("can_be_copied", "value")
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, value: t.Any) -> None:
        self.value, self.can_be_copied = value, True
        try:
            deepcopy(value)
        except Exception:
            self.can_be_copied = False

    def __deepcopy__(self, memo: dict[int, t.Any]) -> t.Any:
        return deepcopy(self.value, memo) if self.can_be_copied else self.value


def needs_copying(default: t.Any) -> bool:
    """Whether a default has to be a :class:`CopiedDefault`.

    Pydantic shares a default with a hash, which may be mutable, and fails to copy some
    of those without one, such as a list with a lock: that is shared on purpose.
    """
    try:
        hash(default)
    except Exception:
        return not CopiedDefault(default).can_be_copied
    try:
        return not _is_immutable(default)
    except Exception:
        return False


def _is_immutable(value: t.Any) -> bool:
    if isinstance(value, (tuple, frozenset)):
        return all(map(_is_immutable, value))
    if isinstance(value, BaseModel) and value.model_config.get("frozen"):
        private = (value.__pydantic_private__ or {}).values()
        return all(map(_is_immutable, [*dict(value).values(), *private]))
    if getattr(getattr(value, "__dataclass_params__", None), "frozen", False):
        names = [field.name for field in dataclasses.fields(value)]
        return all(_is_immutable(getattr(value, name)) for name in names)
    module = type(value).__module__.partition(".")[0]
    if module in IMMUTABLE_MODULES or deepcopy(value) is value:
        return True
    # What has no attributes is a sentinel, which is compared by identity.
    _, arguments, *state = value.__reduce_ex__(4)
    return bool(arguments == (type(value),) and not any(state))
