"""The self-contained HTML report: each page's segments in colour, each image with its context.

One file without scripts or references to the network; the method switcher and the filters are
radio buttons and CSS. Whatever comes from a page is escaped, and a strict content security policy
stands behind that.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Final

from pagecut._version import __version__
from pagecut.errors import counted
from pagecut.page.text.tokenizer import token_spans
from pagecut.report.gallery import Gallery, shows_text
from pagecut.report.local_images import ImageEmbedder
from pagecut.report.segments import SegmentsView
from pagecut.report.text import PageText, ReportEntry, cut_in_the_middle, language
from pagecut.temporary import written_whole

SHOWN_NAME: Final = 48  # characters of a page's name in lists
__all__ = ["ReportEntry", "document_head", "write_report"]


def write_report(
    path: Path,
    entries: Sequence[ReportEntry],
    *,
    title: str = "pagecut report",
    images_first: bool = False,
) -> None:
    """Write one HTML file that shows the segments and image contexts of pages.

    Args:
        images_first: of each page, where they are what the reader asked for.
    """
    with (
        written_whole(path) as part,
        part.open("w", encoding="utf-8", errors="xmlcharrefreplace", newline="\n") as file,
    ):
        file.writelines(_document(entries, title, images_first))


def _document(entries: Sequence[ReportEntry], title: str, images_first: bool) -> Iterator[str]:
    yield document_head(title)
    yield (
        '<body>\n<a class="skip" href="#main">Skip to the results</a>\n'
        f'<header class="top"><h1>{escape(title)}</h1>{_lede(entries)}</header>\n'
        f'<div class="layout">\n{_index(entries)}<main id="main">\n{_summary(entries)}'
    )
    embedder = ImageEmbedder()
    for number, entry in enumerate(entries, 1):
        yield from _page(PageText(entry, f"p{number}", embedder), images_first)
    yield (
        f"</main>\n</div>\n<footer>Made by pagecut {escape(__version__)}. This file loads nothing "
        "from the network and runs no scripts.</footer>\n</body>\n</html>\n"
    )


def document_head(title: str) -> str:
    """The start of a file that may load nothing and run nothing, with the style sheet."""
    style = files("pagecut.report").joinpath("report.css").read_text(encoding="utf-8")
    digest = b64encode(sha256(style.encode()).digest()).decode("ascii")
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; img-src data:; '
        f"style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'\">\n"
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>{escape(title)}</title>\n<style>{style}</style>\n</head>\n"
    )


def _lede(entries: Sequence[ReportEntry]) -> str:
    asked = [entry for entry in entries if entry.contexts is not None]
    images = sum(len(entry.page.images) for entry in asked)
    found = sum(_images_with_context(entry) or 0 for entry in asked)
    told = f", {counted(images, 'image')}, {found:,} of them with context" if asked else ""
    return (
        f'<p class="lede">{counted(len(entries), "page")}{told}. Each coloured block is one '
        "segment: point at it, or follow its number, to see where it lies in the page.</p>"
    )


def _index(entries: Sequence[ReportEntry]) -> str:
    rows = "".join(
        f'<li><a class="to-page" href="#p{number}" dir="auto" title="{escape(entry.name)}">'
        f"{escape(cut_in_the_middle(entry.name, SHOWN_NAME))}</a>"
        f'<span class="to-views"><a href="#p{number}-segments">segments</a>'
        f"{_link_to_images(number, entry)}</span></li>\n"
        for number, entry in enumerate(entries, 1)
    )
    return (
        '<nav class="index" aria-label="Pages"><a class="to-summary" href="#summary">Summary</a>'
        f"<ol>\n{rows}</ol></nav>\n"
    )


def _link_to_images(number: int, entry: ReportEntry) -> str:
    return "" if entry.contexts is None else f' <a href="#p{number}-images">images</a>'


def _summary(entries: Sequence[ReportEntry]) -> str:
    methods = list(dict.fromkeys(s.made_by for entry in entries for s in entry.segmentations))
    names = [
        "Nodes",
        "Tokens",
        *(f"<small>Segments</small> {escape(method)}" for method in methods),
        "Images",
        "<small>Images</small> with context",
    ]
    rows = [_row(entry, methods) for entry in entries]
    if all(entry.contexts is None for entry in entries):
        names, rows = names[:-1], [row[:-1] for row in rows]
    head = "".join(f'<th scope="col" class="number">{name}</th>' for name in names)
    body = "".join(
        f'<tr><th scope="row"><a href="#p{number}" dir="auto" title="{escape(entry.name)}">'
        f"{escape(cut_in_the_middle(entry.name, SHOWN_NAME))}</a></th>"
        f'<td dir="auto"{language(entry.page)}>{escape(entry.page.title)}</td>{_cells(row)}</tr>\n'
        for number, (entry, row) in enumerate(zip(entries, rows, strict=True), 1)
    )
    totals = [sum(value or 0 for value in column) for column in zip(*rows, strict=True)]
    return (
        '<section id="summary" aria-labelledby="summary-title"><h2 id="summary-title">Summary</h2>'
        '<div class="scroll" role="group" aria-label="Table of the pages" tabindex="0"><table>'
        f'<thead><tr><th scope="col">Page</th><th scope="col">Title</th>{head}</tr></thead>\n'
        f"<tbody>\n{body}</tbody>\n"
        f'<tfoot><tr><th scope="row">All</th><td></td>{_cells(totals)}</tr></tfoot>'
        "</table></div></section>\n"
    )


def _row(entry: ReportEntry, methods: Sequence[str]) -> list[int | None]:
    segments = {segmentation.made_by: len(segmentation) for segmentation in entry.segmentations}
    return [
        len(entry.page),
        len(token_spans(entry.page.text)),
        *(segments.get(method) for method in methods),
        len(entry.page.images),
        _images_with_context(entry),
    ]


def _cells(values: Sequence[int | None]) -> str:
    return "".join(
        f'<td class="number">{"–" if value is None else f"{value:,}"}</td>' for value in values
    )


def _images_with_context(entry: ReportEntry) -> int | None:
    if entry.contexts is None:
        return None
    return len({context.image for context in entry.contexts if shows_text(context)})


def _page(text: PageText, images_first: bool) -> Iterator[str]:
    key, page, name = text.key, text.page, text.entry.name
    url = f'<p class="url" dir="ltr">{escape(page.url)}</p>' if page.url else ""
    images = _images(text)  # made first: if not all images fit, it has them
    yield (
        # One page may be shown for several tasks: its title alone would not tell them apart.
        f'<section class="page" id="{key}" aria-labelledby="{key}-name {key}-title">\n'
        f'<header><p class="name" id="{key}-name" dir="auto">{escape(name)}</p>'
        f'<h2 id="{key}-title" dir="auto"{text.language}>{escape(page.title or name)}</h2>{url}'
        f"{_missing(text.entry)}</header>\n"
    )
    if images_first:
        yield images
    yield f'<details class="view" id="{key}-segments" open><summary><h3>Segments</h3></summary>\n'
    yield from SegmentsView(text).html()
    yield "</details>\n"
    if not images_first:
        yield images
    yield "</section>\n"


def _images(text: PageText) -> str:
    """The images of a page with their contexts; nothing where nobody asked for these."""
    if text.entry.contexts is None:
        return ""
    return (
        f'<details class="view" id="{text.key}-images" open><summary>'
        f"<h3>Images and their context</h3></summary>\n{''.join(Gallery(text).html())}</details>\n"
    )


def _missing(entry: ReportEntry) -> str:
    """A word on a page whose picture is barer than the page."""
    if not entry.missing or entry.picture is None:
        return ""
    were = (
        f"{counted(entry.missing, 'file')} of this page {'was' if entry.missing == 1 else 'were'}"
    )
    return (
        f'<p class="nothing">{were} not loaded (style sheets, images): it may look barer than it '
        "is. <code>pagecut render --live</code> with its address keeps it with its files.</p>"
    )
