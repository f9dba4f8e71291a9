"""Pages, segmentations and image contexts as notebooks show them: one small self-contained card.

Nothing runs in it and nothing is loaded. It takes plain objects by what they offer, since pages
know nothing of what is built on them.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Any, Final, Protocol

# Okabe and Ito's, in the order of the classes c0 to c6 of the report.
COLOURS: Final = (
    "0 114 178",
    "230 159 0",
    "0 158 115",
    "213 94 0",
    "86 180 233",
    "204 121 167",
    "222 208 30",
)
MOST_SEGMENTS: Final = 60
MOST_CONTEXTS: Final = 60
MOST_CELL: Final = 160  # characters of a cell
MOST_TEXT: Final = 280  # characters of one segment
MOST_PAGE_TEXT: Final = 1_200

_CARD: Final = (
    "font:14px/1.5 system-ui,sans-serif;max-width:60rem;border:1px solid rgb(128 138 148 / .4);"
    "border-radius:8px;padding:.8rem 1rem;margin:.3rem 0"
)
_SOFT: Final = "opacity:.72;font-size:.88em"
_TEXT: Final = "margin:0;white-space:pre-wrap;overflow-wrap:anywhere"


class _Page(Protocol):
    url: str | None
    title: str
    id: str
    kind: str
    text: str
    size: tuple[float, float] | None

    def __len__(self) -> int: ...
    def readable(self, start: int, end: int) -> str: ...


class _Segmentation(Protocol):
    made_by: str

    @property
    def page(self) -> Any: ...
    @property
    def segments(self) -> Sequence[Any]: ...
    @property
    def levels(self) -> Sequence[int]: ...
    def __len__(self) -> int: ...


def page_html(page: _Page) -> str:
    """A page: its title, what there is of it, and the start of its text."""
    images: Sequence[object] = getattr(page, "images", ())
    facts = [page.kind, f"{len(page):,} nodes", f"{len(page.text):,} characters"]
    facts.append(f"{len(images):,} image{'' if len(images) == 1 else 's'}")
    if page.size is not None:
        facts.append(f"{page.size[0]:.0f} × {page.size[1]:.0f} px")
    text = _cut(page.readable(0, min(len(page.text), 2 * MOST_PAGE_TEXT)), MOST_PAGE_TEXT)
    return _card(page.title or page.url or page.id[:12], page.url, facts, [_passage(text)])


def segmentation_html(segmentation: _Segmentation) -> str:
    """A segmentation: its segments in colours, the inner ones indented."""
    segments = segmentation.segments
    shown = zip(segments[:MOST_SEGMENTS], segmentation.levels, strict=False)
    rows = [_segment(segment, level) for segment, level in shown]
    more = len(segments) - MOST_SEGMENTS
    if more > 0:
        rows.append(f'<p style="{_SOFT}">and {more:,} more segments</p>')
    page = segmentation.page
    count = f"{len(segments):,} segment{'' if len(segments) == 1 else 's'}"
    title = page.title or page.url or page.id[:12]
    return _card(title, page.url, [segmentation.made_by, count], rows)


def context_html(context: Any) -> str:
    """An image context: what the image is, its caption and its text."""
    image = context.source
    facts = [context.made_by, f"image {image.index}"]
    facts += [context.role] if context.role else []
    facts += [f"confidence {context.confidence:.2f}"] if context.confidence is not None else []
    parts = []
    if context.caption:
        parts.append(f'<p style="{_TEXT};font-style:italic">{escape(_cut(context.caption))}</p>')
    text = _cut(context.text, MOST_PAGE_TEXT)
    parts.append(_passage(text or "No text belongs to this image."))
    return _card(image.alt or image.title or f"Image {image.index}", image.src, facts, parts)


def contexts_html(contexts: Sequence[Any]) -> str:
    """The image contexts of a page: a table with a row for each image."""
    shown = contexts[:MOST_CONTEXTS]
    rows = [_row("th", ("", "image", "role", "confidence", "text"))]
    for each in shown:
        image = each.source
        sure = "" if each.confidence is None else f"{each.confidence:.2f}"
        name = image.alt or image.title or image.src or ""
        rows.append(_row("td", (str(each.image), name, each.role or "", sure, each.text)))
    parts = [f'<table style="border-spacing:.6rem .2rem">{"".join(rows)}</table>'] if shown else []
    more = len(contexts) - len(shown)
    if more > 0:
        parts.append(f'<p style="{_SOFT}">and {more:,} more images</p>')
    count = f"{len(contexts):,} image{'' if len(contexts) == 1 else 's'}"
    if not shown:
        return _card("Image contexts", None, [count], parts)
    page = shown[0].page
    title = page.title or page.url or page.id[:12]
    return _card(title, page.url, [shown[0].made_by, count], parts)


def _row(tag: str, texts: Iterable[str]) -> str:
    style = "text-align:left;vertical-align:top;overflow-wrap:anywhere"
    cells = (
        f'<{tag} dir="auto" style="{style}">{escape(_cut(text, MOST_CELL))}</{tag}>'
        for text in texts
    )
    return f"<tr>{''.join(cells)}</tr>"


def _segment(segment: Any, depth: int) -> str:
    colour = COLOURS[segment.number % len(COLOURS)]
    count = len(segment.images)
    marks = [segment.role] if segment.role else []
    marks += [f"{count} image{'' if count == 1 else 's'}"] if count else []
    if segment.score is not None:
        marks.append(f"score {segment.score:.3g}")
    note = f' <span style="{_SOFT}">{escape(", ".join(marks))}</span>' if marks else ""
    return (
        f'<div style="margin:.2rem 0 .2rem {min(depth, 8) * 1.2:.1f}rem;padding:.15rem .6rem;'
        f'border-left:4px solid rgb({colour});background:rgb({colour} / .12);border-radius:3px">'
        f"<b>{segment.number}</b>{note}"
        f'<p dir="auto" style="{_TEXT}">{escape(_cut(segment.text))}</p></div>'
    )


def _card(title: str, url: str | None, facts: Iterable[str], parts: Iterable[str]) -> str:
    address = (
        f'<div style="{_SOFT};overflow-wrap:anywhere">{escape(_cut(url))}</div>' if url else ""
    )
    return (
        f'<div style="{_CARD}"><b dir="auto">{escape(_cut(title, 120))}</b>{address}'
        f'<div style="{_SOFT};margin-bottom:.4rem">{escape(" · ".join(facts))}</div>'
        f"{''.join(parts)}</div>"
    )


def _passage(text: str) -> str:
    return f'<p dir="auto" style="{_TEXT};max-height:20rem;overflow:auto">{escape(text)}</p>'


def _cut(text: str, most: int = MOST_TEXT) -> str:
    return text if len(text) <= most else text[:most].rstrip() + "…"
