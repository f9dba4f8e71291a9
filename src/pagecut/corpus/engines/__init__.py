"""Engines: what makes shards, on this machine or on many. None of them knows what a page is.

A missing package is an error when an engine is used, not when its module is imported; only the
step for datatrove, a class of that package's, needs it at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final, Protocol

from pagecut.errors import MissingExtra, SpecError, needed

if TYPE_CHECKING:
    from pagecut.corpus.output.shards import ShardTask, Statistics

OnPages = Callable[[int], None]


class Engine(Protocol):
    """What every engine's module offers as `run_tasks`; closed early, it stops all work."""

    def __call__(
        self, tasks: Sequence[ShardTask], workers: int | None, on_pages: OnPages
    ) -> Generator[Statistics, None, None]: ...


# By name, the module: it is imported when the engine is used.
ENGINES: Final = {
    "local": "pagecut.corpus.engines.local",
    "spark": "pagecut.corpus.engines.spark",
    "ray": "pagecut.corpus.engines.ray",
}
_PACKAGES: Final = {"spark": "pyspark", "ray": "ray"}


def require_arrow(extra: str) -> None:
    """Raise MissingExtra unless the package is there that every table is made with."""
    with needed("pyarrow", extra):
        import_module("pyarrow")


def engine(name: str) -> Engine:
    """The engine of that name, if what it needs is installed."""
    if name not in ENGINES:
        raise SpecError(f"unknown engine {name!r} (there are: {', '.join(ENGINES)})")
    if (package := _PACKAGES.get(name)) and find_spec(package) is None:
        raise MissingExtra(package, name)
    found: Engine = import_module(ENGINES[name]).run_tasks
    return found
