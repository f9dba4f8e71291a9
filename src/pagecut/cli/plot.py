"""The command that draws a page as its text density."""

from __future__ import annotations

from pathlib import Path

import click

from pagecut.cli.box_plot import PICTURES, plot_boxes
from pagecut.cli.inputs import Failures, read_pages
from pagecut.cli.options import with_option


@click.command()
@click.argument("source", metavar="FILE|URL|-")
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@click.option("--url", help="URL of the page, if it is read from a file.")
@click.option("--charset", help="Encoding, if you know better than the page.")
@click.option(
    "--picture",
    type=click.Choice(PICTURES),
    help="With box-clustering: its segments as tiles, the neighbours as a graph, or both models, "
    "flat and VIPS's tree.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The picture, as the ending says: .svg, .png.",
)
def plot(
    source: str,
    spec: str | None,
    url: str | None,
    charset: str | None,
    picture: str | None,
    output: Path,
) -> None:
    """Draw a page as its text density: a bar per line, and lines where it is cut.

    With dom-distance: the distances of its contents, the threshold, circles where it is cut. With
    box-clustering: its boxes, over what people see.
    """
    from pagecut.pictures.drawing import PICTURE_FORMATS, write_picture
    from pagecut.pictures.methods import draw_page
    from pagecut.results.output import check_output
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter
    from pagecut.segmenters.box_clustering import BoxClustering

    check_output(output, PICTURE_FORMATS)
    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    if isinstance(method, BoxClustering):
        plot_boxes(method, source, url, charset, picture or PICTURES[0], output)
        return
    if picture is not None:
        raise click.UsageError(f"--picture goes with box-clustering, not with {method}")
    failures = Failures()
    for name, page in read_pages([source], url, charset, failures, method.needs):
        with failures.counted(name):
            drawing = draw_page(method, page, title=page.title or name)
            write_picture(output, drawing.svg())
    failures.exit()
