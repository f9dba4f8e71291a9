"""Pages named on the command line, one after the other, failures counted."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from pagecut.datasets import DatasetPage
    from pagecut.page import Page

Item = TypeVar("Item")


def complain(error: object) -> None:
    """Say in one line what is wrong."""
    message = "".join(each if each.isprintable() else " " for each in str(error))
    click.echo(f"pagecut: {message}", err=True)


class Failures:
    """Counts the inputs that failed; the others are still processed."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, name: str, error: Exception) -> None:
        """Count an input that failed, and say so; the message names it."""
        self.count += 1
        message = str(error)
        complain(message if name in message else f"{name}: {message}")

    def exit(self) -> None:
        if self.count:
            sys.exit(1)


def exit_after(failures: Sequence[object]) -> None:
    """Say what failed, and end with exit code 1 if anything did."""
    for failure in failures:
        complain(failure)
    if failures:
        complain(f"{len(failures)} failed, and are not in the means")
        sys.exit(1)


def read_pages(
    sources: Sequence[str], url: str | None, charset: str | None, failures: Failures
) -> Iterator[tuple[str, Page]]:
    """Read and parse each source, under its name."""
    check_page_options(sources, url, charset)
    loads = [(name, partial(_single_page, name, url, charset)) for name in sources]
    yield from _loaded(loads, failures)


def read_pages_or_datasets(
    sources: Sequence[str], failures: Failures
) -> Iterator[tuple[str, Page]]:
    """The same, where a folder is a dataset and stands for its pages, without their marks."""
    from pagecut.datasets import read_dataset
    from pagecut.errors import PagecutError

    loads: list[tuple[str, Callable[[], Page]]] = []
    for name in sources:
        if Path(name).is_dir():
            try:
                dataset = read_dataset(name)
            except PagecutError as error:
                failures.add(name, error)
            else:
                loads.extend((str(entry.html), partial(_page_of, entry)) for entry in dataset)
        else:
            loads.append((name, partial(_single_page, name)))
    yield from _loaded(loads, failures)


def _page_of(entry: DatasetPage) -> Page:
    return entry.load()[0]


def _single_page(name: str, url: str | None = None, charset: str | None = None) -> Page:
    from pagecut.html import parse_html
    from pagecut.sources import read_source

    source = read_source(name)
    return parse_html(source.data, url or source.url, charset or source.charset)


def _loaded(
    loads: Sequence[tuple[str, Callable[[], Page]]], failures: Failures
) -> Iterator[tuple[str, Page]]:
    from pagecut.errors import PagecutError

    for name, load in progress(loads):
        try:
            page = load()
        except PagecutError as error:
            failures.add(name, error)
        else:
            yield name, page


def check_page_options(sources: Sequence[str], url: str | None, charset: str | None) -> None:
    """A URL belongs to one page; an encoding must exist."""
    from pagecut.decoding import codec_of

    if charset is not None and codec_of(charset) is None:
        raise click.UsageError(f"--charset {charset}: no encoding that browsers know")
    if url is not None and len(sources) > 1:
        raise click.UsageError("--url goes with one page only")


def progress(items: Iterable[Item]) -> Iterable[Item]:
    """Show progress on stderr where a person sees it and there is more than one item."""
    items = list(items)
    if len(items) < 2 or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, console=Console(stderr=True), description="pages", transient=True)
