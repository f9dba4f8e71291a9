"""The main text of a page as a document: text, Markdown, HTML, JSON or XML, with its metadata."""

from __future__ import annotations

import json
from typing import Any
from xml.sax.saxutils import quoteattr

from pagecut.content.clean_html import to_html
from pagecut.content.formats import DOCUMENT_FORMATS, DocumentFormat, check_format
from pagecut.content.line_model import Favour
from pagecut.content.main_text import MainText, page_type
from pagecut.content.markdown import to_markdown
from pagecut.content.metadata import Metadata, metadata
from pagecut.page import Page
from pagecut.parsing.reading import as_page
from pagecut.results.tables import Columns, Tabular


def to_document(
    page: Page,
    format: DocumentFormat = "text",
    method: MainText | None = None,
    *,
    links: bool = True,
    images: bool = True,
    name: str | None = None,
) -> str:
    """The main text of a page in one of DOCUMENT_FORMATS, or by the short name of one.

    JSON is one line with the page's metadata, its type and the text; XML an element `doc` with the
    same as attributes around what HTML has.

    Args:
        links: keep them in Markdown, HTML and XML.
        images: keep them there.
        name: stands in for the URL of a page that has none.
    """
    wanted = check_format(format, DOCUMENT_FORMATS)
    spans = (method or MainText()).spans(page)
    if wanted == "text":
        return page.readable_spans(spans)
    if wanted == "markdown":
        return to_markdown(page, spans, links=links, images=images)
    if wanted == "html":
        return to_html(page, spans, links=links, images=images)
    described = _description(page, name)
    if wanted == "json":
        return json.dumps({**described, "text": page.readable_spans(spans)}, ensure_ascii=False)
    given = {key: _plain(value) for key, value in described.items() if value not in (None, [], "")}
    attributes = " ".join(f"{key}={quoteattr(value)}" for key, value in given.items())
    return f"<doc {attributes}>\n{to_html(page, spans, links=links, images=images)}\n</doc>"


def text(
    page: Page | str | bytes,
    format: DocumentFormat = "text",
    *,
    favour: Favour = "balance",
    comments: bool = True,
    links: bool = True,
    images: bool = True,
) -> str:
    """The main text of a page, as text, Markdown, HTML, XML, or JSON with metadata.

    Args:
        page: a page, or its HTML.
        format: "text" ("txt"), "markdown" ("md"), "html", "xml" or "json".
        favour: "precision" for less text that is surely main text, "recall" for more, "balance".
        comments: whether readers' comments may be in it; those of a forum always are.
        links: keep them in Markdown, HTML and XML.
        images: keep them there.

    >>> import pagecut
    >>> pagecut.text(pagecut.read("examples/article.html"), "markdown")[:41]
    'When the last train left the Oxmere valle'
    """
    method = MainText(favour=favour, comments=comments)
    return to_document(as_page(page), format, method, links=links, images=images)


class Description(dict[str, Any], Tabular):
    """What is known of a page, in one row."""

    types = Metadata.types

    def columns(self) -> Columns:
        """One row."""
        return {name: [value] for name, value in self.items()}


def describe(page: Page | str | bytes, *, favour: Favour = "balance") -> Description:
    """What is known of a page in one row: its metadata, its type and its main text.

    Args:
        page: a page, or its HTML.
        favour: of the main text, as in `text`.
    """
    page = as_page(page)
    text = page.readable_spans(MainText(favour=favour).spans(page))
    return Description({**_description(page, None), "text": text})


def _description(page: Page, name: str | None) -> dict[str, Any]:
    kind, likely = next(iter(page_type(page).items()))
    return {
        "page": page.id,
        "url": page.url or name,
        **metadata(page).as_row(),
        "page_type": kind,
        "page_type_probability": round(likely, 4),
    }


def _plain(value: Any) -> str:
    text = "; ".join(map(str, value)) if isinstance(value, list) else str(value)
    return "".join(each if each.isprintable() else " " for each in text)
