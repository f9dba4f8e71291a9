"""Everything that is wrong with a dataset, not only what comes first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from pagecut.errors import FormatError, PagecutError
from pagecut.evaluation.datasets.pages import DatasetPage
from pagecut.evaluation.datasets.problems import Problem
from pagecut.evaluation.datasets.reading import list_pages


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
