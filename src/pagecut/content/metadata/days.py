"""When a page may have been published or changed: what is declared, `<time>`, days in its text."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from typing import Final

import numpy as np

from pagecut.content.metadata.authors import LONGEST_BYLINE
from pagecut.content.metadata.choice import Candidate, Candidates
from pagecut.content.metadata.dates import date_in_address, find_dates, parse_date
from pagecut.content.metadata.linked_data import texts
from pagecut.content.metadata.source import BEFORE, BEHIND, MOST_ROWS, Source, is_main

MOST_LOOKS: Final = 200
LAST: Final = 3000  # characters at the end of a page

_NAMES: Final = {
    "article:published_time": "published",
    "og:published_time": "published",
    "og:article:published_time": "published",
    "article:published": "published",
    "article.published": "published",
    "datepublished": "published",
    "date_published": "published",
    "publishdate": "published",
    "publish_date": "published",
    "publish-date": "published",
    "published_time": "published",
    "pubdate": "published",
    "publication_date": "published",
    "published": "published",
    "published_at": "published",
    "published_date": "published",
    "published-date": "published",
    "publisheddate": "published",
    "og:publish_date": "published",
    "parsely-pub-date": "published",
    "sailthru.date": "published",
    "citation_publication_date": "published",
    "citation_online_date": "published",
    "citation_date": "published",
    "dc.date.issued": "published",
    "dcterms.issued": "published",
    "dc.date.created": "published",
    "dcterms.created": "published",
    "rnews:datepublished": "published",
    "date": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "datecreated": "created",
    "created": "created",
    "article:modified_time": "modified",
    "og:updated_time": "modified",
    "last-modified": "modified",
    "lastmod": "modified",
    "dcterms.modified": "modified",
    "datemodified": "modified",
    "modified": "modified",
    "revised": "modified",
    "article.updated": "modified",
    "og:article:modified_time": "modified",
    "og:modified_time": "modified",
    "dc.date.modified": "modified",
    "dateupdated": "modified",
    "updated": "modified",
    "updated_at": "modified",
    "modified_date": "modified",
    "modified-date": "modified",
}
_MODIFIED: Final = tuple(name for name, kind in _NAMES.items() if kind == "modified")
_PROPERTIES: Final = ("datePublished", "dateCreated", "uploadDate", "dateModified")
_TIMES: Final = frozenset({"time", "relative-time", "local-time"})
# Words, of which a search in small letters is many times faster than a pattern of them.
_DATED: Final = "date publish posted timestamp pubtime pub-time entry-meta byline".split()
_TIME = re.compile(r"(?:^|[\s_-])time(?:$|[\s_-])")
_PUBLISHED: Final = (
    "publish posted originally veröffentlicht publié publicado created written erstellt asked "
    "started pubblicato"
).split()
_UPDATED: Final = [
    *"updat modif revis edited aktualisiert actualizado reviewed changed aggiornato".split(),
    "mis à jour",
]
_NEITHER: Final = "joined copyright © expires deadline since member register born event".split()


class Days(Candidates):
    """Days, each with the most precise form in which it is given."""

    def __init__(self) -> None:
        super().__init__(lambda value: value[:10])

    def add(
        self, value: str | None, *evidence: str, parts: tuple[str, ...] = ()
    ) -> Candidate | None:
        found = super().add(value, *evidence, parts=parts)
        if found is not None and value is not None and len(value) > len(found.value):
            found.value = value
        return found


def date_candidates(source: Source) -> list[Candidate]:
    """When it may have been published, each day once."""
    found = Days()
    _add_declared(source, found)
    _add_times(source, found)
    _add_dated(source, found)
    _add_written(source, found)
    found.add(date_in_address(source.path), "address")
    candidates = list(found)
    days = sorted(each.key for each in found if len(each.key) == 10)
    declared = sorted(each.key for each in found if each.given_by("data", "meta"))
    for each in candidates:
        if len(each.key) < 10:
            each.note("partial")
        elif each.key in (days[0], days[-1]):
            each.note("earliest" if each.key == days[0] else "latest")
        if not declared:
            each.note("none declared")
        elif each.key == declared[0]:
            each.note("earliest declared")
        sources = each.given_by("data", "meta", "time", "text", "dated", "item")
        each.evidence["days"] = min(len(days), 20) / 20
        each.evidence["sources"] = min(6, sources) / 6
        each.of_page = source.kinds
    return candidates


def last_change(source: Source) -> str | None:
    """When it was changed, as declared, else as `<time>` elements near the heading say."""
    for wanted in ("article", "posting", "webpage"):
        for group, thing in source.things[:500]:
            if group == wanted and is_main(thing):
                for value in texts(thing["dateModified"]):
                    if day := parse_date(value):
                        return day
    for value in source.meta(*_MODIFIED):
        if day := parse_date(value, source.month_first):
            return day
    for row, attribute, value in source.cued.stated:
        if (
            attribute == "itemprop"
            and "dateModified" in value.split()
            and (day := _stated(source, row))
        ):
            return day
    return None


def _stated(source: Source, row: int) -> str | None:
    """The date of an element: in its attributes, else its text."""
    stated = source.attribute(row, "datetime") or source.attribute(row, "content")
    return parse_date(stated, source.month_first) or parse_date(
        source.text(row, 80), source.month_first
    )


def _add_declared(source: Source, found: Days) -> None:
    numbers: dict[str, int] = defaultdict(int)
    for group, thing in source.things[:500]:
        for name in _PROPERTIES:
            if name not in thing.values:
                continue
            for value in texts(thing[name]):
                kind = f"data {group} {name}" if is_main(thing) else f"data {group} inner {name}"
                numbers[kind] += 1
                found.add(parse_date(value), kind if numbers[kind] == 1 else f"{kind} later")
                break
    for name, short in _NAMES.items():
        if name in source.metas:
            found.add(parse_date(source.metas[name][0], source.month_first), f"meta {short}")
    for row, attribute, value in source.cued.stated:
        if attribute == "itemprop" and "date" in value:
            for name in _PROPERTIES:
                kind = f"itemprop {name}"
                if name in value.split() and numbers[kind] < 3:
                    numbers[kind] += 1
                    order = "first" if numbers[kind] == 1 else "later"
                    found.add(_stated(source, row), f"{kind} {order}")


def _add_times(source: Source, found: Days) -> None:
    """`<time>` elements."""
    nodes = source.nodes
    if _TIMES.isdisjoint(nodes.tag_names):
        return
    count = 0
    for row in np.flatnonzero(nodes.tag_mask(_TIMES))[: 5 * MOST_ROWS].tolist():
        day = _stated(source, row)
        if day is None:
            continue
        count += 1
        start = source.starts[row]
        each = found.add(
            day,
            f"time {'first' if count == 1 else 'second' if count == 2 else 'later'}",
            f"time {source.distance(row)}",
        )
        if each is not None:
            before = source.page.text[max(0, start - 40) : start]
            words = f"{before} {source.text(row, 80)}"
            _note_label(each, "time", words, source.names_around(row, 3))
            if source.is_elsewhere(row):
                each.note("time in comment")
        if count >= MOST_ROWS:
            break


@lru_cache(maxsize=4096)  # pages say the same of many elements
def _is_dated(value: str) -> bool:
    small = value.lower()
    return any(map(small.__contains__, _DATED)) or _TIME.search(small) is not None


# Elements within others have the same text.
_dates_in = lru_cache(maxsize=1024)(find_dates)


def _add_dated(source: Source, found: Days) -> None:
    """Elements whose names say that they hold a date."""
    count = looked = 0
    rows = {row for row, value in source.cued.named if _is_dated(value)}
    for row in sorted(rows):
        text = source.text(row, LONGEST_BYLINE)
        if not text:
            continue
        looked += 1
        for day in _dates_in(text, source.month_first)[:2]:
            count += 1
            start = source.starts[row]
            label = text[: day.start][-40:] or source.page.text[max(0, start - 40) : start]
            each = found.add(
                day.iso,
                f"dated {'first' if count == 1 else 'later'}",
                f"dated {source.distance(row)}",
            )
            if each is not None:
                _note_label(each, "dated", label, source.names_around(row, 2))
                if source.is_elsewhere(row):
                    each.note("dated in comment")
        if count >= MOST_ROWS or looked >= MOST_LOOKS:
            break


def _add_written(source: Source, found: Days) -> None:
    """Days in the text around the heading, and at the end."""
    start, end = source.heading_at
    text = source.page.text
    for place, first, last in (
        ("behind", end, end + BEHIND),
        ("before", max(0, start - BEFORE), start),
        ("end", max(end + BEHIND, len(text) - LAST), len(text)),
    ):
        part = text[first:last]
        for number, day in enumerate(find_dates(part, source.month_first)[:8]):
            line = part.rfind("\n", 0, day.start) + 1
            stop = part.find("\n", day.end)
            alone = (stop if stop >= 0 else len(part)) - line < day.end - day.start + 40
            each = found.add(
                day.iso,
                f"text {place} {'later' if number else 'first'}",
                f"text {place} {'alone' if alone else 'in line'}",
            )
            if each is not None:
                _note_label(each, f"text {place}", part[max(0, day.start - 40) : day.start])


@lru_cache(maxsize=4096)  # the names of elements, of which pages have many of the same
def _label_of(text: str) -> tuple[bool, bool, bool]:
    """Whether a text speaks of publishing, of changes, of neither."""
    small = text.lower()
    within = small.__contains__
    return any(map(within, _PUBLISHED)), any(map(within, _UPDATED)), any(map(within, _NEITHER))


def _note_label(candidate: Candidate, name: str, *texts: str) -> None:
    """What the words before a day and the names of its element say that it is."""
    published, updated, neither = map(any, zip(*map(_label_of, texts), strict=True))
    if published or updated:
        label = "both" if published and updated else "published" if published else "updated"
        candidate.note(f"{name} {label}")
    if neither:
        candidate.note(f"{name} neither")
