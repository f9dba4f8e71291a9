"""The command that finds near duplicates."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, read_pages
from pagecut.cli.options import with_option

if TYPE_CHECKING:
    from pagecut.results.rows import Row
    from pagecut.studies.near_duplicates import Duplicates

PAIR_FIELDS = ("a", "b", "score", "jaccard", "made_by")
CLUSTER_FIELDS = ("cluster", "size", "pages", "made_by")
ENDINGS = (".html", ".htm")


@click.command()
@click.argument("sources", nargs=-1, required=True, metavar="FILE|DIR|URL...")
@with_option("segmenter", "'block-fusion(smooth=\"equal\")'")
@click.option(
    "--threshold",
    type=float,
    help="Least share of equal values of near duplicates; 0.5 if not given.",
)
@click.option(
    "--values", type=int, help="Min-hash values of a segment; 128 if not given, the paper has 8."
)
@click.option("--shingle", type=int, help="Tokens in a shingle; 6 if not given.")
@click.option(
    "--segments", type=int, help="Largest segments to compare; 3 if not given, the paper has 1."
)
@click.option("--estimate", is_flag=True, help="No exact Jaccard coefficients; saves memory.")
@click.option("--clusters", is_flag=True, help="One row per cluster instead of one per pair.")
@click.option("--table", is_flag=True, help="A table to read.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write to a file, as its ending says: .jsonl, .json, .csv.",
)
def dedup(
    sources: tuple[str, ...],
    spec: str | None,
    threshold: float | None,
    values: int | None,
    shingle: int | None,
    segments: int | None,
    estimate: bool,
    clusters: bool,
    table: bool,
    output: Path | None,
) -> None:
    """Find pages with the same main text: one JSON object per pair or per cluster."""
    from pagecut.errors import PagecutError
    from pagecut.results.output import check_output, create_file, write_rows
    from pagecut.studies.minhash import algorithm
    from pagecut.studies.near_duplicates import NearDuplicates

    if table and output:
        raise click.UsageError("--table goes to the terminal, --output to a file")
    format = check_output(output, ("jsonl", "json", "csv")) if output else "jsonl"
    algorithm()  # a missing package is said before any page is read
    given = {
        "segmenter": spec,
        "threshold": threshold,
        "values": values,
        "shingle": shingle,
        "segments": segments,
    }
    try:
        method = NearDuplicates(**{key: each for key, each in given.items() if each is not None})  # type: ignore[arg-type]
    except ValueError as error:
        raise click.UsageError(str(error)) from error
    failures = Failures()
    fingerprints = []
    for name, page in read_pages(html_files(sources, failures), None, None, failures):
        try:
            fingerprints.append(method.fingerprint(page, name, exact=not estimate))
        except PagecutError as error:
            failures.add(name, error)
    found = method.compare(fingerprints)
    rows, fields = (
        (cluster_rows(found), CLUSTER_FIELDS) if clusters else (pair_rows(found), PAIR_FIELDS)
    )
    if table:
        from pagecut.cli.terminal import show_duplicates

        show_duplicates(rows, fields)
    elif output is None:
        write_rows(rows, sys.stdout, format, fields)
    else:
        with create_file(output) as file:
            write_rows(rows, file, format, fields)
    empty = sum(not each.tokens for each in fingerprints)
    click.echo(
        f"{len(fingerprints)} pages, {empty} without a main text, {failures.count} failed: "
        f"{len(found.pairs)} pairs, {len(found.clusters)} clusters",
        err=True,
    )
    failures.exit()


def html_files(sources: Sequence[str], failures: Failures) -> list[str]:
    """Each source once; a folder stands for all HTML files below it."""
    from pagecut.errors import PageError

    names: dict[str, str] = {}  # by the file that is meant, however it is named
    for source in sources:
        if not os.path.isdir(source):
            names.setdefault(os.path.realpath(source) if os.path.exists(source) else source, source)
            continue
        found = (path for path in Path(source).rglob("*") if path.suffix.lower() in ENDINGS)
        files = sorted(path for path in found if path.is_file())
        if not files:
            failures.add(source, PageError(f"{source}: no {' or '.join(ENDINGS)} file below it"))
        for path in files:
            names.setdefault(os.path.realpath(path), str(path))
    return list(names.values())


def pair_rows(found: Duplicates) -> list[Row]:
    return [
        {
            "a": pair.a,
            "b": pair.b,
            "score": round(pair.score, 4),
            "jaccard": None if pair.jaccard is None else round(pair.jaccard, 4),
            "made_by": found.made_by,
        }
        for pair in found.pairs
    ]


def cluster_rows(found: Duplicates) -> list[Row]:
    return [
        {"cluster": number, "size": len(pages), "pages": list(pages), "made_by": found.made_by}
        for number, pages in enumerate(found.clusters)
    ]
