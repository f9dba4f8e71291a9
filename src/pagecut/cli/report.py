"""The command that writes a report to look at."""

from __future__ import annotations

from pathlib import Path

import click

from pagecut.cli.inputs import Failures, read_pages_or_datasets


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="DATASET|FILE|URL|-...")
@click.option("--segment", "segmenters", metavar="SPEC", multiple=True, help="Segmenters to show.")
@click.option("--images", "image_spec", metavar="SPEC", help="The image-context extractor.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("report.html"),
    show_default=True,
    help="The HTML file to write.",
)
def report(
    sources: tuple[str, ...], segmenters: tuple[str, ...], image_spec: str | None, output: Path
) -> None:
    """Write one HTML file in which to look at pages: segments in colours, images with contexts."""
    from pagecut.contexts import DEFAULT_EXTRACTOR, extractor
    from pagecut.errors import FormatError
    from pagecut.report import ReportEntry, write_report
    from pagecut.segmenters import DEFAULT_SEGMENTER, segmenter
    from pagecut.terminal import show_report_entries

    methods = [segmenter(spec) for spec in segmenters or (DEFAULT_SEGMENTER,)]
    context_method = extractor(image_spec or DEFAULT_EXTRACTOR)
    failures = Failures()
    entries = [
        ReportEntry(
            page=page,
            name=click.format_filename(name),
            segmentations=[method.segment(page) for method in methods],
            contexts=context_method.extract(page),
            folder=Path(name).parent if Path(name).is_file() else None,
        )
        for name, page in read_pages_or_datasets(sources, failures)
    ]
    if not entries:
        failures.exit()
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        write_report(output, entries)
    except OSError as error:
        raise FormatError(f"{output}: cannot be written: {error.strerror}") from error
    show_report_entries(entries)
    click.echo(f"report: {output}", err=True)
    failures.exit()
