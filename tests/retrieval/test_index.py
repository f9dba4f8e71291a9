"""An index scores as the formula says, however its pages are spread over shards."""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

import numpy as np
import pytest
from block_pages import MADE_BY, page
from how_long import random_inputs
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from pagecut.errors import FormatError, SpecError
from pagecut.page.text.tokenizer import bare_words
from pagecut.retrieval.bm25 import BM2500, Bm25, weighting, write_postings
from pagecut.retrieval.index import Index, add_pages, create_index, rebuild_index
from pagecut.retrieval.search import Searcher, of_pages, top
from pagecut.retrieval.shard import Strings, write_strings
from pagecut.retrieval.terms import extract_terms, singular

bm25s = pytest.importorskip("bm25s")

PAGES = (
    page("a", "red kettle", "red red anchor near the harbour", "maple"),
    page("b", "anchor chain", "kettle of the ferry"),
    page("c", "maple syrup and maple leaves on the red table"),
)


def slow_scores(
    texts: Sequence[Sequence[str]], query: dict[str, float], weights: Bm25
) -> list[float]:
    """BM25 of each text, straight from the formula."""
    count = len(texts)
    mean = sum(map(len, texts)) / count
    scores = []
    for text in texts:
        times = Counter(text)
        length = weights.k1 * (1 - weights.b + weights.b * len(text) / mean)
        score = 0.0
        for term, weight in query.items():
            found = sum(term in other for other in texts)
            odds = (count - found + 0.5) / (found + 0.5)
            rarity = math.log(1 + odds) if weights.idf == "lucene" else math.log(max(1, odds))
            in_query = (weights.k3 + 1) * weight / (weights.k3 + weight)
            score += rarity * (weights.k1 + 1) * times[term] / (length + times[term]) * in_query
        scores.append(score)
    return scores


words = st.sampled_from("red kettle anchor maple ferry tin".split())
some_pages = st.lists(
    st.lists(st.lists(words, min_size=1, max_size=8), min_size=1, max_size=4),
    min_size=1,
    max_size=6,
)


@settings(max_examples=random_inputs(40))
@given(
    some_pages,
    st.dictionaries(words, st.floats(0.1, 3), min_size=1, max_size=3),
    st.sampled_from([Bm25(), BM2500, Bm25(k1=0.9, b=0.4, k3=7.0)]),
)
def test_scores_are_those_of_the_formula(
    tmp_path_factory: pytest.TempPathFactory,
    pages: list[list[list[str]]],
    query: dict[str, float],
    weights: Bm25,
) -> None:
    folder = tmp_path_factory.mktemp("index") / "index"
    made = [page(str(n), *(" ".join(block) for block in each)) for n, each in enumerate(pages)]
    create_index(folder, made, made_by=MADE_BY, weights=weights, stemming="none")
    blocks = [block for each in pages for block in each]
    whole = [[word for block in each for word in block] for each in pages]
    known = {word: weight for word, weight in query.items() if any(word in text for text in whole)}
    index = Index(folder)
    for unit, texts in ("block", blocks), ("page", whole):
        searcher = Searcher(index=index, unit=unit)  # type: ignore[arg-type]
        found = dict(searcher.rank(known, len(texts)))
        expected = slow_scores(texts, known, weights)
        for number, score in enumerate(expected):
            assert found.get((0, number), 0.0) == pytest.approx(score, rel=1e-4, abs=1e-5)


@settings(max_examples=random_inputs(30))
@given(st.lists(st.lists(st.integers(0, 9), max_size=12), min_size=1, max_size=8))
def test_the_index_is_the_one_that_bm25s_makes(
    tmp_path_factory: pytest.TempPathFactory, texts: list[list[int]]
) -> None:
    vocabulary = {f"w{number}": number for number in range(10)}
    assume(any(texts))
    folder = tmp_path_factory.mktemp("postings")
    flat = np.array([term for text in texts for term in text], dtype=np.int32)
    edges = np.cumsum([0, *map(len, texts)], dtype=np.int64)
    write_postings(folder, flat, edges, vocabulary, Bm25(k1=0.9, b=0.4))
    ours = bm25s.BM25.load(folder)
    theirs = bm25s.BM25(k1=0.9, b=0.4, method="atire", idf_method="lucene")
    theirs.index((texts, vocabulary), show_progress=False)
    for term in range(10):
        query = [term]
        assert ours.get_scores(query) == pytest.approx(theirs.get_scores(query), rel=1e-5)


