"""White space as CSS folds it for normal text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagecut.page import IMAGE_CHARACTER

WHITE_SPACE: Final = " \t\n\r\f"
WHITE_POINTS: Final = tuple(map(ord, WHITE_SPACE))
_REPLACEMENT: Final = "\ufffd"
NEVER_IN_TEXT: Final = str.maketrans({IMAGE_CHARACTER: _REPLACEMENT})

_FOLD = re.compile(r"[ \t\n\r\f]+")
_INK = re.compile(r"[^ \t\n\r\f]")
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

# In texts that are folded, single surrogates stand for what has a meaning of its own there; HTML
# has none: an image, and white space that stays.
IMAGE_MARK: Final = "\ud800"
_WHITE_MARKS: Final = {character: chr(0xD800 + ord(character)) for character in WHITE_SPACE}
_ANY_MARK: Final = b"\xed\xa0"  # which all of them start with in UTF-8
# Characters that are folded at once, which takes a multiple of their memory.
_AT_ONCE: Final = 2**18

Bool = NDArray[np.bool_]


def fold(text: str) -> str:
    """White space inside a text as CSS folds it; the ends are stripped."""
    text = _fold_runs(text)
    return text.translate(NEVER_IN_TEXT) if IMAGE_CHARACTER in text else text


def _fold_runs(text: str) -> str:
    """The same, whatever else the text has."""
    text = text.strip(WHITE_SPACE)
    if not text.isascii():
        text = _WIDE_BREAK.sub(r"\1", text)
    return _FOLD.sub(" ", text) if _FOLDED.search(text) else text


def keep_white_space(text: str) -> str:
    """A text in which marks stand for white space, so that it comes out of `fold_all` unfolded."""
    for character, mark in _WHITE_MARKS.items():
        text = text.replace(character, mark)
    return text


class Folded(NamedTuple):
    """Many texts, folded; what is said of them concerns their contents before."""

    joined: bytes  # in UTF-8, a NUL around each
    has_ink: Bool  # more than white space
    white_before: Bool  # at the start, or there is nothing else
    white_after: Bool  # at the end

    @property
    def texts(self) -> list[str]:
        return self.joined.decode().split("\0")[1:-1]


def fold_all(contents: list[str]) -> Folded:
    """Fold many texts in one go, or in several where that would take much memory.

    A text may be `IMAGE_MARK`, which becomes the character of an image.
    """
    joined = "\0".join(["", *contents, ""])
    if joined.count("\0") > len(contents) + 1:  # which no parser of HTML leaves in a text
        return fold_all([content.replace("\0", _REPLACEMENT) for content in contents])
    if len(joined) <= _AT_ONCE:
        return _fold_joined(joined)
    del joined
    parts = [
        _fold_joined("\0".join(["", *group, ""])) if len(group) > 1 else _fold_long(group[0])
        for group in _groups(contents)
    ]
    columns = zip(*(part[1:] for part in parts), strict=True)
    whole = parts[0].joined + b"".join(part.joined[1:] for part in parts[1:])
    return Folded(whole, *map(np.concatenate, columns))


def _groups(contents: list[str]) -> Iterator[list[str]]:
    """Texts that are folded together, or one that may be long."""
    group: list[str] = []
    size = 1
    for content in contents:
        size += len(content) + 1
        if group and size > _AT_ONCE:
            yield group
            group, size = [], len(content) + 2
        group.append(content)
    yield group


def _fold_joined(joined: str) -> Folded:
    """Fold texts with a NUL around each."""
    source = joined.encode("utf-8", "surrogatepass")
    is_plain = len(source) == len(joined)
    if not is_plain and _may_be_wide(source):
        source = _WIDE_BREAK.sub(r"\1", joined).encode("utf-8", "surrogatepass")
    units = np.frombuffer(source.translate(_TO_SPACE), dtype=np.uint8)
    is_space = units == ord(" ")
    kept = np.ones(len(units), dtype=bool)
    np.logical_not(is_space[1:] & is_space[:-1], out=kept[1:])
    units = units[kept]
    edges = (units == 0).nonzero()[0]
    first, last = edges[:-1] + 1, edges[1:] - 1
    white_before, white_after = units[first] == ord(" "), units[last] == ord(" ")
    has_ink = last - first >= white_before
    kept = np.ones(len(units), dtype=bool)
    kept[first[white_before]] = False
    kept[last[white_after]] = False
    folded = units[kept].tobytes()
    if not is_plain:
        folded = _without_marks(folded)
    return Folded(folded, has_ink, white_before | ~has_ink, white_after)


def _fold_long(content: str) -> Folded:
    """The same for one text, of which a part is folded at a time.

    Parts overlap by one character that is no white space, so that each knows what is around its own
    white space.
    """
    folded, start = [b"\0"], 0
    while start < len(content):
        ink = _INK.search(content, start + _AT_ONCE)
        end = len(content) if ink is None else ink.end()
        part = _fold_runs(content[start - 1 : end])[1:] if start else _fold_runs(content[:end])
        folded.append(_without_marks(part.encode("utf-8", "surrogatepass")))
        start = end
    folded.append(b"\0")
    return Folded(
        b"".join(folded),
        np.array([any(folded[1:-1])]),
        np.array([content[:1] in WHITE_SPACE]),
        np.array([content[-1:] in WHITE_SPACE]),
    )


def _without_marks(folded: bytes) -> bytes:
    """Folded texts in UTF-8 with what the marks in them stand for."""
    folded = folded.replace(IMAGE_CHARACTER.encode(), _REPLACEMENT.encode())
    if _ANY_MARK in folded:
        folded = folded.replace(_encoded(IMAGE_MARK), IMAGE_CHARACTER.encode())
        if _ANY_MARK in folded:
            for character, mark in _WHITE_MARKS.items():
                folded = folded.replace(_encoded(mark), character.encode())
    return folded


def _encoded(mark: str) -> bytes:
    return mark.encode("utf-8", "surrogatepass")


def _may_be_wide(source: bytes) -> bool:
    """Whether UTF-8 may hold wide characters, going by the first two bytes of each character."""
    units = np.frombuffer(source, dtype=np.uint8)
    at = (units >= 0xE2).nonzero()[0]
    return bool(_STARTS_WIDE[units[at].astype(np.int32) << 8 | units[at + 1]].any())
