"""Datasets whose pages come rendered: each page from a snapshot file, made without its marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagecut.errors import PagecutError, RenderError
from pagecut.evaluation.compared_units import shown_tokens
from pagecut.evaluation.datasets.pages import Dataset, DatasetPage, GroundTruth
from pagecut.page import Page
from pagecut.rendering.browser import SMALL_PICTURE, View
from pagecut.rendering.cache import RenderCache, SavingRenderer
from pagecut.rendering.columns import add_columns
from pagecut.rendering.page_source import PageSource, file_source
from pagecut.rendering.png import read_png
from pagecut.rendering.snapshot_file import SavedPage, read_snapshot

Watch = Callable[[Iterable[DatasetPage]], Iterable[DatasetPage]]


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedDatasetPage(DatasetPage):
    """A page of a dataset and its snapshot.

    Args:
        entry: the page as its dataset has it.
        snapshot: the file; None if the page could not be rendered, then `failure` says why.
    """

    entry: DatasetPage
    snapshot: Path | None
    failure: PagecutError | None = None

    @property
    def tasks(self) -> frozenset[str]:
        return self.entry.tasks

    @property
    def files(self) -> tuple[Path, ...]:
        return self.entry.files

    def source(self) -> bytes:
        return self.entry.source()

    def load(self) -> tuple[Page, GroundTruth]:
        """The rendered page without its marks, and the truth for the text that is visible."""
        rendered = self._saved().page
        page, truth = self.entry.load()
        seen = add_columns(page, rendered)
        kept = np.isin(truth.units, shown_tokens(seen))
        blocks = {level: numbers[kept] for level, numbers in truth.blocks.items()}
        items = None if truth.items is None else truth.items[kept]
        return seen, replace(truth, units=truth.units[kept], blocks=blocks, items=items)

    def screenshot(self) -> NDArray[np.uint8] | None:
        saved = self._saved()
        if saved.screenshot is None or saved.scale != 1:
            return None
        return read_png(saved.screenshot, f"{self.snapshot}: the screenshot")

    def picture(self) -> bytes | None:
        return self._saved().screenshot

    def _saved(self) -> SavedPage:
        if self.snapshot is None:
            raise self.failure or PagecutError(f"{self.id}: was not rendered")
        return read_snapshot(self.snapshot)


def page_source(entry: DatasetPage) -> PageSource:
    """What a browser is given of a page: no marks, and the files beside it.

    What people marked is the page's own source, so what its frames load is no part of the page.
    """
    return replace(file_source(entry.html, html=entry.unmarked(), url=entry.url), frames=False)


def render_dataset(
    dataset: Dataset,
    *,
    needs: Iterable[str] = (),
    picture: float = SMALL_PICTURE,
    cache: RenderCache | None = None,
    tabs: int = 2,
    watch: Watch = iter,
) -> Dataset:
    """The dataset with every page rendered; one that cannot be fails when it is loaded.

    Args:
        needs: what methods and measures read; a "screenshot" is taken at full size.
        picture: the scale of the screenshots otherwise.
        cache: where the renders are kept; in the default folder unless one is given.
    """
    cache = cache or RenderCache()
    view = View(screenshot=1.0 if "screenshot" in set(needs) else picture)
    with SavingRenderer(view, cache, tabs=tabs) as renderer:
        found = renderer.save_many(_sources(dataset.pages))
        pages = [
            _rendered(entry, cache, saved)
            for entry, saved in zip(watch(dataset.pages), found, strict=True)
        ]
    return replace(dataset, pages=tuple(pages), rendered=True)


def render_some(
    entries: Sequence[DatasetPage], picture: float, *, again: bool
) -> dict[str, tuple[Page, bytes]]:
    """Some pages as a browser shows them, with larger pictures, by id.

    Pages that cannot be rendered are left out; where there is no browser, all of them are.

    Args:
        picture: the scale of the screenshots.
        again: whether to render pages, too, that were not.
    """
    wanted = [each for each in entries if again or isinstance(each, RenderedDatasetPage)]
    plain = [each.entry if isinstance(each, RenderedDatasetPage) else each for each in wanted]
    found = {}
    try:
        rendered = render_dataset(Dataset(folder=Path(), pages=tuple(plain)), picture=picture)
    except RenderError:
        return {}
    for entry in rendered:
        try:
            shot = entry.picture()
            if shot is not None:
                found[entry.id] = entry.load()[0], shot
        except PagecutError:
            continue
    return found


def _sources(entries: Sequence[DatasetPage]) -> Iterator[PageSource | PagecutError]:
    for entry in entries:
        try:
            yield page_source(entry)
        except PagecutError as error:
            yield error


def _rendered(
    entry: DatasetPage, cache: RenderCache, saved: SavedPage | PagecutError
) -> RenderedDatasetPage:
    values = {each.name: getattr(entry, each.name) for each in fields(DatasetPage)}
    if isinstance(saved, PagecutError):
        return RenderedDatasetPage(**values, entry=entry, snapshot=None, failure=saved)
    path = cache.place(page_source(entry), saved.view, saved.browser)
    return RenderedDatasetPage(**values, entry=entry, snapshot=path)
