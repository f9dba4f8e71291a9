"""The segments of a page in the HTML report: as coloured text, and on the picture of the page.

The picture is in the file once; each method's figure uses it. A click on a segment leads to its
text.
"""

from __future__ import annotations

from base64 import b64encode
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from math import isnan
from typing import Final

from pagecut.errors import counted
from pagecut.page import Page
from pagecut.page.boxes import page_extent
from pagecut.page.nodes import Box
from pagecut.page.text.lines import wrap_blocks
from pagecut.page.text.tokenizer import token_spans
from pagecut.pictures.drawing import number, text_width
from pagecut.pictures.label_places import LabelPlaces
from pagecut.pictures.methods import segmentation_figure
from pagecut.pictures.segments import (
    NO_SEGMENT,
    Block,
    blocks_in_order,
    box_outlines,
    colours_of_segments,
    segment_boxes,
)
from pagecut.report.text import Facts, PageText, fact_list, path_html
from pagecut.results.explanation import Explanation
from pagecut.results.plain_words import say_reasons
from pagecut.results.segmentation import Segmentation
from pagecut.segmenters import SEGMENTERS, segmenter

COLOURS: Final = 7  # classes c0 to c6 of report.css
DEEPEST_INDENT: Final = 6  # classes d1 to d6 of report.css
LINE_WIDTH: Final = 80  # characters, for the density
SHOWN_TEXT: Final = 600  # characters before a segment is folded
SHOWN_XPATHS: Final = 6
SHOWN_ANCESTORS: Final = 4
LARGEST_PICTURE: Final = 8_000_000  # bytes of one page
_LABEL_SIZE: Final = 14  # px, as in report.css


class SegmentsView:
    """Writes a page's text in reading order, each segment in its colour."""

    def __init__(self, text: PageText) -> None:
        self.text = text
        self.page = text.page
        self._token_starts = token_spans(text.page.text)[:, 0].tolist()
        self._lines = wrap_blocks(text.page, LINE_WIDTH)
        self._line_starts = self._lines.spans[:, 0].tolist()

    def html(self) -> Iterator[str]:
        """A tab for each segmentation."""
        if not self.text.entry.segmentations:
            yield '<p class="nothing">No method was run on this page.</p>\n'
            return
        stored = picture_definition(self.page, self.text.entry.picture, self.text.key)
        yield stored
        yield '<div class="tabs" role="group" aria-label="Method">\n'
        for position, segmentation in enumerate(self.text.entry.segmentations, 1):
            tab = f"{self.text.key}-m{position}"
            yield (
                f'<input type="radio" name="{self.text.key}-method" id="{tab}"'
                f'{" checked" if position == 1 else ""}><label for="{tab}">'
                f"{escape(segmentation.made_by)} <small>{counted(len(segmentation), 'segment')}"
                '</small></label>\n<div class="panel">\n'
            )
            yield from self.pictures(segmentation, tab, shown=bool(stored))
            yield segmentation_figure(segmentation, tab)
            yield from self.segments(segmentation, tab)
            yield "</div>\n"
        yield "</div>\n"

    def pictures(self, segmentation: Segmentation, tab: str, *, shown: bool) -> Iterator[str]:
        """The page with the segments drawn on it, if it has boxes, and what goes beside it."""
        own = picture_figure(segmentation, self.text.key, tab, shown=shown)
        found = self.text.entry.segmentations
        other = self.text.entry.beside
        if not own or other is None or other is segmentation or other not in found:
            yield own
            return
        its_tab = f"{self.text.key}-m{found.index(other) + 1}"
        yield f'<div class="two-shots">{own}'
        yield f"{picture_figure(other, self.text.key, its_tab, shown=shown)}</div>\n"

    def segments(self, segmentation: Segmentation, tab: str) -> Iterator[str]:
        """The page's text, a coloured block for each stretch of a segment."""
        blocks = blocks_in_order(segmentation)
        if not blocks:
            yield '<p class="nothing">This page has no text and no images.</p>\n'
        colours = colours_of_segments(blocks, len(segmentation), COLOURS)
        parts = Counter(block.segment for block in blocks)
        parents = segmentation.parent.tolist()
        why = say_reasons(_explanation(segmentation), briefly=True)
        depths = segmentation.levels
        outer = _outer_segments(segmentation, parts)
        for block in blocks:
            number = block.segment
            for around in outer.pop(number, ()):
                own = f"{tab}-s{around}"
                chip = f'<a href="#{own}" aria-describedby="{own}-facts">{around}</a>'
                size = len(segmentation.family(around)) - 1
                content = f"<em>{counted(size, 'segment')} inside:</em>"
                facts = _judgement(segmentation, around, why)
                yield _block(f"outer{_indent(depths[around])}", own, chip, content, facts)
            content = self.text.folded(
                self.page.text, block.start, block.end, SHOWN_TEXT, self.text.content
            )
            facts = self.facts(block)
            if number == NO_SEGMENT:
                facts.insert(2, ("Inside", "no segment"))
                yield _block("outside", "", "<span>–</span>", content, facts)
                continue
            judged = _judgement(segmentation, number, why if block.part == 1 else {})
            if segmentation.roles is not None:
                facts.insert(0, judged.pop(0))
            facts += judged
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
        first, last = (bisect_left(self._token_starts, at) for at in (block.start, block.end))
        top, bottom = (bisect_left(self._line_starts, at) for at in (block.start, block.end))
        tokens = last - first
        density = self._lines.density(top, bottom) if bottom > top else float(tokens)
        rows = self.page.cover(block.start, block.end)
        paths = [path_html(self.page.xpath(row)) for row in rows[:SHOWN_XPATHS]]
        if len(rows) > SHOWN_XPATHS:
            paths.append(f"and {len(rows) - SHOWN_XPATHS:,} more")
        return [
            ("Tokens", f"{tokens:,}"),
            ("Density", f"{density:.1f}"),
            ("Text", f"{block.start:,} to {block.end:,}"),
            ("XPath", "".join(paths)),
        ]


