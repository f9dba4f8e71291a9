"""The command that writes a report to look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, needs_of, read_pages_or_datasets

if TYPE_CHECKING:
    from pagecut.page import Page


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="DATASET|FILE|URL|-...")
@click.option("--segment", "segmenters", metavar="SPEC", multiple=True, help="Segmenters to show.")
@click.option("--images", "image_spec", metavar="SPEC", help="The image-context extractor.")
@click.option("--pictures", is_flag=True, help="Render the pages, and show them with the segments.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The HTML file to write.",
)
def report(
    sources: tuple[str, ...],
    segmenters: tuple[str, ...],
    image_spec: str | None,
    pictures: bool,
    output: Path,
) -> None:
    """Write one HTML file in which to look at pages: segments in colours, images with contexts."""
    from pagecut.cli.terminal import show_report_entries
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.errors import FormatError
    from pagecut.report.html import ReportEntry, write_report
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    methods = [segmenter(spec) for spec in segmenters or (DEFAULT_SEGMENTER,)]
    context_method = extractor(DEFAULT_EXTRACTOR if image_spec is None else image_spec)
    failures = Failures()
    entries = []
    needs = needs_of(context_method, *methods)
    found = _with_pictures(sources, failures) if pictures else _plain(sources, failures, needs)
    for name, page, folder, picture in found:
        with failures.counted(name):
            entries.append(
                ReportEntry(
                    page=page,
                    name=click.format_filename(name),
                    segmentations=[method.segment(page) for method in methods],
                    contexts=context_method.extract(page),
                    folder=folder,
                    picture=picture,
                )
            )
    if not entries:
        failures.exit()
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write_report(output, entries)
    except OSError as error:
        raise FormatError(f"{output}: cannot be written: {error.strerror}") from error
    show_report_entries(entries)
    click.echo(f"report: {output}", err=True)
    failures.exit()


Shown = tuple[str, "Page", Path | None, bytes | None]  # name, page, its folder, its picture


def _plain(sources: Sequence[str], failures: Failures, needs: frozenset[str]) -> Iterator[Shown]:
    for name, page in read_pages_or_datasets(sources, failures, needs):
        yield name, page, Path(name).parent if Path(name).is_file() else None, None


def _with_pictures(sources: Sequence[str], failures: Failures) -> Iterator[Shown]:
    """Every page as a browser shows it, with its picture."""
    from pagecut.cli.viewing import open_shelf
    from pagecut.errors import PagecutError

    with open_shelf(sources, renders=True) as shelf:
        for number, item in enumerate(shelf.items):
            try:
                opened = shelf.page(number)
            except PagecutError as error:
                failures.add(item.name, error)
            else:
                yield item.name, opened.page, opened.folder, opened.picture
