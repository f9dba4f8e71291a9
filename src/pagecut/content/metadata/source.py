"""A page, and what its title, authors, dates and all else are read from."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from itertools import islice
from typing import Final, NamedTuple

import numpy as np

from pagecut.content.metadata.cues import find_cues, prepare
from pagecut.content.metadata.dates import MONTH_FIRST
from pagecut.content.metadata.linked_data import LinkedData, Thing, texts
from pagecut.page import Page
from pagecut.page.addresses import split_address
from pagecut.page.attributes import packed_attributes
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.text.tokenizer import bare_words

MOST_ROWS: Final = 40  # elements of a kind that are looked at
MOST_CUED: Final = 5000  # attributes that are looked at
LONGEST_VALUE: Final = 500  # characters of an attribute that are looked at
LONGEST_META: Final = 10_000
LONGEST_TITLE: Final = 400
# Characters around the heading in which by-lines and days are sought.
BEFORE: Final = 600
BEHIND: Final = 1500

Evidence = dict[str, float]

# Attributes that are looked at if they have one of the words, or one of those that begin with a
# slash, and those that are in any case.
_SEARCHED: Final = ("class", "id", "rel")
_LINKING: Final = ("href",)
_TAKEN: Final = ("itemprop",)
_LINKED: Final = frozenset({"canonical", "image_src", "license"})  # of all `<link>`, what is read
_CUES: Final = (
    "author autor auteur byline by-line by_line posted written writer contributor creator username "
    "user-name user_name poster nickname membername member-name displayname display-name date "
    "publish time entry-meta license /author /profile/ /people/ /contributor /writer /staff/ "
    "/team/ /member /user /u/ /creativecommons.org/ /www.creativecommons.org/"
)
# Names of elements that hold something else than the page's own content.
_ELSEWHERE: Final = "comment reply replies related recommend sidebar footer widget".split()
_GROUPS: Final = {
    "article": "article newsarticle blogposting techarticle report scholarlyarticle review recipe "
    "reportagenewsarticle analysisnewsarticle opinionnewsarticle liveblogposting howto "
    "medicalscholarlyarticle advertisercontentarticle satiricalarticle socialmediaposting "
    "creativework book",
    "posting": "discussionforumposting qapage question",
    "product": "product productgroup individualproduct softwareapplication course event "
    "videogame mobileapplication vehicle jobposting",
    "video": "videoobject podcastepisode audioobject episode",
    "webpage": "webpage collectionpage itempage faqpage aboutpage profilepage medicalwebpage "
    "searchresultspage itemlist",
}
_GROUP_OF: Final = {kind: group for group, kinds in _GROUPS.items() for kind in kinds.split()}
_SITES: Final = frozenset(
    "website organization newsmediaorganization corporation localbusiness onlinestore brand "
    "publisher educationalorganization ngo".split()
)
_PATHS: Final = {
    "blog": re.compile(r"/(?:blog|news|article|post|stor(?:y|ies)|insights?|magazine)s?/"),
    "forum": re.compile(
        r"/(?:threads?|topics?|t|questions?|forums?|viewtopic\.php|discussion|community)(?:/|$|s/)"
        r"|^(?:forum|community|discuss)"
    ),
    "shop": re.compile(r"/(?:products?|shop|collections?|category|dp|item|itm|p|c)/"),
    "docs": re.compile(r"/(?:docs?|documentation|reference|api|manual|guide)/|docs\."),
}
_WORDS = re.compile(r"\w+")
_OTHER_WORDS = re.compile("[\u0900-\u17ff\u2e80-\u9fff]")  # no mere runs of letters
prepare(_CUES.split())


def words_of(text: str) -> list[str]:
    """The words of a text in small letters."""
    small = text.lower()
    other = not small.isascii() and _OTHER_WORDS.search(small)
    return bare_words(small) if other else _WORDS.findall(small)


def group_of(thing: Thing) -> str | None:
    """What kind of thing it is that a page may be about."""
    if len(thing.types) == 1:
        (only,) = thing.types
        return _GROUP_OF.get(only)
    return next((_GROUP_OF[each] for each in sorted(thing.types) if each in _GROUP_OF), None)


def is_main(thing: Thing) -> bool:
    """Whether the data says that the page is about this thing, not that it is part of another."""
    return thing.depth == 0 or thing.role == "mainEntity"


def _names_of(attrs: Mapping[str, str]) -> frozenset[str]:
    """What a `<meta>` says that it gives."""
    get, most = attrs.get, LONGEST_VALUE
    name, equiv = get("name", "")[:most], get("http-equiv", "")[:most]
    return _names(name, get("property", "")[:most], get("itemprop", "")[:most], equiv)


@lru_cache(maxsize=4096)  # pages say the same
def _names(name: str, property_: str, itemprop: str, http_equiv: str) -> frozenset[str]:
    """The names of a `<meta>`; of properties there may be several."""
    whole = (each.strip().lower() for each in (name, property_, itemprop, http_equiv))
    several = f"{property_} {itemprop}".lower().split()
    return frozenset((*whole, *several)) - {""}


@lru_cache(maxsize=4096)  # pages say the same of many elements
def _says_elsewhere(names: str) -> bool:
    small = names.lower()
    return any(map(small.__contains__, _ELSEWHERE))


class Cues(NamedTuple):
    """Rows with an attribute that may name an author, a day or a licence, in document order.

    Args:
        named: classes and ids.
        stated: `itemprop` and `rel`, as (row, attribute, value).
        linked: addresses of links.
    """

    named: list[tuple[int, str]]
    stated: list[tuple[int, str, str]]
    linked: list[tuple[int, str]]


class Source:
    """A page with its declarations by name, its linked data, and its attributes by words."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.nodes = page.nodes
        self.attrs = page.attrs
        self.tags, self.parents, self.starts, self.ends = map(
            page.packed.column, ("tag", "parent", "start", "end")
        )
        self._known_names: dict[int, str] = {}
        self._known_elsewhere: dict[int, bool] = {}
        self.metas: dict[str, list[str]] = defaultdict(list)
        self.links: dict[str, list[str]] = defaultdict(list)
        scripts = []
        for tag, attrs in page.declarations:
            if tag == "meta":
                content = attrs.get("content", "").strip()
                if content and len(content) <= LONGEST_META:
                    for name in _names_of(attrs):
                        self.metas[name].append(content)
            elif tag == "link":
                if rel := attrs.get("rel"):
                    for name in _LINKED.intersection(rel.lower().split()):
                        self.links[name].append(attrs.get("href", ""))
            elif tag == "script":
                scripts.append(attrs.get("content", ""))
        self.data = LinkedData(scripts)
        # What the page may be about, and what kind of thing that is.
        self.things = [
            (group, thing) for thing in self.data.things if (group := group_of(thing)) is not None
        ]
        address = split_address(page.url or "")
        self.host = (address.hostname or "").lower().removeprefix("www.")
        self.path = address.path[:2000]
        self.host_key = re.sub(r"\W", "", self.host.rpartition(".")[0])
        self.site_names = {"".join(words_of(name)) for name in self.named_sites()} - {""}
        self.headings = self.rows_with_text("h1")
        self.heading_at = self._main_heading()
        stated = next(filter(None, map(str.strip, self.declared_languages())), "en")
        self.month_first = stated.lower().replace("_", "-") in MONTH_FIRST

    def named_sites(self, *, parts: bool = True) -> Iterator[str]:
        """What the page says that its site is called.

        Args:
            parts: also the names of organisations and brands that are part of something else, as
                the author of an article or the maker of a product is.
        """
        yield from self.metas.get("og:site_name", ())[:3]
        for thing in self.data.things:
            whole = thing.depth == 0 or "website" in thing.types
            if thing.role == "publisher" or (thing.types & _SITES and (parts or whole)):
                yield from texts(thing["name"])
        yield from self.metas.get("application-name", ())[:1]

    def declared_languages(self) -> Iterator[str]:
        """What the page says that its language is, the surest first."""
        yield self.attribute(0, "lang")
        yield from self.meta("content-language", "language")
        yield from self.meta("og:locale", "dc.language", "dcterms.language")
        for thing in self.data.things[:100]:
            if is_main(thing):
                yield from texts(thing["inLanguage"])

    def main_things(self, most: int = 100) -> Iterator[Thing]:
        """The things that the page is about."""
        for _, thing in self.things[:most]:
            if is_main(thing):
                yield thing

    def meta(self, *names: str) -> Iterator[str]:
        """The contents of `<meta>` elements, those of the first name first."""
        for name in names:
            yield from self.metas.get(name, ())[:20]

    # Rows

    def rows_with_text(self, tag: str, most: int = MOST_ROWS) -> list[int]:
        names = self.nodes.tag_names
        if tag not in names:
            return []
        rows = np.flatnonzero(self.nodes.tag == names.index(tag))[: 10 * most].tolist()
        return list(islice((row for row in rows if self.ends[row] > self.starts[row]), most))

    def attribute(self, row: int, name: str) -> str:
        return self.attrs.get(row, {}).get(name, "")[:LONGEST_VALUE]

    def shown(self, row: int) -> bool:
        return not self.nodes.hidden[row] & NOT_SHOWN

    def text(self, row: int, most: int) -> str:
        """The text of a row, if it has some and not too much."""
        start, end = self.starts[row], self.ends[row]
        return self.page.readable(start, end).strip() if 0 < end - start <= most else ""

    def tag(self, row: int) -> str:
        return self.nodes.tag_names[self.tags[row]]

    def around(self, row: int, most: int) -> Iterator[int]:
        """A row and what it lies in, so many levels up."""
        while row >= 0 and most:
            yield row
            row = self.parents[row]
            most -= 1

    def names_around(self, row: int, most: int) -> str:
        """Tags, classes and ids of a row and of what it lies in."""
        return " ".join(map(self.names, self.around(row, most)))

    def names(self, row: int) -> str:
        """Tag, classes and id of a row."""
        known = self._known_names.get(row)
        if known is None:
            given = self.attrs.get(row)
            if given is None:
                known = f"{self.tag(row)}  "
            else:
                names = f"{self.tag(row)} {given.get('class', '')} {given.get('id', '')}"
                known = names[:300]
            self._known_names[row] = known
        return known

    def is_elsewhere(self, row: int) -> bool:
        """Whether a row lies in comments, recommendations or a footer."""
        known, parents = self._known_elsewhere, self.parents
        for _ in range(12):
            if row < 0:
                break
            found = known.get(row)
            if found is None:
                found = known[row] = _says_elsewhere(self.names(row))
            if found:
                return True
            row = parents[row]
        return False

    @cached_property
    def cued(self) -> Cues:
        """What in the attributes may name an author, a day or a licence."""
        looked = (*_SEARCHED, *_LINKING, *_TAKEN)
        owners, keys, ends, values, wanted = packed_attributes(self.page.attrs, looked)
        names = dict(zip(wanted, looked, strict=True))
        first, last = len(_SEARCHED), len(_SEARCHED) + len(_LINKING)
        searched, linking, taken = wanted[:first], wanted[first:last], wanted[last:]
        found = find_cues(keys, ends, values, searched, linking, taken, LONGEST_VALUE)
        cues = Cues([], [], [])
        for index in found[:MOST_CUED]:
            value = str(values[ends[index - 1] if index else 0 : ends[index]], "utf-8", "replace")
            row, name = owners[index], names[keys[index]]
            if name in ("class", "id"):
                cues.named.append((row, value))
            elif name == "href":
                cues.linked.append((row, value))
            else:
                cues.stated.append((row, name, value))
        return cues

    # Places

    def _main_heading(self) -> tuple[int, int]:
        """The range of the heading that is most like the page's title; (0, 0) if it has none."""
        title = set(words_of(self.page.title[:LONGEST_TITLE]))
        best, place = -1.0, (0, 0)
        for row in self.headings:
            words = words_of(self.text(row, LONGEST_TITLE))
            if words:
                score = sum(each in title for each in words) / (len(words) + 2)
                score += 0.1 * self.shown(row)
                if score > best:
                    best, place = score, (self.starts[row], self.ends[row])
        return place

    def distance(self, row: int) -> str:
        """Where a row lies from the heading, in a word."""
        start, end = self.heading_at
        at = self.starts[row]
        if not end:
            return "no heading"
        if at < start:
            return "just before" if start - at < BEFORE else "before"
        for name, most in (("close", 150), ("near", 500), ("not far", 2000)):
            if at - end < most:
                return name
        return "far"

    def is_site(self, value: str) -> bool:
        """Whether a value is the name of the page's site."""
        return self.is_site_key("".join(words_of(value)))

    def is_site_key(self, key: str) -> bool:
        """Whether the words of a value, one after the other, are the name of the page's site."""
        return key in self.site_names or (len(key) > 2 and key == self.host_key)

    def is_like_host(self, name: str) -> bool:
        """Whether the address of the page has the letters of a name, or the name has those."""
        key = "".join(words_of(name))
        return (
            len(key) > 2
            and len(self.host_key) > 2
            and (key in self.host_key or self.host_key in key)
        )

    @property
    def at_home(self) -> bool:
        """Whether the page is the first of its site."""
        return not self.path.strip("/")

    @cached_property
    def kinds(self) -> Evidence:
        """What the page as a whole seems to be, which says whether it has an author or a date."""
        found: Evidence = {}
        for group, thing in self.things:
            if thing.depth == 0:
                found[f"page: {group}"] = 1.0
        for kind in self.metas.get("og:type", ())[:1]:
            kind = kind.lower()
            known = (each for each in ("article", "product", "website") if each in kind)
            found[f"page: og {next(known, 'other')}"] = 1.0
        path = self.path.lower()
        parts = [each for each in path.split("/") if each]
        if not parts:
            found["page: home" if self.host else "page: no address"] = 1.0
        elif parts[-1].count("-") + parts[-1].count("_") >= 4:
            found["page: long name"] = 1.0
        for name, pattern in _PATHS.items():
            if pattern.search(self.host + path):
                found[f"page: {name}"] = 1.0
        nodes = self.nodes
        mass = 0
        if "p" in nodes.tag_names:
            paragraphs = np.flatnonzero(nodes.tag == nodes.tag_names.index("p"))
            mass = int((nodes.end[paragraphs] - nodes.start[paragraphs]).sum())
        found["page: in paragraphs"] = min(1.0, mass / max(1, len(self.page.text)))
        articles = len(self.rows_with_text("article", 2))
        if articles:
            found["page: one article" if articles == 1 else "page: articles"] = 1.0
        return found
