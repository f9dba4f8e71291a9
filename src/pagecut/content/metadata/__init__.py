"""What a page says of itself: its title, who wrote it, when, and more.

Title, authors and date are chosen among all values that anything on the page gives: JSON-LD,
OpenGraph, microdata, `<meta>`, headings, by-lines, `<time>`, days in the text and in the URL. The
choice is learnt (`choice`). The other fields are what the first source in a fixed order says.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final, Literal, Protocol

from pagecut.content.metadata import stated
from pagecut.content.metadata.authors import author_candidates, split_authors
from pagecut.content.metadata.choice import Candidate, choose
from pagecut.content.metadata.days import date_candidates, last_change
from pagecut.content.metadata.source import Source
from pagecut.content.metadata.titles import title_candidates
from pagecut.page import Page
from pagecut.parsing.reading import as_page
from pagecut.results.tables import Columns, Tabular
from pagecut.spec import Configured, parse_spec


@dataclass(frozen=True, slots=True, kw_only=True)
class Metadata(Tabular):
    """What is known of a page; None or empty where nothing is.

    Args:
        authors: their names, in the order of the page.
        published, modified: ISO 8601, as precise as they are given: `2025-09`, `2025-09-04`,
            `2025-09-04T10:30:00+02:00`.
        language: a language tag (BCP 47): `en`, `pt-BR`.
        language_by: whether the page declares the language, or its text shows it.
        image: the address of the picture that stands for the page.
        licence: the address of the licence under which it is published.
    """

    types: ClassVar[Mapping[str, str]] = {"image": "string"}

    title: str | None = None
    authors: tuple[str, ...] = ()
    published: str | None = None
    modified: str | None = None
    site_name: str | None = None
    canonical_url: str | None = None
    language: str | None = None
    language_by: Literal["declared", "detected"] | None = None
    description: str | None = None
    image: str | None = None
    licence: str | None = None
    keywords: tuple[str, ...] = ()

    def as_row(self) -> dict[str, Any]:
        """The fields as JSON has them."""
        values = ((name, getattr(self, name)) for name in METADATA_FIELDS)
        return {name: list(value) if isinstance(value, tuple) else value for name, value in values}

    def columns(self) -> Columns:
        """One row."""
        return {name: [value] for name, value in self.as_row().items()}


METADATA_FIELDS: Final = tuple(each.name for each in fields(Metadata))


def metadata(page: Page | str | bytes) -> Metadata:
    """What a page says of itself: title, authors, dates, site, language and more.

    Args:
        page: a page, or its HTML.

    >>> import pagecut
    >>> html = "<title>Green tea - Teas</title><meta name=author content='Ada Lee'><h1>Green tea"
    >>> pagecut.metadata(html).authors
    ('Ada Lee',)
    """
    source = Source(as_page(page))
    chosen = {field: choose(field, each) for field, each in _candidates(source)}
    title, author, day = chosen["title"], chosen["author"], chosen["date"]
    published = day.value if day else None
    modified = last_change(source)
    if modified and published and modified[:10] < published[:10]:
        modified = None
    language = stated.read_language(source)
    authors = (author.parts or split_authors(author.value)) if author else ()
    return Metadata(
        title=stated.sound(title.value) if title else None,
        authors=tuple(map(stated.sound, authors)),
        published=published,
        modified=modified,
        site_name=stated.site_name(source),
        canonical_url=stated.canonical_url(source),
        language=language.tag if language else None,
        language_by=language.by if language else None,
        description=stated.description(source),
        image=stated.image(source),
        licence=stated.licence(source),
        keywords=stated.keywords(source),
    )


def gather_candidates(page: Page) -> dict[str, list[Candidate]]:
    """By field, the values that a page gives, and the evidence for each."""
    return dict(_candidates(Source(page)))


def _candidates(source: Source) -> Iterator[tuple[str, list[Candidate]]]:
    yield "title", title_candidates(source)
    yield "author", author_candidates(source)
    yield "date", date_candidates(source)


def metadata_rows(page: Page, name: str | None = None) -> Iterator[dict[str, Any]]:
    """One row for a page.

    Args:
        name: stands in for the URL of a page that has none.
    """
    yield {"page": page.id, "url": page.url or name, **metadata(page).as_row()}


METADATA_ROW: Final = ("page", "url", *METADATA_FIELDS)


def front_matter(found: Metadata, url: str | None = None) -> str:
    """A block of YAML between lines `---`, with what is known alone.

    Args:
        url: of the page itself.
    """
    values = {"title": found.title, "url": url, **found.as_row()}
    # What JSON writes is YAML, whatever the text.
    written = {name: json.dumps(each, ensure_ascii=False) for name, each in values.items() if each}
    return "\n".join(["---", *(f"{name}: {each}" for name, each in written.items()), "---", ""])


# Readers, for `evaluate`


class MetadataReader(Protocol):
    """Reads the metadata of a page."""

    name: ClassVar[str]

    def read(self, page: Page) -> Metadata: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen(Configured):
    """What `pagecut.metadata` gives."""

    name: ClassVar[str] = "metadata"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    def read(self, page: Page) -> Metadata:
        return metadata(page)


@dataclass(frozen=True, slots=True, kw_only=True)
class TitleElement(Configured):
    """The text of the element `<title>`, and nothing else."""

    name: ClassVar[str] = "title-element"
    paper: ClassVar[str] = ""
    needs: ClassVar[frozenset[str]] = frozenset()

    def read(self, page: Page) -> Metadata:
        return Metadata(title=page.title or None)


METADATA_READERS: Final[Mapping[str, type[Configured]]] = {
    each.name: each for each in (Chosen, TitleElement)
}


def metadata_reader(spec: str) -> MetadataReader:
    """The reader that a spec such as `metadata` describes."""
    return parse_spec(spec, METADATA_READERS, "metadata reader")  # type: ignore[return-value]
