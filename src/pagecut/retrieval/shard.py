"""A shard: the blocks that were indexed together, on disk and memory-mapped.

A folder with two indices of bm25s (`blocks`, `pages`; they number terms alike), the numbers of the
terms of every block in order, and what is needed to point into the pages.
"""

from __future__ import annotations

import json
from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from pagecut.retrieval.blocks import Block, BlockPage
from pagecut.retrieval.bm25 import Bm25, Float32, Postings, write_postings
from pagecut.retrieval.terms import Stemming, extract_terms

Unit = Literal["block", "page"]
UNITS: Final = ("block", "page")

_COLUMNS: Final = ("terms", "block_edges", "page_edges", "segments", "spans", "span_edges")
_STRINGS: Final = ("names", "urls", "titles", "xpaths", "texts")


class ShardWriter:
    """Takes pages one by one, and writes them as a shard."""

    def __init__(self, stemming: Stemming) -> None:
        self.stemming: Stemming = stemming
        self.vocabulary: dict[str, int] = {}
        self.terms = array("i")
        self.block_edges = [0]
        self.page_edges = [0]
        self.segments: list[int] = []
        self.spans: list[tuple[int, int]] = []
        self.span_edges = [0]
        self.strings: dict[str, list[str]] = {name: [] for name in _STRINGS}

    def __len__(self) -> int:
        return len(self.segments)

    def add(self, page: BlockPage) -> None:
        """Add a page; one without text has no blocks and is never found."""
        for block in page.blocks:
            self.add_block(block, extract_terms(block.words, self.stemming))
        self.end_page(page.name, page.url, page.title)

    def add_block(self, block: Block, terms: list[str]) -> None:
        """Add a block of the page that ends next, with the terms it is found by."""
        number = self.vocabulary
        self.terms.extend([number.setdefault(term, len(number)) for term in terms])
        self.block_edges.append(len(self.terms))
        self.segments.append(block.segment)
        self.spans.extend(block.spans)
        self.span_edges.append(len(self.spans))
        self.strings["xpaths"].append(block.xpath)
        self.strings["texts"].append(block.text)

    def end_page(self, name: str, url: str, title: str) -> None:
        self.page_edges.append(len(self))
        self.strings["names"].append(name)
        self.strings["urls"].append(url)
        self.strings["titles"].append(title)

    def write(self, folder: Path, weights: Bm25) -> None:
        """Write all files of the shard into a new folder."""
        folder.mkdir(parents=True)
        terms = np.array(self.terms, dtype=np.int32)
        block_edges = np.array(self.block_edges, dtype=np.int64)
        page_edges = np.array(self.page_edges, dtype=np.int32)
        for name, edges in ("blocks", block_edges), ("pages", block_edges[page_edges]):
            write_postings(folder / name, terms, edges, self.vocabulary, weights)
        columns: dict[str, NDArray[np.int32] | NDArray[np.int64]] = {
            "terms": terms,
            "block_edges": block_edges,
            "page_edges": page_edges,
            "segments": np.array(self.segments, dtype=np.int32),
            "spans": np.array(self.spans, dtype=np.int32).reshape(-1, 2),
            "span_edges": np.array(self.span_edges, dtype=np.int32),
        }
        for name in _COLUMNS:
            np.save(folder / f"{name}.npy", columns[name])
        for name in _STRINGS:
            write_strings(folder, name, self.strings[name])
        (folder / "vocabulary.json").write_text(
            json.dumps(list(self.vocabulary), ensure_ascii=True), encoding="utf-8"
        )


