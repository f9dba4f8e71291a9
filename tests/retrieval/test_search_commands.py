"""Pages, tables and topics through `pagecut index` and `pagecut search`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from peak_memory import peak_memory

from pagecut import parse_html, segment
from pagecut.cli import main
from pagecut.errors import FormatError
from pagecut.page.text.readable_text import readable
from pagecut.results import run_tables
from pagecut.results.segmentation import Segmentation
from pagecut.retrieval.blocks import OUTSIDE, page_blocks, read_corpus_output, segmented_by
from pagecut.retrieval.search import find_snippet

pytest.importorskip("bm25s")
EXAMPLES = Path(__file__).parents[2] / "examples"


def pagecut(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(each) for each in arguments])


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cli") / "index"
    done = pagecut("index", *sorted(EXAMPLES.glob("*.html")), "-o", folder)
    assert done.exit_code == 0, done.output
    assert "7 pages, 0 of them without text" in done.stderr
    return folder


def hits(*arguments: object) -> list[dict[str, object]]:
    done = pagecut("search", *arguments)
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("unit", ["page", "block"])
def test_an_answer_points_into_its_page(index: Path, unit: str) -> None:
    found = hits(index, "rope bridge", "--unit", unit)
    assert [row["rank"] for row in found] == list(range(1, len(found) + 1))
    scores = [row["score"] for row in found]
    assert scores == sorted(scores, reverse=True)
    for row in found:
        page = parse_html(Path(str(row["page"])).read_bytes())
        text = page.text[row["char_start"] : row["char_end"]]
        assert " ".join(readable(text).split()) == row["snippet"]
        assert "bridge" in text.lower() or "rope" in text.lower()
        first = next(node.row for node in page if node.xpath == row["xpath"])
        assert page.nodes.start[first] <= row["char_start"]
        blocks = segment(page, "block-fusion-rules")
        assert blocks.labels_at(np.array([row["char_start"]])).tolist() == [row["segment"]]


@pytest.mark.parametrize("spec", ["okapi", "rm3", "bo1(source='page')"])
def test_expanded_queries_find_more(index: Path, spec: str) -> None:
    (query,) = hits(index, "rope bridge", "--expand", spec, "--show-query")
    assert {"rope", "bridge"} < set(query)
    plain = hits(index, "rope bridge", "--count", "50")
    assert len(hits(index, "rope bridge", "--count", "50", "--expand", spec)) >= len(plain)


def test_an_expansion_need_not_be_named(index: Path) -> None:
    named = hits(index, "rope bridge", "--expand", "okapi", "--show-query")
    assert hits(index, "rope bridge", "--expand", "--show-query") == named
    assert hits(index, "rope bridge", "--show-query", "--expand") == named


@pytest.mark.parametrize("way", ["page", "best", "sum", "combined"])
def test_every_page_score_ranks(index: Path, way: str) -> None:
    assert hits(index, "rope bridge", "--score", way)


def test_answers_to_read(index: Path) -> None:
    done = pagecut("search", index, "rope bridge", "--table", "--count", "1")
    assert done.stdout.startswith("1. ")
    assert len(done.stdout.splitlines()) == 3


def test_topics_give_a_run(index: Path, tmp_path: Path) -> None:
    (tmp_path / "topics").write_text("1\trope bridge\n2\torchard\n")
    done = pagecut("search", index, "--topics", tmp_path / "topics", "--count", "2")
    lines = [line.split() for line in done.stdout.splitlines()]
    assert {line[0] for line in lines} == {"1", "2"}
    assert all(len(line) == 6 and line[1] == "Q0" for line in lines)


@pytest.fixture(scope="module")
def web(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with web documents, topics and judgements, and an index of whole pages."""
    folder = tmp_path_factory.mktemp("web")
    (folder / "documents").mkdir()
    texts = {
        "D1": "<h1>Rope bridges</h1><p>Old rope bridges of the Andes and their keepers.",
        "D2": "<h1>Kettles</h1><p>The red kettle.<p>See rope bridges.",
        "D3": "<h1>Orchards</h1><p>The apples and the pears of the orchard.",
    }
    (folder / "documents/B01.gz").write_bytes(
        gzip.compress(
            "".join(
                f"<DOC>\n<DOCNO>{name}</DOCNO>\n<DOCHDR>\nhttp://{name}.example/\n</DOCHDR>\n"
                f"{html}\n</DOC>\n"
                for name, html in texts.items()
            ).encode()
        )
    )
    (folder / "topics").write_text("1\trope bridges\n2\t???\n3\twhere is the orchard\n4\tkettle\n")
    (folder / "qrels").write_text("1 0 D1 1\n2 0 D2 1\n3 0 D3 1\n")
    arguments = ("--trec", folder / "documents", "-o", folder / "index", "--with", "whole-page")
    done = pagecut("index", *arguments)
    assert done.exit_code == 0, done.output
    assert "3 pages" in done.stderr
    return folder


