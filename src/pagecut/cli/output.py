"""What commands write of pages to stdout: as it is into files and pipes, harmless on a terminal."""

from __future__ import annotations

import re
import sys
from io import TextIOBase, TextIOWrapper
from pathlib import Path
from typing import Final, TextIO, cast

# Control characters but newline and tab, overrides of the direction of text, lone surrogates.
_OBEYED: Final = re.compile(
    "[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]",
)
_CONTROL_PICTURES: Final = 0x2400
_PAGE_ENDING: Final = re.compile(r"(?:\.x?html?|\.pdf|\.snap|\.json)?(?:\.gz)?$", re.IGNORECASE)


def harmless(text: str) -> str:
    """With a visible character for each one that a terminal would obey."""
    return _OBEYED.sub(_visible, text)


def _visible(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code < 0x20:
        return chr(_CONTROL_PICTURES + code)
    return "\u2421" if code == 0x7F else "\ufffd"


class _Terminal(TextIOBase):
    """Stdout where it is a terminal."""

    def write(self, text: str) -> int:
        sys.stdout.write(harmless(text))
        return len(text)

    def flush(self) -> None:
        sys.stdout.flush()


def file_name(name: str, ending: str, taken: dict[str, int]) -> str:
    """A file's name made of a page's: letters that every file system takes, and not used yet.

    Args:
        taken: the names used so far, with the number of the last one made of each.
    """
    place = name.partition("?")[0].rstrip("/") if "://" in name else name
    stem = _PAGE_ENDING.sub("", Path(place).name)
    stem = "".join(each if each.isalnum() or each in "._-" else "-" for each in stem)[:100]
    stem = stem.strip("-.") or "page"
    number, found = taken.get(stem.lower(), 1), stem
    while found.lower() in taken:
        number += 1
        found = f"{stem}-{number}"
    taken[found.lower()] = 1
    taken[stem.lower()] = number
    return found + ending


def page_output() -> TextIO:
    """Where commands write what comes from pages; in UTF-8, whatever the terminal's encoding."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    return cast("TextIO", _Terminal()) if sys.stdout.isatty() else sys.stdout