class Shard:
    """A shard, opened."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.terms: NDArray[np.int32]
        self.block_edges: NDArray[np.int64]
        self.page_edges: NDArray[np.int32]
        self.segments: NDArray[np.int32]
        self.spans: NDArray[np.int32]
        self.span_edges: NDArray[np.int32]
        for name in _COLUMNS:
            setattr(self, name, np.load(folder / f"{name}.npy", mmap_mode="r"))
        self.names, self.urls, self.titles, self.xpaths, self.texts = (
            Strings(folder, name) for name in _STRINGS
        )
        self.postings: dict[Unit, Postings] = {
            "block": Postings(folder / "blocks"),
            "page": Postings(folder / "pages"),
        }
        # The blocks of a page stand together.
        sizes = np.diff(self.page_edges)
        self.page_of_block = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)

    def count(self, unit: Unit) -> int:
        """How many blocks or pages there are."""
        return self.postings[unit].count

    @cached_property
    def words(self) -> list[str]:
        """The terms by their numbers."""
        words: list[str] = json.loads((self.folder / "vocabulary.json").read_text("utf-8"))
        return words

    @cached_property
    def vocabulary(self) -> dict[str, int]:
        """The numbers of the terms."""
        return {word: number for number, word in enumerate(self.words)}

    @cached_property
    def occurrences(self) -> NDArray[np.int64]:
        """(v,) how often each term occurs."""
        return np.bincount(self.terms, minlength=len(self.words))

    def texts_with(self, unit: Unit, term: str) -> int:
        number = self.vocabulary.get(term)
        return 0 if number is None else self.postings[unit].texts_with(number)

    def occurrences_of(self, term: str) -> int:
        number = self.vocabulary.get(term)
        return 0 if number is None else int(self.occurrences[number])

    def scores(self, unit: Unit, query: dict[str, tuple[float, float]]) -> Float32:
        """(n,) the scores of all blocks or pages.

        Args:
            query: weight in the query and idf over all shards, by term.
        """
        postings = self.postings[unit]
        scores = np.zeros(postings.count, dtype=np.float32)
        for term, (weight, rarity) in query.items():
            number = self.vocabulary.get(term)
            if number is not None:
                postings.add_scores(scores, number, weight, rarity)
        return scores

    def terms_of(self, unit: Unit, number: int) -> Counter[str]:
        """The terms of a block or page, with how often each occurs."""
        first, last = number, number + 1
        if unit == "page":
            first, last = self.page_edges[number : number + 2].tolist()
        start, end = int(self.block_edges[first]), int(self.block_edges[last])
        values, counts = np.unique(self.terms[start:end], return_counts=True)
        words = self.words
        return Counter(
            {
                words[value]: count
                for value, count in zip(values.tolist(), counts.tolist(), strict=True)
            }
        )

    def spans_of(self, block: int) -> list[tuple[int, int]]:
        """Ranges of the page's text that a block has."""
        first, last = self.span_edges[block : block + 2].tolist()
        return [(start, end) for start, end in self.spans[first:last].tolist()]

    def copy_to(self, writer: ShardWriter) -> None:
        """Add all pages to another shard."""
        for page, (first, last) in enumerate(self._page_ranges()):
            for number in range(first, last):
                start, end = int(self.block_edges[number]), int(self.block_edges[number + 1])
                block = Block(
                    segment=int(self.segments[number]),
                    spans=tuple(self.spans_of(number)),
                    xpath=self.xpaths[number],
                    text=self.texts[number],
                    words="",
                )
                words = self.words
                writer.add_block(block, [words[each] for each in self.terms[start:end].tolist()])
            writer.end_page(self.names[page], self.urls[page], self.titles[page])

    def _page_ranges(self) -> Iterator[tuple[int, int]]:
        edges = self.page_edges.tolist()
        return pairwise(edges)


class Strings:
    """Strings as one array of bytes and their edges, memory-mapped."""

    def __init__(self, folder: Path, name: str) -> None:
        self._bytes = np.load(folder / f"{name}.bytes.npy", mmap_mode="r")
        self._edges = np.load(folder / f"{name}.edges.npy", mmap_mode="r")

    def __len__(self) -> int:
        return len(self._edges) - 1

    def __getitem__(self, number: int) -> str:
        start, end = self._edges[number : number + 2].tolist()
        return bytes(self._bytes[start:end]).decode("utf-8", "surrogatepass")

    def __iter__(self) -> Iterator[str]:
        return (self[number] for number in range(len(self)))


def write_strings(folder: Path, name: str, values: Sequence[str]) -> None:
    """Write the files that `Strings` reads."""
    encoded = [value.encode("utf-8", "surrogatepass") for value in values]
    edges = np.concatenate([[0], np.cumsum([len(each) for each in encoded], dtype=np.int64)])
    np.save(folder / f"{name}.bytes.npy", np.frombuffer(b"".join(encoded), dtype=np.uint8))
    np.save(folder / f"{name}.edges.npy", edges.astype(np.int64))
