"""Commands with which people look at pages: the viewer, annotation in it, the HTML report."""

from __future__ import annotations

import getpass
import json
import re
import webbrowser
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pagecut.cli.inputs import (
    Failures,
    needs_of,
    page_name,
    progress,
    read_pages_or_datasets,
    say_left_out,
)
from pagecut.cli.options import dataset_option, output_file, sources_argument
from pagecut.cli.output import harmless, page_output

if TYPE_CHECKING:
    from starlette.routing import BaseRoute

    from pagecut.annotation.marks import Annotation
    from pagecut.annotation.storage import AnnotationFolder
    from pagecut.page import Page
    from pagecut.rendering.cache import SavingRenderer
    from pagecut.viewer.open_pages import OpenPage, OpenPages
    from pagecut.viewer.results_cache import ResultsCache

Command = TypeVar("Command", bound=Callable[..., Any])
EXPORTS = ("annotation", "segmentation", "image-context", "webis", "label-studio", "png")
DATASET = "dataset"  # of all pages together


def viewer_options(command: Command) -> Command:
    """Options of every command that starts the server."""
    for decorate in (
        dataset_option,
        click.option(
            "--live",
            is_flag=True,
            help="Let pages given as URLs load their style sheets and images from the network.",
        ),
        click.option(
            "--render/--no-render",
            "renders",
            default=True,
            show_default=True,
            help="Show pages as a browser renders them, if there is one.",
        ),
        click.option(
            "--open/--no-open",
            "opens",
            default=True,
            show_default=True,
            help="Open the browser.",
        ),
        click.option(
            "--port",
            type=click.IntRange(0, 65535),
            default=0,
            show_default=True,
            help="The port; 0 takes any that is free.",
        ),
    ):
        command = decorate(command)
    return command


@contextmanager
def open_pages(
    sources: Sequence[str], renders: bool, as_datasets: bool = False, live: bool = False
) -> Iterator[OpenPages]:
    """The pages that the user named, rendered if they can be."""
    from pagecut.viewer.open_pages import OpenPages, list_pages

    with ExitStack() as stack:
        renderer = _renderer(stack, live) if renders else None
        listed = list_pages(
            sources, renderer, as_datasets=as_datasets, live=live, on_folder=say_left_out
        )
        yield OpenPages(listed)


def serve(
    sources: Sequence[str],
    *,
    start: dict[str, Any],
    port: int,
    opens: bool,
    renders: bool,
    as_datasets: bool,
    live: bool,
    more_routes: Callable[[ResultsCache], Sequence[BaseRoute]] = lambda _: (),
) -> None:
    """Serve pages until the user ends it."""
    from pagecut.errors import needed

    with needed("starlette or uvicorn", "viewer"):
        from pagecut.viewer.api import Api
        from pagecut.viewer.server import ViewerServer
    from pagecut.viewer.results_cache import ResultsCache

    with open_pages(sources, renders, as_datasets, live) as pages:
        results = ResultsCache(pages)
        routes = [*Api(results, start=start).routes(), *more_routes(results)]
        server = ViewerServer(routes, port)
        with suppress(KeyboardInterrupt):
            click.echo(f"viewer: {server.address} (Ctrl-C ends it)", err=True)
            server.run(lambda: webbrowser.open(server.address) if opens else None)


def _renderer(stack: ExitStack, live: bool) -> SavingRenderer | None:
    """A renderer with pictures; None, and a word about it, where there is no browser."""
    from pagecut.errors import RenderError
    from pagecut.rendering.browser import View, find_browser
    from pagecut.rendering.cache import RenderCache, SavingRenderer
    from pagecut.viewer.open_pages import SCREENSHOT

    try:
        find_browser()
    except RenderError as error:
        click.echo(f"pagecut: pages are not rendered: {error}", err=True)
        return None
    view = View(screenshot=SCREENSHOT)
    return stack.enter_context(SavingRenderer(view, RenderCache(), tabs=1, live=live))


@click.command()
@sources_argument()
@click.option("--with", "spec", metavar="SPEC", help="The segmenter to begin with; `pagecut list`.")
@viewer_options
def view(
    sources: tuple[str, ...],
    spec: str | None,
    port: int,
    opens: bool,
    renders: bool,
    as_datasets: bool,
    live: bool,
) -> None:
    """Look at pages in the browser. Segments, images, curves, two methods side by side."""
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    method = segmenter(DEFAULT_SEGMENTER if spec is None else spec)
    start = {"segmenter": str(method), "annotate": None}
    serve(
        sources,
        start=start,
        port=port,
        opens=opens,
        renders=renders,
        as_datasets=as_datasets,
        live=live,
    )


def _user() -> str:
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = ""
    return re.sub(r"[^\w-]+", "-", name).strip("-")[:40] or "me"


@click.command()
@sources_argument()
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
    type=click.Choice((*EXPORTS, DATASET)),
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
    as_datasets: bool,
    live: bool,
) -> None:
    """Mark the segments of pages and the text of their images. In the browser."""
    from pagecut.annotation.storage import AnnotationFolder

    own = AnnotationFolder(folder, annotator or _user())
    if export_format is not None and other is not None:
        raise click.UsageError("give --export or --agreement, not both")
    if export_format is not None:
        with open_pages(sources, renders, as_datasets, live) as pages:
            write_exports(pages, own, export_format)
    elif other is not None:
        with open_pages(sources, False, as_datasets) as pages:
            print_agreement(pages, own, AnnotationFolder(folder, other))
    else:

        def routes(results: ResultsCache) -> Sequence[BaseRoute]:
            from pagecut.viewer.api import annotation_routes  # what it needs is known to be there

            return annotation_routes(results, own)

        start = {"annotate": {"annotator": own.annotator, "formats": EXPORTS}}
        serve(
            sources,
            start=start,
            port=port,
            opens=opens,
            renders=renders,
            as_datasets=as_datasets,
            live=live,
            more_routes=routes,
        )


