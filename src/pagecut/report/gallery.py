"""The images of a page and their contexts in the HTML report."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import Final

from pagecut.contexts import EXTRACTORS, extractor
from pagecut.page import IMAGE_CHARACTER, Image, Page
from pagecut.report.text import SHOWN_ALT, Facts, PageText, cut_in_the_middle, fact_list, path_html
from pagecut.results.image_context import ImageContext, Spans
from pagecut.results.plain_words import say_context, say_reasons

SHOWN_TEXT: Final = 400  # characters before a context is folded
MOST_TEXT: Final = 5_000  # characters of a context
SHOWN_SOURCE: Final = 120  # characters
EXPLAINED: Final = 200  # images of a page: nobody reads the reasons of more, and each takes 1 ms

_VISIBLE = re.compile(rf"[^\s{IMAGE_CHARACTER}]")
_NO_CONTEXT: Final = '<p class="nothing">No text belongs to this image.</p>'


def shows_text(context: ImageContext) -> bool:
    """Whether there is any text in a context, without making all of it."""
    text = context.page.text
    return any(_VISIBLE.search(text, start, end) for start, end in context.spans)


class Gallery:
    """Writes each image of a page beside its context, or its contexts if there are several."""

    def __init__(self, text: PageText) -> None:
        self.text = text
        self.page = text.page
        self.contexts = text.entry.contexts or ()
        specs = {context.made_by for context in self.contexts}
        explained = range(min(len(self.page.images), EXPLAINED))
        self.why = {spec: _reasons(self.page, spec, explained) for spec in specs}

    def html(self) -> Iterator[str]:
        if not self.page.images:
            yield '<p class="nothing">This page has no images.</p>\n'
            return
        contexts: dict[int, list[ImageContext]] = {}
        for context in self.contexts:
            contexts.setdefault(context.image, []).append(context)
        found = {number for number, each in contexts.items() if any(map(shows_text, each))}
        total = len(self.page.images)
        for index, (name, count) in enumerate(
            (("all", total), ("with context", len(found)), ("without", total - len(found)))
        ):
            choice = f"{self.text.key}-f{index}"
            yield (
                f'<input type="radio" class="f{index}" name="{self.text.key}-filter" id="{choice}"'
                f"{'' if index else ' checked'}{'' if count else ' disabled'}>"
                f'<label for="{choice}">{name} '
                f"<small>{count:,}</small></label>\n"
            )
        if total > EXPLAINED and any(self.why.values()):
            yield (
                f'<p class="nothing">Reasons are told of the first {EXPLAINED} images; of others, '
                "by <code>pagecut explain --image</code>.</p>\n"
            )
        yield '<ol class="cards">\n'
        for image in self.page.images:
            yield self.card(image, contexts.get(image.index, []))
        yield "</ol>\n"

    def card(self, image: Image, contexts: Sequence[ImageContext]) -> str:
        picture = self.text.picture(image) or _placeholder(image)
        sides = (image.width, image.height)
        size = " × ".join("?" if side is None else str(side) for side in sides)
        notes = [f"<code>{escape(image.tag)}</code>", *([size] if any(sides) else [])]
        notes += ["lazy"] if image.lazy else []
        spoken = "".join(self.context(context, len(contexts) > 1) for context in contexts)
        facts: Facts = [
            ("Alt", _value(image.alt, "empty" if image.alt == "" else "none")),
            ("Source", f'<code dir="ltr">{_value(_short(image.src), "none")}</code>'),
            ("XPath", path_html(self.page.xpath(image.node))),
        ]
        if image.title:
            facts.insert(1, ("Title", _value(image.title, "")))
        kind = "with" if any(map(shows_text, contexts)) else "without"
        return (
            f'<li class="{kind}" id="{self.text.key}-i{image.index}"><div class="picture">{picture}'
            f'</div><div class="about"><p class="notes"><b>{image.index}</b> {" · ".join(notes)}'
            f"</p>{spoken or _NO_CONTEXT}</div>{fact_list(facts)}</li>\n"
        )

    def context(self, context: ImageContext, named: bool) -> str:
        notes = [escape(context.made_by)] if named else []
        notes += [f'<span class="role">{escape(context.role)}</span>'] if context.role else []
        if context.confidence is not None:
            notes.append(f"confidence {context.confidence:.2f}")
        head = f'<p class="notes">{" · ".join(notes)}</p>' if notes else ""
        said = [say_context(context), *self.why[context.made_by].get(context.image, ())]
        head += "".join(f'<p class="notes">{escape(each)}</p>' for each in said)
        if not shows_text(context):
            return head
        caption = self.passage(context.caption_spans)
        if caption:
            caption = f'<div class="caption"><span class="label">Caption</span>{caption}</div>'
        return f"{head}{caption}<blockquote>{self.passage(context.spans)}</blockquote>"

    def passage(self, spans: Spans) -> str:
        """The text of some ranges, cut at MOST_TEXT as each image might have the whole page."""
        left = MOST_TEXT
        texts = []
        for start, end in spans:
            if left <= 0:
                break
            texts.append(self.page.readable(start, min(end, start + left)))
            left -= end - start
        text = "\n".join(each for each in texts if each)
        if not text:
            return ""
        rest = sum(end - start for start, end in spans) - MOST_TEXT
        more = f'<p class="nothing">{rest:,} more characters are not shown</p>' if rest > 0 else ""
        shown = self.text.folded(text, 0, len(text), SHOWN_TEXT, lambda s, e: escape(text[s:e]))
        return shown + more


def _reasons(page: Page, made_by: str, images: Collection[int]) -> dict[int, list[str]]:
    """By image, what spoke for its context; nothing where the method does not say it."""
    if not hasattr(EXTRACTORS.get(made_by.partition("(")[0]), "explain"):
        return {}
    told = extractor(made_by).explain(page, images)  # type: ignore[attr-defined]
    return say_reasons(told, briefly=True)


def _placeholder(image: Image) -> str:
    alt = escape((image.alt or image.title or "not shown")[:SHOWN_ALT])
    return f'<span class="missing" dir="auto">{alt}</span>'


def _value(text: str | None, otherwise: str) -> str:
    return f"<bdi>{escape(text)}</bdi>" if text else f'<span class="nothing">{otherwise}</span>'


def _short(source: str | None) -> str | None:
    return None if source is None else cut_in_the_middle(source, SHOWN_SOURCE)
