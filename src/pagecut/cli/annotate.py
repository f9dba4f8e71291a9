"""The command with which people annotate pages."""

from __future__ import annotations

import getpass
import re
from pathlib import Path

import click

from pagecut.cli.viewing import open_shelf, serve, viewer_options

EXPORTS = ("annotation", "segmentation", "image-context", "webis", "label-studio", "png")


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:40] or "me"


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="DATASET|FILE|URL|-...")
@click.option(
    "--as", "annotator", metavar="NAME", help="Who annotates; your user name if not given."
)
@click.option(
    "--to",
    "folder",
    type=click.Path(path_type=Path, file_okay=False),
    default=Path("annotations"),
    show_default=True,
    help="Where the annotations are kept.",
)
@click.option(
    "--export",
    "export_format",
    type=click.Choice(EXPORTS),
    help="Write what is annotated in a format, into the same folder, and open nothing.",
)
@click.option(
    "--agreement",
    "other",
    metavar="NAME",
    help="Print how much you agree with another annotator, and open nothing.",
)
@viewer_options
def annotate(
    sources: tuple[str, ...],
    annotator: str | None,
    folder: Path,
    export_format: str | None,
    other: str | None,
    port: int,
    opens: bool,
    renders: bool,
) -> None:
    """Mark the segments of pages, and the text of their images, in the browser."""
    from pagecut.annotation.storage import AnnotationFolder

    own = AnnotationFolder(folder, annotator or _user())
    if export_format is not None and other is not None:
        raise click.UsageError("--export and --agreement are two things: give one")
    if export_format is not None:
        from pagecut.cli.annotations import write_exports

        with open_shelf(sources, renders) as shelf:
            write_exports(shelf, own, export_format)
    elif other is not None:
        from pagecut.cli.annotations import print_agreement

        with open_shelf(sources, False) as shelf:
            print_agreement(shelf, own, AnnotationFolder(folder, other))
    else:
        from pagecut.viewer.annotation_api import annotation_routes

        start = {"annotate": {"annotator": own.annotator, "formats": EXPORTS}}
        serve(
            sources,
            start=start,
            port=port,
            opens=opens,
            renders=renders,
            more_routes=lambda bench: annotation_routes(bench, own),
        )