def annotated(
    pages: OpenPages, folder: AnnotationFolder, failures: Failures
) -> Iterator[tuple[str, OpenPage, Annotation]]:
    """The pages that someone annotated; no others are opened."""

    for number in progress(folder.likely([item.name for item in pages.listed])):
        item = pages.listed[number]
        with failures.catch(item.name):
            opened = pages.page(number)
            if folder.has(opened.page, item.name):
                yield item.name, opened, folder.read(opened.page, item.name)


def write_exports(pages: OpenPages, folder: AnnotationFolder, format: str) -> None:
    """A file for each annotated page, or a dataset of all of them."""
    from pagecut.annotation.exports import FORMATS, DatasetWriter, Exported, export
    from pagecut.errors import AnnotationError

    failures, file = Failures(), page_output()  # before progress is shown: that takes stdout
    count = 0
    dataset = DatasetWriter(folder.folder / f"dataset-{folder.annotator}")
    for name, opened, annotation in annotated(pages, folder, failures):
        what = Exported(
            annotation=annotation, page=opened.page, source=opened.source, picture=opened.picture
        )
        path = folder.path(opened.page, name)
        with failures.catch(name):
            if format == DATASET:
                dataset.add(path.stem.removesuffix(f".{folder.annotator}"), what)
            else:
                path = path.with_name(path.stem + FORMATS[format][0])
                path.write_bytes(export(what, format))
                print(path, file=file)
            count += 1
    if dataset.listing:
        dataset.finish()
        print(dataset.folder, file=file)
    if not count and not failures.count:
        raise AnnotationError(
            f"{folder.folder}: {folder.annotator} has annotated none of the pages"
        )
    failures.exit()


def print_agreement(pages: OpenPages, first: AnnotationFolder, second: AnnotationFolder) -> None:
    """One JSON object for each page that both annotated."""
    from pagecut.annotation.agreement import agreement
    from pagecut.errors import AnnotationError

    failures, file = Failures(), page_output()  # before progress is shown: that takes stdout
    count = 0
    for name, opened, annotation in annotated(pages, first, failures):
        with failures.catch(name):
            if second.has(opened.page, name):
                other = second.read(opened.page, name)
                row = agreement(opened.page, annotation, other).row()
                print(json.dumps(row, ensure_ascii=False), file=file)
                count += 1
    if not count and not failures.count:
        raise AnnotationError(
            f"{first.folder}: no page was annotated by both {first.annotator} and "
            f"{second.annotator}"
        )
    failures.exit()


@click.command()
@sources_argument()
@click.option(
    "--segment",
    "segmenters",
    metavar="SPEC",
    multiple=True,
    help="A segmenter; several may be given.",
)
@click.option(
    "--images",
    "image_spec",
    metavar="SPEC",
    help="The image-context extractor; without --segment, images come first.",
)
@click.option("--pictures", is_flag=True, help="Render the pages, and show them with the segments.")
@dataset_option
@output_file("The HTML file to write.", default=Path("report.html"), show_default=True)
def report(
    sources: tuple[str, ...],
    segmenters: tuple[str, ...],
    image_spec: str | None,
    pictures: bool,
    as_datasets: bool,
    output: Path,
) -> None:
    """Write one HTML file in which to look at pages. Segments in colours, images with contexts."""
    from pagecut.cli.terminal import show_report_entries
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.errors import FormatError
    from pagecut.report.html import ReportEntry, write_report
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter

    methods = [segmenter(spec) for spec in segmenters or (DEFAULT_SEGMENTER,)]
    context_method = extractor(DEFAULT_EXTRACTOR if image_spec is None else image_spec)
    failures = Failures()
    entries = []
    needs = needs_of(context_method, *methods)
    found = (
        _with_pictures(sources, failures, as_datasets)
        if pictures
        else _plain(sources, failures, needs, as_datasets)
    )
    for name, page, folder, picture, missing in found:
        with failures.catch(name):
            entries.append(
                ReportEntry(
                    page=page,
                    name=click.format_filename(name),
                    segmentations=[method.segment(page) for method in methods],
                    contexts=context_method.extract(page),
                    folder=folder,
                    picture=picture,
                    missing=missing,
                )
            )
    if not entries:
        failures.exit()
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write_report(output, entries, images_first=image_spec is not None and not segmenters)
    except OSError as error:
        raise FormatError(f"{output}: cannot be written: {error.strerror}") from error
    show_report_entries(entries)
    click.echo(harmless(f"report: {output}"), err=True)
    failures.exit()


# Name, page, its folder, its picture, files that it did not get.
Shown = tuple[str, "Page", Path | None, bytes | None, int]


def _plain(
    sources: Sequence[str], failures: Failures, needs: frozenset[str], as_datasets: bool
) -> Iterator[Shown]:
    pages = read_pages_or_datasets(sources, failures, needs, as_datasets=as_datasets)
    for name, page in pages:
        folder = Path(name).parent if Path(name).is_file() else None
        yield page_name(page, name), page, folder, None, 0


def _with_pictures(
    sources: Sequence[str], failures: Failures, as_datasets: bool
) -> Iterator[Shown]:
    """Every page as a browser shows it, with its picture."""

    with open_pages(sources, renders=True, as_datasets=as_datasets) as pages:
        for number, item in enumerate(pages.listed):
            with failures.catch(item.name):
                opened = pages.page(number)
                if opened.failure:
                    click.echo(harmless(f"pagecut: not rendered: {opened.failure}"), err=True)
                yield item.name, opened.page, opened.folder, opened.picture, opened.missing
