"""The command that says what is wrong with a dataset."""

from __future__ import annotations

import sys
from pathlib import Path

import click


@click.command()
@click.argument("dataset", type=click.Path(path_type=Path))
def validate(dataset: Path) -> None:
    """Say what is wrong with a dataset: every problem, with its file and place."""
    from pagecut.evaluation.datasets import validate_dataset

    validation = validate_dataset(dataset)
    counts = {"error": 0, "warning": 0}
    for problem in validation.problems():
        kind = "warning" if problem.warning else "error"
        counts[kind] += 1
        line = "".join(each if each.isprintable() else " " for each in str(problem))
        click.echo(f"{kind}: {line}")
    click.echo(
        f"{dataset}: {validation.format}, {len(validation.pages)} pages, "
        f"{counts['error']} errors, {counts['warning']} warnings",
        err=True,
    )
    if counts["error"]:
        sys.exit(1)
