"""A method's printed form is its configuration: "name(param=value)" <-> object.

Segmenters, extractors and measures are frozen dataclasses with a `name`; their fields are their
only parameters. `str(method)` gives the spec, with the parameters that differ from the defaults,
and `parse_spec` makes the method again.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cached_property, lru_cache
from importlib import import_module
from typing import Any, ClassVar, TypeVar

from pagecut.errors import PagecutError, SpecError

_SPEC = re.compile(r"\s*([A-Za-z][\w-]*)\s*(?:\((.*)\))?\s*", re.DOTALL)


class Configured:
    """Base of every method: prints as its spec."""

    __slots__ = ()
    name: ClassVar[str]
    paper: ClassVar[str]  # authors and year; empty if it comes from none

    def __str__(self) -> str:
        changed = [
            f"{parameter.name}={getattr(self, parameter.name)!r}"
            for parameter in parameters(type(self))
            if getattr(self, parameter.name) != parameter.default
        ]
        return f"{self.name}({', '.join(changed)})" if changed else self.name


Method = TypeVar("Method", bound=Configured)


class MethodTable(MutableMapping[str, type[Configured]]):
    """Methods by name. A method's module is imported when its class is first asked for.

    Args:
        homes: for each name, the module and the class in it.
        entry_points: group under which other installed packages declare methods of theirs; those
            are looked up when a name is asked for that is not at home.
        does: the function that every method has, e.g. "segment".
    """

    def __init__(self, homes: Mapping[str, tuple[str, str]], entry_points: str, does: str) -> None:
        self._entries: dict[str, tuple[str, str] | type[Configured]] = dict(homes)
        self._entry_points = entry_points
        self._does = does

    @cached_property
    def _with_installed(self) -> dict[str, tuple[str, str] | type[Configured]]:
        from importlib.metadata import entry_points

        for point in entry_points(group=self._entry_points):
            module, _, class_name = point.value.partition(":")
            self._entries.setdefault(point.name, (module.strip(), class_name.strip()))
        return self._entries

    def __getitem__(self, name: str) -> type[Configured]:
        entry = self._entries[name] if name in self._entries else self._with_installed[name]
        if isinstance(entry, tuple):
            entry = self._entries[name] = _load(name, *entry, self._does)
        return entry

    def __contains__(self, name: object) -> bool:
        return name in self._entries or name in self._with_installed

    def __setitem__(self, name: str, method: type[Configured]) -> None:
        self._entries[name] = method

    def __delitem__(self, name: str) -> None:
        del self._entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._with_installed)

    def __len__(self) -> int:
        return len(self._with_installed)


def usable(
    table: Mapping[str, type[Method]], on_error: Callable[[str, SpecError], object] | None = None
) -> Iterator[tuple[str, type[Method]]]:
    """The methods of a table with their names, but for those that are not as a method must be.

    Args:
        on_error: called with the name of each that is left out, and why.
    """
    for name in table:
        try:
            yield name, table[name]
        except SpecError as error:
            if on_error is not None:
                on_error(name, error)


def _load(name: str, module: str, class_name: str, does: str) -> type[Configured]:
    if module.partition(".")[0] == __name__.partition(".")[0]:
        own: type[Configured] = getattr(import_module(module), class_name)
        return own
    try:
        method = getattr(import_module(module), class_name)
    except (Exception, SystemExit) as error:
        raise SpecError(
            f"{name!r} cannot be loaded from {module}:{class_name}, where an installed package "
            f"says that it is: {error}"
        ) from error
    wrong = _wrong_with(method, name, does)
    if wrong:
        raise SpecError(f"{module}:{class_name} is installed as {name!r}, but {wrong}")
    return method  # type: ignore[no-any-return]


def _wrong_with(method: Any, name: str, does: str) -> str:
    """What a method of another package lacks; nothing where it is as it must be."""
    if not (isinstance(method, type) and issubclass(method, Configured) and is_dataclass(method)):
        return "it is no dataclass that derives from pagecut.spec.Configured"
    own = getattr(method, "name", None)
    if own != name:
        return f"its name is {own!r}"
    if not isinstance(getattr(method, "paper", None), str):
        return "its `paper` is no string"
    if not isinstance(getattr(method, "needs", None), frozenset):
        return "its `needs` is no frozenset"
    return "" if callable(getattr(method, does, None)) else f"it has no {does}()"


def parameters(method: type[Configured]) -> list[Field[Any]]:
    """The parameters of a method, in order."""
    return list(fields(method))  # type: ignore[arg-type]


def parse_spec(spec: str, table: Mapping[str, type[Method]], what: str) -> Method:
    """Make the method that a spec describes.

    Args:
        table: the methods there are, by name.
        what: what they are called in messages, e.g. "segmenter".
    """
    match = _SPEC.fullmatch(spec)
    if match is None:
        raise SpecError(f"not a spec: {spec!r}; write the {what} as name or name(parameter=value)")
    name, arguments = match[1], match[2] or ""
    if name not in table:
        raise SpecError(f"no {what} {name!r}{_nearest(name, list(table))}")
    method = table[name]
    by_name = {parameter.name: parameter for parameter in parameters(method)}
    known = list(by_name)
    values = {}
    for key, value in _parse_arguments(arguments, spec).items():
        if key not in known:
            raise SpecError(f"{what} {name} has no parameter {key!r}{_nearest(key, known)}")
        _check_type(f"{what} {name}: {key}", value, by_name[key])
        values[key] = value
    missing = [
        parameter.name
        for parameter in parameters(method)
        if parameter.default is MISSING and parameter.name not in values
    ]
    if missing:
        raise SpecError(
            f"{what} {name} needs a value for {', '.join(missing)}: {name}({missing[0]}=…)"
        )
    try:
        return method(**values)
    except PagecutError:
        raise
    except Exception as error:  # whatever a method of another package raises
        raise SpecError(f"{spec}: {error}") from error


def method_of(given: object, table: Mapping[str, type[Method]], what: str, *, does: str) -> Method:
    """The method that a spec describes; one that was made elsewhere is taken as it is.

    Args:
        table, what: as of `parse_spec`.
        does: the function that such a method has, e.g. "segment".
    """
    if isinstance(given, str):
        return parse_spec(given, table, what)
    if isinstance(given, type):
        name = given.__name__
        raise SpecError(f"{name} is a class; give the {what} itself, e.g. {name}()")
    if not callable(getattr(given, does, None)):
        raise SpecError(f"no {what}, which has {does}(), and no spec of one: {given!r:.200}")
    return given  # type: ignore[return-value]


def parameter_notes(method: type[Configured]) -> dict[str, str]:
    """What the docstring's "Args:" says of each parameter."""
    _, _, text = (method.__doc__ or "").partition("Args:\n")
    notes: dict[str, str] = {}
    known = {field.name for field in parameters(method)}
    current = ""
    for line in text.splitlines():
        name, colon, rest = line.strip().partition(": ")
        if colon and name in known:
            current = name
            notes[name] = rest
        elif current and line.strip():
            notes[current] += " " + line.strip()
        else:
            current = ""
    return notes


