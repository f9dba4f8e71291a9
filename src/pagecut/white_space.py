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
_WIDE: Final = (
    "\u2e80-\u312f\u31a0-\u4dbf\u4e00-\u9fff\uf900-\ufaff\ufe30-\ufe4f\uff01-\uff60"
    "\U00020000-\U0003fffd"
)
_WIDE_BREAK = re.compile(rf"(?<=[{_WIDE}])[ \t]*[\n\r\f][ \t\n\r\f]*(?=[{_WIDE}])")


def fold(text: str) -> str:
    """White space inside a text as CSS folds it; the ends are stripped."""
    text = text.strip(WHITE_SPACE)
    if not text.isascii():
        text = _WIDE_BREAK.sub("", text).translate(NEVER_IN_TEXT)
    return _FOLD.sub(" ", text) if _FOLDED.search(text) else text
