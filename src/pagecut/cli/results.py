"""Commands that give segments and image contexts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, check_page_options, read_pages
from pagecut.cli.options import output_option, page_options, with_option

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.rows import Row


@click.command()
@page_options
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@output_option
def segment(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    spec: str | None,
    output: Path | None,
) -> None:
    """Cut pages into segments: one JSON object per segment."""
    from pagecut.rows import SEGMENT_FIELDS, segment_rows
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    method = segmenter(spec or DEFAULT_SEGMENTER)
    write_results(
        sources,
        url,
        charset,
        lambda page, name: segment_rows(method.segment(page), name),
        output,
        SEGMENT_FIELDS,
    )


@click.command()
@page_options
@with_option("extractor", "'n-terms(n=20)'")
@output_option
@click.option(
    "--format",
    "shape",
    type=click.Choice(["rows", "details", "obelics", "img2dataset"]),
    default="rows",
    show_default=True,
    help="One row per image; with title, size, place and heading too; one row per page of "
    "interleaved images and texts; url and caption.",
)
@click.option(
    "--max-context",
    type=click.IntRange(min=1),
    metavar="N",
    help="Cut each context to N characters, the nearest to the image kept.",
)
def images(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    spec: str | None,
    output: Path | None,
    shape: str,
    max_context: int | None,
) -> None:
    """Find the text that belongs to each image: one JSON object per image."""
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.exports import SHAPES, capped

    method = extractor(spec or DEFAULT_EXTRACTOR)
    fields, to_rows = SHAPES[shape]

    def rows(page: Page, name: str) -> Iterable[Row]:
        contexts = method.extract(page)
        if max_context is not None:
            contexts = [capped(context, max_context) for context in contexts]
        return to_rows(contexts, page, name)

    formats = None if "context" in fields else ("jsonl", "json", "csv")
    write_results(sources, url, charset, rows, output, fields, formats)


@click.command()
@page_options
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
def show(sources: tuple[str, ...], url: str | None, charset: str | None, spec: str | None) -> None:
    """Show the segments of a page in colours, in the terminal."""
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter
    from pagecut.terminal import show_segmentation

    method = segmenter(spec or DEFAULT_SEGMENTER)
    failures = Failures()
    for name, page in read_pages(sources, url, charset, failures):
        show_segmentation(method.segment(page), click.format_filename(name))
    failures.exit()


def write_results(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    to_rows: Callable[[Page, str], Iterable[Row]],
    output: Path | None,
    fields: Sequence[str],
    formats: Sequence[str] | None = None,
) -> None:
    """Rows of all pages, to stdout or a file."""
    from pagecut.output import check_output, create_file, write_rows

    check_page_options(sources, url, charset)
    format = check_output(output, formats) if output else "jsonl"
    failures = Failures()

    def rows() -> Iterator[Row]:
        for name, page in read_pages(sources, url, charset, failures):
            yield from to_rows(page, click.format_filename(name))

    if output is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is, whatever the terminal's encoding
        write_rows(rows(), sys.stdout, format, fields)
    else:
        with create_file(output) as file:
            write_rows(rows(), file, format, fields)
    failures.exit()