def test_pages_added_later_are_found_with_the_rarity_of_all(tmp_path: Path) -> None:
    together, parted = tmp_path / "together", tmp_path / "parted"
    create_index(together, PAGES, made_by=MADE_BY)
    create_index(parted, PAGES[:1], made_by=MADE_BY)
    add_pages(parted, PAGES[1:], made_by=MADE_BY)
    one, two = Index(together), Index(parted)
    assert len(two.shards) == 2
    for term in ("red", "anchor", "kettle", "maple", "the"):
        for unit in ("block", "page"):
            assert one.rarity(unit, term) == two.rarity(unit, term)  # type: ignore[arg-type]
    for query in ("red kettle", "anchor", "maple leaves"):
        names = [{hit.page for hit in Searcher(index=index).search(query)} for index in (one, two)]
        assert names[0] == names[1]


def test_a_rebuilt_index_is_the_one_made_at_once(tmp_path: Path) -> None:
    together, parted = tmp_path / "together", tmp_path / "parted"
    create_index(together, PAGES, made_by=MADE_BY)
    create_index(parted, PAGES[:2], made_by=MADE_BY)
    add_pages(parted, PAGES[2:], made_by=MADE_BY)
    rebuild_index(parted)
    assert len(Index(parted).shards) == 1
    assert sorted(path.name for path in parted.iterdir()) == ["index.json", "shard-0003"]
    for unit in "page", "block":
        for query in ("red kettle", "anchor", "maple leaves"):
            hits = [
                Searcher(index=Index(folder), unit=unit).search(query)  # type: ignore[arg-type]
                for folder in (together, parted)
            ]
            assert hits[0] == hits[1] != []


def test_a_page_is_scored_by_its_blocks(tmp_path: Path) -> None:
    create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
    index = Index(tmp_path / "index")
    query = {"red": 1.0, "kettle": 1.0}
    blocks = index.shards[0].scores(
        "block", {term: (1001 / 1001, index.rarity("block", term)) for term in query}
    )
    expected = {
        "best": [blocks[0:3].max(), blocks[3:5].max(), blocks[5]],
        "sum": [blocks[0:3].sum(), blocks[3:5].sum(), blocks[5]],
    }
    for way, scores in expected.items():
        found = dict(Searcher(index=index, page_score=way).rank(query, 3))  # type: ignore[arg-type]
        for number, score in enumerate(scores):
            assert found.get((0, number), 0.0) == pytest.approx(float(score))
    ways = {
        way: dict(Searcher(index=index, page_score=way).rank(query, 3))  # type: ignore[arg-type]
        for way in ("page", "best", "combined")
    }
    for place, score in ways["combined"].items():
        assert score == pytest.approx((ways["page"][place] + ways["best"][place]) / 2)


def test_a_page_without_text_is_never_found(tmp_path: Path) -> None:
    empty = page("empty")
    added = create_index(tmp_path / "index", [empty, *PAGES, page("last")], made_by=MADE_BY)
    assert (added.pages, added.blocks, added.empty) == (5, 6, 2)
    index = Index(tmp_path / "index")
    for way in "page", "best", "sum":
        searcher = Searcher(index=index, page_score=way)  # type: ignore[arg-type]
        assert [hit.page for hit in searcher.search("syrup")] == ["c"]
    scores = of_pages(index.shards[0], np.ones(6, dtype=np.float32), True)
    assert scores.tolist() == [0, 3, 2, 1, 0]


def test_an_answer_says_where_it_stands(tmp_path: Path) -> None:
    create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
    (hit,) = Searcher(index=Index(tmp_path / "index"), unit="block").search("harbours")
    whole = "red kettle\nred red anchor near the harbour\nmaple"
    assert (hit.page, hit.segment, hit.xpath, hit.page_title) == ("a", 1, "/p[2]", "Title of a")
    assert whole[hit.start : hit.end] == hit.snippet == "red red anchor near the harbour"


def test_many_blocks_go_into_several_shards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pagecut.retrieval.index.BLOCKS_PER_SHARD", 2)
    create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
    index = Index(tmp_path / "index")
    assert [shard.count("page") for shard in index.shards] == [1, 1, 1]
    assert {hit.page for hit in Searcher(index=index).search("kettle")} == {"a", "b"}


@given(st.lists(st.integers(0, 5), max_size=30), st.integers(1, 35))
def test_the_top_is_that_of_sorting_everything(values: list[int], count: int) -> None:
    scores = np.array(values, dtype=np.float32)
    slow = sorted((n for n, value in enumerate(values) if value), key=lambda n: (-values[n], n))
    assert top(scores, count) == slow[:count]


@given(st.text(alphabet=st.characters(codec="ascii"), max_size=60))
def test_the_fast_way_to_terms_gives_the_words_of_the_tokenizer(text: str) -> None:
    expected = [word for word in bare_words(text.lower()) if len(word) <= 64]
    assert extract_terms(text) == expected


