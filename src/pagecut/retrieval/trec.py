"""TREC's formats: web documents, topics, judgements (qrels) and runs; and how good a run is.

Web documents are those of WT10g and .GOV: files of <DOC> elements, packed or not, with the number
(<DOCNO>), what the crawler noted (<DOCHDR>, the URL first), and then the page as it came.
"""

from __future__ import annotations

import gzip
import re
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

from pagecut.errors import FormatError, SpecError, needed

Topics = dict[str, str]  # queries by id
Judgements = dict[str, dict[str, int]]  # grades by topic, by page
Run = dict[str, dict[str, float]]  # scores by topic, by page

_NUMBER = re.compile(r"<num>\s*(?:Number:\s*)?([^\s<]+)", re.IGNORECASE)
# A title ends where another part of the topic begins: a "<" by itself is part of the query.
_TITLE = re.compile(
    r"<title>\s*(?:Topic:)?(.*?)"
    r"(?=</title>|<(?:num|title|desc|narr|dom|head|smry|con|fac|def)>|^[ \t]*</?[a-z]+>|\Z)",
    re.IGNORECASE | re.DOTALL | re.MULTILINE,
)
# Topics as CACM and other old collections have them.
_NUMBERED = re.compile(r"\s*<DOCNO>\s*([^\s<]+)\s*</DOCNO>", re.IGNORECASE)
_DOCUMENT: Final = b"<DOC>"
_DOCUMENT_NUMBER = re.compile(rb"<DOCNO>\s*([^\s<]+)\s*</DOCNO>", re.IGNORECASE)
_CRAWLED = re.compile(
    rb"\s*<(DOCHDR|DOCOLDNO|DOCNO|DOCID|FILEID|DBLEN|DOCTYPE2?)>.*?</\1>\s*",
    re.IGNORECASE | re.DOTALL,
)
_HEADER = re.compile(rb"<DOCHDR>", re.IGNORECASE)
_HEADER_END = re.compile(rb"</DOCHDR>", re.IGNORECASE)
_URL = re.compile(r"(?:https?|ftp)://\S+", re.IGNORECASE)
_LONGEST_DOCUMENT: Final = 64 * 2**20
MEASURES: Final = ("AP", "P@10", "nDCG@10", "R@1000")


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{path}: cannot be read: {reason}") from error


@dataclass(frozen=True, slots=True, kw_only=True)
class WebDocument:
    """A page of a TREC web collection.

    Args:
        name: its number (DOCNO), by which judgements and runs know it.
        url: None where the crawler noted none.
        html: the page, without what the collection has put around it.
    """

    name: str
    url: str | None
    html: bytes


