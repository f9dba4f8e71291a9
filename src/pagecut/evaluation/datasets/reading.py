"""Which format a folder is in, and its pages."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagecut.errors import FormatError
from pagecut.evaluation.datasets.folder import LISTING, is_own, list_own
from pagecut.evaluation.datasets.kreuzer import is_kreuzer, list_kreuzer
from pagecut.evaluation.datasets.labelled import is_labelled, list_labelled
from pagecut.evaluation.datasets.main_text import is_main_text, list_main_text
from pagecut.evaluation.datasets.pages import Dataset, DatasetPage
from pagecut.evaluation.datasets.problems import Problem, raise_first
from pagecut.evaluation.datasets.webis import is_webis, list_webis


@dataclass(frozen=True, slots=True)
class Format:
    """How to tell that a folder is in a format, and how to list its pages."""

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


def list_pages(folder: Path, format: str | None) -> tuple[str, list[DatasetPage], list[Problem]]:
    """The format, the pages, and what is wrong with their list."""
    name = detect_format(folder) if format is None else format
    if name not in FORMATS:
        raise FormatError(f"no format {name!r}; there are {', '.join(FORMATS)}")
    return name, *FORMATS[name].list_pages(folder)


def detect_format(folder: Path) -> str:
    """The first format that a folder fits."""
    for name, format in FORMATS.items():
        if folder.is_dir() and format.recognizes(folder):
            return name
    raise FormatError(
        f"{folder / LISTING}: No such file; and the folder is in no other format of datasets"
    )
