"""What may be the title: headings, what is declared, and both without the name of the site."""

from __future__ import annotations

import re
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import Final

from pagecut.content.metadata.choice import Candidate, Candidates
from pagecut.content.metadata.cues import count_letters
from pagecut.content.metadata.linked_data import texts
from pagecut.content.metadata.source import LONGEST_TITLE, Source, is_main, words_of
from pagecut.page.addresses import site_of_url
from pagecut.page.text.permalinks import without_permalinks

MOST_CUTS: Final = 8
SHORTEST_SITE: Final = 4
MOST_IN_SITE: Final = 3  # words of a part that has more than the name
MOST_CANDIDATES: Final = 120

_NAMES: Final = {
    "og:title": "og",
    "twitter:title": "twitter",
    "headline": "meta",
    "title": "meta",
    "dc.title": "meta",
    "dcterms.title": "meta",
    "parsely-title": "meta",
    "sailthru.title": "meta",
    "citation_title": "meta",
}
_ORDER: Final = ("first", "second", "third", "later")
# Between kana or Han characters, signs need no spaces.
_SEPARATOR = re.compile(
    r"\s+[-|–—·•:»«~/⋅]+\s+|\s*[|｜»•]\s*|:\s|(?<=[\u3040-\u9fff])[-_–—]+(?=[\u3040-\u9fff])"
)
_BAR = re.compile(r"[|｜»•]")
# In names of elements: parts of words, and whole words.
_HEADER: Final = (("logo", "site-title", "brand"), re.compile(r"\b(?:header|nav)\b"))
_CONTENT: Final = (("content", "entry", "post"), re.compile(r"\b(?:article|main)\b"))
_TAG = re.compile(r"<[^<>]{1,300}>")


def title_candidates(source: Source) -> list[Candidate]:
    """What may be the title."""
    found = Candidates(_key)
    _add_headings(source, found)
    for name, short in _NAMES.items():
        if name in source.metas:
            value = unescape(source.metas[name][0])
            found.add(value, short)
            _add_cuts(source, found, value, short)
    title = source.page.title[: 2 * LONGEST_TITLE]
    if title:
        found.add(title, "title")
        _add_cuts(source, found, title, "title")
    for group, thing in source.things[:300]:
        if not is_main(thing):
            continue
        for name in ("headline", "name"):
            for value in texts(thing[name]):
                found.add(plain(value), f"data {group} {name}")
                if group == "webpage":
                    _add_cuts(source, found, plain(value), "data")
                break
    seen: set[str] = set()
    for row, attribute, value in source.cued.stated:
        if attribute == "itemprop":
            for name in value.split():
                if name in ("headline", "name") and name not in seen:
                    seen.add(name)
                    found.add(source.text(row, LONGEST_TITLE), f"itemprop {name}")
    candidates = list(found)[:MOST_CANDIDATES]
    _describe(source, candidates)
    return candidates


def titled_site(source: Source) -> str | None:
    """The part of `<title>` that names the site, as its address does; None where none does.

    Either has the letters of the other, four at least, the part not many words more. The first part
    is mostly the page's own title, so it must not have more than the address.
    """
    name = _letters(site_of_url(source.page.url))
    host = _letters(source.host)
    title = source.page.title[: 2 * LONGEST_TITLE]
    parts = _SEPARATOR.split(title)[: MOST_CUTS + 1]
    found = []
    for number, part in enumerate(parts if len(parts) > 1 else ()):
        own = _letters(part)
        within = len(own) >= SHORTEST_SITE and own in host
        words = words_of(part)
        around = (
            number > 0
            and len(name) >= SHORTEST_SITE
            and (name in map(_letters, words) or own.startswith(name))
            and len(words) <= MOST_IN_SITE
        )
        if within or around:
            found.append((abs(len(own) - len(name)), part.strip()))
    return min(found)[1] if found else None


def is_parted(title: str) -> bool:
    """Whether a title has parts, most often its own and the name of the site."""
    return _SEPARATOR.search(title) is not None


def _letters(text: str) -> str:
    return "".join(words_of(text)).replace("_", "")


def plain(value: str) -> str:
    """A text without character references and tags, which data should not have but does."""
    value = value[:4000]
    return _TAG.sub("", unescape(value)) if "<" in value or "&" in value else value


def _key(value: str) -> str:
    return " ".join(words_of(value)) if len(value) <= LONGEST_TITLE else ""


def _add_headings(source: Source, found: Candidates) -> None:
    for number, row in enumerate(source.headings):
        place = "only" if len(source.headings) == 1 else _ORDER[min(number, 3)]
        start, end = source.starts[row], source.ends[row]
        short = 0 < end - start <= LONGEST_TITLE
        text = without_permalinks(source.page, start, end) if short else ""
        each = found.add(text, f"h1 {place}", "h1")
        if each is None:
            continue
        names = source.names_around(row, 8)
        if not source.shown(row):
            each.note("h1 hidden")
        if _has_one(names, *_HEADER):
            each.note("h1 in header")
        if _has_one(names, *_CONTENT):
            each.note("h1 in content")
        if source.starts[row] > 0.5 * len(source.page.text):
            each.note("h1 late")
        if "\n" in text:
            each.note("h1 of lines")
            lines = [line for line in text.split("\n") if line.strip()]
            found.add(max(lines, key=len), "h1 line")
            found.add(lines[-1], "h1 last line")
        _add_cuts(source, found, text, "h1")
    for number, row in enumerate(source.rows_with_text("h2", 3)):
        found.add(source.text(row, LONGEST_TITLE), f"h2 {_ORDER[number]}")


