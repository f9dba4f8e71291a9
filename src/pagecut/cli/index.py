"""The command that makes an index of pages and their blocks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from pagecut.cli.dedup import html_files
from pagecut.cli.inputs import Failures, read_pages
from pagecut.cli.options import with_option

if TYPE_CHECKING:
    from pagecut.retrieval.blocks import BlockPage
    from pagecut.segmenters import Segmenter


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
    from pagecut.retrieval.index import add_pages, create_index, read_description, rebuild_index
    from pagecut.retrieval.postings import load_bm25s
    from pagecut.retrieval.weighting import Bm25, weighting
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
    from pagecut.retrieval.corpus_tables import is_corpus_output

    found = [Path(source) for source in sources if is_corpus_output(Path(source))]
    if found and len(found) < len(sources):
        raise click.UsageError("index either pages or the output of corpus runs, not both at once")
    return found


def chosen_method(folders: list[Path], spec: str | None) -> str:
    """The method whose segments are indexed, in all the outputs the same."""
    from pagecut.retrieval.corpus_tables import segmented_by

    method = segmented_by(folders[0], spec)
    for folder in folders[1:]:
        segmented_by(folder, method)
    return method


def corpus_pages(folders: list[Path], made_by: str) -> Iterator[BlockPage]:
    from pagecut.retrieval.corpus_tables import read_corpus_output

    for folder in folders:
        yield from read_corpus_output(folder, made_by)


def segmented(
    sources: tuple[str, ...], method: Segmenter, failures: Failures
) -> Iterator[BlockPage]:
    from pagecut.errors import PagecutError
    from pagecut.retrieval.blocks import page_blocks

    names: Counter[str] = Counter()
    files = html_files(sources, failures)
    for name, page in read_pages(files, None, None, failures, method.needs):
        names[name] += 1  # the sheets of a PDF share its name
        unique = name if names[name] == 1 else f"{name}#{names[name]}"
        try:
            yield page_blocks(method.segment(page), unique)
        except PagecutError as error:
            failures.add(name, error)
