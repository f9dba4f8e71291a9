"""What is wrong with a dataset, with the file and the place in it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pagecut.errors import FormatError

_SHOWN: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Problem:
    """One thing that is wrong.

    Args:
        file: where it is.
        message: the place in the file, and what is wrong there.
        warning: whether the dataset can be read all the same.
    """

    file: Path
    message: str
    warning: bool = False

    def __str__(self) -> str:
        return f"{self.file}: {self.message}"


def raise_first(problems: Iterable[Problem]) -> None:
    """Raise the first problem that is more than a warning."""
    for problem in problems:
        if not problem.warning:
            raise FormatError(str(problem))


def some_of(names: Sequence[object]) -> str:
    """The first few of a list, and how many more there are."""
    shown = ", ".join(str(name) for name in names[:_SHOWN])
    more = len(names) - _SHOWN
    return f"{shown} and {more} more" if more > 0 else shown
