"""Pages as boxes, with what people see behind them: the pictures of box-clustering."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.pictures.drawing import Drawing
    from pagecut.segmenters.box_clustering import BoxClustering

PICTURES: Final = ("tiles", "graph", "models")
_SCALE: Final = 0.75  # of the screenshot, which is drawn at most so large
_BESIDE: Final = "vips"  # whose tree stands beside the flat model


def plot_boxes(
    method: BoxClustering,
    source: str,
    url: str | None,
    charset: str | None,
    kind: str,
    output: Path,
) -> None:
    """Draw a page, or each sheet of a file; several sheets are numbered files."""
    from pagecut.pictures.drawing import write_picture

    pages = list(_seen_pages(source, url, charset))
    for number, (page, screenshot) in enumerate(pages, start=1):
        numbered = output.with_name(f"{output.stem}-{number}{output.suffix}")
        path = numbered if len(pages) > 1 else output
        title = page.title or click.format_filename(source)
        write_picture(path, draw_boxes(method, page, kind, title, screenshot).svg())


def draw_boxes(
    method: BoxClustering, page: Page, kind: str, title: str, screenshot: bytes | None
) -> Drawing:
    """One of `PICTURES`."""
    from pagecut.pictures.box_clustering import draw_graph, draw_models, draw_tiles
    from pagecut.segmenters import segmenter

    if kind == "models":
        tree = segmenter(_BESIDE).segment(page)
        return draw_models(method.segment(page), tree, title)
    draw = draw_graph if kind == "graph" else draw_tiles
    return draw(method.explain(page), title, screenshot)


def _seen_pages(
    name: str, url: str | None, charset: str | None
) -> Iterator[tuple[Page, bytes | None]]:
    """Pages with a picture of each, where there is one."""
    from pagecut.cli.inputs import SNAPSHOT, page_source_of
    from pagecut.parsing.box_files import ENDINGS, read_box_file
    from pagecut.parsing.pdf import is_pdf, read_pdf
    from pagecut.parsing.sources import read_source
    from pagecut.rendering.browser import View
    from pagecut.rendering.cache import SavingRenderer
    from pagecut.rendering.png import sheet_picture
    from pagecut.rendering.snapshot_file import read_snapshot

    if name.lower().endswith(SNAPSHOT):
        saved = read_snapshot(name)
        yield saved.page, saved.screenshot
        return
    source = read_source(name)
    if is_pdf(source.data):
        for sheet, page in enumerate(read_pdf(source.data, name, url)):
            yield page, sheet_picture(source.data, sheet)
    elif name.lower().endswith(ENDINGS):
        for page in read_box_file(source.data, name, url):
            yield page, None
    else:
        given = page_source_of(name, source.data, url or source.url, charset or source.charset)
        with SavingRenderer(View(screenshot=_SCALE), tabs=1) as renderer:
            saved = renderer.save(given)
            yield saved.page, saved.screenshot
