"""The part of the HTML report that shows one page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

import numpy as np

from pagecut.coloured_blocks import NO_SEGMENT, Block, blocks_in_order, colours_of_segments
from pagecut.image_context import ImageContext, Spans
from pagecut.local_images import ImageEmbedder
from pagecut.page import IMAGE_CHARACTER, Image, Page, readable
from pagecut.segmentation import Segmentation
from pagecut.text import token_spans, wrap_blocks

COLOURS: Final = 7  # classes c0 to c6 of report.css
DEEPEST_INDENT: Final = 6  # classes d1 to d6 of report.css
LINE_WIDTH: Final = 80  # characters, for the density
SHOWN_TEXT: Final = 600  # characters before a text is folded
SHOWN_CONTEXT: Final = 5_000  # characters of an image's context
SHOWN_SOURCE: Final = 160  # characters of an image's source
SHOWN_XPATHS: Final = 6
SHOWN_ANCESTORS: Final = 4

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")

_VISIBLE = re.compile(rf"[^\s{IMAGE_CHARACTER}]")

Facts = list[tuple[str, str]]  # names and their values, in HTML


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReportEntry:
    """A page and what was found in it.

    Args:
        name: what the report calls the page, e.g. its file name.
        folder: the page's own; only image files inside it are shown.
    """

    page: Page
    name: str
    segmentations: Sequence[Segmentation] = ()
    contexts: Sequence[ImageContext] = ()
    folder: Path | None = None

    def __post_init__(self) -> None:
        results: list[Segmentation | ImageContext] = [*self.segmentations, *self.contexts]
        for result in results:
            if result.page.id != self.page.id:
                raise ValueError(f"{self.name}: a result of {result.made_by} is for another page")


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def has_text(context: ImageContext) -> bool:
    text = context.page.text
    return any(_VISIBLE.search(text, start, end) for start, end in context.spans)


def language(page: Page) -> str:
    """The language that the page declares, as an attribute, so that browsers choose its glyphs."""
    declared = page.attrs.get(0, {}).get("lang", "")
    return f' lang="{declared}"' if _LANGUAGE.fullmatch(declared) else ' lang=""'


class PageSection:
    """Writes the section of one page: its segments, then its images.

    Args:
        key: begins every id in the section.
    """

    def __init__(self, entry: ReportEntry, key: str, embedder: ImageEmbedder) -> None:
        self.entry = entry
        self.page = entry.page
        self.key = key
        self.embedder = embedder
        self.language = language(entry.page)
        self.token_starts = token_spans(entry.page.text)[:, 0]
        self.lines = wrap_blocks(entry.page, LINE_WIDTH)
        self.image_at = dict(zip(entry.page.image_starts.tolist(), entry.page.images, strict=True))

    def html(self) -> Iterator[str]:
        key, page, name = self.key, self.page, self.entry.name
        url = f'<p class="url" dir="ltr">{escape(page.url)}</p>' if page.url else ""
        yield (
            f'<section class="page" id="{key}" aria-labelledby="{key}-title">\n'
            f'<header><p class="name" dir="auto">{escape(name)}</p>'
            f'<h2 id="{key}-title" dir="auto"{self.language}>{escape(page.title or name)}</h2>{url}'
            f'</header>\n<details class="view" id="{key}-segments" open>'
            "<summary><h3>Segments</h3></summary>\n"
        )
        gallery = "".join(self.gallery())  # made first: if not all images fit, it should have them
        yield from self.methods()
        yield (
            f'</details>\n<details class="view" id="{key}-images" open><summary>'
            f"<h3>Images and their context</h3></summary>\n{gallery}</details>\n</section>\n"
        )

    def methods(self) -> Iterator[str]:
        """A tab for each segmentation."""
        if not self.entry.segmentations:
            yield '<p class="nothing">No method was run on this page.</p>\n'
            return
        yield '<div class="tabs" role="group" aria-label="Method">\n'
        for number, segmentation in enumerate(self.entry.segmentations, 1):
            tab = f"{self.key}-m{number}"
            yield (
                f'<input type="radio" name="{self.key}-method" id="{tab}"'
                f'{" checked" if number == 1 else ""}><label for="{tab}">'
                f"{escape(segmentation.made_by)} <small>{counted(len(segmentation), 'segment')}"
                '</small></label>\n<div class="panel">\n'
            )
            yield from self.segments(segmentation, tab)
            yield "</div>\n"
        yield "</div>\n"

    def segments(self, segmentation: Segmentation, tab: str) -> Iterator[str]:
        """The page's text, a coloured block for each stretch of a segment."""
        blocks = blocks_in_order(segmentation)
        if not blocks:
            yield '<p class="nothing">This page has no text and no images.</p>\n'
        colours = colours_of_segments(blocks, len(segmentation), COLOURS)
        parts = Counter(block.segment for block in blocks)
        parents = segmentation.parent.tolist()
        depths: list[int] = []
        for parent in parents:  # which has a smaller number
            depths.append(depths[parent] + 1 if parent >= 0 else 0)
        for block in blocks:
            number = block.segment
            content = self.folded(self.page.text, block.start, block.end, self.content)
            facts = self.facts(block)
            if number == NO_SEGMENT:
                facts.insert(2, ("Inside", "no segment"))
                yield _block("outside", "", "<span>–</span>", content, facts)
                continue
            if segmentation.score is not None:
                facts.append(("Score", f"{segmentation.score[number]:.3g}"))
            if parents[number] >= 0:
                facts.insert(2, ("Inside", _ancestors(parents, number)))
            home = own = f"{tab}-s{number}"
            if block.part > 1:
                own = f"{home}.{block.part}"
            if parts[number] > 1:
                other = home if block.part == parts[number] else f"{home}.{block.part + 1}"
                link = f'<a href="#{other}">{"first" if other == home else "next"} part</a>'
                facts.insert(2, ("Part", f"{block.part} of {parts[number]}, {link}"))
            chip = f'<a href="#{own}" aria-describedby="{own}-facts">{number}</a>'
            yield _block(f"c{colours[number]}{_indent(depths[number])}", own, chip, content, facts)

    def facts(self, block: Block) -> Facts:
        """Where a block lies and how dense it is: tokens per line, without the last one."""
        first, last = np.searchsorted(self.token_starts, (block.start, block.end)).tolist()
        tokens = last - first
        top, bottom = np.searchsorted(self.lines.spans[:, 0], (block.start, block.end)).tolist()
        density = self.lines.density(top, bottom) if bottom > top else float(tokens)
        rows = self.page.cover(block.start, block.end)
        paths = [f"<code>{escape(self.page.xpath(row))}</code>" for row in rows[:SHOWN_XPATHS]]
        if len(rows) > SHOWN_XPATHS:
            paths.append(f"and {len(rows) - SHOWN_XPATHS:,} more")
        return [
            ("Tokens", f"{tokens:,}"),
            ("Density", f"{density:.1f}"),
            ("Text", f"{block.start:,} to {block.end:,}"),
            ("XPath", "".join(paths)),
        ]

    def content(self, start: int, end: int) -> str:
        """A range of the text with its images in place."""
        text = self.page.text
        pieces: list[str] = []
        at = text.find(IMAGE_CHARACTER, start, end)
        while at >= 0:
            pieces += escape(text[start:at]), self.thumbnail(self.image_at[at])
            start = at + 1
            at = text.find(IMAGE_CHARACTER, start, end)
        pieces.append(escape(text[start:end]))
        return "".join(pieces)

    def folded(self, text: str, start: int, end: int, render: Callable[[int, int], str]) -> str:
        """A range of a text of which, if it is long, all but the beginning must be unfolded."""
        while start < end and text[start] in " \n":
            start += 1
        while start < end and text[end - 1] in " \n":
            end -= 1
        cut = end
        if end - start > SHOWN_TEXT * 3 // 2:
            half, whole = start + SHOWN_TEXT // 2, start + SHOWN_TEXT
            borders = (text.rfind(gap, half, whole) + 1 for gap in "\n ")
            cut = next(filter(None, borders), whole)
        if cut == end:
            return f'<p dir="auto"{self.language}>{render(start, end)}</p>'
        return (
            f'<p class="cut" dir="auto"{self.language}>{render(start, cut)}</p><details>'
            f"<summary>{end - cut:,} more characters</summary>"
            f'<p dir="auto"{self.language}>{render(cut, end)}</p></details>'
        )

    def picture(self, image: Image) -> str | None:
        uri = self.embedder.data_uri(self.page, image, self.entry.folder)
        if uri is None:
            return None
        alt = escape(image.alt or image.title or f"Image {image.index}, without alt text")
        return f'<img src="{uri}" alt="{alt}">'

    def thumbnail(self, image: Image) -> str:
        link = f'<a class="thumbnail" href="#{self.key}-i{image.index}" title="Image {image.index}"'
        picture = self.picture(image)
        if picture:
            return f"{link}>{picture}</a>"
        alt = escape((image.alt or image.title or "")[:60])
        return f"{link} data-missing><span>image {image.index}{alt and ': '}{alt}</span></a>"

    def gallery(self) -> Iterator[str]:
        """Each image beside its context, or beside several if several methods were run."""
        if not self.page.images:
            yield '<p class="nothing">This page has no images.</p>\n'
            return
        contexts: dict[int, list[ImageContext]] = {}
        for context in self.entry.contexts:
            contexts.setdefault(context.image, []).append(context)
        found = {number for number, each in contexts.items() if any(map(has_text, each))}
        total = len(self.page.images)
        for index, (name, count) in enumerate(
            (("all", total), ("with context", len(found)), ("without", total - len(found)))
        ):
            choice = f"{self.key}-f{index}"
            yield (
                f'<input type="radio" class="f{index}" name="{self.key}-filter" id="{choice}"'
                f'{"" if index else " checked"}><label for="{choice}">{name} '
                f"<small>{count:,}</small></label>\n"
            )
        yield '<ol class="cards">\n'
        for image in self.page.images:
            yield self.card(image, contexts.get(image.index, []))
        yield "</ol>\n"

    def card(self, image: Image, contexts: Sequence[ImageContext]) -> str:
        picture = self.picture(image) or '<span class="missing">not shown</span>'
        sides = (image.width, image.height)
        size = " × ".join("?" if side is None else str(side) for side in sides)
        notes = [f"<code>{escape(image.tag)}</code>", *([size] if any(sides) else [])]
        notes += ["lazy"] if image.lazy else []
        spoken = "".join(self.context(context, len(contexts) > 1) for context in contexts)
        facts: Facts = [
            ("Alt", _value(image.alt, "empty" if image.alt == "" else "none")),
            ("Source", f'<code dir="ltr">{_value(_short(image.src), "none")}</code>'),
            ("XPath", f"<code>{escape(self.page.xpath(image.node))}</code>"),
        ]
        if image.title:
            facts.insert(1, ("Title", _value(image.title, "")))
        kind = "with" if any(map(has_text, contexts)) else "without"
        return (
            f'<li class="{kind}" id="{self.key}-i{image.index}"><div class="picture">{picture}'
            f'</div><div class="about"><p class="notes"><b>{image.index}</b> {" · ".join(notes)}'
            f"</p>{spoken or _NO_CONTEXT}{_list(facts)}</div></li>\n"
        )

    def context(self, context: ImageContext, named: bool) -> str:
        notes = [escape(context.made_by)] if named else []
        notes += [f'<span class="role">{escape(context.role)}</span>'] if context.role else []
        if context.confidence is not None:
            notes.append(f"confidence {context.confidence:.2f}")
        head = f'<p class="notes">{" · ".join(notes)}</p>' if notes else ""
        if not has_text(context):
            return head + _NO_CONTEXT
        caption = self.passage(context.caption_spans)
        if caption:
            caption = f'<div class="caption"><span class="label">Caption</span>{caption}</div>'
        return f"{head}{caption}<blockquote>{self.passage(context.spans)}</blockquote>"

    def passage(self, spans: Spans) -> str:
        """The text of some ranges, cut at SHOWN_CONTEXT as each image might have the whole page."""
        left = SHOWN_CONTEXT
        pieces = []
        for start, end in spans:
            if left <= 0:
                break
            pieces.append(readable(self.page.text[start : min(end, start + left)]))
            left -= end - start
        text = "\n".join(piece for piece in pieces if piece)
        if not text:
            return ""
        rest = sum(end - start for start, end in spans) - SHOWN_CONTEXT
        more = f'<p class="nothing">{rest:,} more are not shown</p>' if rest > 0 else ""
        return self.folded(text, 0, len(text), lambda s, e: escape(text[s:e])) + more


