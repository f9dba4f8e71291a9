"""Paths of nodes, such that any HTML5 parser's tree has the same node there."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

TEXT_TAG: Final = "#text"

_PLAIN_NAME = re.compile(r"[a-z][a-z0-9_.-]*")
_HTML_AGAIN = frozenset({"foreignobject", "desc", "title", "annotation-xml"})


def xpath_of(chain: Iterable[tuple[str, int]]) -> str:
    """The path of a node from (tag, ordinal) of its ancestors and itself, the root first."""
    steps = []
    foreign = False
    for tag, ordinal in chain:
        foreign = foreign or tag in ("svg", "math")
        steps.append(_step(tag, ordinal, foreign))
        foreign = foreign and tag.lower() not in _HTML_AGAIN
    return "/" + "/".join(steps)


def _step(tag: str, ordinal: int, foreign: bool) -> str:
    if tag == TEXT_TAG:
        return f"text()[{ordinal}]"
    if not foreign and _PLAIN_NAME.fullmatch(tag):
        return f"{tag}[{ordinal}]"
    return f"*[name()={_literal(tag)}][{ordinal}]"


def _literal(name: str) -> str:
    """XPath 1.0 has no escape inside strings: a name with both quotes is put together."""
    for quote in "'", '"':
        if quote not in name:
            return f"{quote}{name}{quote}"
    return "concat(" + ', "\'", '.join(f"'{part}'" for part in name.split("'")) + ")"