def _check_type(where: str, value: object, parameter: Field[Any]) -> None:
    """Raise SpecError unless a value is of its default's kind, or a word that the parameter takes.

    Words stand in the field's metadata: `field(default=0.5, metadata={"words": ("auto",)})`; so
    does a `hint` for those who give something else.
    """
    default, words = parameter.default, parameter.metadata.get("words", ())
    if isinstance(value, str) and value in words:
        return
    others = "".join(f" or {word!r}" for word in words)
    for kind, allowed, named in (
        (bool, bool, "True or False"),
        (int, int, "a whole number"),
        (float, int | float, "a number"),
        (str, str, "a string in quotes"),
    ):
        if type(default) is kind:
            if not isinstance(value, allowed) or (isinstance(value, bool) and kind is not bool):
                hint = parameter.metadata.get("hint", "")
                raise SpecError(f"{where} must be {named}{others}, got {value!r}{hint}")
            return


@lru_cache(maxsize=64)  # a method is mostly asked for again: for the next page
def _parse_arguments(arguments: str, spec: str) -> Mapping[str, Any]:
    try:
        call = ast.parse(f"_({arguments})", mode="eval").body
        if not isinstance(call, ast.Call) or call.args or any(k.arg is None for k in call.keywords):
            raise ValueError
        if len({word.arg for word in call.keywords}) < len(call.keywords):
            raise ValueError
        return {str(word.arg): ast.literal_eval(word.value) for word in call.keywords}
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise SpecError(
            f"cannot read {spec!r}: parameters are name=value, the values Python literals, "
            "strings in quotes"
        ) from error


def _nearest(word: str, known: list[str]) -> str:
    if not known:
        return "; it takes none"
    import difflib  # for errors alone

    close = difflib.get_close_matches(word.lower(), known, n=1)
    hint = f"; did you mean {close[0]!r}?" if close else ""
    return f"{hint} (there are: {', '.join(known)})"
