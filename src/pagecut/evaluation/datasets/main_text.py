"""Main text as truth: CleanEval, scrapinghub's article-extraction-benchmark, and the like.

Either `ground-truth.json` with `{name: {"articleBody": …, "url": …}}` and the pages in
`html/NAME.html` or `.html.gz` (scrapinghub); or pages and text files of the same name anywhere in
the folder: `NAME.html` and `NAME.txt`, `NAME-cleaned.txt` (CleanEval), `NAME.html.corrected.txt`
(Dragnet) or `NAME.json` with `articleBody`, `main_text` or `text`.

Of a text file, CleanEval's first line `URL: …` and its marks <p>, <h> and <l> are no text, nor are
Dragnet's comments.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

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
_COMMENTS: Final = "!@#$%^&*() COMMENTS"
_URL_LINE = re.compile(r"\s*URL:\s*(\S*)[^\n]*(?:\n|\Z)", re.IGNORECASE)
_MARK = re.compile(r"^[ \t]*(?:</?[phl]>[ \t]*)+", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class TextPage(DatasetPage):
    """A page whose truth is its main text.

    Args:
        gold: the file with the text.
        text: what it says of this page, where it is one file for many.
    """

    gold: Path
    text: str | None = None

    def separate_truth(self, marked: Page) -> tuple[Page, GroundTruth]:
        """The page as it is, and the truth."""
        units, _ = shown_units(marked)
        text = read_main_text(self.gold) if self.text is None else self.text
        return marked, GroundTruth(
            units=units, blocks=no_blocks(units), contexts={}, main_text=text
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
    listed: list[DatasetPage] = [
        TextPage(
            id=name,
            group=folder.resolve().name,
            url=_url(texts[name]),
            html=pages[name],
            gold=texts[name],
        )
        for name in sorted(pages.keys() & texts)
    ]
    return listed, problems


def read_main_text(path: Path) -> str:
    """The main text in a file of its own."""
    if path.suffix.lower() == ".json":
        value = read_json(path)
        text = _article(value)
        if text is None:
            raise FormatError(f"{path}: must have a text in one of {', '.join(_FIELDS)}")
        return text
    return parse_main_text(_read_text(path))


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


def _url(path: Path) -> str | None:
    """What CleanEval's first line says."""
    if path.suffix.lower() == ".json":
        return None
    found = _URL_LINE.match(_read_text(path)[:4096])
    return found[1] or None if found else None


def _read_text(path: Path) -> str:
    """UTF-8, or what Windows wrote before it."""
    data = read_bytes(path, path.name)
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace").replace("\r\n", "\n")
