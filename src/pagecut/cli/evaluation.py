"""Commands that score methods against human truth."""

from __future__ import annotations

from pathlib import Path

import click

from pagecut.cli.inputs import progress
from pagecut.cli.options import with_option


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
@click.option(
    "--task",
    type=click.Choice(["segmentation", "image-context"]),
    required=True,
    help="What to score.",
)
@with_option("method", "block-fusion; several may be given, all are compared without", True)
@click.option(
    "--level",
    type=click.Choice(["1", "2"]),
    default="2",
    show_default=True,
    help="Which blocks are the truth of a segmentation.",
)
@click.option(
    "--group",
    "groups",
    metavar="NAME=DATASET,...",
    multiple=True,
    help="Also for some of the pages by themselves, by `dataset` in pages.json.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Every single score, as the ending says: .csv, .json, .jsonl.",
)
def evaluate(
    dataset: Path,
    task: str,
    specs: tuple[str, ...],
    level: str,
    groups: tuple[str, ...],
    output: Path | None,
) -> None:
    """Score methods against a dataset with human truth; a table with the means."""
    from pagecut.datasets import read_dataset
    from pagecut.evaluate import evaluate_task
    from pagecut.output import check_output, create_file, write_rows
    from pagecut.terminal import show_summaries

    format = check_output(output, ("csv", "json", "jsonl")) if output else ""
    for group in groups:
        if "=" not in group:
            raise click.UsageError(f"--group {group}: write NAME=DATASET,...")
    pages = read_dataset(dataset)
    parts = {
        name: pages.ids(members.split(","))
        for name, _, members in (group.partition("=") for group in groups)
    }
    evaluation = evaluate_task(pages, task, specs, level=int(level), watch=progress)
    show_summaries(evaluation.summarize(parts), title=evaluation.title)
    if output:
        with create_file(output) as file:
            write_rows(evaluation.rows(), file, format, evaluation.fields)
