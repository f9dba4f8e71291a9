"""TREC's formats, and the measures through ir_measures."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest
from peak_memory import peak_memory

from pagecut.errors import FormatError, SpecError
from pagecut.retrieval.trec import (
    parse_run,
    read_documents,
    read_judgements,
    read_topics,
    run_lines,
    score_run,
)


def test_topics_as_trec_writes_them(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text(
        "<top>\n\n<num> Number: 501\n<title> deduction and\n induction\n\n<desc> Description:\n"
        "What is it?\n\n<narr> Narrative:\nA text.\n\n</top>\n"
    )
    assert read_topics(tmp_path / "topics") == {"501": "deduction and induction"}


def test_a_title_may_have_a_smaller_sign(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text(
        "<top>\n<num> Number: 1\n<title> is a < b or vector<int>\n<desc> D:\nx\n</top>\n"
        "<top><num> 2 <title>one line<desc>D</top>\n<top><num>3</num><title>closed</title></top>"
    )
    assert read_topics(tmp_path / "topics") == {
        "1": "is a < b or vector<int>",
        "2": "one line",
        "3": "closed",
    }


def test_topics_of_old_collections(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text(
        "<DOC>\n<DOCNO> 1 </DOCNO>\n What articles exist\n on TSS?\n</DOC>\n"
        "<DOC><DOCNO>2</DOCNO>Papers by Prieve</DOC>"
    )
    assert read_topics(tmp_path / "topics") == {
        "1": "What articles exist on TSS?",
        "2": "Papers by Prieve",
    }


@pytest.mark.parametrize("text", ["1\ta\n1\tb\n", "<top><num>1<title>a</top>" * 2])
def test_an_id_stands_for_one_topic(tmp_path: Path, text: str) -> None:
    (tmp_path / "topics").write_text(text)
    with pytest.raises(FormatError, match="two topics have the id 1"):
        read_topics(tmp_path / "topics")


DOCUMENTS = b"""<DOC>
<DOCNO>WTX001-B01-1</DOCNO>
<DOCOLDNO>IA001-1</DOCOLDNO>
<DOCHDR>
http://a.example:80/x.html 1.2.3.4 19970101 text/html 42
HTTP/1.0 200 OK
Content-type: text/html
</DOCHDR>
<html><body><p>Caf\xe9 one</p></body></html>
</DOC>

