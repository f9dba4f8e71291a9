"""Commands about methods: list them, score them against human truth, try values of a parameter."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import exit_after, print_error, progress, rendered_dataset
from pagecut.cli.options import (
    jobs_option,
    level_option,
    output_file,
    render_option,
    task_option,
    with_option,
)
from pagecut.cli.output import harmless
from pagecut.errors import counted

if TYPE_CHECKING:
    from pagecut.evaluation.datasets import Dataset
    from pagecut.evaluation.summaries import Groups

ALL = "all"
SOURCE = "source"


@click.command("list")
@click.argument("name", required=False, metavar="[METHOD]")
@click.option("--json", "as_json", is_flag=True, help="One JSON object per method.")
def list_methods(name: str | None, as_json: bool) -> None:
    """List every method with its parameters and its paper.

    Of one METHOD, also what each parameter means.
    """
    from pagecut.errors import SpecError
    from pagecut.methods import describe_methods
    from pagecut.results.row_files import json_line

    broken: dict[str, SpecError] = {}
    rows = [row for row in describe_methods(broken.setdefault) if name in (None, row["name"])]
    if not rows and name in broken:
        raise broken[name]
    if not rows:
        raise SpecError(f"no method {name!r}; `pagecut list` shows all of them")
    if name is None:
        for error in broken.values():
            print_error(error)
    if as_json:
        for row in rows:
            click.echo(json_line(row))
        return
    from pagecut.cli.terminal import show_method, show_methods

    if name is None:
        show_methods(rows)
    else:
        for row in rows:
            show_method(row)


@click.command()
@click.argument("datasets", metavar="DATASET...", nargs=-1, required=True, type=click.Path())
@task_option("segmentation", "items", "image-context", "main-text", "metadata", ALL)
@with_option("method", "block-fusion; give several to compare them, none to compare all", True)
@click.option(
    "--measure",
    "measures",
    metavar="SPEC",
    multiple=True,
    help="A measure, e.g. ari; several may be given, methods are ranked by the first.",
)
@level_option("Which blocks are the truth of a segmentation.")
@click.option(
    "--group",
    "groups",
    metavar=f"{SOURCE}|NAME=DATASET,...",
    multiple=True,
    help="Also the means over a part of the pages, chosen by `dataset` in pages.json; "
    f"`{SOURCE}`: over each of these, as for all tasks.",
)
@jobs_option
@render_option
@click.option(
    "--pictures/--no-pictures",
    default=None,
    help="Render the worst pages for a report; done for all tasks where there is a browser.",
)
@output_file(
    "Every single score: .csv, .json, .jsonl, .parquet; or a report with charts, tests and "
    "the worst pages: .html."
)
def evaluate(
    datasets: tuple[str, ...],
    task: str,
    specs: tuple[str, ...],
    measures: tuple[str, ...],
    level: str,
    groups: tuple[str, ...],
    jobs: int,
    render: bool,
    pictures: bool | None,
    output: Path | None,
) -> None:
    """Score methods against datasets with human truth. A table with the means."""
    from pagecut.cli.terminal import show_evaluation
    from pagecut.evaluation.datasets import read_datasets
    from pagecut.evaluation.learnt_from import learnt_from
    from pagecut.evaluation.scoring import evaluate_all, evaluate_task
    from pagecut.report.evaluation import FORMATS, pages_beside, write_evaluations
    from pagecut.results.row_files import check_output

    if output:
        check_output(output, FORMATS)
    check_kinds(specs, task)
    if task == ALL and (specs or measures or render):
        raise click.UsageError("--with, --measure and --render are for one task")
    for group in groups:
        if "=" not in group and group != SOURCE:
            raise click.UsageError(f"--group {group}: write NAME=DATASET,... or {SOURCE}")
    pages = read_datasets(datasets)
    parts = _groups(pages, groups)
    if render:
        pages = rendered_dataset(pages.for_task(task), jobs, measures)
    if task == ALL:
        found = evaluate_all(pages, jobs=jobs, watch=progress)
    else:
        found = [
            evaluate_task(
                pages, task, specs, measures=measures, level=int(level), jobs=jobs, watch=progress
            )
        ]
    by_source = SOURCE in groups or (task == ALL and not groups)
    sources = pages.sources() if by_source else {}
    scored = [evaluation for evaluation in found if evaluation.scores]
    learnt = learnt_from(pages, [each for found in scored for each in found.methods.values()])
    for evaluation in scored:
        own = [each for each in evaluation.methods if each in learnt]
        show_evaluation(evaluation, parts, sources, own)
    if output and scored:
        shown = task == ALL if pictures is None else pictures
        write_evaluations(output, scored, parts, sources, pages, pictures=shown)
        if output.suffix.lower() == ".html":
            said = f"report: {output}; the worst pages: {pages_beside(output)}"
            click.echo(harmless(said), err=True)
    exit_after([failure for evaluation in found for failure in evaluation.failures])


def check_kinds(specs: Iterable[str], task: str) -> None:
    """Name the task that a method is for, where it is given to the other one."""
    from pagecut.contexts import EXTRACTORS
    from pagecut.segmenters import SEGMENTERS

    for spec in specs:
        name = spec.partition("(")[0].strip()
        remedy = ""
        if task in ("segmentation", "items") and name in EXTRACTORS and name not in SEGMENTERS:
            remedy = "finds the text of images: --task image-context"
        if task == "image-context" and name in SEGMENTERS and name not in EXTRACTORS:
            remedy = (
                "cuts pages: --task segmentation; the text of an image's segment is --with "
                f"'by-segment(segmenter=\"{name}\")'"
            )
        if remedy:
            raise click.BadParameter(f"{name} {remedy}", param_hint="'--with'")


def _groups(dataset: Dataset, groups: tuple[str, ...]) -> Groups:
    return {
        name: dataset.ids(members.split(","))
        for name, equals, members in (group.partition("=") for group in groups)
        if equals
    }


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@task_option("segmentation", "image-context")
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
    help="Cross-validate: choose the value on all but one of N parts of the sites, score on the "
    "part left out.",
)
@jobs_option
@render_option
@output_file("The curve: .svg, .png, .csv.")
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
    """Score a method for many values of one parameter. A table, and the curve as a picture."""
    from pagecut.cli.terminal import show_sweep
    from pagecut.evaluation.datasets import read_dataset
    from pagecut.evaluation.sweep import parse_values
    from pagecut.evaluation.sweep import sweep as run
    from pagecut.pictures.drawing import PICTURE_FORMATS, write_picture
    from pagecut.results.row_files import check_output, create_file, write_rows

    format = check_output(output, (*PICTURE_FORMATS, "csv")) if output else ""
    check_kinds([spec], task)
    parameter, equals, values = varied.partition("=")
    if not equals:
        raise click.UsageError(f"--vary {varied}: write PARAMETER=START:STOP:STEP")
    pages = read_dataset(dataset)
    found = run(
        rendered_dataset(pages.for_task(task), jobs) if render else pages,
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


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
def validate(dataset: Path) -> None:
    """Say what is wrong with a dataset. Every problem, with its file and place."""
    from pagecut.evaluation.datasets import validate_dataset

    validation = validate_dataset(dataset)
    counts = {"error": 0, "warning": 0}
    for problem in validation.problems():
        kind = "warning" if problem.warning else "error"
        counts[kind] += 1
        line = "".join(each if each.isprintable() else " " for each in str(problem))
        click.echo(f"{kind}: {line}")
    click.echo(
        f"{harmless(str(dataset))}: {validation.format}, {counted(len(validation.pages), 'page')}, "
        f"{counted(counts['error'], 'error')}, {counted(counts['warning'], 'warning')}",
        err=True,
    )
    if counts["error"]:
        sys.exit(1)