def _has_one(names: str, parts: tuple[str, ...], words: re.Pattern[str]) -> bool:
    return any(map(names.__contains__, parts)) or words.search(names) is not None


@lru_cache(maxsize=256)  # pages state the same title several times
def _cuts_of(text: str) -> list[tuple[int, int, str]]:
    """The first separators of a title: where they start and end, and what they are."""
    return [
        (*cut.span(), "colon" if ":" in cut[0] else "bar" if _BAR.search(cut[0]) else "dash")
        for cut in islice(_SEPARATOR.finditer(text), MOST_CUTS)
    ]


def _add_cuts(source: Source, found: Candidates, text: str, name: str) -> None:
    """Parts of a title between separators, most of which part it from the site's name."""
    cuts = _cuts_of(text[: 2 * LONGEST_TITLE])
    for number, (start, end, mark) in enumerate(cuts):
        left, right = text[:start], text[end:]
        each = found.add(left, f"{name} cut {mark}")
        if each is not None:
            if number == len(cuts) - 1:
                each.note(f"{name} cut last")
            if number == 0:
                each.note(f"{name} cut first")
            key, host = "".join(words_of(right)), source.host_key
            if source.is_site_key(key):
                each.note("cut off site")
            if key and host and (key in host or host in key):
                each.note("cut off host")
        if number == 0:
            each = found.add(right, f"{name} rest {mark}")
            if each is not None and source.is_site(left):
                each.note("rest after site")


def _most_alike(words: frozenset[str], others: list[frozenset[str]]) -> float:
    """The most that a title shares with others, of the words of both; -1 where there is none."""
    most = -1.0
    for other in others:
        both = len(words & other)
        most = max(most, both / (len(words) + len(other) - both))
    return most


def _describe(source: Source, candidates: list[Candidate]) -> None:
    """What the values are like, and how they go together."""
    title = words_of(source.page.title[: 2 * LONGEST_TITLE])
    title_text = " ".join(title)
    address = frozenset(words_of(source.path.replace("_", " ")))
    keys = [each.key for each in candidates]
    headed = any("h1" in each.evidence for each in candidates)
    parted = _SEPARATOR.search(source.page.title[: 2 * LONGEST_TITLE])
    known = frozenset(title)
    sets = [frozenset(key.split()) for key in keys]
    given = {
        name: [words for words, each in zip(sets, candidates, strict=True) if name in each.evidence]
        for name in ("h1", "title", "og")
    }
    of_page = {
        "candidates": float(len(candidates)),
        "headings": float(len(given["h1"])),
        "words of h1": float(max(map(len, given["h1"]), default=0)),
        "words of title": float(max(map(len, given["title"]), default=0)),
        "h1 to title": max(
            (_most_alike(each, given["title"]) for each in given["h1"]), default=-1.0
        ),
        "h1 to og": max((_most_alike(each, given["og"]) for each in given["h1"]), default=-1.0),
    }
    host_key, kinds = source.host_key, source.kinds
    of_page.update(kinds)
    for each, own in zip(candidates, sets, strict=True):
        evidence, key, value = each.evidence, each.key, each.value
        words = key.split()
        each.of_page = of_page
        evidence["words"] = float(len(words))
        evidence["letters"] = float(len(value))
        letters, capitals, digits = count_letters(value)
        evidence["capitals"] = capitals / max(1, letters)
        evidence["sentence"] = float(value.endswith((".", "!", "?")))
        evidence["digits"] = float(digits > 0)
        evidence["parted by a bar"] = float("|" in value)
        evidence["parted by a dash"] = float(" - " in value or " – " in value)
        for name, others in given.items():
            evidence[f"like {name}"] = _most_alike(own, others)
        evidence["within others"] = (sum(map(own.issubset, sets)) - 1) / len(sets)
        evidence["holds others"] = (sum(map(own.issuperset, sets)) - 1) / len(sets)
        if source.is_site_key(key.replace(" ", "")):
            each.note("is site")
        if len(words) < 3:
            each.note("one word" if len(words) == 1 else "two words")
        elif len(words) > 20:
            each.note("long")
        if title_text.startswith(key):
            each.note("begins title")
        elif key in title_text:
            each.note("in title")
        share = sum(map(known.__contains__, words)) / len(words)
        evidence["of title"] = share
        evidence["in address"] = sum(map(address.__contains__, words)) / len(words)
        of_site = [word for word in words if len(word) > 2 and word in host_key]
        evidence["site words"] = len(of_site) / len(words)
        evidence["begins others"] = sum([other.startswith(key) for other in keys]) / len(keys)
        evidence["in others"] = sum([key in other for other in keys]) / len(keys)
        if "h1" in evidence:
            like = "is" if share > 0.99 else "like" if share > 0.6 else "near"
            each.note(f"h1 {like if share >= 0.3 else 'unlike'} title")
        elif "title" in evidence or "og" in evidence:
            each.note("whole title, headed" if headed else "whole title, no heading")
            if not parted:
                each.note("whole title, no parts")
        if "page: home" in kinds:
            by = ("title", "is site", "h1")
            each.note("home " + next((kind for kind in by if kind in evidence), "other"))
