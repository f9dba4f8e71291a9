"""White space as CSS folds it for normal text."""

from __future__ import annotations

import re
from typing import Final

from pagecut.page import IMAGE_CHARACTER

WHITE_SPACE: Final = " \t\n\r\f"
WHITE_POINTS: Final = tuple(map(ord, WHITE_SPACE))
NEVER_IN_TEXT: Final = str.maketrans({IMAGE_CHARACTER: "\ufffd"})

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
# What comes before is matched, not looked back at, which would take far longer. Compiled when it is
# first needed: that takes longer than to read most pages.
_WIDE_BREAK: Final = rf"([{_WIDE}])[ \t]*[\n\r\f][ \t\n\r\f]*(?=[{_WIDE}])"


def fold(text: str) -> str:
    """White space inside a text as CSS folds it; the ends are stripped."""
    text = text.strip(WHITE_SPACE)
    if not text.isascii():
        text = re.sub(_WIDE_BREAK, r"\1", text)
    if _FOLDED.search(text):
        text = _FOLD.sub(" ", text)
    return text.translate(NEVER_IN_TEXT) if IMAGE_CHARACTER in text else text