<doc><docno> G2 </docno><p>two <b>DOC</b></p></doc>
"""


@pytest.mark.parametrize("packed", [True, False])
def test_web_documents(tmp_path: Path, packed: bool) -> None:
    path = tmp_path / "B01"
    path.write_bytes(gzip.compress(DOCUMENTS, mtime=0) if packed else DOCUMENTS)
    one, two = read_documents(path)
    assert (one.name, one.url) == ("WTX001-B01-1", "http://a.example:80/x.html")
    assert one.html.strip() == b"<html><body><p>Caf\xe9 one</p></body></html>"
    assert (two.name, two.url, two.html) == ("G2", None, b"<p>two <b>DOC</b></p>")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"<html>", "begin with <DOC>"),
        (b"\n", "has no documents"),
        (b"<DOC>\n<p>a\n</DOC>\n", "document 1 has no <DOCNO>"),
        (b"<DOC>\n<DOCNO>1</DOCNO>\n", "document 1 has no </DOC>"),
        (gzip.compress(DOCUMENTS, mtime=0)[:60], "cannot be read"),
    ],
)
def test_files_that_are_no_web_documents_are_named(
    tmp_path: Path, text: bytes, message: str
) -> None:
    path = tmp_path / "B01"
    path.write_bytes(text)
    with pytest.raises(FormatError, match=message) as error:
        list(read_documents(path))
    assert str(path) in str(error.value)


def test_a_document_without_end_is_refused_on_the_way(tmp_path: Path) -> None:
    path = tmp_path / "B01.gz"
    head = gzip.compress(b"<DOC>\n<DOCNO>A</DOCNO>\n")
    path.write_bytes(head + gzip.compress(b"word " * 2**20) * 60)
    with peak_memory() as peak, pytest.raises(FormatError, match="more than 64 MiB"):
        list(read_documents(path))
    assert peak() < 240 * 2**20


@pytest.mark.parametrize(
    "page",
    [b"<DOCHDR>", b"<DOCNO>", b"<DOCNO>2</DOCNO>", b"<DOCNO> ", b"<DOCHDR></DOCHDR>", b" \n"],
)
def test_a_hostile_document_is_read_in_linear_time(tmp_path: Path, page: bytes) -> None:
    path = tmp_path / "B01"
    many = page * (4 * 2**20 // len(page))
    path.write_bytes(b"<DOC>\n<DOCNO>1</DOCNO>\n" + many + b"x</DOC>\n")
    (found,) = read_documents(path)
    assert (found.name, found.html[-1:]) == ("1", b"x")


@pytest.mark.parametrize(
    "text",
    [
        "<top>" * 2**19,
        "<top><num>1<title>a" + " " * 2**21 + "b</top>",
        "<top><num>" + " " * 2**21 + "<title>a</top>",
        "<DOC><DOCNO>1" * 2**18,
    ],
    ids=["unclosed", "title", "number", "documents"],
)
def test_hostile_topics_are_read_in_linear_time(tmp_path: Path, text: str) -> None:
    path = tmp_path / "topics"
    path.write_text(text)
    if "title>a " in text:
        assert read_topics(path) == {"1": "a b"}
    else:
        with pytest.raises(FormatError):
            read_topics(path)


def test_topics_as_lines(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text("1\tred kettle\n\n2\tanchor\n")
    assert read_topics(tmp_path / "topics") == {"1": "red kettle", "2": "anchor"}


def test_judgements_by_topic(tmp_path: Path) -> None:
    (tmp_path / "qrels").write_text("1 0 a 1\n1 0 b 0\n\n2 0 c 2\n")
    assert read_judgements(tmp_path / "qrels") == {"1": {"a": 1, "b": 0}, "2": {"c": 2}}


def test_runs_come_back() -> None:
    lines = list(run_lines("1", [("a b", 2.5), ("c", 1.0)], "tag"))
    assert lines == ["1 Q0 a%20b 1 2.500000 tag\n", "1 Q0 c 2 1.000000 tag\n"]
    assert parse_run(lines, "run") == {"1": {"a%20b": 2.5, "c": 1.0}}
    with pytest.raises(FormatError, match="run, line 1: needs topic"):
        parse_run(["1 Q0 a 1 high tag"], "run")


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_topics, "", "no topic"),
        (read_topics, "no tab here\n", "line 1: needs an id"),
        (read_topics, "<top><num> 1</top>", "topic 1 needs"),
        (read_judgements, "1 0 a\n", "line 1: needs topic"),
        (read_judgements, "1 0 a 1\n1 0 b x\n", "line 2: needs topic"),
    ],
)
def test_wrong_files_are_named(tmp_path: Path, read, text: str, message: str) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "file"
    path.write_text(text)
    with pytest.raises(FormatError, match=message) as error:
        read(path)
    assert str(path) in str(error.value)
    with pytest.raises(FormatError, match="No such file"):
        read(tmp_path / "missing")


def test_scores_by_hand() -> None:
    """Relevant pages at ranks 1 and 3: AP = (1/1 + 2/3) / 2; a topic without answers has 0."""
    pytest.importorskip("ir_measures")
    judgements = {"1": {"a": 1, "c": 1}, "2": {"d": 1}}
    scores = score_run(judgements, {"1": {"a": 3.0, "b": 2.0, "c": 1.0}})
    assert scores["AP"] == pytest.approx({"1": (1 + 2 / 3) / 2, "2": 0.0})
    assert scores["P@10"] == pytest.approx({"1": 0.2, "2": 0.0})
    assert scores["R@1000"] == pytest.approx({"1": 1.0, "2": 0.0})
    best = 1 + 1 / 1.584962500721156
    assert scores["nDCG@10"] == pytest.approx({"1": 1.5 / best, "2": 0.0})


def test_an_unknown_measure_is_named() -> None:
    pytest.importorskip("ir_measures")
    with pytest.raises(SpecError, match="'Magic'"):
        score_run({"1": {"a": 1}}, {}, ["Magic"])
