"""Commands that give segments and image contexts, also by a template that pages share."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import (
    Failures,
    html_files,
    needs_of,
    page_name,
    print_error,
    read_pages,
    warn_no_images,
    warn_no_text,
)
from pagecut.cli.options import (
    ShapeChoice,
    all_images_option,
    level_option,
    min_confidence_option,
    output_file,
    output_folder_option,
    output_option,
    page_options,
    sources_argument,
    with_option,
)
from pagecut.cli.output import file_name, harmless, page_output
from pagecut.errors import counted

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.results.segmentation import Segmentation
    from pagecut.results.tables import Row
    from pagecut.segmenters import Segmenter


@click.command()
@page_options
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@click.option(
    "--per-template",
    is_flag=True,
    help="Choose one threshold for all pages of a template first (box-clustering).",
)
@output_option
@output_folder_option
@click.option(
    "--format",
    "shape",
    type=ShapeChoice(["rows", "leaves", "tree", "webis"]),
    default="rows",
    show_default=True,
    help="rows: one row per segment; leaves: only segments with none inside; tree: one row per "
    "page, with nested segments and separators; webis: one row per rendered page, as in "
    "Webis-WebSeg-20.",
)
def segment(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    spec: str | None,
    per_template: bool,
    output: Path | None,
    folder: Path | None,
    shape: str,
) -> None:
    """Cut pages into segments. One JSON object per segment."""
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    spec = DEFAULT_SEGMENTER if spec is None else spec
    method = segmenter(spec)
    by_template = PerTemplate(method, spec) if per_template else None
    fields, to_rows = segment_shape(shape)
    write_results(
        sources,
        url,
        charset,
        follow_links,
        lambda page, name: to_rows(
            by_template.method_of(page) if by_template else method, page, name
        ),
        output,
        fields,
        folder=folder,
        formats=None if "segment" in fields else ("jsonl", "json"),
        needs=method.needs | ({"box"} if shape == "webis" else frozenset()),
        prepare=by_template.choose if by_template else None,
    )


@click.command()
@page_options
@with_option("extractor", "'n-terms(n=20)'")
@output_option
@output_folder_option
@click.option(
    "--format",
    "shape",
    type=ShapeChoice(["rows", "details", "obelics", "img2dataset"]),
    default="rows",
    show_default=True,
    help="rows: one row per image; details: with title, size, place and heading too; obelics: one "
    "row per page of interleaved images and texts; img2dataset: url, caption and "
    "role.",
)
@click.option(
    "--max-context",
    type=click.IntRange(min=1),
    metavar="N",
    help="Cut each context to N characters, the nearest to the image kept.",
)
@all_images_option
@min_confidence_option
def images(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    spec: str | None,
    output: Path | None,
    folder: Path | None,
    shape: str,
    max_context: int | None,
    every_element: bool,
    min_confidence: float,
) -> None:
    """Find the text that belongs to each image. One JSON object per image."""
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.results.context_length import capped
    from pagecut.results.image_rows import CORPUS_SHAPES, SHAPES, sure, without_source
    from pagecut.results.image_variants import merge_twins

    method = extractor(DEFAULT_EXTRACTOR if spec is None else spec)
    fields, to_rows = SHAPES[shape]

    def rows(page: Page, name: str) -> Iterable[Row]:
        contexts = sure(method.extract(page), min_confidence)
        if shape in CORPUS_SHAPES and not every_element:
            contexts = merge_twins(contexts)
        if left_out := without_source(contexts, shape):
            print_error(f"{name}: {_left_out(left_out, page.url)}")
        if max_context is not None:
            contexts = [capped(context, max_context) for context in contexts]
        return to_rows(contexts, page, name, _main(page) if shape == "obelics" else None)

    formats: tuple[str, ...] | None = None
    if shape in CORPUS_SHAPES:
        formats = ("jsonl", "json", "csv", *(["parquet"] if shape == "img2dataset" else []))
    write_results(
        sources,
        url,
        charset,
        follow_links,
        rows,
        output,
        fields,
        formats,
        folder=folder,
        needs=needs_of(method),
        on_nothing=warn_no_images,
    )


def _main(page: Page) -> list[tuple[int, int]]:
    """The ranges of a page that are its main text."""
    from pagecut.content.main_text import MainText

    return MainText().spans(page)


def _left_out(sources: Sequence[str], url: str | None) -> str:
    """Why images are missing from the rows of a corpus, and what helps where anything does."""
    are = f"{counted(len(sources), 'image')} {'is' if len(sources) == 1 else 'are'}"
    within = sum(_within(source) for source in sources)
    those = "" if within == len(sources) else f"{within:,} of them "
    kind = f"; {those}with only a placeholder or picture in the page itself (data:)"
    helps = not url and any(source and not _within(source) for source in sources)
    remedy = "; give the page's address by --url, for this page alone"
    return (
        f"{are} left out, without a usable source{kind if within else ''}{remedy if helps else ''}"
    )


def _within(source: str) -> bool:
    """Whether a source only holds a place, or is written into the page."""
    from pagecut.parsing.addresses import is_placeholder

    return source.startswith("data:") or is_placeholder(source)


@click.command()
@page_options
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
def show(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    spec: str | None,
) -> None:
    """Show the segments of a page in colours, in the terminal."""
    from pagecut.cli.terminal import show_segmentation
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    failures = Failures()
    names = html_files(sources, failures, follow_links=follow_links)
    for name, page in read_pages(names, url, charset, failures, method.needs):
        with failures.catch(name):
            warn_no_text(page, name)
            show_segmentation(method.segment(page), page_name(page, name))
    failures.exit()


def write_results(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    to_rows: Callable[[Page, str], Iterable[Row]],
    output: Path | None,
    fields: Sequence[str],
    formats: Sequence[str] | None = None,
    folder: Path | None = None,
    needs: frozenset[str] = frozenset(),
    prepare: Callable[[Sequence[Page]], None] | None = None,
    on_nothing: Callable[[Page, str], None] = warn_no_text,
) -> None:
    """Rows of all pages, to stdout, a file, or a file of JSON Lines for each page in a folder.

    Args:
        prepare: sees all pages, which are then kept in memory, before the first row is made.
        on_nothing: is given a page without rows, and its name.
    """
    if output is not None and folder is not None:
        raise click.UsageError("either --output or --output-dir")
    failures = Failures()
    names = html_files(sources, failures, follow_links=follow_links)

    def pages() -> Iterator[tuple[str, list[Row]]]:
        pages: Iterable[tuple[str, Page]] = read_pages(names, url, charset, failures, needs)
        if prepare is not None:
            pages = list(pages)
            prepare([page for _, page in pages])
        for name, page in pages:
            with failures.catch(name):
                found = list(to_rows(page, click.format_filename(name)))
                if not found:
                    on_nothing(page, name)
                yield name, found

    if folder is None:
        print_pages((found for _, found in pages()), failures, output, fields, formats)
    else:
        write_files(failures.unless_all(pages()), folder, fields)
        failures.exit()


def write_files(
    pages: Iterable[tuple[str, list[Row]]], folder: Path, fields: Sequence[str]
) -> None:
    """A file of JSON Lines for each page."""
    from pagecut.results.row_files import create_folder, write_file

    create_folder(folder)
    taken: dict[str, int] = {}
    for name, rows in pages:
        write_file(rows, folder / file_name(name, ".jsonl", taken), "jsonl", fields)


def print_pages(
    pages: Iterable[Iterable[Row]],
    failures: Failures,
    output: Path | None,
    fields: Sequence[str],
    formats: Sequence[str] | None = None,
    types: Mapping[str, str] = {},
) -> None:
    """Write the rows of each page as `print_rows` does, unless every page failed."""
    from pagecut.results.row_files import check_output

    if output is not None:
        check_output(output, formats)  # before any page is read
    rows = chain.from_iterable(failures.unless_all(pages))
    print_rows(rows, output, fields, formats, types)
    failures.exit()


def print_rows(
    rows: Iterable[Row],
    output: Path | None,
    fields: Sequence[str],
    formats: Sequence[str] | None = None,
    types: Mapping[str, str] = {},
) -> None:
    """Write rows to stdout, or to a file as its ending says; of a file, tell who looks on."""
    from pagecut.results.row_files import check_output, write_file, write_rows

    format = check_output(output, formats) if output else "jsonl"
    if output is None:
        write_rows(rows, page_output(), format, fields)
        return
    number = 0

    def seen() -> Iterator[Row]:
        nonlocal number
        for row in rows:
            number += 1
            yield row

    write_file(seen(), output, format, fields, types)
    if sys.stderr.isatty():
        click.echo(harmless(f"{counted(number, 'row')} in {output}"), err=True)


class PerTemplate:
    """The thresholds by template, so that the order of pages changes nothing."""

    def __init__(self, method: Segmenter, spec: str) -> None:
        from pagecut.segmenters.box_clustering import BoxClustering

        if not isinstance(method, BoxClustering):
            raise click.UsageError(
                f"--per-template works with box-clustering only, not with {method}"
            )
        check_no_threshold(spec)
        self._method = method
        self._thresholds: Mapping[str, float] = {}

    def choose(self, pages: Sequence[Page]) -> None:
        """Choose the thresholds, and say which."""
        from pagecut.annotation.template import choose_threshold, template_signature

        self._thresholds = choose_threshold(pages, self._method)
        print_thresholds(self._thresholds, Counter(template_signature(page) for page in pages))

    def method_of(self, page: Page) -> Segmenter:
        """The method with the threshold of a page's template."""
        from pagecut.annotation.template import ByTemplate

        return ByTemplate(self._method, self._thresholds).method_of(page)