@pytest.mark.parametrize(
    ("word", "expected"),
    [pair.split() for pair in "libraries library,files file,bus bus,class class".split(",")]
    + [pair.split() for pair in "shoes shoes,zombies zomby,is is,as as,names name".split(",")],
)
def test_plural_endings_are_taken_off(word: str, expected: str) -> None:
    assert singular(word) == expected


def test_terms_of_other_scripts_are_kept() -> None:
    assert extract_terms("Größe, STRASSE; 東京", "s") == ["grösse", "strasse", "東", "京"]
    assert extract_terms("ＮＨＫ１ ﾃﾚﾋﾞ Cafe\u0301 İstanbul") == [
        *("nhk1", "テ", "レ", "ビ"),
        *("café", "istanbul"),
    ]


@pytest.mark.parametrize("accents", ["\u0315\u0300", "\u0315\uff9e"])
def test_a_letter_with_many_accents_takes_linear_time(accents: str) -> None:
    assert extract_terms(f"tea{accents * 2**19} pot")[-1] == "pot"


@given(st.lists(st.text(max_size=8), max_size=5))
def test_strings_come_back_from_disk(
    tmp_path_factory: pytest.TempPathFactory, values: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("strings")
    write_strings(folder, "x", values)
    assert list(Strings(folder, "x")) == values


def test_the_papers_weights_have_a_spec() -> None:
    assert weighting("bm25(k1=1.2, b=0.75, k3=1000.0, idf='robertson')") == BM2500
    with pytest.raises(SpecError, match="b must lie"):
        weighting("bm25(b=2.0)")


def test_an_index_keeps_its_weights_when_the_defaults_change(tmp_path: Path) -> None:
    create_index(tmp_path / "index", PAGES[:1], made_by=MADE_BY)
    stored = json.loads((tmp_path / "index/index.json").read_text())["weights"]
    assert all(f"{each.name}=" in stored for each in fields(Bm25))
    assert weighting(stored) == Bm25()
    assert weighting(BM2500.full_spec) == BM2500


class TestErrors:
    def test_no_folder(self, tmp_path: Path) -> None:
        with pytest.raises(
            FormatError, match=r"nowhere: not an index, no such folder; `pagecut index"
        ):
            Index(tmp_path / "nowhere")

    def test_a_folder_of_something_else(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match=r"a folder without index\.json"):
            Index(tmp_path)

    def test_a_file(self, tmp_path: Path) -> None:
        (tmp_path / "file").write_text("")
        with pytest.raises(FormatError, match="not an index: a file"):
            Index(tmp_path / "file")

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": "other"}', "\0"])
    def test_a_description_of_something_else(self, tmp_path: Path, text: str) -> None:
        (tmp_path / "index.json").write_text(text)
        with pytest.raises(FormatError, match="not an index of pagecut"):
            Index(tmp_path)

    def test_another_version(self, tmp_path: Path) -> None:
        create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
        path = tmp_path / "index/index.json"
        values = json.loads(path.read_text()) | {"version": 99}
        path.write_text(json.dumps(values))
        with pytest.raises(FormatError, match="another version"):
            Index(tmp_path / "index")

    def test_a_damaged_shard(self, tmp_path: Path) -> None:
        create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
        (tmp_path / "index/shard-0001/terms.npy").write_bytes(b"")
        with pytest.raises(FormatError, match="damaged"):
            Index(tmp_path / "index")

    def test_an_index_in_the_way(self, tmp_path: Path) -> None:
        create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
        with pytest.raises(FormatError, match="exists already"):
            create_index(tmp_path / "index", PAGES, made_by=MADE_BY)

    def test_the_same_page_twice(self, tmp_path: Path) -> None:
        create_index(tmp_path / "index", PAGES, made_by=MADE_BY)
        with pytest.raises(FormatError, match="page b is in the index already"):
            add_pages(tmp_path / "index", PAGES[1:], made_by=MADE_BY)
        assert Index(tmp_path / "index").count("page") == 3

    def test_blocks_of_another_method(self, tmp_path: Path) -> None:
        create_index(tmp_path / "index", PAGES[:1], made_by=MADE_BY)
        with pytest.raises(FormatError, match="blocks are by test, and these by other"):
            add_pages(tmp_path / "index", PAGES[1:], made_by="other")

    def test_nothing_to_index(self, tmp_path: Path) -> None:
        with pytest.raises(FormatError, match="no page has any text"):
            create_index(tmp_path / "index", [page("empty")], made_by=MADE_BY)
        assert not (tmp_path / "index").exists()
