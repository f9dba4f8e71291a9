"""TREC's formats: topics, judgements (qrels) and runs; and how good a run is, by ir_measures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TextIO

from pagecut.errors import FormatError, MissingExtra, SpecError

Topics = dict[str, str]  # queries by id
Judgements = dict[str, dict[str, int]]  # grades by topic, by page
Run = dict[str, dict[str, float]]  # scores by topic, by page

_TOPIC = re.compile(r"<top>(.*?)</top>", re.IGNORECASE | re.DOTALL)
_NUMBER = re.compile(r"<num>\s*(?:Number:)?\s*([^\s<]+)", re.IGNORECASE)
_TITLE = re.compile(r"<title>\s*(?:Topic:)?\s*(.*?)\s*(?=<|\Z)", re.IGNORECASE | re.DOTALL)
MEASURES: Final = ("AP", "P@10", "nDCG@10", "R@1000")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{path}: cannot be read: {reason}") from error


def read_topics(path: Path) -> Topics:
    """Topics from TREC's <top> elements (number and title) or lines of "id<tab>query"."""
    text = _read(path)
    topics: Topics = {}
    if "<top>" in text.lower():
        for number, body in enumerate(_TOPIC.findall(text), 1):
            name, title = _NUMBER.search(body), _TITLE.search(body)
            if name is None or title is None or not title[1]:
                raise FormatError(f"{path}: topic {number} needs <num> and <title>")
            topics[name[1]] = " ".join(title[1].split())
    else:
        for number, line in enumerate(text.splitlines(), 1):
            name_text, tab, query = line.partition("\t")
            if not line.strip():
                continue
            if not tab or not query.strip():
                raise FormatError(f"{path}, line {number}: needs an id, a tab and a query")
            topics[name_text.strip()] = query.strip()
    if not topics:
        raise FormatError(f"{path}: it has no topics")
    return topics


def write_topics(topics: Mapping[str, str], file: TextIO) -> None:
    """Topics as TREC's <top> elements."""
    for name, query in topics.items():
        file.write(f"<top>\n<num> Number: {name}\n<title> {query}\n</top>\n\n")


def read_judgements(path: Path) -> Judgements:
    """Lines of "topic iteration page grade"."""
    found: Judgements = {}
    for number, line in enumerate(_read(path).splitlines(), 1):
        parts = line.split()
        if not parts:
            continue
        try:
            topic, _, page, grade = parts
            found.setdefault(topic, {})[page] = int(grade)
        except ValueError as error:
            raise FormatError(
                f"{path}, line {number}: needs topic, iteration, page and grade, got {line!r}"
            ) from error
    return found


def write_judgements(judgements: Mapping[str, Mapping[str, int]], file: TextIO) -> None:
    """The lines that `read_judgements` reads."""
    for topic, grades in judgements.items():
        for page, grade in grades.items():
            file.write(f"{topic} 0 {page} {grade}\n")


def read_run(path: Path) -> Run:
    """Lines of "topic Q0 page rank score tag"."""
    run: Run = {}
    for number, line in enumerate(_read(path).splitlines(), 1):
        parts = line.split()
        if not parts:
            continue
        try:
            topic, _, page, _, score, _ = parts
            run.setdefault(topic, {})[page] = float(score)
        except ValueError as error:
            raise FormatError(
                f"{path}, line {number}: needs topic, Q0, page, rank, score and tag, got {line!r}"
            ) from error
    return run


def run_lines(topic: str, ranked: Iterable[tuple[str, float]], tag: str) -> Iterable[str]:
    """The lines of a run for one topic; white space in names becomes %20, as it separates
    fields."""
    for rank, (page, score) in enumerate(ranked, 1):
        yield f"{topic} Q0 {'%20'.join(page.split())} {rank} {score:.6f} {tag}\n"


def score_run(
    judgements: Mapping[str, Mapping[str, int]],
    run: Mapping[str, Mapping[str, float]],
    measures: Sequence[str] = MEASURES,
) -> dict[str, dict[str, float]]:
    """The score of each judged topic, by measure; a topic for which nothing was found has 0.

    Args:
        measures: in the spelling of ir_measures; the mean over topics of AP is MAP.
    """
    try:
        import ir_measures
    except ImportError as error:
        raise MissingExtra("ir_measures", "retrieval") from error
    parsed: dict[str, Any] = {}
    for name in measures:
        try:
            parsed[name] = ir_measures.parse_measure(name)
        except (NameError, ValueError, TypeError, SyntaxError) as error:
            raise SpecError(f"ir_measures has no measure {name!r}") from error
    scores = {name: dict.fromkeys(judgements, 0.0) for name in measures}
    names = {measure: name for name, measure in parsed.items()}
    for found in ir_measures.iter_calc(list(parsed.values()), _plain(judgements), _plain(run)):
        scores[names[found.measure]][found.query_id] = float(found.value)
    return scores


def _plain(table: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    return {topic: dict(rows) for topic, rows in table.items()}
