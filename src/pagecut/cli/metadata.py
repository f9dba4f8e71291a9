"""The command that says what pages say of themselves."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, html_files, read_pages
from pagecut.cli.options import output_file, page_options
from pagecut.cli.results import print_pages

if TYPE_CHECKING:
    from pagecut.results.tables import Row


@click.command()
@page_options
@click.option("--table", is_flag=True, help="A table for people, as on a terminal.")
@output_file("Write to a file in the format of its ending: .jsonl, .json, .csv, .parquet.")
def metadata(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    table: bool,
    output: Path | None,
) -> None:
    """Title, authors, dates, site and more of pages. One JSON object per page.

    On a terminal it is a table.
    """
    from pagecut.content.metadata import METADATA_ROW, Metadata, metadata_rows
    from pagecut.results.row_files import TABLES

    failures = Failures()
    names = html_files(sources, failures, follow_links=follow_links)

    def rows() -> Iterator[list[Row]]:
        for name, page in read_pages(names, url, charset, failures):
            with failures.catch(name):
                yield list(metadata_rows(page, click.format_filename(name)))

    if output is None and (table or sys.stdout.isatty()):
        from pagecut.cli.terminal import show_metadata

        show_metadata(chain.from_iterable(rows()))
        failures.exit()
    else:
        print_pages(rows(), failures, output, METADATA_ROW, TABLES, Metadata.types)
