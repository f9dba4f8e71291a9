"""Commands that index pages and their blocks, and search them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import Failures, html_files, read_pages
from pagecut.cli.options import with_option
from pagecut.cli.output import harmless, page_output
from pagecut.cli.results import print_rows

if TYPE_CHECKING:
    from pagecut.retrieval.blocks import BlockPage
    from pagecut.retrieval.search import Hit, Searcher
    from pagecut.segmenters import Segmenter

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


@click.command("index")
@click.argument("sources", nargs=-1, metavar="FILE|DIR|URL|CORPUS-OUTPUT...")
@click.option(
    "-o",
    "--output",
    "folder",
    type=click.Path(path_type=Path),
    required=True,
    metavar="INDEX",
    help="Folder of the index.",
)
@with_option("segmenter", "'block-fusion(threshold=0.5)'")
@click.option("--weights", metavar="SPEC", help="Weights of terms, e.g. 'bm25(b=0.5)'.")
@click.option(
    "--stemming",
    type=click.Choice(["none", "s"]),
    help="Take off English plural endings (s, the default) or nothing.",
)
@click.option("--add", is_flag=True, help="Add pages to an index that is there.")
@click.option("--rebuild", is_flag=True, help="Then make one shard of all, with common statistics.")
def make_index(
    sources: tuple[str, ...],
    folder: Path,
    spec: str | None,
    weights: str | None,
    stemming: str | None,
    add: bool,
    rebuild: bool,
) -> None:
    """Index pages and their blocks, to be found by `pagecut search`."""
    from pagecut.retrieval.bm25 import Bm25, load_bm25s, weighting
    from pagecut.retrieval.index import add_pages, create_index, read_description, rebuild_index
    from pagecut.segmenters import BLOCK_SEGMENTER, segmenter

    if not sources and not rebuild:
        raise click.UsageError("name the pages to index, or --rebuild an index")
    if (add or not sources) and (weights or stemming):
        raise click.UsageError("--weights and --stemming are for a new index")
    load_bm25s()  # a missing package is said before any page is read
    if add and spec is None:
        spec = read_description(folder).made_by
    method = segmenter(BLOCK_SEGMENTER if spec is None else spec)
    failures = Failures()
    if sources:
        tables = corpus_outputs(sources)
        made_by = chosen_method(tables, spec and str(method)) if tables else str(method)
        pages = corpus_pages(tables, made_by) if tables else segmented(sources, method, failures)
        if add:
            added = add_pages(folder, pages, made_by=made_by)
        else:
            added = create_index(
                folder,
                pages,
                made_by=made_by,
                weights=weighting(weights) if weights else Bm25(),
                stemming="none" if stemming == "none" else "s",
            )
        click.echo(
            f"{added.pages} pages, {added.empty} of them without text, {added.blocks} blocks; "
            f"{failures.count} failed",
            err=True,
        )
    if rebuild:
        rebuild_index(folder)
    failures.exit()


def corpus_outputs(sources: tuple[str, ...]) -> list[Path]:
    """The sources, if they are tables of corpus runs; none, if they are pages."""
    from pagecut.retrieval.blocks import is_corpus_output

    found = [Path(source) for source in sources if is_corpus_output(Path(source))]
    if found and len(found) < len(sources):
        raise click.UsageError("index either pages or the output of corpus runs, not both at once")
    return found


def chosen_method(folders: list[Path], spec: str | None) -> str:
    """The method whose segments are indexed, in all the outputs the same."""
    from pagecut.retrieval.blocks import segmented_by

    method = segmented_by(folders[0], spec)
    for folder in folders[1:]:
        segmented_by(folder, method)
    return method


def corpus_pages(folders: list[Path], made_by: str) -> Iterator[BlockPage]:
    from pagecut.retrieval.blocks import read_corpus_output

    for folder in folders:
        yield from read_corpus_output(folder, made_by)


def segmented(
    sources: tuple[str, ...], method: Segmenter, failures: Failures
) -> Iterator[BlockPage]:
    from pagecut.retrieval.blocks import page_blocks

    names: Counter[str] = Counter()
    files = html_files(sources, failures)
    for name, page in read_pages(files, None, None, failures, method.needs):
        names[name] += 1  # the sheets of a PDF share its name
        unique = name if names[name] == 1 else f"{name}#{names[name]}"
        with failures.counted(name):
            yield page_blocks(method.segment(page), unique)


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
    "--count", type=click.IntRange(min=1), help="How many answers; 10 if not given, 1000 for a run."
)
@click.option("--show-query", is_flag=True, help="Print the weighted terms that are searched for.")
@click.option(
    "--topics",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Search for every topic of a TREC file, and print a TREC run.",
)
@click.option("--table", is_flag=True, help="Print the answers as text to read.")
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
    from pagecut.results.row_files import json_line
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
        terms = {term: round(weight, 4) for term, weight in weights.items()}
        print(json_line(terms), file=page_output())
    elif query is not None:
        hits = searcher.search(query, count or 10)
        if table:
            show_hits(hits)
        else:
            print_rows(map(as_row, hits), None, HIT_FIELDS)


def as_row(hit: Hit) -> dict[str, object]:
    return asdict(hit) | {"score": round(hit.score, 4)}


def write_run(searcher: Searcher, topics: Path, count: int) -> None:
    """A TREC run on stdout."""
    from pagecut.retrieval.trec import read_topics, run_lines

    file = page_output()
    for topic, text in read_topics(topics).items():
        ranked = searcher.rank(searcher.query(text), count)
        named = ((searcher.name(place), score) for place, score in ranked)
        for line in run_lines(topic, named, "pagecut"):
            file.write(line)


def show_hits(hits: list[Hit]) -> None:
    """Answers as a person reads them."""
    for hit in hits:
        click.secho(f"{hit.rank}. {harmless(hit.title or hit.page)}", bold=True)
        click.echo(f"   {harmless(hit.snippet)}")
        place = harmless(f"{hit.url or hit.page} {hit.xpath}")
        click.secho(f"   {place} [{hit.start}:{hit.end}]", dim=True)
    if not hits:
        click.echo("nothing found", err=True)
