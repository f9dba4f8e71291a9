"""A viewer for tests: pages, a server, and a place for the pictures that are taken of it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pagecut.annotation.storage import AnnotationFolder
from pagecut.cli.view import EXPORTS
from pagecut.rendering.cache import SavingRenderer
from pagecut.viewer.api import Api, annotation_routes
from pagecut.viewer.open_pages import ListedPage, OpenPages, list_pages
from pagecut.viewer.results_cache import ResultsCache
from pagecut.viewer.server import ViewerServer

EXAMPLES = Path(__file__).parents[2] / "examples"
# Where to keep the pictures that tests take, to be looked at; nowhere if it is not set.
PICTURES = os.environ.get("PAGECUT_TEST_PICTURES")


@contextmanager
def serving(
    sources: Sequence[str] = (),
    *,
    items: Sequence[ListedPage] = (),
    renderer: SavingRenderer | None = None,
    annotations: Path | None = None,
    annotator: str = "ada",
) -> Iterator[ViewerServer]:
    """A running viewer."""
    results = ResultsCache(OpenPages([*list_pages(sources, renderer), *items]))
    start: dict[str, Any] = {"annotate": None}
    more = []
    if annotations is not None:
        start = {"annotate": {"annotator": annotator, "formats": EXPORTS}}
        more = annotation_routes(results, AnnotationFolder(annotations, annotator))
    server = ViewerServer([*Api(results, start=start).routes(), *more])
    server.start()
    try:
        yield server
    finally:
        server.stop()


def picture_path(name: str, folder: Path) -> Path:
    return Path(PICTURES or folder) / f"{name}.png"
