"""The command that carries marked segments over to other pages of the same template."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, complain, read_pages
from pagecut.cli.options import level_option, output_option
from pagecut.cli.results import print_rows

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.results.rows import Row
    from pagecut.results.segmentation import Segmentation


@click.command()
@click.argument("sample", metavar="SAMPLE", type=click.Path(path_type=Path, dir_okay=False))
@click.argument("sources", nargs=-1, required=True, metavar="PAGE...")
@click.option(
    "--page",
    "sample_page",
    metavar="FILE",
    help="The page that SAMPLE was made on, if SAMPLE is a JSON file.",
)
@level_option("Which marks of a marked page to carry over.")
@click.option(
    "--segmentations",
    type=click.Path(path_type=Path, file_okay=False),
    metavar="FOLDER",
    help="Also write each page's segments as a file of their own.",
)
@output_option
def transfer(
    sample: Path,
    sources: tuple[str, ...],
    sample_page: str | None,
    level: str,
    segmentations: Path | None,
    output: Path | None,
) -> None:
    """Find the segments that are marked on SAMPLE on other pages of the same template.

    SAMPLE is a page with data-block marks, or a segmentation or annotation as JSON.
    """
    from pagecut.annotation.transfer import TRANSFER_FIELDS, Sample, transfer_rows
    from pagecut.results.json_files import write_segmentation

    marked = Sample(_read_sample(sample, sample_page, int(level)))
    if segmentations is not None:
        segmentations.mkdir(parents=True, exist_ok=True)
    failures = Failures()

    def rows() -> Iterator[Row]:
        for name, page in read_pages(sources, None, None, failures):
            found = marked.transfer(page)
            if found.missing:
                total = len(found.missing) + len(found.sample_segments)
                complain(f"{name}: {len(found.missing)} of {total} segments could not be mapped")
            if segmentations is not None:
                write_segmentation(found.segmentation, segmentations / f"{page.id[:16]}.json")
            yield from transfer_rows(found, click.format_filename(name))

    print_rows(rows(), output, TRANSFER_FIELDS, ("jsonl", "json", "csv"))
    failures.exit()


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
        raise click.UsageError(f"{path} says nothing of its page: give it with --page FILE")
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
