"""The command that draws a page as its text density."""

from __future__ import annotations

from pathlib import Path

import click

from pagecut.cli.inputs import Failures, read_pages
from pagecut.cli.options import with_option


@click.command()
@click.argument("source", metavar="FILE|URL|-")
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@click.option("--url", help="URL of the page, if it is read from a file.")
@click.option("--charset", help="Encoding, if you know better than the page.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    required=True,
    help="The picture, as the ending says: .svg, .png.",
)
def plot(source: str, spec: str | None, url: str | None, charset: str | None, output: Path) -> None:
    """Draw a page as a strip: a bar per line for its text density, lines where it is cut.

    With dom-distance: the distances of its contents, the threshold, circles where it is cut.
    """
    from pagecut.drawing import PICTURE_FORMATS, write_picture
    from pagecut.output import check_output
    from pagecut.page_pictures import draw_page
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    check_output(output, PICTURE_FORMATS)
    method = segmenter(spec or DEFAULT_SEGMENTER)
    failures = Failures()
    for name, page in read_pages([source], url, charset, failures):
        picture = draw_page(method, page, title=page.title or name)
        write_picture(output, picture.svg())
    failures.exit()
