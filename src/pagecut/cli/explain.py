"""The command that says in plain words why a page was cut so, and why images have their texts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, check_page_options, html_files, needs_of, read_pages
from pagecut.cli.options import page_options
from pagecut.cli.output import page_output

if TYPE_CHECKING:
    from pagecut.contexts import Extractor
    from pagecut.page import Page
    from pagecut.segmenters import Segmenter

_WIDTH = 100


@click.command()
@page_options
@click.option(
    "--segment", "spec", metavar="SPEC", help="The segmenter; `pagecut list` shows all of them."
)
@click.option("--images", "image_spec", metavar="SPEC", help="The image-context extractor.")
@click.option("--details", is_flag=True, help="All evidence for and against each decision.")
def explain(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    spec: str | None,
    image_spec: str | None,
    details: bool,
) -> None:
    """Say in plain words what a page is, why it was cut so, and why images have their texts."""
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    context_method = extractor(DEFAULT_EXTRACTOR if image_spec is None else image_spec)
    failures = Failures()
    names = html_files(sources, failures)
    check_page_options(names, url)
    file = page_output()
    between = ""
    needs = needs_of(method, context_method)
    for name, page in read_pages(names, url, charset, failures, needs):
        with failures.counted(name):
            lines = [
                f"{click.format_filename(name)}",
                *_page_lines(page),
                *_segment_lines(page, method, briefly=not details),
                *_image_lines(page, context_method, briefly=not details),
            ]
            file.write(f"{between}{chr(10).join(lines)}\n")
            between = "\n"
    failures.exit()


def _page_lines(page: Page) -> Iterator[str]:
    from pagecut.content.main_text import MainText, page_type
    from pagecut.results.plain_words import percent

    kinds = [f"{kind} ({percent(likely)})" for kind, likely in list(page_type(page).items())[:2]]
    if page.title:
        yield f"Title: {page.title}"
    yield f"Kind of page: {', else '.join(kinds)}"
    words = len(page.readable(0, len(page.text)).split())
    main = len(page.readable_spans(MainText().spans(page)).split())
    yield f"Main text: {main:,} of {words:,} words"


def _segment_lines(page: Page, method: Segmenter, *, briefly: bool) -> Iterator[str]:
    from pagecut.results.plain_words import say_reasons, short

    segmentation = method.segment(page)
    told = method.explain(page) if hasattr(method, "explain") else None
    why = say_reasons(told, briefly=briefly) if told else {}
    count = "1 segment" if len(segmentation) == 1 else f"{len(segmentation)} segments"
    yield ""
    yield f"{count} by {segmentation.made_by}: {_summary(method)}"
    for name, value in (told.chosen if told else {}).items():
        yield f"  {name} was chosen for this page: {value:g}"
    depth: dict[int, int] = {}
    for segment in segmentation:
        parent = segment.parent
        depth[segment.number] = 0 if parent is None else depth[parent.number] + 1
        words = len(segment.text.split())
        role = f"{segment.role}, " if segment.role else ""
        size = "1 word" if words == 1 else f"{words:,} words"
        margin = "  " * (depth[segment.number] + 1)
        yield f"{margin}{segment.number}  {role}{size}: {short(segment.text, 60)}"
        for each in why.get(segment.number, ()):
            yield from _wrapped(each, f"{margin}     ")


def _image_lines(page: Page, method: Extractor, *, briefly: bool) -> Iterator[str]:
    from pagecut.results.plain_words import percent, say_context, say_reasons, short

    contexts = method.extract(page)
    why = say_reasons(method.explain(page), briefly=briefly) if hasattr(method, "explain") else {}
    count = "1 image" if len(contexts) == 1 else f"{len(contexts) or 'no'} images"
    yield ""
    yield f"{count} by {method}: {_summary(method)}"
    for context in contexts:
        image = context.source
        role = ""
        if context.role is not None:
            sure = context.role_confidence
            role = f": {context.role}" + ("" if sure is None else f" ({percent(sure)})")
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
