"""The command that draws a page: its text density, its distances, or its boxes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from pagecut.cli.inputs import Failures, read_pages
from pagecut.cli.options import (
    charset_option,
    file_names,
    level_option,
    output_file,
    url_option,
    with_option,
)

if TYPE_CHECKING:
    from pagecut.page import Page
    from pagecut.pictures.drawing import Drawing
    from pagecut.segmenters.box_clustering import BoxClustering

PICTURES: Final = ("tiles", "graph", "models")
LINE: Final = "line"
TRUTH: Final = "truth"  # instead of a method: the blocks that people marked in the page
_SCALE: Final = 0.75  # of the screenshot, which is drawn at most so large
_BESIDE: Final = "vips"  # whose tree stands beside the flat model


@click.command()
@click.argument("source", metavar="FILE|URL|-", shell_complete=file_names)
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@url_option
@charset_option
@click.option(
    "--picture",
    type=click.Choice((*PICTURES, LINE)),
    help="With box-clustering: its segments as tiles, the neighbours as a graph, or both models, "
    "flat and VIPS's tree. With dom-distance: the contents on a line.",
)
@level_option("With `--with truth`: which marks of a marked page to draw.")
@output_file("The picture: .svg, .png.", required=True)
def plot(
    source: str,
    spec: str | None,
    url: str | None,
    charset: str | None,
    picture: str | None,
    level: str,
    output: Path,
) -> None:
    """Draw a page as its text density. A bar per line, and lines where it is cut.

    With dom-distance: the distances of its contents, the threshold, circles where it is cut. With
    box-clustering: its boxes, over what people see. With `truth`: the density, and the lines where
    people have marked blocks in the page.
    """
    from pagecut.pictures.drawing import PICTURE_FORMATS, write_picture
    from pagecut.pictures.methods import draw_line, draw_page
    from pagecut.results.row_files import check_output
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter
    from pagecut.segmenters.box_clustering import BoxClustering
    from pagecut.segmenters.dom_distance import DomDistance

    check_output(output, PICTURE_FORMATS)
    if spec == TRUTH:
        if picture is not None:
            raise click.UsageError("--picture works with box-clustering and dom-distance only")
        _plot_marks(source, int(level), output)
        return
    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    if isinstance(method, BoxClustering):
        if picture == LINE:
            raise click.UsageError("--picture line works with dom-distance only")
        plot_boxes(method, source, url, charset, picture or PICTURES[0], output)
        return
    is_line = picture == LINE and isinstance(method, DomDistance)
    if picture is not None and not is_line:
        raise click.UsageError(
            f"--picture works with box-clustering, {LINE} with dom-distance, not with {method}"
        )
    draw = draw_line if is_line else draw_page
    failures = Failures()
    for name, page in read_pages([source], url, charset, failures, method.needs):
        with failures.catch(name):
            write_picture(output, draw(method, page, page.title or name).svg())
    failures.exit()


def _plot_marks(source: str, level: int, output: Path) -> None:
    """Figure 1 of the Block Fusion paper: density, and the boundaries that people see."""
    from pagecut.evaluation.datasets.pages import DatasetPage, true_segmentation
    from pagecut.pictures.density import draw_density, explain_segmentation
    from pagecut.pictures.drawing import write_picture

    page, truth = DatasetPage(id=source, group="", url=None, html=Path(source)).load()
    marked = true_segmentation(page, truth, level, signs=True)
    if not len(marked):
        raise click.ClickException(f"{source}: no blocks of level {level} are marked")
    drawing = draw_density(explain_segmentation(marked), page.title or source)
    write_picture(output, drawing.svg())


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
    from pagecut.parsing.box_files import read_box_file
    from pagecut.parsing.file_kinds import is_box_file, is_pdf
    from pagecut.parsing.pdf import read_pdf
    from pagecut.parsing.sources import read_source
    from pagecut.rendering.browser import View
    from pagecut.rendering.cache import SavingRenderer
    from pagecut.rendering.page_files import is_snapshot, page_source_of
    from pagecut.rendering.png import sheet_picture
    from pagecut.rendering.snapshot_file import read_snapshot

    if is_snapshot(name):
        saved = read_snapshot(name)
        yield saved.page, saved.screenshot
        return
    source = read_source(name, charset=charset)
    if is_pdf(source.data):
        for sheet, page in enumerate(read_pdf(source.data, name, url)):
            yield page, sheet_picture(source.data, sheet)
    elif is_box_file(name, source.data):
        for page in read_box_file(source.data, name, url):
            yield page, None
    else:
        given = page_source_of(name, source.data, url or source.url, charset or source.charset)
        with SavingRenderer(View(screenshot=_SCALE), tabs=1) as renderer:
            saved = renderer.save(given)
            yield saved.page, saved.screenshot
