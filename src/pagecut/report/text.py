"""A page's text and images in the HTML report."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Final

from pagecut.page import IMAGE_CHARACTER, Image, Page
from pagecut.report.local_images import ImageEmbedder
from pagecut.results.image_context import ImageContext
from pagecut.results.segmentation import Segmentation

LEAST_LINE: Final = 50  # characters that even a short line counts for
FEW_LINES: Final = 4  # that are not worth folding
SHOWN_ALT: Final = 60  # characters

_LANGUAGE = re.compile(r"[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8}){0,4}")

Facts = list[tuple[str, str]]  # names and their values, in HTML


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ReportEntry:
    """A page and what was found in it.

    Args:
        name: what the report calls the page, e.g. its file name.
        contexts: of its images; None where nobody asked for them.
        folder: the page's own; only image files inside it are shown.
        picture: the rendered page as PNG.
        beside: that of the segmentations which is drawn beside every other, e.g. the truth.
        missing: how many files the page asked for and did not get when its picture was taken.
    """

    page: Page
    name: str
    segmentations: Sequence[Segmentation] = ()
    contexts: Sequence[ImageContext] | None = None
    folder: Path | None = None
    picture: bytes | None = None
    beside: Segmentation | None = None
    missing: int = 0

    def __post_init__(self) -> None:
        results: list[Segmentation | ImageContext] = [*self.segmentations, *(self.contexts or ())]
        for result in results:
            if result.page.id != self.page.id:
                raise ValueError(f"{self.name}: a result of {result.made_by} is for another page")


def cut_in_the_middle(text: str, most: int) -> str:
    """A path or an address of limited length, of which both ends say most."""
    if len(text) <= most:
        return text
    end = (most - 1) * 2 // 3
    return f"{text[: most - 1 - end]}…{text[-end:]}"


class PageText:
    """Writes stretches of a page's text, with its images in place.

    Args:
        key: begins every id in the page's section.
    """

    def __init__(self, entry: ReportEntry, key: str, embedder: ImageEmbedder) -> None:
        self.entry = entry
        self.page = entry.page
        self.key = key
        self.language = language(entry.page)
        self._embedder = embedder
        self._image_at = dict(zip(entry.page.image_starts.tolist(), entry.page.images, strict=True))

    def content(self, start: int, end: int) -> str:
        """A range of the text with its images in place."""
        text = self.page.text
        parts: list[str] = []
        at = text.find(IMAGE_CHARACTER, start, end)
        while at >= 0:
            parts += escape(self.page.spaced(start, at)), self.thumbnail(self._image_at[at])
            start = at + 1
            at = text.find(IMAGE_CHARACTER, start, end)
        parts.append(escape(self.page.spaced(start, end)))
        return "".join(parts)

    def folded(
        self, text: str, start: int, end: int, most: int, render: Callable[[int, int], str]
    ) -> str:
        """A range of a text; what is beyond about `most` characters must be unfolded."""
        start, end = _stripped(text, start, end)
        cut = _fold(text, start, end, most)
        shown = render(*_stripped(text, start, cut))
        if cut == end:
            return f'<p dir="auto"{self.language}>{shown}</p>'
        return (
            f'<p class="cut" dir="auto"{self.language}>{shown}</p>'
            f"<details><summary>{end - cut:,} more characters</summary>"
            f'<p dir="auto"{self.language}>{render(cut, end)}</p></details>'
        )

    def picture(self, image: Image) -> str | None:
        """The image, if it may be shown."""
        uri = self._embedder.data_uri(self.page, image, self.entry.folder)
        if uri is None:
            return None
        alt = escape(image.alt or image.title or f"Image {image.index}, without alt text")
        return f'<img src="{uri}" alt="{alt}">'

    def thumbnail(self, image: Image) -> str:
        """The image, or its alt text; a link to its place in the gallery, where there is one."""
        picture = self.picture(image)
        if not picture:
            alt = escape((image.alt or image.title or "")[:SHOWN_ALT])
            picture = f"<span>image {image.index}{alt and ': '}{alt}</span>"
        title = f'title="Image {image.index}"'
        if self.entry.contexts is None:
            return f'<span class="thumbnail" {title}>{picture}</span>'
        return f'<a class="thumbnail" href="#{self.key}-i{image.index}" {title}>{picture}</a>'


def language(page: Page) -> str:
    """The language that the page declares, as an attribute, so that browsers choose its glyphs."""
    declared = page.attrs.get(0, {}).get("lang", "")
    return f' lang="{declared}"' if _LANGUAGE.fullmatch(declared) else ' lang=""'


def fact_list(facts: Facts) -> str:
    rows = "".join(f"<div><dt>{name}</dt><dd>{value}</dd></div>" for name, value in facts)
    return f"<dl>{rows}</dl>"


def path_html(xpath: str) -> str:
    """An XPath that is broken between its steps."""
    return f"<code>{escape(xpath).replace('/', '<wbr>/')}</code>"


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    while start < end and text[start] in " \n":
        start += 1
    while start < end and text[end - 1] in " \n":
        end -= 1
    return start, end


def _fold(text: str, start: int, end: int, most: int) -> int:
    """Where to fold a range, if possible between lines; `end` if little would be hidden."""
    cut, left = start, most
    while cut < end:
        line_end = text.find("\n", cut, end) + 1 or end
        cost = max(line_end - cut, LEAST_LINE)
        if cost > left:
            break
        cut, left = line_end, left - cost
    if left > most // 2 and cut < end:  # the next line is long
        cut = text.rfind(" ", cut, cut + left) + 1 or cut + left
    short = end - cut < most // 3 and text.count("\n", cut, end) < FEW_LINES
    return end if short else cut
