"""Index and search 100,000 blocks, next to bm25s alone on the same texts.

    python benchmarks/retrieval.py [--blocks N]

The texts are made up: words by Zipf's law, blocks of very different length, ten to a page. bm25s
alone indexes the blocks only and gives no snippets; ours has blocks and pages, their texts, and
places in the page. CPU time of one process; disk as the files' sizes.
"""

from __future__ import annotations

import argparse
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from random import Random

import bm25s
import numpy as np

from pagecut.retrieval.blocks import Block, BlockPage
from pagecut.retrieval.expansion import expansion
from pagecut.retrieval.index import Index, add_pages, create_index, rebuild_index
from pagecut.retrieval.search import Searcher
from pagecut.retrieval.terms import extract_terms

VOCABULARY = 200_000
PER_PAGE = 10
QUERIES = 100


def make_texts(blocks: int) -> list[str]:
    """Blocks of words by Zipf's law; half of them have fewer than 30 words, few have 1,000."""
    random = np.random.default_rng(2003)
    lengths = np.clip(random.lognormal(np.log(30), 1.1, blocks), 1, 1000).astype(int)
    numbers = random.zipf(1.15, int(lengths.sum())) % VOCABULARY
    words = [f"w{number}" for number in numbers.tolist()]
    edges = np.concatenate([[0], np.cumsum(lengths)]).tolist()
    return [" ".join(words[a:b]) for a, b in pairwise(edges)]


def make_pages(texts: list[str], prefix: str) -> Iterator[BlockPage]:
    for first in range(0, len(texts), PER_PAGE):
        blocks, at = [], 0
        for number, text in enumerate(texts[first : first + PER_PAGE]):
            place = ((at, at + len(text)),)
            path = f"/html[1]/body[1]/div[{number + 1}]"
            blocks.append(Block(segment=number, spans=place, xpath=path, text=text, words=text))
            at += len(text) + 1
        yield BlockPage(name=f"{prefix}{first}", url="", title="", blocks=tuple(blocks))


def make_queries() -> list[str]:
    """Three words each: a frequent, a middling and a rare one."""
    random = Random(7)
    ranges = (range(10, 200), range(200, 2000), range(2000, 20_000))
    return [" ".join(f"w{random.choice(each)}" for each in ranges) for _ in range(QUERIES)]


def timed(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def megabytes(folder: Path) -> float:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) / 1e6


def per_query(search: Callable[[str], object], queries: list[str]) -> float:
    """Milliseconds, when all that the queries need has been read from disk once."""
    for query in queries:
        search(query)
    return 1000 * timed(lambda: [search(query) for query in queries]) / len(queries)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--blocks", type=int, default=100_000)
    count = parser.parse_args().blocks
    texts, queries = make_texts(count), make_queries()
    words = sum(text.count(" ") + 1 for text in texts)
    print(f"{count:,} blocks, {words:,} words, {count // PER_PAGE:,} pages\n")
    print("| | index, s | disk, MB | open, ms | search, ms per query |\n|---|---|---|---|---|")
    folder = Path(tempfile.mkdtemp())
    try:
        alone(texts, queries, folder / "alone")
        ours(texts, queries, folder / "index", folder / "added")
    finally:
        shutil.rmtree(folder)


def alone(texts: list[str], queries: list[str], folder: Path) -> None:
    """bm25s by itself, with the same terms."""
    engine = bm25s.BM25(k1=1.2, b=0.75)

    def index() -> None:
        engine.index([extract_terms(text) for text in texts], show_progress=False)
        engine.save(folder, show_progress=False)

    seconds = timed(index)
    opening = 1000 * timed(lambda: bm25s.BM25.load(folder, mmap=True, show_progress=False))
    loaded = bm25s.BM25.load(folder, mmap=True, show_progress=False)
    search = per_query(
        lambda query: loaded.retrieve([extract_terms(query)], k=10, show_progress=False), queries
    )
    size = megabytes(folder)
    print(f"| bm25s alone, blocks | {seconds:.1f} | {size:.0f} | {opening:.0f} | {search:.2f} |")


def ours(texts: list[str], queries: list[str], folder: Path, added: Path) -> None:
    pages = list(make_pages(texts, "p"))
    seconds = timed(lambda: create_index(folder, pages, made_by="made up", stemming="none"))
    opening = 1000 * timed(lambda: Index(folder).shards[0].vocabulary)
    index = Index(folder)
    rows = {"pagecut, blocks": Searcher(index=index, unit="block")}
    rows["pagecut, pages"] = Searcher(index=index)
    rows["pagecut, pages by page and best block"] = Searcher(index=index, page_score="combined")
    for spec in "okapi", "rm3", "bo1", "okapi(source='page')":
        rows[f"pagecut, pages, {spec}"] = Searcher(index=index, expand=expansion(spec))
    made = f"{seconds:.1f} | {megabytes(folder):.0f} | {opening:.0f}"
    for name, searcher in rows.items():
        ranking = per_query(lambda query, s=searcher: s.rank(s.query(query), 10), queries)
        print(f"| {name} | {made} | {ranking:.2f} |", flush=True)
        made = " | | "
    block_search = rows["pagecut, blocks"].search
    print(f"| pagecut, blocks, with snippets | {made} | {per_query(block_search, queries):.2f} |")
    create_index(added, pages[: len(pages) // 2], made_by="made up", stemming="none")
    adding = timed(lambda: add_pages(added, pages[len(pages) // 2 :], made_by="made up"))
    parted = Searcher(index=Index(added), unit="block")
    search = per_query(lambda query: parted.rank(parted.query(query), 10), queries)
    print(f"| pagecut, blocks, half of them added: 2 shards | {adding:.1f} | | | {search:.2f} |")
    rebuilding = timed(lambda: rebuild_index(added))
    print(f"| pagecut, rebuilt | {rebuilding:.1f} | {megabytes(added):.0f} | | |")


if __name__ == "__main__":
    main()
