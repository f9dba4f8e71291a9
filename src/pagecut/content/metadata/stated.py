"""What is not chosen among candidates: the first source in a fixed order that says it.

The language is what the page declares, else what its text shows.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from html import unescape
from typing import Final, Literal, NamedTuple

from pagecut.content.metadata.licences import stated_licences
from pagecut.content.metadata.linked_data import addresses, texts
from pagecut.content.metadata.source import LONGEST_TITLE, Source, words_of
from pagecut.content.metadata.titles import is_parted, plain, titled_site
from pagecut.page.addresses import is_web_address, split_address, without_default_port
from pagecut.parsing.addresses import resolve

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
_LISTED: Final = re.compile(r"[,;]")
# A page that only repeats the address under which it was asked for repeats these, too.
_TRACKING = re.compile(
    r"(?:utm_\w+|[gdy]clid|[gw]braid|fbclid|msclkid|srsltid|igshid|mc_[ce]id)(?:=|$)", re.IGNORECASE
)
_HOME = re.compile(r"/*(?:[a-z]{2}(?:[-_][a-z]{2})?/*)?(?:(?:index|default|home)\b[^/]*/*)?", re.I)
LEAST_LETTERS: Final = 40  # from which a language is told
MOST_READ: Final = 4000  # characters from which it is told
ENOUGH: Final = 400  # of these at both ends, where they are in the same language
_TAG = re.compile(r"[A-Za-z]{2,3}(?:[-_][A-Za-z0-9]{2,8}){0,3}(?![A-Za-z0-9])")


def site_name(source: Source) -> str | None:
    """What the site is called."""
    return _first(_sites(source), LONGEST_NAME)


def description(source: Source) -> str | None:
    """What the page is about, in a few sentences."""
    return _first(_descriptions(source), LONGEST_DESCRIPTION)


def image(source: Source) -> str | None:
    """The address of the picture that stands for the page."""
    return _address(source, _pictures(source))


def licence(source: Source) -> str | None:
    """The address of the licence under which the page is published."""
    return _address(source, stated_licences(source))


def sound(text: str) -> str:
    """Without what cannot be stored or should not be.

    That is control characters, those of directions and hyphenation, too, and halves of characters.
    """
    return text if text.isprintable() else _UNSOUND.sub("", text)


def _first(values: Iterable[str], longest: int) -> str | None:
    for value in values:
        value = " ".join(sound(plain(value)).split())
        if 0 < len(value) <= longest:
            return value
    return None


def _address(source: Source, values: Iterable[str]) -> str | None:
    """The first address of the web among some values."""
    return next(_addresses(source, values), None)


def _addresses(source: Source, values: Iterable[str]) -> Iterator[str]:
    for value in values:
        value = sound(unescape(value.strip()))
        if 0 < len(value) <= LONGEST_ADDRESS:
            absolute = resolve(value, source.page.base or source.page.url)
            if absolute and is_web_address(absolute):
                yield without_default_port(absolute)


def _sites(source: Source) -> Iterator[str]:
    folders = source.path.lower().split("/")
    whole = "" if source.at_home else source.page.title[: 2 * LONGEST_TITLE]

    def usable(names: Iterable[str]) -> Iterator[str]:
        for name in names:
            name = name[: 2 * LONGEST_TITLE].strip(_AROUND_SITE)
            if not _LETTER.search(name) or (
                whole and is_parted(name) and words_of(name) == words_of(whole)
            ):
                continue
            if name.lower() not in folders or source.is_like_host(name):
                yield name

    yield from usable(source.named_sites(parts=False))
    site = titled_site(source)
    if site is not None:
        yield site
    yield from filter(source.is_like_host, usable(source.named_sites()))


def canonical_url(source: Source) -> str | None:
    """The address that the page gives as its own."""
    stated = (*source.links["canonical"][:MOST_CANONICAL], *source.meta("og:url", "twitter:url"))
    for address in _addresses(source, stated):
        if _may_be_canonical(address, source.page.url):
            return _without_tracking(address)
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


def keywords(source: Source) -> tuple[str, ...]:
    """What the page is said to be about, in words."""
    found: dict[str, str] = {}
    stated = [*source.meta("keywords", "news_keywords", "parsely-tags")]
    for thing in source.main_things():
        stated += texts(thing["keywords"])
    whole = source.meta("article:tag", "og:article:tag")
    for each in (*(part for value in stated for part in _LISTED.split(value[:4000])), *whole):
        word = " ".join(sound(plain(each)).split())
        if 0 < len(word) <= LONGEST_NAME:
            found.setdefault(word.lower(), word)
    return tuple(found.values())[:MOST_KEYWORDS]


def _may_be_canonical(address: str, url: str | None) -> bool:
    """Whether an address may be that of a page: not a mere word for a host, nor the site's home.

    Templates give the home page as that of every page by mistake.
    """
    own, given = split_address(url or ""), split_address(address)
    own_host, host = own.hostname or "", given.hostname or ""
    if "%" in host or ("." in own_host and "." not in host):
        return False
    at_home = given.path in ("", "/") and not given.query
    same = own_host.removeprefix("www.") == host.removeprefix("www.")
    return not (at_home and same) or _HOME.fullmatch(own.path) is not None


def _without_tracking(address: str) -> str:
    """An address without the parameters that tell whence a visitor came."""
    parts = split_address(address)
    given = parts.query.split("&")
    kept = [each for each in given if not _TRACKING.match(each)]
    return address if kept == given else parts._replace(query="&".join(kept)).geturl()


class Language(NamedTuple):
    """A language tag (BCP 47), and whether the page declares it or its text shows it."""

    tag: str
    by: Literal["declared", "detected"]


def read_language(source: Source) -> Language | None:
    """The language of a page; detected only where `py3langid` is installed."""
    for stated in source.declared_languages():
        tag = _TAG.match(stated.strip())
        if tag and tag[0].lower() != "und":
            return Language(_normal(tag[0]), "declared")
    found = detect_language(source.page.text)
    return None if found is None else Language(found, "detected")


def detect_language(text: str) -> str | None:
    """The language that a text is most likely in; None for too little, or without a detector."""
    try:
        from py3langid import classify
    except ImportError:
        return None
    start = max(0, len(text) // 2 - MOST_READ // 2)  # the middle is less often a menu
    part = " ".join(text[start : start + MOST_READ].split())
    if sum(map(str.isalpha, part)) < LEAST_LETTERS:
        return None
    if len(part) >= 4 * ENOUGH:
        first, last = classify(part[:ENOUGH])[0], classify(part[-ENOUGH:])[0]
        if first == last:
            return str(first)
    return str(classify(part)[0])


def _normal(tag: str) -> str:
    """`en-US` for `EN_us`: languages in small letters, countries in capitals."""
    first, *rest = re.split(r"[-_]", tag)
    return "-".join(
        [
            first.lower(),
            *(
                each.upper() if len(each) == 2 else each.title() if len(each) == 4 else each.lower()
                for each in rest
            ),
        ]
    )
