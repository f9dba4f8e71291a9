"""The commands that give the main text, whole or in chunks."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from pagecut.cli.inputs import (
    Failures,
    has_text,
    html_files,
    page_name,
    print_error,
    read_pages,
    warn_no_text,
)
from pagecut.cli.options import (
    FormatChoice,
    favour_option,
    output_file,
    output_folder_option,
    page_options,
)
from pagecut.cli.output import file_name, page_output
from pagecut.cli.results import write_results
from pagecut.content.formats import DOCUMENT_FORMATS

if TYPE_CHECKING:
    from pagecut.content.line_model import Favour
    from pagecut.page import Page
    from pagecut.results.tables import Row


@click.command()
@page_options
@click.option(
    "--format",
    "form",
    type=FormatChoice(tuple(DOCUMENT_FORMATS)),
    default="text",
    show_default=True,
    help="Plain text (txt); Markdown (md), HTML or XML with headings, lists, links and images; "
    "JSON with metadata and the text.",
)
@favour_option
@click.option("--comments/--no-comments", default=True, help="Readers' comments may be in it.")
@click.option("--links/--no-links", default=True, help="Markdown, HTML, XML: links or their texts.")
@click.option("--images/--no-images", default=True, help="Markdown, HTML, XML: with images or not.")
@click.option(
    "--front-matter",
    is_flag=True,
    help="Markdown: begin with the page's metadata, as YAML.",
)
@output_file("Write to a file.")
@output_folder_option
def text(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    form: str,
    favour: Favour,
    comments: bool,
    links: bool,
    images: bool,
    front_matter: bool,
    output: Path | None,
    folder: Path | None,
) -> None:
    """Print the main text of pages; of several, each under its name."""
    from pagecut.content.documents import to_document
    from pagecut.content.main_text import MainText
    from pagecut.content.metadata import front_matter as to_yaml
    from pagecut.content.metadata import metadata
    from pagecut.results.row_files import create_file, create_folder, write_rows

    if output is not None and folder is not None:
        raise click.UsageError("either --output or --output-dir")
    source = click.get_current_context().get_parameter_source("form")
    if output is not None and source is ParameterSource.DEFAULT:
        form = _form_of(output)
    if front_matter and form != "markdown":
        raise click.UsageError("--front-matter needs --format markdown")
    failures = Failures()
    names = html_files(sources, failures, follow_links=follow_links)
    if output is not None and form == "xml" and len(names) > 1:
        raise click.UsageError("a file of XML holds one page; of several, use --output-dir")
    method = MainText(favour=favour, comments=comments)

    def documents() -> Iterator[tuple[str, bool, str]]:
        """For each page its name, whether it is a sheet of a document, and its text."""
        for name, page in read_pages(names, url, charset, failures):
            found = None
            with failures.catch(name):
                shown = click.format_filename(name)
                found = to_document(
                    page,
                    form,  # type: ignore[arg-type]
                    method,
                    links=links,
                    images=images,
                    name=shown,
                )
                if front_matter:
                    found = to_yaml(metadata(page), page.url) + found
            if found is None:
                continue
            if not page.readable_spans(method.spans(page)):
                _warn_no_main_text(page, name, favour)
            yield name, page.sheet is not None, found

    def texts(pages: Iterable[tuple[str, bool, str]]) -> Iterator[str]:
        between, named = "", None
        for name, sheet, found in pages:
            heading = ""
            if len(names) > 1 and form != "json" and (name != named or not sheet):
                heading, named = _heading(name, form), name
            if not found and not heading:
                continue
            yield f"{between}{heading}{_lines(found)}"
            between = "" if form == "json" else "\n"

    pages = failures.unless_all(documents())
    if folder is not None:
        create_folder(folder)
        taken: dict[str, int] = {}
        for name, _, found in pages:
            ending = DOCUMENT_FORMATS[form]
            with create_file(folder / file_name(name, ending, taken)) as file:
                file.write(_lines(found))
        failures.exit()
        return
    if output is None:
        file = page_output()
        for each in texts(pages):
            file.write(each)
            file.flush()
    else:
        with create_file(output) as file:
            if form == "json" and output.suffix.lower() == ".json":
                write_rows((json.loads(found) for _, _, found in pages), file, "json", ())
            else:
                file.writelines(texts(pages))
    failures.exit()


_FORM_OF_ENDING = {ending: form for form, ending in DOCUMENT_FORMATS.items()} | {".jsonl": "json"}


def _form_of(output: Path) -> str:
    """The format that the ending of a file picks; without one, plain text."""
    ending = output.suffix.lower()
    if ending in (".parquet", ".csv"):
        raise click.UsageError(
            f"{output}: a text is no table; use .txt, .md, .json, .jsonl, .html or .xml, or for "
            "Parquet `pagecut run --text`"
        )
    if ending not in ("", *_FORM_OF_ENDING):
        raise click.UsageError(
            f"{output}: unknown ending; use {', '.join(_FORM_OF_ENDING)}, or name a --format"
        )
    return _FORM_OF_ENDING.get(ending, "text")


def _warn_no_main_text(page: Page, name: str, favour: Favour) -> None:
    """Say why a page gives nothing, and what does; that is no failure."""
    from pagecut.content.main_text import MainText

    if not has_text(page):
        warn_no_text(page, name)
        return
    remedy = "`pagecut segment` gives all of its text"
    if favour != "recall" and MainText(favour="recall").spans(page):
        remedy = "--favour recall gives the likeliest lines"
    print_error(f"{page_name(page, name)}: no main text was found; {remedy}")


def _lines(text: str) -> str:
    """A text with its last line ended; of none, nothing."""
    return text and f"{text}\n"


def _heading(name: str, form: str) -> str:
    """A line with the name of a page above its text; in Markdown, one that is not shown."""
    shown = "".join(
        each if each.isprintable() else "\ufffd" for each in click.format_filename(name)
    )
    if form in ("markdown", "html", "xml"):
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
@output_file("Write to a file in the format of its ending: .jsonl, .json, .csv, .parquet.")
@output_folder_option
def chunk(
    sources: tuple[str, ...],
    url: str | None,
    charset: str | None,
    follow_links: bool,
    size: int,
    everything: bool,
    favour: Favour,
    output: Path | None,
    folder: Path | None,
) -> None:
    """Cut the main text of pages into chunks for retrieval. One JSON object per chunk."""
    from pagecut.content.chunks import CHUNK_FIELDS, Chunks, chunk_rows
    from pagecut.results.row_files import TABLES

    method = Chunks(size=size, everything=everything, favour=favour)

    def rows(page: Page, name: str) -> Iterator[Row]:
        return chunk_rows(method.cut(page), name)

    def on_nothing(page: Page, name: str) -> None:
        _warn_no_main_text(page, name, favour)

    write_results(
        sources,
        url,
        charset,
        follow_links,
        rows,
        output,
        CHUNK_FIELDS,
        TABLES,
        folder=folder,
        on_nothing=on_nothing,
    )