def check_no_threshold(spec: str) -> None:
    """A threshold that is given and one that is chosen cannot both hold."""
    given = re.search(r"\bthreshold\s*=\s*([^\s,)]+)", spec)
    if given and given[1].strip("\"'") != "auto":
        raise click.UsageError(
            f"--per-template chooses the threshold, but {spec} sets one; give only one of them"
        )


def print_thresholds(thresholds: Mapping[str, float], counts: Mapping[str, int]) -> None:
    for signature, threshold in thresholds.items():
        pages = counted(counts[signature], "page")
        click.echo(f"template {signature}: {pages}, threshold {threshold:g}", err=True)


@click.command()
@click.argument("sample", metavar="SAMPLE", type=click.Path(path_type=Path, dir_okay=False))
@sources_argument("PAGE...")
@click.option(
    "--page",
    "sample_page",
    metavar="FILE",
    help="The page that SAMPLE was made on, if SAMPLE is a JSON file.",
)
@level_option("Which marks of a marked page to transfer.")
@click.option(
    "--segmentations",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Also write each page's segments as a file of their own.",
)
@output_file("Write to a file in the format of its ending: .jsonl, .json, .csv.")
def transfer(
    sample: Path,
    sources: tuple[str, ...],
    sample_page: str | None,
    level: str,
    segmentations: Path | None,
    output: Path | None,
) -> None:
    """Find what is marked on one page on others of its template.

    SAMPLE is a page with data-block marks, or a segmentation or annotation as JSON.
    """
    from pagecut.annotation.transfer import TRANSFER_FIELDS, Sample, transfer_rows
    from pagecut.results.json_files import write_segmentation

    failures = Failures()
    names = html_files(sources, failures)
    marked = Sample(_read_sample(sample, sample_page, int(level)))
    if segmentations is not None:
        segmentations.mkdir(parents=True, exist_ok=True)

    def rows() -> Iterator[list[Row]]:
        for name, page in read_pages(names, None, None, failures):
            found = marked.transfer(page)
            if found.missing:
                total = len(found.missing) + len(found.sample_segments)
                print_error(f"{name}: {len(found.missing)} of {total} segments were not found")
            if segmentations is not None:
                write_segmentation(found.segmentation, segmentations / f"{page.id[:16]}.json")
            yield list(transfer_rows(found, click.format_filename(name)))

    print_pages(rows(), failures, output, TRANSFER_FIELDS, ("jsonl", "json", "csv"))


