"""A page's tree by selectolax's lexbor."""

from __future__ import annotations

from selectolax.lexbor import LexborHTMLParser

from pagecut.errors import PageError


def parse_tree(source: bytes, page: object) -> LexborHTMLParser:
    """Parse a page in UTF-8; `PageError` names it where lexbor cannot."""
    try:
        return LexborHTMLParser(source)
    except Exception as error:
        raise cannot_parse(page, error) from error


def cannot_parse(page: object, reason: object) -> PageError:
    """The error for a page that lexbor cannot parse."""
    return PageError(f"{page}: lexbor cannot parse it: {reason}")
