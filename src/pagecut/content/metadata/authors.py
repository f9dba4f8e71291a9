"""Who may have written a page: what is declared, by-lines, and names after `by`."""

from __future__ import annotations

import re
from collections import defaultdict
from functools import lru_cache
from html import unescape
from typing import Final

from pagecut.content.metadata.byline_words import LEAD, LEADS, NAMED, NOT_A_NAME, SAYS_BY
from pagecut.content.metadata.choice import Candidate, Candidates
from pagecut.content.metadata.cues import find_leads
from pagecut.content.metadata.dates import MONTHS
from pagecut.content.metadata.source import BEFORE, BEHIND, Source, is_main, words_of
from pagecut.content.metadata.titles import plain

LONGEST_BYLINE: Final = 200
LONGEST_NAME: Final = 80
MOST_BYLINES: Final = 6  # of each kind
MOST_LOOKS: Final = 200

_NAMES: Final = {
    "author": "author",
    "article:author": "article",
    "article:author_name": "article",
    "og:author": "article",
    "dc.creator": "creator",
    "dcterms.creator": "creator",
    "dc.contributor": "creator",
    "parsely-author": "parsely",
    "sailthru.author": "parsely",
    "citation_author": "citation",
    "citation_authors": "citation",
    "byl": "author",
    "byline": "author",
    "creator": "creator",
}
_AUTHORS: Final = frozenset({"author", "creator"})
_OF_KINDS: Final = "by writer contributor aut creator name poster".split()  # one is in each
# These four are for small letters, in which a search is many times faster than in any.
_KINDS = re.compile(
    r"(?P<byline>by-?_?line|posted-?_?by|written-?_?by|writer|contributor)"
    r"|(?P<author>author|autor(?!e?s?-?link)|auteur|creator)"
    r"|(?P<user>user-?_?name|poster|nickname|member-?name|display-?name)"
)
_PARTED = re.compile(r"[\n\t]")  # lines, and cells of a row
_LABEL = re.compile(r"writ|author|by|verfasst|écrit|escrito")
_NO_NAME = re.compile(
    r"avatar|image|photo|bio|desc|social|follow|count|icon|more|related|comment|reply|role|title"
    r"|authoriz|authorit"
)
_PERSON = re.compile(
    r"/(?:authors?|profile|people|contributors?|writers?|staff|team|members?|users?|u)/[^/]"
)
_TAIL = re.compile(
    r"[|•·–—(\[]|\s-\s|\bon\s+(?=\w+\s+\d)|\b\d{4}|\b\d+\s+min|\s\d\d?\.?\s(?=[^\W\d_])"
    r"|\s기자\b|\s\S{1,12}：|\b(?:updated|published|posted|last|"
    r"reviewed|follow|medically|fact|edited|view all|see all|read more|minutes?|min read)\b",
    re.IGNORECASE,
)
# What programs write where they have no name.
_NO_VALUE = re.compile(
    r"undefined|null|none|n/a|unknown|\[object object\]?|.*[{}].*", re.IGNORECASE
)
_LISTED = re.compile(r"\s*[;、]\s*|\s*,\s+(?:and\s+|&\s+)?")
_JOINED = re.compile(r"\s+(?:and|und|et|&)\s+")
# What stands after a comma and belongs to the name before it: degrees, with two capitals or a dot,
# and what people do.
_DEGREE = re.compile(
    r"(?=[^A-Z]*[A-Z][^A-Z]*[A-Z]|.*\.)[A-Z][A-Za-z.-]{0,8}[®™*]*(?:\s*\(.*\))?"
    r"|(?:Jr|Sr|Esq|Inc|Ltd)\.?"
)
_DOES = re.compile(
    r"\b(?:analyst|attorney|author|ceo|cfo|columnist|consultant|contributor|correspondent|cto"
    r"|designer|developer|dieti[ct]ian|director|editor|educator|engineer|expert|(?:co-?)?founder"
    r"|horticultur(?:al)?ist|instructor|journalist|lawyer|lecturer|manager|nurse|nutritionist"
    r"|officer|pharmacist|physician|president|professor|psychologist|reporter|researcher|scientist"
    r"|specialist|strategist|teacher|therapist|veterinarian|writer)\b",
    re.IGNORECASE,
)
_PLACE = re.compile(r"[A-Z][A-Za-z]*")  # or whom somebody writes for
_TURNED = re.compile(r"([^,;]+),\s*([^,;]+)")
_GENERIC: Final = frozenset(
    "admin administrator editor staff team editorial guest webmaster user newsdesk author "
    "anonymous".split()
)
_STRIPPED: Final = " \t,;:.-–—|•·/\"'“”"