def _read_sample(path: Path, page_name: str | None, level: int) -> Segmentation:
    """The marked segments, with their page."""
    from pagecut.errors import FormatError

    if path.suffix.lower() != ".json":
        from pagecut.evaluation.datasets import DatasetPage
        from pagecut.evaluation.datasets.pages import true_segmentation

        entry = DatasetPage(id=path.name, group="", url=None, html=path)
        segmentation = true_segmentation(*entry.load(), level)
        if not len(segmentation):
            raise FormatError(f"{path}: no data-block marks of level {level}; try the other level")
        return segmentation
    if page_name is None:
        raise click.UsageError(f"{path} does not name its page; give it with --page FILE")
    return _read_json(path, _sample_page(page_name))


def _sample_page(name: str) -> Page:
    from pagecut.parsing.html import parse_html
    from pagecut.parsing.sources import read_source

    source = read_source(name)
    return parse_html(source.data, source.url, source.charset)


def _read_json(path: Path, page: Page) -> Segmentation:
    from pagecut.annotation.marks import ANNOTATION_FORMAT, from_json
    from pagecut.results.json_files import read_json, read_segmentation

    value = read_json(path)
    if isinstance(value, dict) and value.get("format") == ANNOTATION_FORMAT:
        return from_json(value, page, str(path)).segmentation(page)
    return read_segmentation(path, page)


Shape = Callable[["Segmenter", "Page", str], "Iterable[Row]"]


def segment_shape(name: str) -> tuple[tuple[str, ...], Shape]:
    """The fields of a shape in which segments are written, and what gives its rows."""
    from pagecut.results.segment_columns import SEGMENT_FIELDS
    from pagecut.results.segment_rows import TREE_FIELDS, leaf_rows, segment_rows, tree_row

    def rows(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
        return segment_rows(method.segment(page), name)

    def leaves(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
        return leaf_rows(method.segment(page), name)

    def tree(method: Segmenter, page: Page, name: str) -> Iterable[Row]:
        # Of all that a method can explain, a tree holds the separators alone.
        explain = getattr(method, "explain", None) if getattr(method, "separates", False) else None
        return [tree_row(method.segment(page), explain and explain(page), name)]

    if name == "webis":
        from pagecut.evaluation.datasets.webis import WEBIS_FIELDS, webis_row

        return WEBIS_FIELDS, lambda method, page, name: [
            webis_row({str(method): method.segment(page)}, page.url or name)
        ]
    shapes: dict[str, tuple[tuple[str, ...], Shape]] = {
        "rows": (SEGMENT_FIELDS, rows),
        "leaves": (SEGMENT_FIELDS, leaves),
        "tree": (TREE_FIELDS, tree),
    }
    return shapes[name]
