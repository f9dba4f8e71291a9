"""The command that renders pages and keeps them as snapshot files."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import click

from pagecut.cli.inputs import Failures, progress, say_left_out
from pagecut.cli.options import (
    charset_option,
    dataset_option,
    follow_links_option,
    sources_argument,
    url_option,
)
from pagecut.cli.output import file_name, page_output
from pagecut.rendering.page_files import SNAPSHOT, is_snapshot, page_source_of

if TYPE_CHECKING:
    from pagecut.errors import PagecutError
    from pagecut.rendering.page_source import PageSource
    from pagecut.rendering.snapshot_file import SavedPage

NO_FOLDER: Final = (".png", ".jpg", ".jpeg", ".svg", ".html", ".htm", ".pdf")
ARCHIVES: Final = (".warc", ".warc.gz")
Named: TypeAlias = "tuple[str, str, Callable[[], PageSource]]"  # page, its file, its source


@click.command()
@sources_argument()
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    required=True,
    help="A .snap file for one page, or a folder for any number.",
)
@url_option
@charset_option
@click.option(
    "--screenshot",
    type=click.FloatRange(0, 4),
    default=0.25,
    show_default=True,
    metavar="SCALE",
    help="Pixels per CSS px of the picture that is kept; 0 takes none, then images have no colour.",
)
@click.option(
    "--width",
    type=click.IntRange(1, 10_000),
    default=1280,
    show_default=True,
    help="Width of the window in CSS px; 390 is that of a phone.",
)
@click.option("--scripts", is_flag=True, help="Let the pages' scripts run.")
@click.option(
    "--live", is_flag=True, help="Let pages given as URLs load their files from the network."
)
@click.option(
    "--allow-private",
    is_flag=True,
    help="Let live pages reach private addresses, this machine included.",
)
@click.option(
    "--tabs",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="Pages that are rendered at a time.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=30.0,
    show_default=True,
    metavar="SECONDS",
    help="Most time for one page.",
)
@click.option(
    "--max-memory",
    type=click.IntRange(min=128),
    default=2048,
    show_default=True,
    metavar="MIB",
    help="Most memory for one page; for each process of the browser.",
)
@click.option(
    "--cache",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder of renders that are used again; also set by PAGECUT_CACHE.",
)
@click.option("--no-cache", is_flag=True, help="Render every page anew.")
@follow_links_option
@dataset_option
@click.option(
    "--overlay",
    is_flag=True,
    help="Beside each snapshot a picture (.svg): its lines and images on the screenshot.",
)
def render(
    sources: tuple[str, ...],
    output: Path,
    url: str | None,
    charset: str | None,
    screenshot: float,
    width: int,
    scripts: bool,
    live: bool,
    allow_private: bool,
    tabs: int,
    timeout: float,
    max_memory: int,
    cache: Path | None,
    no_cache: bool,
    follow_links: bool,
    as_datasets: bool,
    overlay: bool,
) -> None:
    """Render pages and keep each as a snapshot file. No browser is needed to use it.

    Prints one JSON object per page. A folder that is a dataset stands for its
    pages, without their marks; any other for the HTML files in it; a WARC file for its pages, each
    with the files that it holds.
    """
    from pagecut.cli.inputs import check_page_options
    from pagecut.errors import PagecutError
    from pagecut.rendering.browser import View
    from pagecut.rendering.cache import RenderCache, SavingRenderer

    check_page_options(sources, url)
    if allow_private and not live:
        raise click.UsageError("--allow-private needs --live")
    if overlay and not screenshot:
        raise click.UsageError("--overlay needs a picture: leave --screenshot above 0")
    if output.suffix.lower() in NO_FOLDER and not output.is_dir():
        raise click.UsageError(
            f"-o {output}: a page is kept as a snapshot, -o {output.with_suffix(SNAPSHOT)}, "
            "several in a folder; --overlay draws a picture (.svg) beside each"
        )
    failures = Failures()
    read = partial(_read_source, url=url, charset=charset, live=live)
    named = list(_named_sources(sources, read, failures, follow_links, as_datasets))
    if output.suffix.lower() == SNAPSHOT and len(named) > 1:
        raise click.UsageError(f"-o {output}: give a folder for {len(named)} pages")
    view = View(width=width, scripts=scripts, screenshot=screenshot)
    kept = None if no_cache else RenderCache(cache)
    with SavingRenderer(
        view,
        kept,
        tabs=tabs,
        seconds=timeout,
        live=live,
        allow_private=allow_private,
        memory=max_memory,
    ) as renderer:
        results = renderer.save_many(_made(named))
        for name, file, _ in progress(named):
            saved = next(results)
            if isinstance(saved, PagecutError):
                failures.add(name, saved)
                continue
            path = output if output.suffix.lower() == SNAPSHOT else output / file
            with failures.catch(name):
                _write(saved, path, overlay)
                row = json.dumps(_row(name, path, saved), ensure_ascii=False)
                print(row, file=page_output(), flush=True)
    failures.exit()


def _named_sources(
    sources: Sequence[str],
    read: Callable[[str], PageSource],
    failures: Failures,
    follow_links: bool,
    as_datasets: bool,
) -> Iterator[Named]:
    """Each page with its name and that of its file, no two of which are the same."""
    from pagecut.evaluation.datasets.reading import is_dataset
    from pagecut.parsing.sources import expand_sources, is_pattern

    taken: dict[str, int] = {}
    for name in sources:
        pages: list[tuple[str, Callable[[], PageSource]]] = []
        with failures.catch(name):
            if is_dataset(name, as_datasets):
                pages = _entries_of(Path(name), follow_links)
            elif Path(name).is_dir() or is_pattern(name):
                files = expand_sources(
                    [name],
                    follow_links=follow_links,
                    on_folder=say_left_out,
                    on_error=failures.add,
                )
                pages = [(file, partial(read, file)) for file in files]
            elif name.lower().endswith(ARCHIVES):
                pages = _archived(name)
            else:
                pages = [(name, partial(read, name))]
        for page, make in pages:
            yield page, file_name(page, SNAPSHOT, taken), make


def _archived(name: str) -> list[tuple[str, Callable[[], PageSource]]]:
    """The pages of a web archive; each is read again when its turn comes, and none is kept."""
    from pagecut.corpus.archives.archived_pages import archived_pages
    from pagecut.errors import FormatError

    names = [page.name for page in archived_pages(name)]
    if not names:
        raise FormatError(f"{name}: no HTML page in the archive")
    pages = archived_pages(name)
    return [(page, partial(next, pages)) for page in names]


def _read_source(name: str, url: str | None, charset: str | None, live: bool) -> PageSource:
    from pagecut.errors import PageError
    from pagecut.page.addresses import WEB
    from pagecut.parsing.file_kinds import is_box_file, is_pdf
    from pagecut.parsing.sources import read_source
    from pagecut.rendering.page_source import source_of

    if live and name.startswith(WEB):
        return source_of(name)
    boxed = PageError(f"{name}: already has boxes; every command reads it as it is")
    if is_snapshot(name):
        raise boxed
    source = read_source(name, charset=charset)
    if is_box_file(name, source.data):
        raise boxed
    if is_pdf(source.data):
        raise PageError(f"{name}: a PDF already has boxes; every command reads it as it is")
    return page_source_of(name, source.data, url or source.url, charset or source.charset)


def _entries_of(folder: Path, follow_links: bool) -> list[tuple[str, Callable[[], PageSource]]]:
    """The pages of a dataset."""
    from collections import Counter

    from pagecut.evaluation.datasets import read_dataset
    from pagecut.evaluation.datasets.rendered import page_source
    from pagecut.parsing.sources import FolderFiles, is_inside

    entries = list(read_dataset(folder))
    inside = [each for each in entries if follow_links or is_inside(each.html, folder)]
    links = len(entries) - len(inside)
    say_left_out(folder, FolderFiles([], links, Counter()))
    return [(entry.id, partial(page_source, entry)) for entry in inside]


def _made(named: Sequence[Named]) -> Iterator[PageSource | PagecutError]:
    """The sources, each read when its turn comes."""
    from pagecut.errors import PagecutError, unforeseen

    for name, _, make in named:
        try:
            yield make()
        except PagecutError as error:
            yield error
        except Exception as error:
            yield unforeseen(name, error)


def _write(saved: SavedPage, path: Path, overlay: bool) -> None:
    from pagecut.errors import FormatError
    from pagecut.pictures.drawing import write_picture
    from pagecut.pictures.segments import draw_rendered
    from pagecut.rendering.snapshot_file import write_snapshot

    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise FormatError(f"{path.parent}: cannot be created: {error.strerror}") from error
    write_snapshot(saved, path)
    if overlay:
        write_picture(path.with_suffix(".svg"), draw_rendered(saved))


def _row(name: str, path: Path, saved: SavedPage) -> dict[str, Any]:
    page = saved.page
    width, height = page.size or (0.0, 0.0)
    return {
        "source": name,
        "snapshot": str(path),
        "url": page.url,
        "page_title": page.title,
        "width": width,
        "height": height,
        "nodes": len(page),
        "lines": len(page.line_boxes or ()),
        "images": len(page.images),
        "loaded": len(saved.loaded),
        "missing": len(saved.missing),
    }