def author_candidates(source: Source) -> list[Candidate]:
    """Who may have written it; each value is all authors together."""
    found = Candidates(lambda value: " ".join(sorted(words_of(value))) if len(value) < 300 else "")
    _add_declared(source, found)
    _add_bylines(source, found)
    _add_written(source, found)
    candidates = list(found)
    _describe(source, candidates)
    return candidates


def clean_author(text: str) -> str:
    """A name without what by-lines say around it; empty if nothing like a name is left."""
    return _clean_author(text[:300])


@lru_cache(maxsize=1024)  # pages name the same in many places
def _clean_author(text: str) -> str:
    text = " ".join(text.split())
    lead = LEAD.match(text)
    text = text[lead.end() :] if lead else text
    tail = _TAIL.search(text)
    text = (text[: tail.start()] if tail else text).strip(_STRIPPED)
    if not 2 <= len(text) <= 150 or "@" in text or text.startswith(("http", "www.")):
        return ""
    if _NO_VALUE.fullmatch(text) or _is_day(text):
        return ""
    return text if any(map(str.isalpha, text)) else ""


def _is_day(text: str) -> bool:
    """Whether nothing but a day is left: `Feb 11` of `Written by Feb 11, 2019`."""
    words = text.lower().rstrip(".").split()
    return len(words) == 2 and any(
        name.rstrip(".") in MONTHS and number.isdecimal()
        for name, number in (words, reversed(words))
    )


def split_authors(text: str) -> tuple[str, ...]:
    """The names that a text lists; titles and degrees stay with theirs."""
    names: list[str] = []
    for each in _LISTED.split(text):
        parts = [part.strip(_STRIPPED.replace(".", "")) for part in _JOINED.split(each)]
        placed = names and " " in names[-1] and _PLACE.fullmatch(each)
        if names and (placed or _belongs_to_name(each, parts)):
            names[-1] += f", {each}"
        else:
            names += filter(None, parts)
    return tuple(names)


def _belongs_to_name(text: str, parts: list[str]) -> bool:
    """Whether a text says what somebody is: `MD`, `Home and Garden Expert`."""
    if _DEGREE.fullmatch(text):
        return True
    does = [_DOES.search(part) is not None for part in parts]
    return does[-1] and all(each or " " not in part for each, part in zip(does, parts, strict=True))


def _turned(name: str) -> str:
    """`Ann Lee` for `Lee, Ann`, as catalogues have it."""
    match = _TURNED.fullmatch(name)
    return f"{match[2]} {match[1]}" if match and not _DEGREE.fullmatch(match[2]) else name


def _begins_name(word: str) -> bool:
    """Whether a word begins with a capital, or with a letter of a script that has none."""
    return word[0].isupper() or (word[0].isalpha() and not word[0].islower())


def _add_declared(source: Source, found: Candidates) -> None:
    numbers: dict[str, int] = defaultdict(int)
    for group, thing in source.things[:500]:
        for name in ("author", "creator"):
            if name not in thing.values:
                continue
            cleaned = [clean_author(plain(each)) for each in source.data.names(thing[name])]
            names = tuple(dict.fromkeys(filter(None, cleaned)))
            if names:
                kind = f"data {group}" if is_main(thing) else f"data {group} inner"
                numbers[kind] += 1
                first = numbers[kind] == 1
                found.add(", ".join(names), kind if first else f"{kind} later", parts=names)
                if len(names) > 1 and first:
                    found.add(names[0], f"{kind} first of several", parts=names[:1])
                break
    for name, short in _NAMES.items():
        if name not in source.metas:
            continue
        stated = map(unescape, source.metas[name][:20])
        if name == "citation_author":
            stated = map(_turned, stated)
        cleaned = list(map(clean_author, stated))
        names = tuple(dict.fromkeys(each for each in cleaned if each and not each.startswith("/")))
        parts = names if len(names) > 1 else ()
        found.add(", ".join(names), f"meta {short}", parts=parts)
    for number in "12":
        labels = source.metas.get(f"twitter:label{number}")
        if labels and _LABEL.search(labels[0].lower()):
            for value in source.metas.get(f"twitter:data{number}", ())[:1]:
                found.add(clean_author(value), "meta twitter")


