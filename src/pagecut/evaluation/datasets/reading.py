"""Read a dataset: find out its format, list its pages, or list everything that is wrong with it.

Our own format is here: a folder with `pages.json`, saved pages with marks, image-context files,
segment files, and more pages with their main text in the folder `main-text`.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from pagecut.errors import FormatError, PagecutError
from pagecut.evaluation.datasets.kreuzer import is_kreuzer, list_kreuzer
from pagecut.evaluation.datasets.labelled import is_labelled, list_labelled
from pagecut.evaluation.datasets.main_text import is_main_text, list_main_text
from pagecut.evaluation.datasets.marks import Problem, raise_first, some_of
from pagecut.evaluation.datasets.pages import Dataset, DatasetPage
from pagecut.evaluation.datasets.webis import is_webis, list_webis
from pagecut.results.json_files import read_json

LISTING: Final = "pages.json"
MAIN_TEXT: Final = "main-text"


def is_own(folder: Path) -> bool:
    """Whether the folder has a list of pages."""
    return (folder / LISTING).exists()


def is_dataset(source: str, as_datasets: bool = False) -> bool:
    """Whether a source is a folder to be read as a dataset, not as a folder of HTML files.

    Args:
        as_datasets: every folder is; else those with a list of pages are.
    """
    folder = Path(source)
    return folder.is_dir() and (as_datasets or is_own(folder))


def list_own(folder: Path) -> tuple[list[DatasetPage], list[Problem]]:
    """The pages of a list, and what is wrong with it."""
    path = folder / LISTING
    listing = read_json(path)
    if not isinstance(listing, list):
        return [], [Problem(file=path, message="must be a list of pages")]
    pages: list[DatasetPage] = []
    problems = []
    seen: set[str] = set()
    for number, entry in enumerate(listing):
        if message := _wrong(entry, folder, seen):
            problems.append(Problem(file=path, message=f"entry {number} {message}"))
            continue
        context, segments = entry.get("image_context"), entry.get("segments")
        seen.add(str(entry["id"]))
        pages.append(
            DatasetPage(
                id=str(entry["id"]),
                group=str(entry.get("dataset", "")),
                url=entry.get("url"),
                html=folder / entry["html"],
                image_context=folder / context if context else None,
                segments=folder / segments if segments else None,
            )
        )
    if is_main_text(folder / MAIN_TEXT):
        texts, found = list_main_text(folder / MAIN_TEXT)
        pages += [replace(page, id=f"{MAIN_TEXT}/{page.id}") for page in texts]
        problems += found
    return pages, problems


def _wrong(entry: Any, folder: Path, seen: set[str]) -> str | None:
    """What is wrong with an entry."""
    match entry:
        case {"id": str() | int(), "html": str()}:
            pass
        case _:
            return f"must have id and html, got {entry!r:.200}"
    for name in "html", "image_context", "segments":
        value = entry.get(name)
        if value is not None and not _is_inside(folder, value):
            return f"must have in {name} a path inside the folder, got {value!r:.200}"
    for name in "url", "dataset":
        if not isinstance(entry.get(name), str | None):
            return f"must have in {name} a text, got {entry[name]!r:.200}"
    if str(entry["id"]) in seen:
        return f"has the id {entry['id']!r}, as another one before it"
    return None


def _is_inside(folder: Path, value: object) -> bool:
    """Whether a path stays in the folder, as it is written; links may lead elsewhere."""
    if not isinstance(value, str) or "\0" in value:
        return False
    return Path(os.path.abspath(folder / value)).is_relative_to(os.path.abspath(folder))


@dataclass(frozen=True, slots=True)
class Format:
    """How to recognize a folder in this format, and how to list its pages."""

    recognizes: Callable[[Path], bool]
    list_pages: Callable[[Path], tuple[list[DatasetPage], list[Problem]]]


# In the order in which a folder is tried.
FORMATS: Final = {
    "pagecut": Format(is_own, list_own),
    "webis": Format(is_webis, list_webis),
    "kreuzer": Format(is_kreuzer, list_kreuzer),
    "labels": Format(is_labelled, list_labelled),
    "main-text": Format(is_main_text, list_main_text),
}


def read_dataset(folder: Path | str, format: str | None = None) -> Dataset:
    """Read which pages a dataset has; each is loaded when asked for.

    Args:
        format: a name in `FORMATS`; what the folder looks like if not given.
    """
    folder = Path(folder)
    name, pages, problems = list_pages(folder, format)
    raise_first(problems)
    return Dataset(folder=folder, pages=tuple(pages), format=name)


def read_datasets(folders: Sequence[Path | str]) -> Dataset:
    """The pages of several datasets in one, so that they are scored together."""
    datasets = [read_dataset(folder) for folder in folders]
    if len(datasets) == 1:
        return datasets[0]
    pages = tuple(page for dataset in datasets for page in dataset)
    counts = Counter(page.id for page in pages)
    if twice := [name for name, count in counts.items() if count > 1]:
        names = ", ".join(str(folder) for folder in folders)
        raise FormatError(f"{names}: several pages have the id {some_of(twice)}")
    return Dataset(
        folder=Path(os.path.commonpath([os.path.abspath(folder) for folder in folders])),
        pages=pages,
        folders=tuple(dataset.folder for dataset in datasets),
    )


def list_pages(folder: Path, format: str | None) -> tuple[str, list[DatasetPage], list[Problem]]:
    """The format, the pages, and what is wrong with their list."""
    name = detect_format(folder) if format is None else format
    if name not in FORMATS:
        raise FormatError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    return name, *FORMATS[name].list_pages(folder)


def detect_format(folder: Path) -> str:
    """The first format that a folder fits."""
    if not folder.is_dir():
        raise FormatError(f"{folder}: {'not a' if folder.exists() else 'no such'} folder")
    for name, format in FORMATS.items():
        if format.recognizes(folder):
            return name
    raise FormatError(
        f"{folder}: not a dataset: there is no {LISTING}, and no other known format; "
        "`pagecut annotate` makes one, `pagecut view` and `report` compare methods without truth"
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Validation:
    """A dataset's pages, and what is wrong with its lists.

    Args:
        format: the name of the format it was taken for.
    """

    folder: Path
    format: str
    pages: tuple[DatasetPage, ...]
    listing: tuple[Problem, ...]

    def problems(self) -> Iterator[Problem]:
        """Those of the lists first, then those of each page."""
        yield from self.listing
        if not self.pages:
            yield Problem(file=self.folder, message="no page can be read")
        for page in self.pages:
            try:
                yield from page.problems()
            except FormatError as error:
                yield Problem(file=page.html, message=_without_name(str(error), page.html))
            except PagecutError as error:
                yield Problem(file=page.html, message=str(error))


def validate_dataset(folder: Path | str, format: str | None = None) -> Validation:
    """Look at a dataset's lists; its pages are looked at when the problems are asked for."""
    folder = Path(folder)
    name, pages, problems = list_pages(folder, format)
    return Validation(folder=folder, format=name, pages=tuple(pages), listing=tuple(problems))


def _without_name(message: str, path: Path) -> str:
    return message.removeprefix(f"{path}: ")
