"""White space as CSS folds it for normal text."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagecut.page import IMAGE_CHARACTER

WHITE_SPACE: Final = " \t\n\r\f"
WHITE_POINTS: Final = tuple(map(ord, WHITE_SPACE))
_REPLACEMENT: Final = "\ufffd"
NEVER_IN_TEXT: Final = str.maketrans({IMAGE_CHARACTER: _REPLACEMENT})

_FOLD = re.compile(r"[ \t\n\r\f]+")
_FOLDED = re.compile(r"[\t\n\r\f]|  ")
# Wide East Asian characters, between which a line end is no space (CSS Text §4.1.3).
WIDE: Final = (
    (0x2E80, 0x312F),
    (0x31A0, 0x4DBF),
    (0x4E00, 0x9FFF),
    (0xF900, 0xFAFF),
    (0xFE30, 0xFE4F),
    (0xFF01, 0xFF60),
    (0x20000, 0x3FFFD),
)
_WIDE: Final = "".join(f"{chr(first)}-{chr(last)}" for first, last in WIDE)
# What comes before is matched, not looked back at, which would take far longer.
_WIDE_BREAK = re.compile(rf"([{_WIDE}])[ \t]*[\n\r\f][ \t\n\r\f]*(?=[{_WIDE}])")
# Which two bytes, as one number, wide characters start with in UTF-8.
_STARTS_WIDE: Final = np.zeros(2**16, dtype=bool)
for _points in WIDE:
    _first, _last = (int.from_bytes(chr(point).encode()[:2], "big") for point in _points)
    _STARTS_WIDE[_first : _last + 1] = True
_TO_SPACE: Final = bytes.maketrans(WHITE_SPACE.encode(), b" " * len(WHITE_SPACE))

Bool = NDArray[np.bool_]


def fold(text: str) -> str:
    """White space inside a text as CSS folds it; the ends are stripped."""
    text = text.strip(WHITE_SPACE)
    if not text.isascii():
        text = _WIDE_BREAK.sub(r"\1", text)
        if IMAGE_CHARACTER in text:
            text = text.translate(NEVER_IN_TEXT)
    return _FOLD.sub(" ", text) if _FOLDED.search(text) else text


class Folded(NamedTuple):
    """Many texts, folded; what is said of them concerns their contents before."""

    texts: list[str]
    has_ink: Bool  # more than white space
    white_before: Bool  # at the start, or there is nothing else
    white_after: Bool  # at the end


def fold_all(contents: list[str]) -> Folded:
    """Fold many texts in one go."""
    joined = "\0".join(["", *contents, ""])
    source = joined.encode("utf-8", "surrogatepass")
    if len(source) > len(joined):
        if _may_be_wide(source):
            source = _WIDE_BREAK.sub(r"\1", joined).encode("utf-8", "surrogatepass")
        source = source.replace(IMAGE_CHARACTER.encode(), _REPLACEMENT.encode())
    units = np.frombuffer(source.translate(_TO_SPACE), dtype=np.uint8)
    is_space = units == ord(" ")
    kept = np.ones(len(units), dtype=bool)
    np.logical_not(is_space[1:] & is_space[:-1], out=kept[1:])
    units = units[kept]
    edges = np.flatnonzero(units == 0)
    if len(edges) > len(contents) + 1:  # which no parser of HTML leaves in a text
        return _fold_each(contents)
    first, last = edges[:-1] + 1, edges[1:] - 1
    white_before, white_after = units[first] == ord(" "), units[last] == ord(" ")
    has_ink = last - first >= white_before
    kept = np.ones(len(units), dtype=bool)
    kept[first[white_before]] = False
    kept[last[white_after]] = False
    folded = units[kept].tobytes().decode("utf-8", "surrogatepass")
    return Folded(folded.split("\0")[1:-1], has_ink, white_before | ~has_ink, white_after)


def _fold_each(contents: list[str]) -> Folded:
    """The same, one by one."""
    texts = [fold(content) for content in contents]
    return Folded(
        texts,
        np.array([bool(text) for text in texts], dtype=bool),
        np.array([content[:1] in WHITE_SPACE for content in contents], dtype=bool),
        np.array([content[-1:] in WHITE_SPACE for content in contents], dtype=bool),
    )


def _may_be_wide(source: bytes) -> bool:
    """Whether UTF-8 may hold wide characters, going by the first two bytes of each character."""
    units = np.frombuffer(source, dtype=np.uint8)
    at = np.flatnonzero(units >= 0xE2)
    return bool(_STARTS_WIDE[units[at].astype(np.int32) << 8 | units[at + 1]].any())
