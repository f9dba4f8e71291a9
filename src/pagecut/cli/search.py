"""The command that searches an index."""

from __future__ import annotations

import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from pagecut.retrieval.search import Hit, Searcher

HIT_FIELDS = (
    "rank",
    "score",
    "page",
    "url",
    "title",
    "segment",
    "xpath",
    "start",
    "end",
    "snippet",
)
RUN_LENGTH = 1000
DEFAULT_EXPANSION = "okapi"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path), metavar="INDEX")
@click.argument("query", required=False, metavar="QUERY")
@click.option(
    "--unit",
    type=click.Choice(["page", "block"]),
    default="page",
    show_default=True,
    help="What to find.",
)
@click.option(
    "--score",
    "page_score",
    type=click.Choice(["page", "best", "sum", "combined"]),
    default="page",
    show_default=True,
    help="A page's score: of all its text, of its best block, of all its blocks, or half of each "
    "of the first two.",
)
@click.option(
    "--expand",
    metavar="SPEC",
    is_flag=False,
    flag_value=DEFAULT_EXPANSION,
    help="Search twice, with terms of the best blocks: okapi, rm3 or bo1, e.g. 'rm3(terms=20)'; "
    f"{DEFAULT_EXPANSION} if none is named.",
)
@click.option(
    "--count", type=click.IntRange(min=1), help="Answers; 10 if not given, 1000 of a run."
)
@click.option("--show-query", is_flag=True, help="Print the weighted terms that are searched for.")
@click.option(
    "--topics",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Search for every topic of a TREC file, and print a TREC run.",
)
@click.option("--table", is_flag=True, help="Answers to read.")
def search(
    folder: Path,
    query: str | None,
    unit: str,
    page_score: str,
    expand: str | None,
    count: int | None,
    show_query: bool,
    topics: Path | None,
    table: bool,
) -> None:
    """Find pages or blocks: one JSON object per answer, with a snippet and its place."""
    from pagecut.results.output import json_line, write_rows
    from pagecut.retrieval.expansion import expansion
    from pagecut.retrieval.index import Index
    from pagecut.retrieval.search import Searcher

    if (query is None) == (topics is None):
        raise click.UsageError("give a query, or --topics FILE")
    method = expansion(expand) if expand else None
    searcher = Searcher(
        index=Index(folder),
        unit="page" if unit == "page" else "block",
        page_score=page_score,  # type: ignore[arg-type]
        expand=method,
    )
    if topics is not None:
        write_run(searcher, topics, count or RUN_LENGTH)
    elif query is not None and show_query:
        weights = searcher.query(query)
        click.echo(json_line({term: round(weight, 4) for term, weight in weights.items()}))
    elif query is not None:
        hits = searcher.search(query, count or 10)
        if table:
            show_hits(hits)
        else:
            write_rows(map(as_row, hits), sys.stdout, "jsonl", HIT_FIELDS)


def as_row(hit: Hit) -> dict[str, object]:
    return asdict(hit) | {"score": round(hit.score, 4)}


def write_run(searcher: Searcher, topics: Path, count: int) -> None:
    """A TREC run on stdout."""
    from pagecut.retrieval.trec import read_topics, run_lines

    for topic, text in read_topics(topics).items():
        ranked = searcher.rank(searcher.query(text), count)
        named = ((searcher.name(place), score) for place, score in ranked)
        for line in run_lines(topic, named, "pagecut"):
            sys.stdout.write(line)


def show_hits(hits: list[Hit]) -> None:
    """Answers as a person reads them."""
    for hit in hits:
        click.secho(f"{hit.rank}. {hit.title or hit.page}", bold=True)
        click.echo(f"   {hit.snippet}")
        click.secho(f"   {hit.url or hit.page} {hit.xpath} [{hit.start}:{hit.end}]", dim=True)
    if not hits:
        click.echo("nothing found", err=True)