@lru_cache(maxsize=4096)  # pages say the same of many elements
def _kind_of(value: str) -> str | None:
    """What kind of name an element with this class or id may hold."""
    small = value.lower()
    match = _KINDS.search(small) if any(map(small.__contains__, _OF_KINDS)) else None
    return match.lastgroup if match and not _NO_NAME.search(small) else None


def _add_bylines(source: Source, found: Candidates) -> None:
    """Elements whose names say that they hold an author."""
    rows: dict[int, str] = {}
    for row, value in source.cued.named:
        if kind := _kind_of(value):
            rows.setdefault(row, kind)
    for row, value in source.cued.linked:
        if _PERSON.search(value.lower()):
            rows.setdefault(row, "link")
    for row, attribute, value in source.cued.stated:
        if attribute == "itemprop":
            if not _AUTHORS.isdisjoint(value.split()):
                rows[row] = "itemprop"
        elif "author" in value.lower().split():
            rows[row] = "rel"
    known: set[tuple[str, str]] = set()
    seen: dict[str, set[str]] = defaultdict(set)
    for row in sorted(rows)[:MOST_LOOKS]:
        kind = rows[row]
        if len(seen[kind]) >= MOST_BYLINES:
            continue
        text = source.text(row, LONGEST_BYLINE)
        if (kind, text) in known:
            continue
        known.add((kind, text))
        names = (clean_author(line) for line in _PARTED.split(text)[:4])
        name = next((each for each in names if each and not NOT_A_NAME.fullmatch(each)), "")
        if not name or name in seen[kind] or len(name) > LONGEST_NAME:
            continue
        place, order = source.distance(row), "later" if seen[kind] else "first"
        seen[kind].add(name)
        each = found.add(name, f"by {kind} {order}", f"by {kind} {place}", f"by {place}")
        if each is not None:
            if not source.shown(row):
                each.note("by hidden")
            if source.is_elsewhere(row):
                each.note("by in comment")
            if SAYS_BY.match(text):
                each.note("by says by")
            if any(source.tag(up) == "a" for up in source.around(row, 3)):
                each.note("by link")


def _add_written(source: Source, found: Candidates) -> None:
    """Names after a word such as `by` in the text around the heading."""
    start, end = source.heading_at
    text = source.page.text
    for place, first, last in (
        ("behind", end, end + BEHIND),
        ("before", max(0, start - BEFORE), start),
    ):
        count = 0
        part = text[first:last]
        behind = 0
        for at in find_leads(part, LEADS):
            match = NAMED.match(part, at) if at >= behind else None
            if match is None:
                continue
            behind = match.end()
            name = clean_author(match["name"])
            words = name.split()
            if not 1 <= len(words) <= 6 or not all(
                _begins_name(word) or len(word) <= 3 for word in words
            ):
                continue
            count += 1
            line = at == 0 or part[at - 1] == "\n"
            found.add(
                name,
                f"by text {place} {'first' if count == 1 else 'later'}",
                "by text line" if line else "by text within",
            )
            if count == 3:
                break


def _describe(source: Source, candidates: list[Candidate]) -> None:
    bylines = sum(bool(each.given_by("by ")) for each in candidates)
    forum = "page: forum" in source.kinds or "page: posting" in source.kinds
    for each in candidates:
        evidence, words = each.evidence, each.key.split()
        if source.is_site(each.value):
            each.note("is site")
        if len(words) < 4:
            each.note("one word" if len(words) == 1 else "two or three words")
        elif len(words) > 6:
            each.note("many words")
        if not _GENERIC.isdisjoint(words):
            each.note("generic")
        if any(map(str.isdigit, each.value)):
            each.note("digits")
        names = each.value.split()
        evidence["capitals"] = sum(map(_begins_name, names)) / len(names)
        evidence["many bylines"] = min(bylines, 10) / 10
        evidence["sources"] = min(5, each.given_by("data", "meta", "by")) / 5
        each.of_page = source.kinds
        if forum:
            each.note("forum")
            if each.given_by("by user"):
                each.note("forum user")
