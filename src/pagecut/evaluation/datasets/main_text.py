"""Main text as truth: CleanEval, scrapinghub's article-extraction-benchmark, and the like.

Either `ground-truth.json` with `{name: {"articleBody": …, "url": …}}` and the pages in
`html/NAME.html` or `.html.gz` (scrapinghub); or pages and text files of the same name anywhere in
the folder: `NAME.html` and `NAME.txt`, `NAME-cleaned.txt` (CleanEval), `NAME.html.corrected.txt`
(Dragnet) or `NAME.json` with `articleBody`, `main_text` or `text`. Such a JSON file may also have
`url`, `page_type`, `title`, `author`, `publish_date`, and the snippets `with` and `without` that a
good extraction has and does not have.

Of a text file, CleanEval's first line `URL: …` and its marks <p>, <h> and <l> are no text, nor are
Dragnet's comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from pagecut.content.metadata import Metadata
from pagecut.errors import FormatError
from pagecut.evaluation.datasets.marks import (
    Problem,
    missing_words,
    no_blocks,
    readable_text,
    shown_units,
    some_of,
)
from pagecut.evaluation.datasets.pages import DatasetPage, GroundTruth, read_bytes
from pagecut.page import Page
from pagecut.parsing.html import parse_html
from pagecut.results.json_files import read_json

_TRUTH: Final = "ground-truth.json"
_FIELDS: Final = ("articleBody", "main_text", "text")
_PAGE_NAME = re.compile(r"(.+)\.html?(?:\.gz)?", re.IGNORECASE)
_TEXT_NAME = re.compile(
    r"(.+?)(?:\.html?)?(?:[.-](?:corrected|cleaned|gold))?\.(?:txt|json)", re.IGNORECASE
)
_DESCRIPTION: Final = frozenset({"title", "author", "publish_date"})
_COMMENTS: Final = "!@#$%^&*() COMMENTS"
_URL_LINE = re.compile(r"\s*URL:\s*(\S*)[^\n]*(?:\n|\Z)", re.IGNORECASE)
_MARK = re.compile(r"^[ \t]*(?:</?[phl]>[ \t]*)+", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPage(DatasetPage):
    """A page whose truth is its main text.

    Args:
        gold: the file with the text.
        text: what it says of this page, where it is one file for many.
        described: whether the file says title, author and date, too.
    """

    gold: Path
    text: str | None = None
    described: bool = False

    @property
    def tasks(self) -> frozenset[str]:
        return frozenset({"main-text", "metadata"} if self.described else {"main-text"})

    @property
    def files(self) -> tuple[Path, ...]:
        return self.html, self.gold

    def separate_truth(self, marked: Page) -> tuple[Page, GroundTruth]:
        """The page as it is, and the truth."""
        units, _ = shown_units(marked)
        found = read_true_text(self.gold) if self.text is None else TrueText(text=self.text)
        return marked, GroundTruth(
            units=units,
            blocks=no_blocks(units),
            contexts={},
            main_text=found.text,
            present=found.present,
            absent=found.absent,
            metadata=found.metadata,
        )

    def problems(self) -> Iterator[Problem]:
        """What is wrong with the page's files."""
        page, truth = self.separate_truth(parse_html(self.source(), self.url))
        text = truth.main_text or ""
        if not text.strip():
            yield Problem(file=self.gold, message=f"{self.id}: no text", warning=True)
        if missing := missing_words(text, readable_text(page)):
            message = f"{self.id}: words that are not in the page: {some_of(missing)}"
            yield Problem(file=self.gold, message=message, warning=True)
        if both := sorted(set(truth.present) & set(truth.absent)):
            message = f"{self.id}: snippets that must be there and must not: {some_of(both)}"
            yield Problem(file=self.gold, message=message, warning=True)


def is_main_text(folder: Path) -> bool:
    """Whether the folder has pages and their texts."""
    if (folder / _TRUTH).exists() and (folder / "html").is_dir():
        return True
    pages, texts = _named(folder, _PAGE_NAME), _named(folder, _TEXT_NAME)
    return not pages.keys().isdisjoint(texts)


