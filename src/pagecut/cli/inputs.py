"""Pages named on the command line, one after the other, failures counted."""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pagecut.errors import counted

if TYPE_CHECKING:
    from concurrent.futures import Future

    from pagecut.evaluation.datasets import Dataset, DatasetPage
    from pagecut.page import Page
    from pagecut.parsing.sources import FolderFiles
    from pagecut.rendering.cache import SavingRenderer

Item = TypeVar("Item")
SECONDS_BETWEEN = 10.0  # of two words on the progress


def print_error(error: object) -> None:
    """Say in one line what is wrong."""
    message = "".join(each if each.isprintable() else " " for each in str(error))
    click.echo(f"pagecut: {message}", err=True)


def has_text(page: Page) -> bool:
    """Whether there is anything to read on a page."""
    return bool(page.readable(0, len(page.text)))


def warn_no_text(page: Page, name: str) -> None:
    """Say why a page gives nothing, where it has no text; that is no failure."""
    if not has_text(page):
        print_error(f"{page_name(page, name)}: the page has no text")


def page_name(page: Page, name: str) -> str:
    """What messages call a page: the name of its file or URL, and its sheet if it is one."""
    sheet = "" if page.sheet is None else f", sheet {page.sheet}"
    return click.format_filename(name) + sheet


def unique_name(name: str, counts: Counter[str]) -> str:
    """A name that no other page has, since the sheets of a PDF share that of their file.

    Args:
        counts: how often each name has come.
    """
    counts[name] += 1
    return name if counts[name] == 1 else f"{name}#{counts[name]}"


def warn_no_images(page: Page, name: str) -> None:
    """Say that a page has no images; that is no failure."""
    if not page.images:
        print_error(f"{page_name(page, name)}: the page has no images")


def say_left_out(folder: str | Path, found: FolderFiles) -> None:
    """Say what of a folder is not taken, and what helps; that is no failure."""
    if count := sum(found.others.values()):
        kinds = [
            f"{number:,} {ending or 'without ending'}"
            for ending, number in found.others.most_common(_KINDS)
        ]
        more = ", …" if len(found.others) > _KINDS else ""
        left_out = f"{counted(count, 'other file')} left out ({', '.join(kinds)}{more})"
        print_error(f"{folder}: {counted(len(found.files), 'page')}; {left_out}")
    if found.links:
        from pagecut.parsing.sources import pattern_takes_links

        what = "link that leads" if found.links == 1 else "links that lead"
        can_follow = any(
            "--follow-links" in each.opts for each in click.get_current_context().command.params
        )
        remedy = "--follow-links takes them" if can_follow else pattern_takes_links(folder)
        print_error(f"{folder}: {found.links:,} {what} out of it left out; {remedy}")


_KINDS = 3  # of files left out, by name


class Failures:
    """Counts the inputs that failed; the others are still processed."""

    def __init__(self) -> None:
        self.count = 0

    def add(self, name: str, error: Exception) -> None:
        """Count an input that failed, and say so; the message names it."""
        self.count += 1
        message = str(error)
        print_error(message if name in message else f"{name}: {message}")

    @contextmanager
    def catch(self, name: str) -> Iterator[None]:
        """Count what goes wrong with one input, and go on with the next.

        What cannot be written, and what the user asked for wrongly, is not the input's fault.
        """
        from pagecut.errors import PagecutError, unforeseen

        try:
            yield
        except PagecutError as error:
            self.add(name, error)
        except (OSError, click.ClickException, click.exceptions.Exit, click.Abort):
            raise
        except Exception as error:
            self.add(name, unforeseen(name, error))

    def unless_all(self, found: Iterable[Item]) -> Iterator[Item]:
        """What was found of each page; the end, where every page failed.

        The first is waited for: to be called before a file is opened, so that one that is there is
        not lost for nothing.
        """
        left = iter(found)
        first = list(islice(left, 1))
        if not first:
            self.exit()
        return chain(first, left)

    def exit(self) -> None:
        if self.count:
            sys.exit(1)


def exit_after(failures: Sequence[object]) -> None:
    """Say what failed, and end with exit code 1 if anything did."""
    for failure in failures:
        print_error(failure)
    if failures:
        are = "is" if len(failures) == 1 else "are"
        print_error(f"{len(failures)} failed and {are} not in the means")
        sys.exit(1)


def needs_of(*methods: Any) -> frozenset[str]:
    """The optional columns that any of these methods reads."""
    return frozenset().union(*(method.needs for method in methods))


def read_pages(
    sources: Sequence[str],
    url: str | None,
    charset: str | None,
    failures: Failures,
    needs: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, Page]]:
    """Read and parse each source, under its name; those that `html_files` gives.

    Args:
        needs: the optional columns that are wanted: if any is, pages of HTML are rendered.
    """
    from pagecut.rendering.page_files import pages_of_source

    check_page_options(sources, url)
    with _renderer(needs) as renderer:
        loads = [(name, partial(pages_of_source, name, url, charset, renderer)) for name in sources]
        yield from _loaded(loads, failures, renderer)


