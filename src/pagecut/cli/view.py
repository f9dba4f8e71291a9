"""The command that opens the viewer."""

from __future__ import annotations

import click

from pagecut.cli.viewing import serve, viewer_options


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="DATASET|FILE|URL|-...")
@click.option("--with", "spec", metavar="SPEC", help="The segmenter to begin with.")
@viewer_options
def view(sources: tuple[str, ...], spec: str | None, port: int, opens: bool, renders: bool) -> None:
    """Look at pages in the browser: segments, images, curves, two methods side by side."""
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    start = {"segmenter": str(method), "annotate": None}
    serve(sources, start=start, port=port, opens=opens, renders=renders)
