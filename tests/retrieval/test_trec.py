"""TREC's formats, and the measures through ir_measures."""

from __future__ import annotations

from io import StringIO
from pathlib import Path

import pytest

from pagecut.errors import FormatError, SpecError
from pagecut.retrieval.trec import (
    read_judgements,
    read_run,
    read_topics,
    run_lines,
    score_run,
    write_judgements,
    write_topics,
)


def test_topics_come_back(tmp_path: Path) -> None:
    topics = {"501": "deduction and induction in English?", "t2": "two"}
    file = StringIO()
    write_topics(topics, file)
    (tmp_path / "topics").write_text(file.getvalue())
    assert read_topics(tmp_path / "topics") == topics


def test_topics_as_trec_writes_them(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text(
        "<top>\n\n<num> Number: 501\n<title> deduction and\n induction\n\n<desc> Description:\n"
        "What is it?\n\n<narr> Narrative:\nA text.\n\n</top>\n"
    )
    assert read_topics(tmp_path / "topics") == {"501": "deduction and induction"}


def test_topics_as_lines(tmp_path: Path) -> None:
    (tmp_path / "topics").write_text("1\tred kettle\n\n2\tanchor\n")
    assert read_topics(tmp_path / "topics") == {"1": "red kettle", "2": "anchor"}


def test_judgements_come_back(tmp_path: Path) -> None:
    judgements = {"1": {"a": 1, "b": 0}, "2": {"c": 2}}
    file = StringIO()
    write_judgements(judgements, file)
    (tmp_path / "qrels").write_text(file.getvalue())
    assert file.getvalue().startswith("1 0 a 1\n")
    assert read_judgements(tmp_path / "qrels") == judgements


def test_runs_come_back(tmp_path: Path) -> None:
    lines = list(run_lines("1", [("a b", 2.5), ("c", 1.0)], "tag"))
    assert lines == ["1 Q0 a%20b 1 2.500000 tag\n", "1 Q0 c 2 1.000000 tag\n"]
    (tmp_path / "run").write_text("".join(lines))
    assert read_run(tmp_path / "run") == {"1": {"a%20b": 2.5, "c": 1.0}}


@pytest.mark.parametrize(
    ("read", "text", "message"),
    [
        (read_topics, "", "no topic"),
        (read_topics, "no tab here\n", "line 1: needs an id"),
        (read_topics, "<top><num> 1</top>", "topic 1 needs"),
        (read_judgements, "1 0 a\n", "line 1: needs topic"),
        (read_judgements, "1 0 a 1\n1 0 b x\n", "line 2: needs topic"),
        (read_run, "1 Q0 a 1 high tag\n", "line 1: needs topic"),
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