def test_web_documents_are_known_by_their_numbers_and_scored_at_once(web: Path) -> None:
    arguments = ("search", web / "index", "--topics", web / "topics")
    done = pagecut(*arguments, "--qrels", web / "qrels", "--run", web / "run")
    assert done.exit_code == 0, done.output
    rows = {row["measure"]: row for row in map(json.loads, done.stdout.splitlines())}
    assert rows["AP"] == {"measure": "AP", "mean": pytest.approx(2 / 3, abs=1e-4), "topics": 3}
    assert "topic 2: the query '???' has no words; it finds nothing" in done.stderr
    assert "1 of 4 topics have no judgements" in done.stderr
    assert (web / "run").read_text() == pagecut(*arguments).stdout
    one = pagecut(*arguments, "--qrels", web / "qrels", "--measure", "P@10")
    assert [json.loads(line)["measure"] for line in one.stdout.splitlines()] == ["P@10"]


def test_stop_words_of_a_query_are_left_out(web: Path) -> None:
    query = (web / "index", "where is the orchard", "--show-query")
    assert "the" in hits(*query)[0]
    assert list(hits(*query, "--stop-words")[0]) == ["orchard"]
    assert "the" in hits(web / "index", "the", "--show-query", "--stop-words")[0]


def test_the_first_pages_are_cut_when_a_query_is_searched(web: Path) -> None:
    common = (web / "index", "rope bridges", "--show-query", "--expand", "okapi(texts=1)")
    (whole,) = hits(*common)
    (cut,) = hits(*common, "--cut", "tag-gap", "--documents", web / "documents")
    assert "keeper" in whole
    assert "keeper" not in cut  # the best block is a headline or a hint, not the page
    assert {"rope", "bridge"} <= set(cut)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["x", "--qrels", "q"], "--qrels judges pages found for --topics"),
        (["x", "--measure", "AP"], "go with --qrels"),
        (["x", "--cut", "tag-gap"], "--cut goes with --expand"),
        (["x", "--documents", "d"], "--documents goes with --cut"),
    ],
)
def test_options_that_need_others(web: Path, options: list[str], message: str) -> None:
    done = pagecut("search", web / "index", *options)
    assert done.exit_code == 2
    assert message in done.stderr


def test_pages_may_be_called_by_their_files(tmp_path: Path) -> None:
    for names, called in (("file", "news.html"), ("stem", "news")):
        folder = tmp_path / names
        done = pagecut("index", EXAMPLES / "news.html", "-o", folder, "--names", names)
        assert done.exit_code == 0, done.output
        assert hits(folder, "the")[0]["page"] == called


def test_pages_are_added_and_shards_made_one(tmp_path: Path) -> None:
    folder = tmp_path / "index"
    done = pagecut("index", EXAMPLES / "news.html", "-o", folder, "--with", "just-rules")
    assert done.exit_code == 0, done.output
    done = pagecut("index", EXAMPLES / "forum.html", "-o", folder, "--add")
    assert done.exit_code == 0, done.output
    assert len(json.loads((folder / "index.json").read_text())["shards"]) == 2
    before = {row["page"] for row in hits(folder, "the")}
    assert pagecut("index", "-o", folder, "--rebuild").exit_code == 0
    described = json.loads((folder / "index.json").read_text())
    assert len(described["shards"]) == 1
    assert described["made_by"] == "just-rules"
    assert {row["page"] for row in hits(folder, "the")} == before
    done = pagecut("index", EXAMPLES / "news.html", "-o", folder, "--add")
    assert done.exit_code == 1
    assert "in the index already" in done.stderr


