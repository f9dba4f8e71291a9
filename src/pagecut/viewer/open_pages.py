"""The pages to look at: files, URLs, snapshots, PDFs, datasets, opened when asked for.

A page is rendered where there is a browser, so that it looks as people see it; without one, or
where the browser fails on it, it is parsed and its HTML is shown.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from functools import partial
from html import unescape
from pathlib import Path
from threading import Lock
from typing import Final
from urllib.parse import unquote

from pagecut.errors import FormatError, PagecutError, PageError, RenderError, unforeseen
from pagecut.evaluation.datasets import LEVELS, DatasetPage, GroundTruth, read_dataset
from pagecut.evaluation.datasets.pages import true_segmentation
from pagecut.evaluation.datasets.reading import is_dataset
from pagecut.evaluation.datasets.rendered import page_source
from pagecut.page import Page
from pagecut.page.addresses import WEB
from pagecut.parsing.box_files import read_box_file
from pagecut.parsing.decoding import declared_codec, guessed_codec
from pagecut.parsing.file_kinds import BOX_FILES, is_box_file, is_pdf
from pagecut.parsing.html import parse_html
from pagecut.parsing.pdf import PDFIUM, count_sheets, read_pdf
from pagecut.parsing.sources import (
    FolderFiles,
    Source,
    expand_sources,
    first_bytes,
    is_pattern,
    read_source,
)
from pagecut.rendering.cache import SavingRenderer
from pagecut.rendering.columns import add_columns
from pagecut.rendering.page_files import is_snapshot
from pagecut.rendering.page_source import PageSource, file_source, html_source, source_of
from pagecut.rendering.png import sheet_picture
from pagecut.rendering.snapshot_file import SavedPage, read_snapshot
from pagecut.results.segmentation import Segmentation

_OPEN: Final = 8
_TITLED: Final = 5_000  # pages whose titles are read ahead
_HEAD: Final = 65_536  # bytes of a file in which its title is looked for: scripts come before it
_LONGEST_TITLE: Final = 200
_TITLE: Final = re.compile(rb"<title[^>]{0,200}>([^<]{0,4000})", re.IGNORECASE)
PDF: Final = ".pdf"
SCREENSHOT: Final = 1.0  # picture px per CSS px


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class OpenPage:
    """A page and what goes with it.

    Args:
        source: the HTML it was parsed from; None where there is none (PDF, snapshots).
        folder: where its style sheets and images lie; None to show none of them.
        picture: the rendered page as PNG; None unless it was rendered.
        truth: what people marked, by its spec.
        contexts: the true text of each annotated <img>, by its position among the <img>; None where
            it has none.
        missing: how many files the page asked for and did not get: style sheets, images, scripts.
        failure: why the browser did not render it; empty if it did, or was not asked to.
    """

    page: Page
    source: bytes | str | None = None
    folder: Path | None = None
    picture: bytes | None = None
    truth: Mapping[str, Segmentation] = field(default_factory=dict)
    contexts: Mapping[int, str | None] = field(default_factory=dict)
    missing: int = 0
    failure: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ListedPage:
    """A page by its name, and how to open it.

    Args:
        file: where its HTML lies, to read its title before it is opened; None elsewhere.
    """

    name: str
    open: Callable[[], OpenPage]
    file: Path | None = None


class OpenPages:
    """Pages in order, opened when asked for; the last few stay open."""

    def __init__(self, listed: Sequence[ListedPage]) -> None:
        # Names of files may be no text; the browser and the files of annotations need one.
        self.listed = tuple(replace(item, name=_as_text(item.name)) for item in listed)
        self._open: OrderedDict[int, Future[OpenPage]] = OrderedDict()
        self._lock = Lock()  # of the table, never held while a page is opened: that may render it
        self._titles: list[str] | None = None
        self._titles_lock = Lock()  # of its own: thousands of files are read under it

    def __len__(self) -> int:
        return len(self.listed)

    def page(self, number: int) -> OpenPage:
        """Open a page, or take it from those that are open or being opened."""
        if not 0 <= number < len(self.listed):
            raise IndexError(f"page {number} of {len(self.listed)}")
        with self._lock:
            found = self._open.get(number)
            future = self._open.setdefault(number, Future()) if found is None else found
            self._open.move_to_end(number)
            while len(self._open) > _OPEN:
                self._open.popitem(last=False)
        if found is None:
            try:
                future.set_result(self.listed[number].open())
            except BaseException as error:
                with self._lock:  # the next one to ask tries again
                    if self._open.get(number) is future:
                        del self._open[number]
                if isinstance(error, Exception) and not isinstance(error, PagecutError):
                    error = unforeseen(self.listed[number].name, error)
                future.set_exception(error)
        return future.result()

    def titles(self) -> list[str]:
        """For each page the title that its file begins with; empty where it is not known."""
        with self._titles_lock:
            if self._titles is None:
                first = self.listed[:_TITLED]
                self._titles = [
                    "" if each.file is None else read_title(each.file) for each in first
                ]
            return self._titles


def read_title(path: Path) -> str:
    """The title of a page by the first bytes of its file alone, which is quick for thousands."""
    head = first_bytes(path, _HEAD)
    found = _TITLE.search(head)
    if found is None:
        return ""
    declared = declared_codec(head)
    text = found[1].decode(declared or guessed_codec(found[1]), "replace")
    return " ".join(unescape(text).split())[:_LONGEST_TITLE]


def _as_text(name: str) -> str:
    return name.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def list_pages(
    sources: Sequence[str],
    renderer: SavingRenderer | None,
    *,
    as_datasets: bool = False,
    live: bool = False,
    on_folder: Callable[[str, FolderFiles], object] = lambda _folder, _files: None,
) -> list[ListedPage]:
    """A page for each file and URL, each sheet of a PDF, each page of a dataset.

    Args:
        as_datasets: read every folder as a dataset, not only those with a list of pages; else a
            folder stands for the HTML files below it.
        live: let the browser fetch addresses with all their files.
        on_folder: is given each such folder and what was found in it.
    """
    found: list[ListedPage] = []
    for name in sources:
        if is_dataset(name, as_datasets):
            entries = read_dataset(name)
            found += [
                ListedPage(each.id, partial(_open_entry, each, renderer), each.html)
                for each in entries
            ]
        elif live and renderer is not None and name.startswith(WEB):
            found.append(ListedPage(name, partial(_open_live, name, renderer)))
        else:
            several = is_pattern(name) or Path(name).is_dir()
            for each in expand_sources([name], on_folder=on_folder):
                found += _listed_file(each, renderer) if several else _listed(each, renderer)
    return found


def _listed_file(name: str, renderer: SavingRenderer | None) -> list[ListedPage]:
    """A file of a folder or a pattern, read when it is opened; of a PDF only how many sheets it
    has is asked before, but boxes files are read."""
    try:
        if name.lower().endswith(PDF):
            return list(_sheets(name, count_sheets(Path(name), name), partial(read_source, name)))
        if name.lower().endswith(BOX_FILES):
            return list(_listed(name, renderer))
    except PagecutError:
        pass  # said when it is opened: it costs no other file
    return [ListedPage(name, partial(_open_file, name, renderer), Path(name))]


def _open_file(name: str, renderer: SavingRenderer | None) -> OpenPage:
    return next(iter(_listed(name, renderer))).open()


def _listed(name: str, renderer: SavingRenderer | None) -> Iterator[ListedPage]:
    if is_snapshot(name):
        saved = read_snapshot(name)
        yield ListedPage(name, partial(_open_snapshot, saved))
        return
    source = read_source(name)  # now, so that a wrong name is an error before anything opens
    if is_pdf(source.data):
        yield from _sheets(name, count_sheets(source.data, name), lambda: source)
    elif is_box_file(name, source.data):
        pages = list(read_box_file(source.data, name, source.url))
        for sheet, page in zip(_sheet_names(name, len(pages)), pages, strict=True):
            yield ListedPage(sheet, partial(OpenPage, page=page))
    else:
        path = Path(name) if source.url is None and name != "-" else None
        yield ListedPage(name, partial(_open_source, source, renderer), path)


def _sheets(name: str, count: int, load: Callable[[], Source]) -> Iterator[ListedPage]:
    """The sheets of a PDF, each read when it is opened."""
    for number, sheet in enumerate(_sheet_names(name, count)):
        yield ListedPage(sheet, partial(_open_sheet, load, number))


def _sheet_names(name: str, count: int) -> list[str]:
    if not count:
        raise PageError(f"{name}: it has no sheets")
    return [name] if count == 1 else [f"{name}, sheet {each}" for each in range(1, count + 1)]


def _open_sheet(load: Callable[[], Source], number: int) -> OpenPage:
    source = load()
    with PDFIUM:
        (page,) = read_pdf(source.data, source.name, source.url, sheet=number)
    return OpenPage(page=page, picture=sheet_picture(source.data, number))


def _open_snapshot(saved: SavedPage) -> OpenPage:
    return OpenPage(
        page=saved.page,
        source=saved.html,
        picture=saved.screenshot,
        missing=len(saved.missing),
    )


def _open_live(name: str, renderer: SavingRenderer) -> OpenPage:
    """A page of the web, with its files."""
    return _open_snapshot(renderer.save(source_of(name)))


def _open_source(source: Source, renderer: SavingRenderer | None) -> OpenPage:
    """A single page, with the files beside it if it is a file."""
    path = Path(source.name)
    is_file = source.url is None and path.is_file()
    if is_file:
        given = file_source(path, html=source.data)
    else:
        given = html_source(source.data, url=source.url, charset=source.charset, name=source.name)
    saved, failure = _rendered(given, renderer)
    folder = path.parent if is_file else None
    page = parse_html(source.data, source.url, source.charset) if saved is None else saved.page
    return OpenPage(
        page=page,
        source=source.data,
        folder=folder,
        picture=None if saved is None else saved.screenshot,
        missing=_not_beside(page, folder) if saved is None else len(saved.missing),
        failure=failure,
    )


def _not_beside(page: Page, folder: Path | None) -> int:
    """How many style sheets and images of a page that is only parsed do not lie beside it."""
    wanted = [image.src or "" for image in page.images]
    for tag, attributes in page.declarations:
        if tag == "link" and "stylesheet" in attributes.get("rel", "").lower().split():
            wanted.append(attributes.get("href", ""))
    asked = [each for each in wanted if each and not each.startswith("data:")]
    return sum(folder is None or not _lies_in(folder, each) for each in asked)


def _lies_in(folder: Path, address: str) -> bool:
    try:
        return (folder / unquote(address.partition("?")[0])).is_file()
    except (OSError, ValueError):
        return False


def _open_entry(entry: DatasetPage, renderer: SavingRenderer | None) -> OpenPage:
    """A page of a dataset, with what people marked."""
    page, truth = entry.load()
    picture, missing, failure = None, 0, ""
    if page.nodes.box is None and renderer is not None:
        try:
            given = page_source(entry)
        except FormatError:  # a page whose marks cannot be taken out is shown as it was parsed
            given = None
        saved, failure = (None, "") if given is None else _rendered(given, renderer)
        if saved is not None:
            page, picture = add_columns(page, saved.page), saved.screenshot
            missing = len(saved.missing)
    return OpenPage(
        page=page,
        source=entry.source(),
        folder=entry.html.parent,
        picture=picture,
        truth=dict(_truths(page, truth)),
        contexts=truth.contexts,
        missing=missing if picture is not None else _not_beside(page, entry.html.parent),
        failure=failure,
    )


def _truths(page: Page, truth: GroundTruth) -> Iterator[tuple[str, Segmentation]]:
    for level in LEVELS:
        segmentation = true_segmentation(page, truth, level, signs=True)
        if len(segmentation):
            yield segmentation.made_by, segmentation


def _rendered(given: PageSource, renderer: SavingRenderer | None) -> tuple[SavedPage | None, str]:
    """The page as the browser shows it, or none, and if the browser failed on it why."""
    if renderer is None:
        return None, ""
    try:
        return renderer.save(given), ""
    except RenderError as error:
        return None, str(error)
