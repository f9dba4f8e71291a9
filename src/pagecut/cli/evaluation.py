"""Commands that score methods against human truth."""

from __future__ import annotations

from pathlib import Path

import click

from pagecut.cli.inputs import exit_after, progress, rendered_dataset
from pagecut.cli.options import jobs_option, level_option, render_option, task_option, with_option


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@task_option
@with_option("method", "block-fusion; several may be given, all are compared without", True)
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
    metavar="NAME=DATASET,...",
    multiple=True,
    help="Also for some of the pages by themselves, by `dataset` in pages.json.",
)
@jobs_option
@render_option
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Every single score, as the ending says: .csv, .json, .jsonl, .parquet; or .html, "
    "a report with plots, tests and the worst pages.",
)
def evaluate(
    dataset: Path,
    task: str,
    specs: tuple[str, ...],
    measures: tuple[str, ...],
    level: str,
    groups: tuple[str, ...],
    jobs: int,
    render: bool,
    output: Path | None,
) -> None:
    """Score methods against a dataset with human truth; a table with the means."""
    from pagecut.cli.terminal import show_evaluation
    from pagecut.evaluation.datasets import read_dataset
    from pagecut.evaluation.scoring import evaluate_task
    from pagecut.report.evaluation import check_score_file, pages_beside, write_evaluation

    if output:
        check_score_file(output)
    for group in groups:
        if "=" not in group:
            raise click.UsageError(f"--group {group}: write NAME=DATASET,...")
    pages = read_dataset(dataset)
    if render:
        pages = rendered_dataset(pages, jobs, measures)
    parts = {
        name: pages.ids(members.split(","))
        for name, _, members in (group.partition("=") for group in groups)
    }
    evaluation = evaluate_task(
        pages, task, specs, measures=measures, level=int(level), jobs=jobs, watch=progress
    )
    if evaluation.scores:
        show_evaluation(evaluation, parts)
        if output:
            write_evaluation(output, evaluation, parts, pages)
            if output.suffix.lower() == ".html":
                click.echo(f"report: {output}; the worst pages: {pages_beside(output)}", err=True)
    exit_after(evaluation.failures)
