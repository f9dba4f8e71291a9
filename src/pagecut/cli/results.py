"""Commands that give segments and image contexts."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import (
    Failures,
    check_page_options,
    complain,
    needs_of,
    read_pages,
    tell_no_text,
)
from pagecut.cli.options import output_option, page_options, with_option
from pagecut.cli.per_template import PerTemplate

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.results.rows import Row


@click.command()
@page_options
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@click.option(
    "--per-template",
    is_flag=True,
    help="Choose one threshold for all pages of a template first (box-clustering).",
)
@output_option
@click.option(
    "--format",
    "shape",
    type=click.Choice(["rows", "leaves", "tree", "webis"]),
    default="rows",
    show_default=True,
    help="One row per segment; only those with none inside; one row per page, with nested segments "
    "and separators; one per page as Webis-WebSeg-20 has it (rendered pages).",
)
def segment(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    spec: str | None,
    per_template: bool,
    output: Path | None,
    shape: str,
) -> None:
    """Cut pages into segments: one JSON object per segment."""
    from pagecut.cli.segment_formats import SEGMENT_SHAPES
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    spec = DEFAULT_SEGMENTER if spec is None else spec
    method = segmenter(spec)
    by_template = PerTemplate(method, spec) if per_template else None
    fields, to_rows = SEGMENT_SHAPES[shape]
    write_results(
        sources,
        url,
        charset,
        lambda page, name: to_rows(
            by_template.method_of(page) if by_template else method, page, name
        ),
        output,
        fields,
        formats=None if "segment" in fields else ("jsonl", "json"),
        needs=method.needs | ({"box"} if shape == "webis" else frozenset()),
        prepare=by_template.choose if by_template else None,
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
    from pagecut.results.image_formats import SHAPES, capped, without_web_address

    method = extractor(DEFAULT_EXTRACTOR if spec is None else spec)
    fields, to_rows = SHAPES[shape]

    def rows(page: Page, name: str) -> Iterable[Row]:
        contexts = method.extract(page)
        if shape == "img2dataset" and (left_out := without_web_address(contexts)):
            complain(f"{name}: {_left_out(left_out, page.url)}")
        if max_context is not None:
            contexts = [capped(context, max_context) for context in contexts]
        return to_rows(contexts, page, name)

    formats = None if "context" in fields else ("jsonl", "json", "csv")
    write_results(sources, url, charset, rows, output, fields, formats, needs_of(method))


def _left_out(images: int, url: str | None) -> str:
    """Why images are missing from img2dataset's rows, and what helps."""
    counted = "1 image is" if images == 1 else f"{images} images are"
    remedy = "" if url else "; give the page's address by --url"
    return f"{counted} left out, without a web address{remedy}"


@click.command()
@page_options
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
def show(sources: tuple[str, ...], url: str | None, charset: str | None, spec: str | None) -> None:
    """Show the segments of a page in colours, in the terminal."""
    from pagecut.cli.terminal import show_segmentation
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    failures = Failures()
    for name, page in read_pages(sources, url, charset, failures, method.needs):
        with failures.counted(name):
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
    needs: frozenset[str] = frozenset(),
    prepare: Callable[[Sequence[Page]], None] | None = None,
) -> None:
    """Rows of all pages, to stdout or a file.

    Args:
        prepare: sees all pages, which are then kept in memory, before the first row is made.
    """
    check_page_options(sources, url, charset)
    failures = Failures()

    def rows() -> Iterator[Row]:
        pages: Iterable[tuple[str, Page]] = read_pages(sources, url, charset, failures, needs)
        if prepare is not None:
            pages = list(pages)
            prepare([page for _, page in pages])
        for name, page in pages:
            found: list[Row] = []
            with failures.counted(name):
                found = list(to_rows(page, click.format_filename(name)))
                if not found:
                    tell_no_text(page, name)
            yield from found

    print_rows(rows(), output, fields, formats)
    failures.exit()


def print_rows(
    rows: Iterable[Row],
    output: Path | None,
    fields: Sequence[str],
    formats: Sequence[str] | None = None,
) -> None:
    """Write rows to stdout, or to a file as its ending says."""
    from pagecut.results.output import check_output, create_file, write_rows

    format = check_output(output, formats) if output else "jsonl"
    if output is None:
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(encoding="utf-8")  # JSON is, whatever the terminal's encoding
        write_rows(rows, sys.stdout, format, fields)
    else:
        with create_file(output) as file:
            write_rows(rows, file, format, fields)
