"""Linked data (JSON-LD) of a page: its things, each with its types and how it is nested.

Everything is bounded, since pages may be hostile: what is too long, too deep or no JSON is as if it
were not there.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, Final

LONGEST: Final = 1 << 20  # characters of a script
MOST: Final = 1 << 22  # of all scripts
MOST_THINGS: Final = 5_000
DEEPEST: Final = 12
MOST_NESTING: Final = 200  # brackets that are open in a script

_DECODER: Final = json.JSONDecoder(strict=False)
_WRAPPING = re.compile(r"\s*(?:<!--|//\s*<!\[CDATA\[|<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)")
_WRAPPED = re.compile(r"(?:-->|//\s*\]\]>|\]\]>|/\*\s*\]\]>\s*\*/|;)\s*$")
_CLOSING: Final = (">", "*/", ";")
# Comments and trailing commas, which programs have and JSON has not; texts may hold the like.
_TEXT: Final = r'("(?:[^"\\]|\\.)*+"?)'
_COMMENT = re.compile(rf"{_TEXT}|//[^\n]*+|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA = re.compile(rf"{_TEXT}|,(?=\s*[}}\]])", re.DOTALL)


@dataclass(slots=True, eq=False)  # not frozen, which makes many of them slowly
class Thing:
    """An object of the data.

    Args:
        types: in small letters, without the vocabulary's address.
        role: the property that it is the value of; empty where it stands by itself.
        depth: 0 for what stands by itself, in a list or in `@graph`.
    """

    values: dict[str, Any]
    types: frozenset[str]
    role: str
    depth: int

    def __getitem__(self, name: str) -> Any:
        return self.values.get(name)


class LinkedData:
    """All things of a page, in order; those that others refer to can be looked up."""

    def __init__(self, scripts: Iterable[str]) -> None:
        self.things: list[Thing] = []
        self._by_id: dict[str, dict[str, Any]] = {}
        for value in _parsed(scripts):
            self._add(value)

    def _add(self, value: object) -> None:
        waiting: list[tuple[object, str, int]] = [(value, "", 0)]
        while waiting and len(self.things) < MOST_THINGS:
            each, role, depth = waiting.pop()
            if isinstance(each, list):
                waiting += [(one, role, depth) for one in reversed(each[:MOST_THINGS])]
            elif isinstance(each, dict):
                name = each.get("@id")
                if isinstance(name, str) and len(each) > 1:
                    self._by_id.setdefault(name, each)
                self.things.append(Thing(each, _types(each), role, depth))
                if depth < DEEPEST:
                    for key, one in reversed(each.items()):
                        if isinstance(one, dict | list):
                            inner = key == "@graph"
                            waiting.append((one, role if inner else key, depth + (not inner)))

    def resolve(self, value: object) -> object:
        """What an object is that only refers to another one."""
        if isinstance(value, dict) and isinstance(value.get("@id"), str) and "name" not in value:
            return self._by_id.get(value["@id"], value)
        return value

    def names(self, value: object, most: int = 20) -> Iterator[str]:
        """The names of people or organisations, however they are given."""
        waiting = [value]
        while waiting and most:
            most -= 1
            each = self.resolve(waiting.pop(0))
            if isinstance(each, list):
                waiting = each[:most] + waiting
            elif isinstance(each, dict):
                name = each.get("name")
                if isinstance(name, str | list):
                    waiting.insert(0, name)
            elif isinstance(each, str):
                yield each


def texts(value: object) -> Iterator[str]:
    """The texts that a value is: one, several, or `{"@value": …}`."""
    for each in value[:50] if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            each = each.get("@value")
        if isinstance(each, str) and each.strip():
            yield each


def addresses(value: object) -> Iterator[str]:
    """The addresses that a value is, or that the objects have which it is."""
    for each in value[:50] if isinstance(value, list) else [value]:
        if isinstance(each, dict):
            each = each.get("url") or each.get("contentUrl") or each.get("@id")
        if isinstance(each, list):
            each = next((one for one in each[:5] if isinstance(one, str)), None)
        if isinstance(each, str) and each.strip():
            yield each.strip()


def _types(value: dict[str, Any]) -> frozenset[str]:
    given = value.get("@type")
    if given is None:
        return frozenset()
    return frozenset(
        each.rpartition("/")[2].rpartition(":")[2].lower()
        for each in (given[:20] if isinstance(given, list) else [given])
        if isinstance(each, str)
    )


def _parsed(scripts: Iterable[str]) -> Iterator[object]:
    left = MOST
    for script in scripts:
        if len(script) > min(LONGEST, left):
            continue
        left -= len(script)
        if not _too_deep(script):
            script = script[wrapping.end() :] if (wrapping := _WRAPPING.match(script)) else script
            if script.rstrip().endswith(_CLOSING):  # the search goes through all of it
                script = _WRAPPED.sub("", script)
            yield _load(script)


def _load(script: str) -> object:
    try:
        return _DECODER.decode(script)
    except (ValueError, RecursionError):
        pass
    try:
        return _DECODER.decode(_TRAILING_COMMA.sub(r"\1", _COMMENT.sub(r"\1", script)))
    except (ValueError, RecursionError):
        pass
    try:  # what follows the first value, as pages have two in one script
        return _DECODER.raw_decode(script.lstrip())[0]
    except (ValueError, RecursionError):
        return None


def _too_deep(script: str) -> bool:
    """Whether more brackets are open at once than any honest data has."""
    if script.count("{") + script.count("[") <= MOST_NESTING:
        return False
    depth = 0
    for each in re.finditer(r"[\[{\]}]", script):
        depth += 1 if each[0] in "[{" else -1
        if depth > MOST_NESTING:
            return True
    return False
