"""The command that tries values of a parameter."""

from __future__ import annotations

from pathlib import Path

import click

from pagecut.cli.inputs import exit_after, progress, rendered_dataset
from pagecut.cli.options import jobs_option, level_option, render_option, task_option


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@task_option
@click.option(
    "--with",
    "spec",
    metavar="SPEC",
    required=True,
    help="The method, e.g. dom-distance; `pagecut list` shows all.",
)
@click.option(
    "--vary",
    "varied",
    metavar="PARAMETER=START:STOP:STEP",
    required=True,
    help="The parameter and its values; or a list, e.g. \"smooth='none','equal'\".",
)
@level_option("Which blocks are the truth of a segmentation.")
@click.option(
    "--folds",
    type=click.IntRange(min=2),
    help="Also choose the value on all but one of so many parts of the sites, and score on that.",
)
@jobs_option
@render_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The curve, as the ending says: .svg, .png, .csv.",
)
def sweep(
    dataset: Path,
    task: str,
    spec: str,
    varied: str,
    level: str,
    folds: int | None,
    jobs: int,
    render: bool,
    output: Path | None,
) -> None:
    """Score a method for many values of one parameter; a table, and the curve as a picture."""
    from pagecut.cli.terminal import show_sweep
    from pagecut.evaluation.datasets import read_dataset
    from pagecut.evaluation.sweep import parse_values
    from pagecut.evaluation.sweep import sweep as run
    from pagecut.pictures.drawing import PICTURE_FORMATS, write_picture
    from pagecut.results.output import check_output, create_file, write_rows

    format = check_output(output, (*PICTURE_FORMATS, "csv")) if output else ""
    parameter, equals, values = varied.partition("=")
    if not equals:
        raise click.UsageError(f"--vary {varied}: write PARAMETER=START:STOP:STEP")
    pages = read_dataset(dataset)
    found = run(
        rendered_dataset(pages, jobs) if render else pages,
        task,
        spec,
        parameter.strip(),
        parse_values(values),
        level=int(level),
        folds=folds or 0,
        jobs=jobs,
        watch=progress,
    )
    show_sweep(found)
    if output and format == "csv":
        with create_file(output) as file:
            write_rows(found.rows(), file, format, found.fields)
    elif output:
        write_picture(output, found.draw().svg())
    exit_after(found.evaluation.failures)