def test_a_page_that_fails_is_named_and_the_others_are_indexed(tmp_path: Path) -> None:
    done = pagecut("index", EXAMPLES / "news.html", tmp_path / "no.html", "-o", tmp_path / "index")
    assert done.exit_code == 1
    assert "no.html: no such file" in done.stderr
    assert hits(tmp_path / "index", "the")


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["search", "missing", "query"], 1, "missing: not an index, no such folder"),
        (["search", ".", "query"], 1, "a folder without index.json"),
        (["search", "INDEX", "..."], 1, "has no words"),
        (["search", "INDEX"], 2, "give a query"),
        (["search", "INDEX", "query", "--expand", "rm4"], 1, "no expansion 'rm4'"),
        (["index", "-o", "x"], 2, "name the pages"),
        (["index", "-o", "x", "--rebuild"], 1, "not an index, no such folder"),
        (["index", "a.html", "-o", "INDEX"], 1, "exists already"),
        (["index", "a.html", "-o", "x", "--weights", "bm26"], 1, "no weighting 'bm26'"),
        (["index", "a.html", "-o", "INDEX", "--add", "--stemming", "s"], 2, "for a new index"),
        (["index", "a.html", "-o", "INDEX", "--add", "--with", "tag-gap"], 1, "its blocks are by"),
    ],
)
def test_mistakes_are_said_in_one_line(
    index: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    code: int,
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_text("<p>text</p>")
    done = pagecut(*(str(index) if each == "INDEX" else each for each in arguments))
    assert done.exit_code == code
    assert message in done.stderr
    assert "Traceback" not in done.output


class TestTables:
    """What a corpus run writes, by the names of its columns."""

    @pytest.fixture
    def folder(self, tmp_path: Path) -> Path:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import parquet

        folder = tmp_path / "run"
        pages = [
            {"record_id": "r1", "url": "http://a.example/", "page_title": "A", "error": None},
            {"record_id": "r2", "url": None, "page_title": None, "error": "broken"},
            {"record_id": "r3", "url": "http://c.example/", "page_title": "C", "error": None},
        ]
        segments = [
            ("r1", "vips", 0, None, "/html[1]", [[0, 25]], "red kettle\nanchor of tin"),
            ("r1", "vips", 1, 0, "/html[1]/p[1]", [[0, 10]], "red kettle"),
            ("r1", "vips", 2, 0, "/html[1]/p[2]", [[12, 25]], "anchor of tin"),
            ("r1", "tag-gap", 0, None, "/html[1]", [[0, 25]], "red kettle\nanchor of tin"),
            ("r3", "vips", 0, None, "/html[1]/p[1]", [[0, 12]], "maple syrup"),
            ("r3", "tag-gap", 0, None, "/html[1]/p[1]", [[0, 12]], "maple syrup"),
        ]
        names = "record_id made_by segment parent xpath spans text".split()
        rows = [dict(zip(names, row, strict=True)) for row in segments]
        for name, table in ("pages", pages), ("segments", rows):
            (folder / name).mkdir(parents=True)
            parquet.write_table(pyarrow.Table.from_pylist(table), folder / name / "part.parquet")
        return folder

    def test_the_leaves_are_the_blocks(self, folder: Path) -> None:
        one, three = read_corpus_output(folder, "vips")
        assert (one.name, one.url, one.title) == ("r1", "http://a.example/", "A")
        assert [block.text for block in one.blocks] == ["red kettle", "anchor of tin"]
        assert [block.segment for block in one.blocks] == [1, 2]
        assert three.name == "r3"

    def test_they_are_indexed_and_found(self, folder: Path, tmp_path: Path) -> None:
        done = pagecut("index", folder, "-o", tmp_path / "index", "--with", "vips")
        assert done.exit_code == 0, done.output
        (row,) = hits(tmp_path / "index", "anchor", "--unit", "block")
        assert (row["page"], row["url"]) == ("r1", "http://a.example/")
        assert (row["segment"], row["xpath"]) == (2, "/html[1]/p[2]")
        assert (row["char_start"], row["char_end"], row["snippet"]) == (12, 25, "anchor of tin")
        (row,) = hits(tmp_path / "index", "syrup")
        assert (row["char_start"], row["char_end"]) == (
            0,
            12,
        )  # the text is not as long as its range

    def test_a_missing_column_is_named(self, folder: Path, tmp_path: Path) -> None:
        import pyarrow
        from pyarrow import parquet

        path = folder / "segments/part.parquet"
        parquet.write_table(pyarrow.Table.from_pylist([{"record_id": "r1"}]), path)
        done = pagecut("index", folder, "-o", tmp_path / "index")
        assert done.exit_code == 1
        assert f"{path}: has no column made_by" in done.stderr
        path.write_bytes(b"no table")
        assert "not a readable Parquet" in pagecut("index", folder, "-o", tmp_path / "new").stderr

    def test_one_of_several_methods_must_be_chosen(self, folder: Path, tmp_path: Path) -> None:
        done = pagecut("index", folder, "-o", tmp_path / "index")
        assert done.exit_code == 1
        assert "several methods; choose --with one of tag-gap, vips" in done.stderr
        done = pagecut("index", folder, "-o", tmp_path / "index", "--with", "just-rules")
        assert "no segments by just-rules; choose" in done.stderr

    @pytest.mark.parametrize("file_format", ["parquet", "jsonl"])
    def test_what_a_run_writes_is_found_as_in_its_pages(
        self, tmp_path: Path, file_format: str
    ) -> None:
        source = tmp_path / "pages"
        source.mkdir()
        for name in "news.html", "forum.html":
            (source / name).write_bytes((EXAMPLES / name).read_bytes())
        done = pagecut(
            *("run", source, "--output", tmp_path / "run", "--segment", "just-rules"),
            *("--format", file_format),
        )
        assert done.exit_code == 0, done.output
        for sources, name in ([tmp_path / "run"], "a"), ([source, "--with", "just-rules"], "b"):
            done = pagecut("index", *sources, "-o", tmp_path / name)
            assert done.exit_code == 0, done.output
        same = ("rank", "score", "page_title", "segment", "xpath", "snippet")
        for query in "bridge toll", "touring frame":
            found = [
                [[row[field] for field in same] for row in hits(tmp_path / name, query)]
                for name in "ab"
            ]
            assert found[0] == found[1] != []

    @pytest.mark.parametrize(
        ("data", "message"),
        [
            (gzip.compress(b'{"made_by": "vips"}\n', mtime=0), "line 1: has no record_id"),
            (gzip.compress(b"[3]\n", mtime=0), "line 1: has no made_by"),
            (gzip.compress(b"{", mtime=0), "not readable JSON Lines"),
            (gzip.compress(b"{}" * 99, mtime=0)[:20], "not readable JSON Lines"),
            (b"no table", "not readable JSON Lines"),
            (gzip.compress(b"", mtime=0)[:10] + b"\xff" * 20, "not readable JSON Lines"),
            (
                gzip.compress(b"", mtime=0),
                "no segments; `pagecut run` writes them with --segment SPEC",
            ),
        ],
    )
    def test_broken_lines_are_named(self, tmp_path: Path, data: bytes, message: str) -> None:
        path = tmp_path / "run/segments/part.jsonl.gz"
        path.parent.mkdir(parents=True)
        path.write_bytes(data)
        done = pagecut("index", tmp_path / "run", "-o", tmp_path / "index")
        assert done.exit_code == 1
        assert message in done.stderr

    def test_a_line_that_is_too_long_is_refused_on_the_way(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(run_tables, "_LONGEST_LINE", 1_000_000)
        path = tmp_path / "run/segments/part.jsonl.gz"
        path.parent.mkdir(parents=True)
        path.write_bytes(gzip.compress(b" " * 20_000_000))
        message = "line 1: has more than the limit of 1,000,000 characters"
        with peak_memory() as peak, pytest.raises(FormatError, match=message):
            segmented_by(tmp_path / "run", None)
        assert peak() < 8_000_000

    def test_a_run_without_segments_says_what_would_give_them(self, tmp_path: Path) -> None:
        options = ("--segment", "none", "--images", "none", "--text", "text")
        pagecut("run", EXAMPLES / "news.html", "--output", tmp_path / "run", *options)
        done = pagecut("index", tmp_path / "run", "-o", tmp_path / "index")
        assert done.exit_code == 1
        assert "no segments; `pagecut run` writes them with --segment SPEC" in done.stderr

    def test_pages_and_tables_are_not_mixed(self, folder: Path, tmp_path: Path) -> None:
        done = pagecut("index", folder, EXAMPLES / "news.html", "-o", tmp_path / "index")
        assert done.exit_code == 2
        assert "not both" in done.stderr


def test_text_in_no_segment_is_a_block_of_its_own() -> None:
    page = parse_html("<p>first</p><p>second</p><p>third</p>")
    spans = [[0, 5], [13, 18]]
    cut = Segmentation.from_spans(page, spans, [0, -1], made_by="test")
    blocks = page_blocks(cut, "x").blocks
    assert [(block.segment, block.words) for block in blocks] == [
        (OUTSIDE, "second\nthird"),
        (0, "first"),
    ]


def test_glued_elements_are_searched_apart() -> None:
    page = parse_html("<p><a href='/'>Name</a><span>wrote</span></p>")
    (block,) = page_blocks(segment(page), "x").blocks
    assert (block.text, block.words) == ("Namewrote", "Name wrote")


def test_a_snippet_is_the_part_with_most_of_the_query() -> None:
    text = "kettle " * 50 + "red kettle of tin " + "anchor " * 50
    snippet = find_snippet(text, [(100, 100 + len(text))], {"red": 1.0, "kettle": 1.0}, "none", 60)
    assert "red kettle" in snippet.text
    assert len(snippet.text) <= 60
    start, end = snippet.start - 100, snippet.end - 100
    assert " ".join(text[start:end].split()) == snippet.text


def test_a_snippet_of_several_ranges_points_into_the_right_one() -> None:
    page = "zero one ---- two three"
    spans = [(0, 8), (14, 23)]
    text = "\n".join(page[start:end] for start, end in spans)
    snippet = find_snippet(text, spans, {"three": 1.0}, "none", 5)
    assert page[snippet.start : snippet.end] == snippet.text == "three"


def test_a_text_without_words_has_an_empty_snippet() -> None:
    assert find_snippet("…", [(3, 4)], {"a": 1.0}, "none").text == ""
