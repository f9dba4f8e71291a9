"""Commands that index pages and their blocks, and search them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from statistics import fmean
from typing import TYPE_CHECKING

import click

from pagecut.cli.inputs import (
    Failures,
    html_files,
    print_error,
    progress,
    read_given,
    read_pages,
    run_outputs,
    told,
    unique_name,
)
from pagecut.cli.options import sources_argument, with_option
from pagecut.cli.output import harmless, page_output
from pagecut.cli.results import print_rows
from pagecut.errors import counted

if TYPE_CHECKING:
    from pagecut.retrieval.blocks import BlockPage
    from pagecut.retrieval.search import Hit, Searcher
    from pagecut.segmenters import Segmenter

HIT_FIELDS = (
    "rank",
    "score",
    "page",
    "url",
    "page_title",
    "segment",
    "xpath",
    "char_start",
    "char_end",
    "snippet",
)
RUN_LENGTH = 1000
NAMES = ("path", "file", "stem")
DEFAULT_EXPANSION = "okapi"


@click.command("index")
@sources_argument("FILE|FOLDER|URL|CORPUS-OUTPUT...", required=False)
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
@click.option(
    "--trec",
    is_flag=True,
    help="The sources are TREC web documents (WT10g, .GOV): files of <DOC> elements, or folders of "
    "them, packed with gzip or not. A page is known by its DOCNO.",
)
@click.option(
    "--names",
    type=click.Choice(NAMES),
    default=NAMES[0],
    show_default=True,
    help="What a page is called in answers and runs: its path as given, its file's name, or that "
    "without the ending.",
)
@click.option("--add", is_flag=True, help="Add pages to an index that is there.")
@click.option("--rebuild", is_flag=True, help="Then make one shard of all, with common statistics.")
def make_index(
    sources: tuple[str, ...],
    folder: Path,
    spec: str | None,
    weights: str | None,
    stemming: str | None,
    trec: bool,
    names: str,
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
        tables = [] if trec else run_outputs(sources)
        made_by = chosen_method(tables, spec and str(method)) if tables else str(method)
        if tables:
            pages = corpus_pages(tables, made_by)
        elif trec:
            pages = web_documents(sources, method, failures)
        else:
            pages = segmented(sources, method, failures, names)
        pages = told(pages, bar=not tables)
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
            f"{counted(added.pages, 'page')}, {added.empty} of them without text, "
            f"{counted(added.blocks, 'block')}; {failures.count} failed",
            err=True,
        )
    if rebuild:
        rebuild_index(folder)
    failures.exit()


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
    sources: tuple[str, ...], method: Segmenter, failures: Failures, names: str = NAMES[0]
) -> Iterator[BlockPage]:
    from pagecut.retrieval.blocks import page_blocks

    counts: Counter[str] = Counter()
    files = html_files(sources, failures)
    for name, page in read_pages(files, None, None, failures, method.needs):
        called = {"path": name, "file": Path(name).name, "stem": Path(name).stem}[names]
        unique = unique_name(called, counts)
        with failures.catch(name):
            yield page_blocks(method.segment(page), unique)


def web_documents(
    sources: tuple[str, ...], method: Segmenter, failures: Failures
) -> Iterator[BlockPage]:
    """The pages of a TREC web collection, each under its number."""
    from pagecut.retrieval.blocks import page_blocks
    from pagecut.retrieval.trec import read_documents

    for file in progress(_files_below(sources, failures)):
        with failures.catch(str(file)):
            for document, page in read_given(
                ((each.name, each.html, each.url) for each in read_documents(file)),
                failures,
                method.needs,
            ):
                with failures.catch(document):
                    yield page_blocks(method.segment(page), document)


def _files_below(sources: tuple[str, ...], failures: Failures) -> list[Path]:
    """The files that are named, and all files in the folders that are."""
    from pagecut.errors import PageError

    found: list[Path] = []
    for source in sources:
        path = Path(source)
        inside = sorted(each for each in path.rglob("*") if each.is_file()) if path.is_dir() else []
        if path.is_dir() and not inside:
            failures.add(source, PageError(f"{source}: no file in the folder"))
        found.extend(inside or ([] if path.is_dir() else [path]))
    return found


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
@click.option(
    "--qrels",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --topics: print how good the run is by these judgements, instead of the run.",
)
@click.option(
    "--measure",
    "measures",
    multiple=True,
    metavar="NAME",
    help="With --qrels: a measure of ir_measures, e.g. AP or P@10; may be given several times.",
)
@click.option(
    "--run",
    "run_file",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="With --qrels: also write the run to a file.",
)
@click.option(
    "--cut",
    metavar="SPEC",
    help="With --expand: cut the best pages of each query when it is searched, by this segmenter, "
    "instead of taking the blocks of the index.",
)
@click.option(
    "--documents",
    multiple=True,
    type=click.Path(path_type=Path),
    metavar="PATH",
    help="With --cut: the TREC web documents that were indexed. Without it, the names of pages are "
    "their paths.",
)
@click.option(
    "--stop-words", is_flag=True, help="Leave the commonest English words of queries out."
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
    qrels: Path | None,
    measures: tuple[str, ...],
    run_file: Path | None,
    cut: str | None,
    documents: tuple[Path, ...],
    stop_words: bool,
    table: bool,
) -> None:
    """Find pages or blocks in an index. One JSON object per answer, with a snippet and place."""
    from pagecut.results.row_files import json_line
    from pagecut.retrieval.expansion import expansion
    from pagecut.retrieval.index import Index
    from pagecut.retrieval.search import Searcher
    from pagecut.retrieval.trec import read_topics

    if (query is None) == (topics is None):
        raise click.UsageError("give a query, or --topics FILE")
    if qrels is None and (measures or run_file):
        raise click.UsageError("--measure and --run go with --qrels FILE")
    if qrels is not None and (topics is None or unit != "page"):
        raise click.UsageError("--qrels judges pages found for --topics FILE")
    method = expansion(expand) if expand else None
    searcher = Searcher(
        index=Index(folder),
        unit="page" if unit == "page" else "block",
        page_score=page_score,  # type: ignore[arg-type]
        expand=method,
        stop_words=stop_words,
    )
    if cut is not None:
        if method is None:
            raise click.UsageError("--cut goes with --expand")
        queries = list(read_topics(topics).values()) if topics is not None else [query or ""]
        searcher = replace(searcher, cut=cut_at_once(searcher, queries, cut, documents))
    elif documents:
        raise click.UsageError("--documents goes with --cut")
    if topics is not None and qrels is not None:
        score_topics(searcher, topics, qrels, measures, run_file, count or RUN_LENGTH)
    elif topics is not None:
        file = page_output()
        for line in run_of_topics(searcher, topics, count or RUN_LENGTH):
            file.write(line)
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
    place = {"char_start": hit.start, "char_end": hit.end}
    values = {**asdict(hit), **place, "score": round(hit.score, 4)}
    return {name: values[name] for name in HIT_FIELDS}


def cut_at_once(
    searcher: Searcher, queries: list[str], spec: str, documents: tuple[Path, ...]
) -> Callable[[str], list[Counter[str]]]:
    """The blocks of the first pages of all queries, each page cut once."""
    from pagecut.retrieval.blocks import page_blocks
    from pagecut.retrieval.search import NoWords
    from pagecut.retrieval.terms import extract_terms
    from pagecut.retrieval.trec import read_documents
    from pagecut.segmenters import segmenter

    method, wanted = segmenter(spec), dict[str, None]()
    assert searcher.expand is not None
    for text in queries:
        with suppress(NoWords):
            wanted.update(dict.fromkeys(searcher.first_pages(text, searcher.expand.pages)))
    failures = Failures()
    if documents:
        files = _files_below(tuple(map(str, documents)), failures)
        given = (
            (each.name, each.html, each.url)
            for file in files
            for each in read_documents(file)
            if each.name in wanted
        )
        pages = read_given(given, failures, method.needs)
    else:
        pages = read_pages(list(wanted), None, None, failures, method.needs)
    stemming = searcher.index.description.stemming
    found: dict[str, list[Counter[str]]] = {}
    for name, page in pages:
        with failures.catch(name):
            blocks = page_blocks(method.segment(page), name).blocks
            found[name] = [Counter(extract_terms(block.words, stemming)) for block in blocks]
    return lambda name: found.get(name, [])


def run_of_topics(searcher: Searcher, topics: Path, count: int) -> Iterator[str]:
    """The lines of a TREC run; a topic without words finds nothing, which is said."""
    from pagecut.retrieval.search import NoWords
    from pagecut.retrieval.trec import read_topics, run_lines

    for topic, text in read_topics(topics).items():
        try:
            query = searcher.query(text)
        except NoWords as error:
            print_error(f"topic {topic}: {error}; it finds nothing")
            continue
        ranked = searcher.rank(query, count)
        named = ((searcher.name(place), score) for place, score in ranked)
        yield from run_lines(topic, named, "pagecut")


def score_topics(
    searcher: Searcher,
    topics: Path,
    qrels: Path,
    measures: tuple[str, ...],
    run_file: Path | None,
    count: int,
) -> None:
    """A row for each measure: the mean over all judged topics of the file."""
    from pagecut.errors import FormatError
    from pagecut.results.row_files import create_file
    from pagecut.retrieval.trec import MEASURES, parse_run, read_judgements, read_topics, score_run

    named = read_topics(topics)
    judged = {topic: grades for topic, grades in read_judgements(qrels).items() if topic in named}
    if not judged:
        raise FormatError(f"{qrels}: it judges none of the topics of {topics}")
    lines = list(run_of_topics(searcher, topics, count))
    if run_file is not None:
        with create_file(run_file) as file:
            file.writelines(lines)
    run = parse_run(lines, "the run")
    if not any(page in grades for topic, grades in judged.items() for page in run.get(topic, {})):
        print_error(f"{qrels}: no page that was found is judged; see `pagecut index --names`")
    if len(judged) < len(named):
        print_error(f"{len(named) - len(judged)} of {len(named)} topics have no judgements")
    scores = score_run(judged, run, measures or MEASURES)
    rows = (
        {"measure": name, "mean": round(fmean(values.values()), 4), "topics": len(values)}
        for name, values in scores.items()
    )
    print_rows(rows, None, ("measure", "mean", "topics"))


def show_hits(hits: list[Hit]) -> None:
    """Answers as a person reads them."""
    for hit in hits:
        click.secho(f"{hit.rank}. {harmless(hit.page_title or hit.page)}", bold=True)
        click.echo(f"   {harmless(hit.snippet)}")
        place = harmless(f"{hit.url or hit.page} {hit.xpath}")
        click.secho(f"   {place} [{hit.start}:{hit.end}]", dim=True)
    if not hits:
        click.echo("nothing found", err=True)