_NO_CONTEXT: Final = '<p class="nothing">No text belongs to this image.</p>'


def _block(classes: str, own: str, chip: str, content: str, facts: Facts) -> str:
    ids = f' id="{own}"' if own else ""
    facts_id = f' id="{own}-facts"' if own else ""
    return (
        f'<div class="segment {classes}"{ids}><div class="chip">{chip}</div>'
        f'<div class="content">{content}</div><div class="facts"{facts_id}>{_list(facts)}</div>'
        "</div>\n"
    )


def _list(facts: Facts) -> str:
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    return f"<dl>{rows}</dl>"


def _value(text: str | None, otherwise: str) -> str:
    return f"<bdi>{escape(text)}</bdi>" if text else f'<span class="nothing">{otherwise}</span>'


def _short(source: str | None) -> str | None:
    if source is None or len(source) <= SHOWN_SOURCE:
        return source
    return f"{source[:SHOWN_SOURCE]}… ({len(source):,} characters)"


def _ancestors(parents: Sequence[int], number: int) -> str:
    chain: list[str] = []
    while (number := parents[number]) >= 0 and len(chain) < SHOWN_ANCESTORS:
        chain.append(str(number))
    return " in ".join(chain) + (" in …" if number >= 0 else "")


def _indent(depth: int) -> str:
    return f" d{min(depth, DEEPEST_INDENT)}" if depth else ""