def read_documents(path: Path) -> Iterator[WebDocument]:
    """The web documents of a file, packed with gzip or not, one at a time."""
    parts: list[bytes] = []
    size, number = 0, 0
    try:
        with path.open("rb") as plain:
            packed = plain.read(2) == b"\x1f\x8b"
        with gzip.open(path) if packed else path.open("rb") as file:
            for line in iter(partial(file.readline, _LONGEST_DOCUMENT + 1), b""):
                starts = line.lstrip()[: len(_DOCUMENT)].upper() == _DOCUMENT
                if starts:
                    parts, size = [], 0
                    number += 1
                if not number:
                    if line.strip():
                        raise FormatError(f"{path}: no TREC documents; they begin with <DOC>")
                    continue
                parts.append(line)
                size += len(line)
                if size > _LONGEST_DOCUMENT:
                    raise FormatError(f"{path}: document {number} has more than 64 MiB")
                if line.rstrip().upper().endswith(b"</DOC>"):
                    yield _document(path, number, b"".join(parts))
                    parts, size = [], 0
    except (OSError, EOFError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or error
        raise FormatError(f"{path}: cannot be read: {reason}") from error
    if not number:
        raise FormatError(f"{path}: it has no documents")
    if b"".join(parts).strip():
        raise FormatError(f"{path}: document {number} has no </DOC>")


def _document(path: Path, number: int, text: bytes) -> WebDocument:
    name = _DOCUMENT_NUMBER.search(text)
    if name is None:
        raise FormatError(f"{path}: document {number} has no <DOCNO>")
    header = _HEADER.search(text)
    ends = _HEADER_END.search(text, header.end()) if header else None
    noted = text[header.end() : ends.start()] if header and ends else b""
    url = _URL.search(noted.decode("latin-1"))
    body = text.strip()[len(_DOCUMENT) : -len(b"</DOC>")]
    begin = 0
    while (around := _CRAWLED.match(body, begin)) is not None:
        begin = around.end()
    html = body[begin:].lstrip()
    return WebDocument(name=name[1].decode("latin-1"), url=url[0] if url else None, html=html)


def read_topics(path: Path) -> Topics:
    """Topics: TREC's <top> elements (number and title), <DOC> elements with a number, or lines.

    A line is "id<tab>query". A title may be empty; such a topic finds nothing.
    """
    text = _read(path)
    topics: Topics = {}
    for name, query in _topics(path, text):
        if name in topics:
            raise FormatError(f"{path}: two topics have the id {name}")
        topics[name] = query
    if not topics:
        raise FormatError(f"{path}: it has no topics")
    return topics


def _topics(path: Path, text: str) -> Iterator[tuple[str, str]]:
    if "<top>" in text.lower():
        for number, body in enumerate(_elements(text, "top"), 1):
            name, title = _NUMBER.search(body), _TITLE.search(body)
            if name is None or title is None:
                raise FormatError(f"{path}: topic {number} needs <num> and <title>")
            yield name[1], " ".join(title[1].split())
    elif "<docno>" in text.lower():
        for body in _elements(text, "DOC"):
            if (found := _NUMBERED.match(body)) is not None:
                yield found[1], " ".join(body[found.end() :].split())
    else:
        for number, line in enumerate(text.splitlines(), 1):
            name_text, tab, query = line.partition("\t")
            if not line.strip():
                continue
            if not tab or not query.strip():
                raise FormatError(f"{path}, line {number}: needs an id, a tab and a query")
            yield name_text.strip(), query.strip()


def _elements(text: str, tag: str) -> Iterator[str]:
    """What stands between the tags of each element, also where many are never closed."""
    opening = re.compile(f"<{tag}>", re.IGNORECASE)
    closing = re.compile(f"</{tag}>", re.IGNORECASE)
    end = 0
    while (opened := opening.search(text, end)) and (closed := closing.search(text, opened.end())):
        yield text[opened.end() : closed.start()]
        end = closed.end()


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


def parse_run(lines: Iterable[str], name: str) -> Run:
    """Lines of "topic Q0 page rank score tag".

    Args:
        name: of what has them, for errors.
    """
    run: Run = {}
    for number, line in enumerate(lines, 1):
        parts = line.split()
        if not parts:
            continue
        try:
            topic, _, page, _, score, _ = parts
            run.setdefault(topic, {})[page] = float(score)
        except ValueError as error:
            raise FormatError(
                f"{name}, line {number}: needs topic, Q0, page, rank, score and tag, got {line!r}"
            ) from error
    return run


def run_lines(topic: str, ranked: Iterable[tuple[str, float]], tag: str) -> Iterable[str]:
    """The lines of a run for one topic; white space in names becomes %20, as it separates
    fields."""
    for rank, (page, score) in enumerate(ranked, 1):
        yield f"{topic} Q0 {'%20'.join(page.split())} {rank} {score:.6f} {tag}\n"


def score_run(
    judgements: Judgements, run: Run, measures: Sequence[str] = MEASURES
) -> dict[str, dict[str, float]]:
    """The score of each judged topic, by measure; a topic for which nothing was found has 0.

    Args:
        measures: in the spelling of ir_measures; the mean over topics of AP is MAP.
    """
    with needed("ir_measures", "retrieval"):
        import ir_measures
    parsed: dict[str, Any] = {}
    for name in measures:
        try:
            parsed[name] = ir_measures.parse_measure(name)
        except (NameError, ValueError, TypeError, SyntaxError) as error:
            raise SpecError(f"ir_measures has no measure {name!r}") from error
    scores = {name: dict.fromkeys(judgements, 0.0) for name in measures}
    names = {measure: name for name, measure in parsed.items()}
    for found in ir_measures.iter_calc(list(parsed.values()), judgements, run):
        scores[names[found.measure]][found.query_id] = float(found.value)
    return scores
