"""What a page says of itself: its title, who wrote it, when, and more.

Title, authors and date are chosen among all values that anything on the page gives: JSON-LD,
OpenGraph, microdata, `<meta>`, headings, by-lines, `<time>`, days in the text and in the URL. The
choice is learnt (`choice`). The other fields are what the first source in a fixed order says.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from html import unescape
from typing import Any, ClassVar, Final, Literal, Protocol

from pagecut.content.metadata.authors import author_candidates, split_authors
from pagecut.content.metadata.candidates import Candidate
from pagecut.content.metadata.canonical import may_be_canonical, without_tracking
from pagecut.content.metadata.choice import choose
from pagecut.content.metadata.days import date_candidates, last_change
from pagecut.content.metadata.language import read_language
from pagecut.content.metadata.licences import stated_licences
from pagecut.content.metadata.linked_data import addresses, texts
from pagecut.content.metadata.source import LONGEST_TITLE, Source, words_of
from pagecut.content.metadata.titles import is_parted, plain, title_candidates, titled_site
from pagecut.page import Page
from pagecut.page.addresses import is_web_address, without_default_port
from pagecut.parsing.addresses import resolve
from pagecut.parsing.reading import as_page
from pagecut.results.tables import Columns, Tabular
from pagecut.spec import Configured, parse_spec

MOST_KEYWORDS: Final = 50
MOST_CANONICAL: Final = 20
LONGEST_ADDRESS: Final = 4096
LONGEST_DESCRIPTION: Final = 2000
LONGEST_NAME: Final = 200
_LETTER = re.compile(r"[^\W_]")
_AROUND_SITE: Final = " \t\n|-–—:•·»«"
_UNSOUND = re.compile(
    "[\0-\x08\x0e-\x1f\x7f\xad\u200b\u202a-\u202e\u2060\u2066-\u2069\ud800-\udfff\ufeff]"
)


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
    language = read_language(source)
    authors = (author.parts or split_authors(author.value)) if author else ()
    return Metadata(
        title=_sound(title.value) if title else None,
        authors=tuple(map(_sound, authors)),
        published=published,
        modified=modified,
        site_name=_first(_sites(source), LONGEST_NAME),
        canonical_url=_canonical_url(source),
        language=language.tag if language else None,
        language_by=language.by if language else None,
        description=_first(_descriptions(source), LONGEST_DESCRIPTION),
        image=_address(source, _pictures(source)),
        licence=_address(source, stated_licences(source)),
        keywords=_keywords(source),
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


# What is not chosen but read


def _sound(text: str) -> str:
    """Without what cannot be stored or should not be.

    That is control characters, those of directions and hyphenation, too, and halves of characters.
    """
    return text if text.isprintable() else _UNSOUND.sub("", text)


def _first(values: Iterable[str], longest: int) -> str | None:
    for value in values:
        value = " ".join(_sound(plain(value)).split())
        if 0 < len(value) <= longest:
            return value
    return None


def _address(source: Source, values: Iterable[str]) -> str | None:
    """The first address of the web among some values."""
    return next(_addresses(source, values), None)


def _addresses(source: Source, values: Iterable[str]) -> Iterator[str]:
    for value in values:
        value = _sound(unescape(value.strip()))
        if 0 < len(value) <= LONGEST_ADDRESS:
            absolute = resolve(value, source.page.base or source.page.url)
            if absolute and is_web_address(absolute):
                yield without_default_port(absolute)


def _sites(source: Source) -> Iterator[str]:
    folders = source.path.lower().split("/")
    titles = [] if source.at_home else [words_of(source.page.title[: 2 * LONGEST_TITLE])]

    def usable(names: Iterable[str]) -> Iterator[str]:
        for name in names:
            name = name[: 2 * LONGEST_TITLE].strip(_AROUND_SITE)
            if not _LETTER.search(name) or (is_parted(name) and words_of(name) in titles):
                continue
            if name.lower() not in folders or source.is_like_host(name):
                yield name

    yield from usable(source.named_sites(parts=False))
    site = titled_site(source)
    if site is not None:
        yield site
    yield from filter(source.is_like_host, usable(source.named_sites()))


def _canonical_url(source: Source) -> str | None:
    stated = (*source.links["canonical"][:MOST_CANONICAL], *source.meta("og:url", "twitter:url"))
    for address in _addresses(source, stated):
        if may_be_canonical(address, source.page.url):
            return without_tracking(address)
    return None


def _descriptions(source: Source) -> Iterator[str]:
    yield from source.meta("description", "og:description", "twitter:description")
    yield from source.meta("dc.description", "dcterms.description")
    for thing in source.main_things():
        yield from texts(thing["description"])


def _pictures(source: Source) -> Iterator[str]:
    yield from source.meta("og:image:secure_url", "og:image", "og:image:url")
    yield from source.meta("twitter:image", "twitter:image:src")
    for thing in source.main_things():
        yield from addresses(source.data.resolve(thing["image"]))
        yield from addresses(thing["thumbnailUrl"])
    yield from source.links.get("image_src", ())


_LISTED: Final = re.compile(r"[,;]")


def _keywords(source: Source) -> tuple[str, ...]:
    found: dict[str, str] = {}
    stated = [*source.meta("keywords", "news_keywords", "parsely-tags")]
    for thing in source.main_things():
        stated += texts(thing["keywords"])
    whole = source.meta("article:tag", "og:article:tag")
    for each in (*(part for value in stated for part in _LISTED.split(value[:4000])), *whole):
        word = " ".join(_sound(plain(each)).split())
        if 0 < len(word) <= LONGEST_NAME:
            found.setdefault(word.lower(), word)
    return tuple(found.values())[:MOST_KEYWORDS]


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
