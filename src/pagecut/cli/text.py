"""The commands that give the main text, whole or in chunks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, read_pages, warn_no_text
from pagecut.cli.options import output_file, page_options
from pagecut.cli.output import page_output
from pagecut.cli.results import write_results

if TYPE_CHECKING:
    from pagecut.content.line_model import Favour
    from pagecut.page import Page
    from pagecut.results.tables import Row

favour_option = click.option(
    "--favour",
    type=click.Choice(["precision", "balance", "recall"]),
    default="balance",
    show_default=True,
    help="Less text that is surely main text, more that may be, or the best of both.",
)


@click.command()
@page_options
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "markdown"]),
    default="text",
    show_default=True,
    help="Plain text, or Markdown with headings, lists, links and images.",
)
@favour_option
@click.option(
    "--front-matter",
    is_flag=True,
    help="Markdown: begin with the page's metadata, as YAML.",
)
@output_file("Write to a file.")
def text(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    form: str,
    favour: Favour,
    front_matter: bool,
    output: Path | None,
) -> None:
    """Print the main text of pages; of several, each under its name."""
    from pagecut.content.main_text import MainText, main_text
    from pagecut.content.metadata import metadata
    from pagecut.content.metadata.front_matter import front_matter as to_yaml
    from pagecut.parsing.sheets import sheet_number
    from pagecut.results.row_files import create_file

    if front_matter and form != "markdown":
        raise click.UsageError("--front-matter needs --format markdown")
    method = MainText(favour=favour)
    failures = Failures()

    def texts() -> Iterator[str]:
        between, named = "", None
        for name, page in read_pages(sources, url, charset, failures):
            found = None
            with failures.counted(name):
                found = main_text(page, form, method)  # type: ignore[arg-type]
                above = to_yaml(metadata(page), page.url) if front_matter else ""
            if found is None:
                continue
            if not found:
                warn_no_text(page, name)
            if len(sources) > 1 and (name != named or sheet_number(page) is None):
                between, named = between + _heading(name, form), name
            yield f"{between}{above}{found}\n"
            between = "\n"

    if output is None:
        file = page_output()
        for each in texts():
            file.write(each)
            file.flush()
    else:
        with create_file(output) as file:
            file.writelines(texts())
    failures.exit()


def _heading(name: str, form: str) -> str:
    """A line with the name of a page above its text; in Markdown, one that is not shown."""
    shown = "".join(
        each if each.isprintable() else "\ufffd" for each in click.format_filename(name)
    )
    if form == "markdown":
        return f"<!-- {shown.replace('>', '&gt;')} -->\n\n"
    return f"==> {shown} <==\n"


@click.command()
@page_options
@click.option(
    "--size",
    type=click.IntRange(min=20),
    default=2000,
    show_default=True,
    help="Most characters of a chunk.",
)
@click.option("--everything", is_flag=True, help="All text that is shown, not only the main text.")
@favour_option
@output_file("Write to a file in the format of its ending: .jsonl, .json, .csv.")
def chunk(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    size: int,
    everything: bool,
    favour: Favour,
    output: Path | None,
) -> None:
    """Cut the main text of pages into chunks for retrieval: one JSON object per chunk."""
    from pagecut.content.chunks import CHUNK_FIELDS, Chunks, chunk_rows

    method = Chunks(size=size, everything=everything, favour=favour)

    def rows(page: Page, name: str) -> Iterator[Row]:
        return chunk_rows(method.cut(page), name)

    write_results(sources, url, charset, rows, output, CHUNK_FIELDS, ("jsonl", "json", "csv"))
