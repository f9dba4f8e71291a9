"""Files with a page for each of their sheets, told from HTML without what reads them."""

from __future__ import annotations

from typing import Final

BOX_FILES: Final = (".csv", ".json")
_PDF: Final = b"%PDF-"


def is_pdf(data: bytes) -> bool:
    """Whether bytes are a PDF file: its sign may stand behind some rubbish, but not in markup."""
    return _PDF in data[:1024] and not _is_markup(data)


def is_box_file(name: str, data: bytes) -> bool:
    """Whether a file is one by its name; pages have such names too, as those about a file do."""
    return name.lower().endswith(BOX_FILES) and not _is_markup(data)


def _is_markup(data: bytes) -> bool:
    return data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"<")