def _explanation(segmentation: Segmentation) -> Explanation:
    """What spoke for the segments; nothing where their method gives no roles."""
    page, made_by = segmentation.page, segmentation.made_by
    name = made_by.partition("(")[0]
    if segmentation.roles is None or not hasattr(SEGMENTERS.get(name), "explain"):
        return Explanation(page=page, made_by=made_by)
    explanation: Explanation = segmenter(made_by).explain(page)  # type: ignore[attr-defined]
    return explanation


def _outer_segments(segmentation: Segmentation, parts: Mapping[int, int]) -> dict[int, list[int]]:
    """By the first segment with text in them, those around it that have a role but no text of their
    own, the outermost first."""
    outer: dict[int, list[int]] = {}
    for segment in range(len(segmentation) if segmentation.roles is not None else 0):
        if segment not in parts:
            first = next((each for each in segmentation.family(segment) if each in parts), None)
            if first is not None:
                outer.setdefault(first, []).append(segment)
    return outer


def _judgement(segmentation: Segmentation, number: int, why: Mapping[int, Sequence[str]]) -> Facts:
    """A segment's role, how sure its method is, and why."""
    facts: Facts = []
    if segmentation.roles is not None:
        facts.append(("Role", escape(segmentation.roles[number])))
    if segmentation.score is not None and not isnan(segmentation.score[number]):
        facts.append(("Score", f"{segmentation.score[number]:.2f}"))
    if number in why:
        facts.append(("Why", "<br>".join(map(escape, why[number]))))
    return facts


def _block(classes: str, own: str, chip: str, content: str, facts: Facts) -> str:
    ids = f' id="{own}"' if own else ""
    facts_id = f' id="{own}-facts"' if own else ""
    return (
        f'<div class="segment {classes}"{ids}><div class="chip">{chip}</div>'
        f'<div class="content">{content}</div><div class="facts"{facts_id}>{fact_list(facts)}</div>'
        "</div>\n"
    )


def _ancestors(parents: Sequence[int], number: int) -> str:
    chain: list[str] = []
    while (number := parents[number]) >= 0 and len(chain) < SHOWN_ANCESTORS:
        chain.append(str(number))
    return " in ".join(chain) + (" in …" if number >= 0 else "")


def _indent(depth: int) -> str:
    return f" d{min(depth, DEEPEST_INDENT)}" if depth else ""


def picture_definition(page: Page, picture: bytes | None, key: str) -> str:
    """The picture, shown nowhere by itself; nothing if there is none or it is too large."""
    if picture is None or len(picture) > LARGEST_PICTURE or page.nodes.box is None:
        return ""
    width, height = (number(side) for side in page_extent(page))
    encoded = b64encode(picture).decode("ascii")
    return (
        '<svg class="picture-store" width="0" height="0" aria-hidden="true"><defs>'
        f'<image id="{key}-picture" width="{width}" height="{height}" '
        f'preserveAspectRatio="none" href="data:image/png;base64,{encoded}"/></defs></svg>\n'
    )


def picture_figure(segmentation: Segmentation, key: str, tab: str, *, shown: bool) -> str:
    """The page with the segments of one method; nothing where the page has no boxes.

    Args:
        key: the picture is at `#key-picture`.
        tab: segment 3 is at `#tab-s3`.
        shown: whether there is a picture.
    """
    page = segmentation.page
    if page.nodes.box is None:
        return ""
    extent = page_extent(page)
    width, height = (number(side) for side in extent)
    places = LabelPlaces(page, *extent)
    blocks = blocks_in_order(segmentation)
    colours = colours_of_segments(blocks, len(segmentation), COLOURS)
    inner = set(segmentation.parent.tolist())
    boxes = segment_boxes(segmentation)
    told = {block.segment for block in blocks}
    parts = [f'<use href="#{key}-picture"/>'] if shown else []
    for segment in sorted(boxes, key=lambda each: each not in inner):
        kind = "outer" if segment in inner else "inner"
        label = "" if segment in inner else _picture_label(places, boxes[segment][0], str(segment))
        drawn = f'<path d="{box_outlines(boxes[segment])}"/>{label}'
        classes = f'class="c{colours[segment]} {kind}"'
        if segmentation.roles is None and segment not in told:  # it has no text of its own below
            parts.append(f"<g {classes}>{drawn}</g>")
        else:
            parts.append(f'<a href="#{tab}-s{segment}" tabindex="-1" {classes}>{drawn}</a>')
    return (
        '<details class="shot" open><summary>The page with the segments of '
        f"{escape(segmentation.made_by)}</summary>"
        f'<div tabindex="0" role="group" aria-label="{escape(segmentation.made_by)} on the page">'
        f'<svg viewBox="0 0 {width} {height}" aria-hidden="true">{"".join(parts)}</svg>'
        "</div></details>\n"
    )


def _picture_label(places: LabelPlaces, box: Box, words: str) -> str:
    """The number of a segment, where it hides no text; if there is no such place, text shines
    through."""
    wide, high = 1.2 * text_width(words, _LABEL_SIZE) + 6, _LABEL_SIZE + 4  # bold
    place = places.place(box, wide, high)
    shining = "" if place.clear else ' class="shining"'
    return (
        f'<rect x="{number(place.left)}" y="{number(place.top)}" width="{number(wide)}" '
        f'height="{high}"{shining}/>'
        f'<text x="{number(place.left + 3)}" y="{number(place.top + _LABEL_SIZE)}">{words}</text>'
    )
