"""The formats in which a page's main text is written, by the names that people choose them by."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Final, Literal

TextFormat = Literal["text", "txt", "markdown", "md"]
TEXT_FORMATS: Final = ("text", "markdown")
DocumentFormat = Literal["text", "txt", "markdown", "md", "json", "html", "xml"]
# By format, the ending of its files.
DOCUMENT_FORMATS: Final[Mapping[str, str]] = {
    "text": ".txt",
    "markdown": ".md",
    "json": ".json",
    "html": ".html",
    "xml": ".xml",
}
SHORT_NAMES: Final[Mapping[str, str]] = {"txt": "text", "md": "markdown"}


def full_name(format: str) -> str:
    """The name of a format that may be given by its short one, in letters of any case."""
    name = str(format).lower()
    return SHORT_NAMES.get(name, name)


def check_format(format: str, formats: Collection[str], what: str = "format") -> str:
    """The full name of a format.

    Raises:
        ValueError: where it is none of these.
    """
    name = full_name(format)
    if name not in formats:
        raise ValueError(f"{what} must be one of {', '.join(formats)}, got {format!r}")
    return name
