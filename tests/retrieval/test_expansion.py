"""Expanded queries, against numbers worked by hand and the formulas written out."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import pytest
from block_pages import MADE_BY, page
from hypothesis import given
from hypothesis import strategies as st

from pagecut.errors import SpecError
from pagecut.retrieval.expansion import Bo1, Okapi, Rm3, Sample, expansion, offer_weights
from pagecut.retrieval.index import Index, create_index
from pagecut.retrieval.search import Searcher

# Two of the four texts of a collection are the sample; "the" is in 300 of 1,000 pages.
WITH = {"kettle": 2, "tin": 1, "red": 3, "the": 4}
PAGES = {"kettle": 2, "tin": 1, "red": 3, "the": 300}
TIMES = {"kettle": 4, "tin": 1, "red": 5, "the": 9}
TEXTS = (
    Counter({"red": 1, "kettle": 2, "the": 3}),
    Counter({"kettle": 1, "tin": 1, "the": 2}),
)
SAMPLE = Sample(
    texts=TEXTS,
    scores=(3.0, 1.0),
    count=4,
    texts_with=WITH.__getitem__,
    pages=1000,
    pages_with=PAGES.__getitem__,
    occurrences=TIMES.__getitem__,
)


def test_frequent_terms_are_no_candidates() -> None:
    assert SAMPLE.candidates() == ["kettle", "red", "tin"]


def test_offer_weights_by_hand() -> None:
    """N = 4, R = 2; kettle: n = 2, r = 2; red: n = 3, r = 1; tin: n = 1, r = 1."""
    assert offer_weights(SAMPLE) == pytest.approx(
        {
            "kettle": 2 * math.log(2.5 * 2.5 / (0.5 * 0.5)),
            "red": math.log(1.5 * 0.5 / (2.5 * 1.5)),
            "tin": math.log(1.5 * 2.5 / (0.5 * 1.5)),
        }
    )


def test_okapi_doubles_the_query_and_weighs_new_terms_by_rank() -> None:
    query = Okapi(terms=2).expand({"red": 1}, SAMPLE)
    assert query == {"red": 2.0, "kettle": 1.0, "tin": 0.5}
    assert Okapi(terms=1).expand({"red": 2}, SAMPLE) == {"red": 4.0, "kettle": 1.0}


def test_rm3_by_hand() -> None:
    """kettle: 3 * 2/6 + 1 * 1/4 = 1.25; red: 3 * 1/6 = 0.5; tin: 1/4 = 0.25; sum of two: 1.75."""
    query = Rm3(terms=2, original=0.6).expand({"red": 3, "tin": 1}, SAMPLE)
    assert query == pytest.approx(
        {"red": 0.6 * 0.75 + 0.4 * 0.5 / 1.75, "tin": 0.6 * 0.25, "kettle": 0.4 * 1.25 / 1.75}
    )
    assert sum(query.values()) == pytest.approx(1)


def test_bo1_by_hand() -> None:
    """Means over 4 texts: kettle 1, red 1.25, tin 0.25; together 3, 1 and 1 times."""
    kettle = 3 * math.log2(2) + math.log2(2)
    red = math.log2(2.25 / 1.25) + math.log2(2.25)
    tin = math.log2(1.25 / 0.25) + math.log2(1.25)
    assert tin > red
    query = Bo1(terms=2).expand({"red": 1, "kettle": 2}, SAMPLE)
    assert query == pytest.approx({"red": 0.5, "kettle": 1 + 1.0, "tin": tin / kettle})


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdef"), st.integers(1, 4), min_size=1), min_size=1),
    st.sampled_from(["okapi(terms=3)", "rm3(terms=3)", "bo1(terms=3)"]),
)
def test_the_old_terms_stay_and_few_are_added(texts: list[dict[str, int]], spec: str) -> None:
    doubled = [Counter({2 * term: n for term, n in text.items()}) for text in texts]
    everywhere = sum(doubled, Counter())
    sample = Sample(
        texts=doubled,
        scores=[1.0] * len(doubled),
        count=len(doubled) + 3,
        texts_with=lambda term: sum(term in text for text in doubled),
        pages=len(doubled) + 3,
        pages_with=lambda _term: 1,
        occurrences=everywhere.__getitem__,
    )
    query = expansion(spec).expand({"aa": 1, "zz": 1}, sample)
    assert {"aa", "zz"} <= set(query)
    assert len(query) <= 5
    assert all(weight > 0 for weight in query.values())


@pytest.mark.parametrize(
    "spec",
    [
        "okapi(terms=0)",
        "rm3(original=2.0)",
        "bo1(texts=0)",
        "okapi(source='word')",
        "okapi(page_weight=-1.0)",
        "rm4",
    ],
)
def test_wrong_specs_are_refused(spec: str) -> None:
    with pytest.raises(SpecError):
        expansion(spec)


@pytest.mark.parametrize("spec", ["okapi", "rm3(terms=20)", "bo1(source='page', texts=9)"])
def test_specs_print_as_they_are_read(spec: str) -> None:
    assert str(expansion(spec)) == spec


class TestBlocksAgainstPages:
    """The topic is ferries; the pages that say so also sell shoes."""

    pages = (
        page("one", "ferry to the harbour with a gangway", "shoes boots sandals at half the price"),
        page("two", "the ferry lowers its gangway", "shoes boots sandals at half the price"),
        page("three", "a gangway is a bridge to a ship", "garden news"),
        page("four", "shoes boots sandals and nothing else"),
        *(page(f"other {n}", f"filler number {n} about something else") for n in range(20)),
    )

    @pytest.fixture
    def index(self, tmp_path: Path) -> Index:
        pytest.importorskip("bm25s")
        create_index(tmp_path / "index", self.pages, made_by=MADE_BY)
        return Index(tmp_path / "index")

    def test_new_terms_come_from_the_blocks_that_match(self, index: Index) -> None:
        query = Searcher(index=index, expand=Okapi(terms=5, page_weight=0.0)).query("ferry")
        assert "gangway" in query
        assert "sandal" not in query

    def test_whole_pages_bring_their_noise(self, index: Index) -> None:
        query = Searcher(index=index, expand=Okapi(terms=9, source="page")).query("ferry")
        assert "sandal" in query

    def test_the_second_round_finds_pages_without_the_old_term(self, index: Index) -> None:
        def names(searcher: Searcher) -> list[str]:
            return [hit.page for hit in searcher.search("ferry", 3)]

        assert names(Searcher(index=index)) == ["two", "one"]
        assert names(Searcher(index=index, expand=Okapi(terms=2)))[2] == "three"

    def test_only_blocks_of_the_best_pages_are_asked(self, index: Index) -> None:
        query = Searcher(index=index, expand=Okapi(terms=9, pages=1)).query("ferry")
        assert "lower" in query
        assert "harbour" not in query

    def test_a_good_page_can_count_more_than_a_good_block(self, index: Index) -> None:
        method = Okapi(terms=9, texts=1, page_weight=100.0)
        best_page = Searcher(index=index).search("ferry price harbour", 1)[0].page
        assert best_page == "one"
        query = Searcher(index=index, expand=method).query("ferry price harbour")
        assert "lower" not in query

    def test_a_term_of_more_blocks_than_pages_is_offered_first(self, index: Index) -> None:
        """Of the pages, which are counted where blocks are cut when searched, one has "harbour"."""
        words = "ferry harbour", "ferry harbour gangway", "ferry to a ship"
        blocks = [Counter(each.split()) for each in words]
        method = Okapi(terms=3, texts=20, page_weight=0.0)
        searcher = Searcher(
            index=index, expand=method, cut=lambda name: blocks if name == "one" else []
        )
        assert list(searcher.query("ferry"))[:2] == ["ferry", "harbour"]

    @pytest.mark.parametrize("spec", ["okapi", "rm3", "bo1"])
    def test_what_no_page_of_the_index_has_is_not_added(self, index: Index, spec: str) -> None:
        blocks = [Counter(("ferry", "harbour", "zeppelin"))]
        query = Searcher(index=index, expand=expansion(spec), cut=lambda _: blocks).query("ferry")
        assert "harbour" in query
        assert "zeppelin" not in query

    @pytest.mark.parametrize("spec", ["okapi", "rm3", "bo1"])
    def test_unknown_words_find_nothing(self, index: Index, spec: str) -> None:
        assert Searcher(index=index, expand=expansion(spec)).search("zeppelin") == []