def list_main_text(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """Every page with a text, and what is wrong with the lists."""
    if (folder / _TRUTH).exists() and (folder / "html").is_dir():
        return _list_articles(folder)
    pages, texts = _named(folder, _PAGE_NAME), _named(folder, _TEXT_NAME)
    problems = [
        Problem(file=pages[name], message="a page without a text", warning=True)
        for name in sorted(pages.keys() - texts)
    ]
    listed: list[DatasetPage] = []
    for name in sorted(pages.keys() & texts):
        try:
            found = read_true_text(texts[name])
        except FormatError as error:
            message = str(error).removeprefix(f"{texts[name]}: ")
            problems.append(Problem(file=texts[name], message=message))
            continue
        listed.append(
            TextPage(
                id=name,
                group=found.page_type or folder.resolve().name,
                url=found.url,
                html=pages[name],
                gold=texts[name],
                described=found.metadata is not None,
            )
        )
    return listed, problems


@dataclass(frozen=True, slots=True, kw_only=True)
class TrueText:
    """What the file of a page says of its main text."""

    text: str
    url: str | None = None
    page_type: str | None = None
    present: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    metadata: Metadata | None = None


def read_true_text(path: Path) -> TrueText:
    """The main text in a file of its own, and what else it says of the page."""
    if path.suffix.lower() != ".json":
        text = _read_text(path)
        first = _URL_LINE.match(text[:4096])
        return TrueText(text=parse_main_text(text), url=first[1] or None if first else None)
    value = read_json(path)
    article = _article(value)
    if article is None:
        raise FormatError(f"{path}: must have a text in one of {', '.join(_FIELDS)}")
    described = _DESCRIPTION & value.keys()
    given = {name: value.get(name) or None for name in ("url", "page_type", *sorted(_DESCRIPTION))}
    for name, each in given.items():
        if not isinstance(each, str | None):
            raise FormatError(f"{path}: {name} must be a text, got {each!r:.120}")
    snippets = {name: value.get(name) or [] for name in ("with", "without")}
    for name, each in snippets.items():
        if not isinstance(each, list) or not all(isinstance(one, str) for one in each):
            raise FormatError(f"{path}: {name} must be a list of texts, got {each!r:.120}")
    author = given["author"]
    metadata = Metadata(
        title=given["title"],
        authors=(author,) if author else (),
        published=given["publish_date"],
    )
    return TrueText(
        text=article,
        url=given["url"],
        page_type=given["page_type"],
        present=tuple(snippets["with"]),
        absent=tuple(snippets["without"]),
        metadata=metadata if described else None,
    )


def parse_main_text(text: str) -> str:
    """A text without CleanEval's marks and Dragnet's comments."""
    text = text.partition(_COMMENTS)[0]
    first = _URL_LINE.match(text)
    if first:
        text = text[first.end() :]
    return _MARK.sub("", text).strip()


def _list_articles(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    path = folder / _TRUTH
    value = read_json(path)
    if not isinstance(value, dict):
        return [], [Problem(file=path, message="must be {name: {'articleBody': …}}")]
    files = _named(folder / "html", _PAGE_NAME)
    pages: list[DatasetPage] = []
    problems = []
    for name, entry in value.items():
        text = _article(entry)
        if text is None:
            message = f"{name}: must have articleBody, got {entry!r:.120}"
            problems.append(Problem(file=path, message=message))
        elif name not in files:
            problems.append(Problem(file=path, message=f"{name}: no page of that name in html/"))
        else:
            url = entry.get("url")
            pages.append(
                TextPage(
                    id=name,
                    group=folder.resolve().name,
                    url=url if isinstance(url, str) else None,
                    html=files[name],
                    gold=path,
                    text=text,
                )
            )
    for name in sorted(files.keys() - value):
        problems.append(Problem(file=files[name], message="a page without a text", warning=True))
    return pages, problems


def _article(entry: Any) -> str | None:
    if isinstance(entry, dict):
        for name in _FIELDS:
            if isinstance(entry.get(name), str):
                return str(entry[name])
    return None


def _named(folder: Path, pattern: re.Pattern[str]) -> dict[str, Path]:
    """The files below a folder whose names fit, by the part of the name that counts."""
    return {
        found[1]: path
        for path in sorted(folder.rglob("*"), reverse=True)
        if (found := pattern.fullmatch(path.name)) and path.is_file()
    }


def _read_text(path: Path) -> str:
    """UTF-8, or what Windows wrote before it."""
    data = read_bytes(path, path.name)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").replace("\r\n", "\n")
