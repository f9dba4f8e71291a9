"""The command that says in plain words why a page was cut so, and why images have their texts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import click

from pagecut.cli.inputs import (
    Failures,
    has_text,
    html_files,
    needs_of,
    page_name,
    read_pages,
)
from pagecut.cli.options import page_options
from pagecut.cli.output import page_output
from pagecut.errors import counted

if TYPE_CHECKING:
    from pagecut.contexts import Extractor
    from pagecut.page import Page
    from pagecut.segmenters import Segmenter

_WIDTH = 100

Reasons = Callable[[Any], dict[int, list[str]]]  # in words, by number; None where nobody asks


@click.command()
@page_options
@click.option(
    "--segment", "spec", metavar="SPEC", help="The segmenter; `pagecut list` shows all of them."
)
@click.option("--images", "image_spec", metavar="SPEC", help="The image-context extractor.")
@click.option(
    "--image",
    "wanted",
    type=click.IntRange(min=0),
    multiple=True,
    metavar="N",
    help="Only the image with this number, as `images` counts them; several may be given.",
)
@click.option("--details", is_flag=True, help="All evidence for and against each decision.")
@click.option("--brief", is_flag=True, help="What was found alone, without the reasons.")
def explain(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    spec: str | None,
    image_spec: str | None,
    wanted: tuple[int, ...],
    details: bool,
    brief: bool,
) -> None:
    """Say in plain words why a page was cut so. And what it is, and why images have texts."""
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.results.plain_words import say_reasons
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    if brief and details:
        raise click.UsageError("--brief leaves out what --details tells: give one of them")
    reasons = None if brief else partial(say_reasons, briefly=not details)
    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    context_method = extractor(DEFAULT_EXTRACTOR if image_spec is None else image_spec)
    failures = Failures()
    names = html_files(sources, failures, follow_links=follow_links)
    file = page_output()
    between = ""
    needs = needs_of(context_method) if wanted else needs_of(method, context_method)
    for name, page in read_pages(names, url, charset, failures, needs):
        with failures.catch(name):
            lines = [page_name(page, name), *_page_lines(page)]
            if len(page.images) > 1 and not wanted:
                more = "" if brief else "; without reasons: --brief"
                lines.append(f"For one image only: --image N{more}")
            if has_text(page) and not wanted:
                lines += _segment_lines(page, method, reasons)
            if page.images or has_text(page):
                lines += _image_lines(page, context_method, wanted, reasons)
            file.write(f"{between}{chr(10).join(lines)}\n")
            between = "\n"
    failures.exit()


def _page_lines(page: Page) -> Iterator[str]:
    from pagecut.content.main_text import MainText, page_type
    from pagecut.page.text.tokenizer import token_spans
    from pagecut.results.plain_words import percent

    if page.title:
        yield f"Title: {page.title}"
    if not has_text(page):
        yield "The page has no text" + ("." if page.images else " and no images.")
        return
    kinds = [f"{kind} ({percent(likely)})" for kind, likely in list(page_type(page).items())[:2]]
    yield f"Kind of page: {', else '.join(kinds)}"
    words = len(token_spans(page.readable(0, len(page.text))))
    main = len(token_spans(page.readable_spans(MainText().spans(page))))
    yield f"Main text: {main:,} of {counted(words, 'word')}"


def _segment_lines(page: Page, method: Segmenter, reasons: Reasons | None) -> Iterator[str]:
    from pagecut.page.text.tokenizer import token_spans
    from pagecut.results.plain_words import short

    segmentation = method.segment(page)
    told = method.explain(page) if reasons and hasattr(method, "explain") else None
    why = reasons(told) if reasons and told else {}
    yield ""
    yield f"{counted(len(segmentation), 'segment')} by {segmentation.made_by}: {_summary(method)}"
    for name, value in (told.chosen if told else {}).items():
        yield f"  {name} was chosen for this page: {value:g}"
    for segment, level in zip(segmentation, segmentation.levels, strict=True):
        words = len(token_spans(segment.text))
        role = f"{segment.role}, " if segment.role else ""
        margin = "  " * (level + 1)
        yield f"{margin}{segment.number}  {role}{counted(words, 'word')}: {short(segment.text, 60)}"
        for each in why.get(segment.number, ()):
            yield from _wrapped(each, f"{margin}     ")


def _image_lines(
    page: Page, method: Extractor, wanted: Collection[int], reasons: Reasons | None
) -> Iterator[str]:
    from pagecut.errors import PageError
    from pagecut.results.plain_words import say_context, short

    contexts = method.extract(page)
    count = counted(len(contexts), "image") if contexts else "no images"
    if wanted:
        last = len(page.images) - 1
        if max(wanted) > last:
            there = f"they are 0 to {last}" if page.images else "it has none"
            raise PageError(f"the page has no image {max(wanted)}; {there}")
        contexts = [each for each in contexts if each.image in wanted]
    why: dict[int, list[str]] = {}
    if reasons and hasattr(method, "explain"):
        why = reasons(method.explain(page, wanted or None))
    yield ""
    yield f"{count} by {method}: {_summary(method)}"
    for context in contexts:
        image = context.source
        role = "" if context.role is None else f": {context.role}"  # how likely: in the reasons
        yield f"  {context.image}  {short(image.src or image.tag, 60)}{role}"
        if context.text:
            yield f"     “{short(context.text, 80)}”"
        yield from _wrapped(say_context(context), "     ")
        for each in why.get(context.image, ()):
            yield from _wrapped(each, "     ")


def _summary(method: object) -> str:
    """The first sentence of what a method does."""
    return (type(method).__doc__ or "").strip().split("\n", 1)[0]


def _wrapped(text: str, margin: str) -> Iterator[str]:
    import textwrap

    yield from textwrap.wrap(text, _WIDTH, initial_indent=margin, subsequent_indent=margin)
