"""What a page says of itself: its title, who wrote it, when."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final, Protocol

from pagecut.page import Page
from pagecut.spec import Configured, parse_spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata:
    """The title of a page's main content, its author and its date; None where there is none.

    Args:
        date: of publication, `2025-09-04`, or what is known of it: `2025-09`.
    """

    title: str | None = None
    author: str | None = None
    date: str | None = None


class MetadataReader(Protocol):
    """Reads the metadata of a page."""

    name: ClassVar[str]

    def read(self, page: Page) -> Metadata: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleElement(Configured):
    """The text of the element `<title>`, and nothing else."""

    name: ClassVar[str] = "title-element"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    def read(self, page: Page) -> Metadata:
        return Metadata(title=page.title or None)


METADATA_READERS: Final[Mapping[str, type[Configured]]] = {TitleElement.name: TitleElement}


def metadata_reader(spec: str) -> MetadataReader:
    """The reader that a spec such as `title-element` describes."""
    return parse_spec(spec, METADATA_READERS, "metadata reader")  # type: ignore[return-value]