def read_given(
    pages: Iterable[tuple[str, bytes, str | None]],
    failures: Failures,
    needs: frozenset[str] = frozenset(),
) -> Iterator[tuple[str, Page]]:
    """Parse or render pages whose name, HTML and URL are at hand, one after the other."""
    from pagecut.parsing.html import parse_html
    from pagecut.rendering.page_source import html_source

    with _renderer(needs) as renderer:
        for name, html, url in pages:
            with failures.catch(name):
                if renderer is None:
                    page = parse_html(html, url)
                else:
                    page = renderer.save(html_source(html, url=url, charset=None, name=name)).page
                yield name, page


def read_pages_or_datasets(
    sources: Sequence[str],
    failures: Failures,
    needs: frozenset[str] = frozenset(),
    *,
    as_datasets: bool = False,
) -> Iterator[tuple[str, Page]]:
    """The same, where a dataset stands for its pages, without their marks.

    Args:
        as_datasets: of every folder; else those with a list of pages are.
    """
    from pagecut.evaluation.datasets import read_dataset
    from pagecut.evaluation.datasets.reading import is_dataset
    from pagecut.rendering.page_files import pages_of_source

    with _renderer(needs) as renderer:
        loads: list[tuple[str, Callable[[], Iterable[Page]]]] = []
        for name in sources:
            if is_dataset(name, as_datasets):
                with failures.catch(name):
                    loads.extend(
                        (str(entry.html), partial(_page_of, entry, renderer))
                        for entry in read_dataset(name)
                    )
            else:
                loads.extend(
                    (file, partial(pages_of_source, file, renderer=renderer))
                    for file in html_files([name], failures)
                )
        yield from _loaded(loads, failures, renderer)


def html_files(
    sources: Sequence[str], failures: Failures, *, follow_links: bool = False
) -> list[str]:
    """Each source once; a folder stands for all HTML files below it, a pattern for what it
    matches."""
    from pagecut.parsing.sources import expand_sources

    return expand_sources(
        sources, follow_links=follow_links, on_folder=say_left_out, on_error=failures.add
    )


def run_outputs(sources: Sequence[str]) -> list[Path]:
    """Each source once, if they are what corpus runs have written; none, if they are pages."""
    from pagecut.results.run_tables import is_run_output

    paths = dict.fromkeys(map(Path, sources))
    found = [path for path in paths if is_run_output(path)]
    if found and len(found) < len(paths):
        raise click.UsageError("give either pages or the output of corpus runs, not both at once")
    return found


def rendered_dataset(dataset: Dataset, jobs: int, measures: Sequence[str] = ()) -> Dataset:
    """A dataset with its pages rendered, pictures included if a measure needs them."""
    from pagecut.evaluation.datasets.rendered import render_dataset
    from pagecut.evaluation.measures import measure

    needs = {name for spec in measures for name in getattr(measure(spec), "needs", ())}
    return render_dataset(dataset, needs=needs, tabs=max(2, jobs), watch=progress)


@contextmanager
def _renderer(needs: frozenset[str]) -> Iterator[SavingRenderer | None]:
    """Something that renders, if any column is needed; the browser starts when a page asks."""
    if not needs:
        yield None
        return
    from pagecut.rendering.cache import RenderCache, SavingRenderer

    with SavingRenderer(cache=RenderCache()) as renderer:
        yield renderer


def _page_of(entry: DatasetPage, renderer: SavingRenderer | None) -> list[Page]:
    page = entry.load()[0]
    if renderer is None or page.nodes.box is not None:
        return [page]
    from pagecut.evaluation.datasets.rendered import page_source
    from pagecut.rendering.columns import add_columns

    return [add_columns(page, renderer.save(page_source(entry)).page)]


def _loaded(
    loads: Sequence[tuple[str, Callable[[], Iterable[Page]]]],
    failures: Failures,
    renderer: SavingRenderer | None = None,
) -> Iterator[tuple[str, Page]]:

    waiting = _ahead([load for _, load in loads], renderer.tabs) if renderer else None
    for name, load in progress(loads):
        with failures.catch(name):
            for page in load() if waiting is None else next(waiting).result():
                yield name, page


def _ahead(
    loads: Sequence[Callable[[], Iterable[Page]]], threads: int
) -> Iterator[Future[Iterable[Page]]]:
    """The pages in order, while the next few are being rendered."""
    from concurrent.futures import ThreadPoolExecutor

    from pagecut.rendering.renderer import futures_in_order

    with ThreadPoolExecutor(threads) as pool:
        yield from futures_in_order(pool, lambda load: load(), loads, threads + 1)


def check_page_options(sources: Sequence[str], url: str | None) -> None:
    """A URL belongs to one page."""
    if url is not None and len(sources) > 1:
        raise click.UsageError("--url works with one page only")


def progress(items: Iterable[Item]) -> Iterable[Item]:
    """Show progress on stderr where a person sees it and there is more than one item."""
    items = list(items)
    if len(items) < 2 or not sys.stderr.isatty():
        return items
    from rich.console import Console
    from rich.progress import track

    return track(items, console=Console(stderr=True), description="pages", transient=True)


def told(pages: Iterable[Item], *, bar: bool = True) -> Iterator[Item]:
    """The pages; every now and then, how many there were, where no bar shows it."""
    start = last = time.monotonic()
    for number, page in enumerate(pages, start=1):
        yield page
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN and not (bar and sys.stderr.isatty()):
            click.echo(f"{number:,} pages, {number / (now - start):.1f} a second", err=True)
            last = now
