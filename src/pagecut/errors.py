"""What can go wrong, as one tree.

PagecutError
├── PageError         a page cannot be read, parsed or rendered
│   ├── MissingColumn     a method needs columns that this page lacks
│   ├── RenderError       no browser, or the browser failed on this page
│   └── TooLarge          the page exceeds a limit
├── SpecError         a method's spec names something that does not exist
├── FormatError       a file is not in the format it should be in
├── AnnotationError   a mark breaks the rules of annotations
└── MissingExtra      an optional package is not installed

Bad arguments of a method raise ValueError when the method is made.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class PagecutError(Exception):
    """Base of every error that pagecut raises on purpose."""


class PageError(PagecutError):
    """A page cannot be read, parsed or rendered."""


class MissingColumn(PageError):
    """A method needs columns that this page lacks."""


class RenderError(PageError):
    """No browser was found, or the browser failed on this page."""


class TooLarge(PageError):
    """The page exceeds a limit on size, nodes or depth."""


class SpecError(PagecutError):
    """A spec names an unknown method or parameter, or cannot be parsed."""


class FormatError(PagecutError):
    """A file is not in the format it should be in."""


class AnnotationError(PagecutError):
    """A change to an annotation breaks its rules; the message is a hint."""


def counted(number: int, noun: str) -> str:
    """How messages count: `1 page`, `2 pages`, `2 boundaries`."""
    plural = f"{noun[:-1]}ies" if noun.endswith("y") else f"{noun}s"
    return f"{number:,} {noun if number == 1 else plural}"


def unforeseen(name: str, error: Exception) -> PageError:
    """What nobody foresaw, as the failure of the one page that caused it."""
    what = "out of memory" if isinstance(error, MemoryError) else f"{type(error).__name__}: {error}"
    return PageError(f"{name}: failed by a fault of {_whose(error)}, please report it: {what}")


def _whose(error: Exception) -> str:
    """The package whose method an error comes out of; pagecut, where it is none of another one."""
    from traceback import walk_tb

    for frame, _ in walk_tb(error.__traceback__):
        owner = type(frame.f_locals.get("self"))
        package = owner.__module__.partition(".")[0]
        if hasattr(owner, "paper") and package != "pagecut":  # as every method has
            return package
    return "pagecut"


class MissingExtra(PagecutError):
    """An optional package is not installed; the message names the extra."""

    def __init__(self, package: str, extra: str) -> None:
        super().__init__(
            f"{package} is not installed; the extra {extra!r} brings it: pip install '.[{extra}]' "
            f"in pagecut's clone, or 'pagecut[{extra}]' from an index that has it"
        )


@contextmanager
def needed(package: str, extra: str) -> Iterator[None]:
    """Around the import of an optional package: where it is missing, `MissingExtra` says so."""
    try:
        yield
    except ImportError as error:
        raise MissingExtra(package, extra) from error
