"""The obvious version of the roles of images, one dictionary of evidence for each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp, log1p
from typing import Final
from urllib.parse import urlsplit

import image_names_literal as names
from item_literal import Found, ItemTree

from pagecut.contexts.item.image_role_weights import BIAS, THRESHOLD, WEIGHTS
from pagecut.contexts.item.layout import seen_size
from pagecut.page import Image
from pagecut.page.attributes import attribute_values
from pagecut.page.nodes import NOT_SHOWN, TEXT
from pagecut.page.tags import HEADINGS
from pagecut.page.tokenizer import bare_words

_WORD_IN_NAME = re.compile(r"[^\W\d_]{4,}")
_READ: Final = 4000  # characters of a context that are compared with the image's own words
_LABEL: Final = 3  # words of a menu's entry, a button's label
_SHORT: Final = 14  # words that a sign can stand beside; more are a text of their own
_TOP: Final = 0.03  # share of the page's text before which its head is
_NAME: Final = 300  # characters of a class or an id that are read
_WHOLE_PAGE: Final = 2000  # characters; a shorter text is a part of a page, without a head
_LANDMARK_TAGS: Final = frozenset({"nav", "footer"})
_CONTENT_TAGS: Final = frozenset({"article", "section", "main", "body", "html"})
_LINE_TAGS: Final = HEADINGS | frozenset(
    "a span b i em strong font nobr label u small button".split()
)
_RECORDS: Final = frozenset(
    {"record", "entry", "regular", "column", "shared record", "nearest of alike"}
)
_SHARED: Final = frozenset({"several", "neighbour", "headline", "section"})

_RATIOS: Final = frozenset({(16, 9), (9, 16), (4, 3), (3, 4), (3, 2), (2, 3), (21, 9)})

# An image of one pixel counts visitors, or is a line or a spacer.
LINE: Final = 1


@dataclass(slots=True)
class RoleJudge:
    """Judges the images of one page."""

    tree: ItemTree
    _times: Counter[str | None] = field(init=False)
    _targets: dict[int, str] = field(init=False)
    _classes: dict[int, str] = field(init=False)
    _ids: dict[int, str] = field(init=False)
    _leaf_starts: list[int] = field(init=False)
    _image_starts: list[int] = field(init=False)
    _text_links: dict[str, list[int]] | None = None
    _said: dict[tuple[int, int], frozenset[str]] = field(default_factory=dict)
    _landmarks: dict[int, bool] = field(default_factory=dict)

    def __post_init__(self) -> None:
        page = self.tree.page
        self._times = Counter(image.src for image in page.images)
        self._targets = attribute_values(page.attrs, "href")
        self._classes = attribute_values(page.attrs, "class")
        self._ids = attribute_values(page.attrs, "id")
        self._leaf_starts = page.leaf_starts.tolist()
        self._image_starts = page.image_starts.tolist()

    def evidence(self, image: Image, found: Found) -> dict[str, float]:
        """What speaks for and against an image having a context, and how much of it there is."""
        tree, page = self.tree, self.tree.page
        node, at = image.node, int(page.nodes.start[image.node])
        ancestors = self._ancestors(node, 4)
        own = page.attrs.get(node, {})
        name = names.split_name(image.src or "")
        size = names.size_of(image, own.get("style", ""))
        if (seen := seen_size(page, image)) and names.Size(*seen).tiny:
            size = names.Size(*seen)
        photo, tiny, alt = name.is_photo, size.tiny, image.alt or ""
        start, end = (found.spans[0][0], found.spans[-1][1]) if found.spans else (0, 0)
        tokens = sum(tree.count_tokens(*span) for span in found.spans)
        leaves, images = self._text_leaves(start, end), self._images_in(start, end)
        nearest, lonely = self._surroundings(node)
        link = next((row for row in ancestors if tree.tag[row] == "a"), None)
        target = "" if link is None else self._target(link)
        shows_picture = bool(names.PICTURE_FILE.search(names.split_path(target)))
        near = " ".join(map(self._names_of, (node, *ancestors[:2])))
        around = " ".join(map(self._names_of, (node, *ancestors)))
        alt_words = [word.lower() for word in bare_words(alt)]
        file_words = _WORD_IN_NAME.findall(name.file.lower())
        said: frozenset[str] = frozenset()
        if not tiny and (len(alt_words) > 1 or file_words):
            said = self._words_said(start, end)
        beginning = page.text[start : min(end, start + 200)]
        logo_class = bool(names.LOGO_CLASS.search(near))
        short = tokens <= _SHORT
        times = self._times[image.src]
        return {
            "photo": photo,
            "photo in a picture's shape": photo and not tiny and not size.wide,
            "links where its text does": not tiny
            and link is not None
            and not tree.tokens[link]
            and self._links_to(link, start, end),
            "links to a picture": shows_picture,
            "picture class": bool(names.PICTURE_CLASS.search(around)),
            "heading name": bool(names.HEADING_NAME.search(name.stem)),
            "numbered name": bool(names.NUMBERED.search(name.url.partition("?")[0])),
            "upload folder": bool(names.UPLOAD_FOLDER.search(name.url)),
            "long alt": len(alt_words) >= 4,
            "text says its alt": len(alt_words) >= 2
            and 2 * sum(word in said for word in alt_words) >= len(alt_words),
            "text says its name": any(word in said for word in file_words),
            "before its text": bool(found.spans) and at <= start,
            "figure": any(tree.tag[row] == "figure" for row in ancestors),
            "record": found.how in _RECORDS and not tiny,
            "images in its text": log1p(images),
            "tiny": tiny,
            "tiny beside few words": tiny and short,
            "thin": size.thin,
            "wide drawing": size.wide and not photo,
            "drawing of unknown size": not photo and not size.known,
            "svg": name.ending == ".svg",
            "gif": name.ending == ".gif",
            "short name": 0 < len(name.stem) <= 8,
            "sign name": bool(names.SIGN.search(name.stem)),
            "social name": bool(names.SOCIAL.search(name.stem)),
            "logo name": logo_class
            or bool(names.LOGO.search(name.stem) or names.LOGO_CLASS.search(alt)),
            "logo class": logo_class,
            "icon class": bool(names.ICON_CLASS.search(near)),
            "laid over another": self._follows(at, start)
            and bool(names.OVERLAY_CLASS.search(near)),
            "layout folder": bool(names.LAYOUT_FOLDER.search(name.url)),
            "repeated drawing": times >= 2 and not photo and short,
            "often repeated drawing": times >= 4 and not photo and short,
            "ad name": bool(names.AD_NAME.search(name.url)),
            "ad class": bool(names.AD_CLASS.search(around)),
            "ad label": bool(names.AD_LABEL.match(beginning)),
            "hidden": bool(page.nodes.hidden[node] & NOT_SHOWN),
            "navigation": self._in_navigation(ancestors),
            "top of the page": len(page.text) >= _WHOLE_PAGE and at < _TOP * len(page.text),
            "menu": leaves >= 10 and tokens <= 3.5 * leaves,
            "form": bool(names.FORM_WORDS.search(beginning[:120])),
            "copyright": bool(names.COPYRIGHT.search(beginning)),
            "drawing beside a label": not photo and tokens <= _LABEL,
            "drawing in a line of text": not photo
            and not size.large
            and tokens <= _SHORT
            and self._in_line(node),
            "short entry": found.how in ("entry", "record") and tokens <= _LABEL + 1,
            "one word": nearest >= 0 and tree.tokens[nearest] <= 1,
            "in a row of images": lonely >= 3,
            "drawing with a shared text": not photo and found.how in _SHARED,
            "long shared text": found.how in _SHARED and not short,
            "far": found.how == "neighbour",
            "long text": tokens > 200,
            "links elsewhere than its text": link is not None
            and not shows_picture
            and not self._links_to(link, start, end),
            "links to another site": link is not None
            and not shows_picture
            and self._leaves_site(link),
        }

    def judge(self, image: Image, found: Found) -> tuple[str, float]:
        """The image's role, and how sure that is."""
        if not found.spans:
            return "no-text", 1.0
        if _at_most(image.width, LINE) or _at_most(image.height, LINE):
            return "decoration", 1.0
        if _is_dot(image.width, image.height):
            return "decoration", 1.0
        if image.tag == "input":
            return "icon", 1.0
        evidence = self.evidence(image, found)
        odds = BIAS + sum(WEIGHTS[name] * amount for name, amount in evidence.items() if amount)
        probability = 1 / (1 + exp(-odds))
        if odds >= THRESHOLD:
            return "content", probability
        return _role_of(evidence), 1 - probability

    def _names_of(self, row: int) -> str:
        return f"{self._classes.get(row, '')[:_NAME]} {self._ids.get(row, '')[:_NAME]}"

    def _target(self, row: int) -> str:
        return self._targets.get(row, "")

    def _find_text_links(self) -> dict[str, list[int]]:
        """Where the text of each target starts."""
        tree, links = self.tree, self._text_links
        if links is None:
            links = self._text_links = {}
            for row, target in self._targets.items():
                if target and tree.tokens[row] and tree.tag[row] == "a":
                    links.setdefault(target, []).append(tree.start[row])
        return links

    def _words_said(self, start: int, end: int) -> frozenset[str]:
        """The words at the beginning of a range of text."""
        span = start, min(end, start + _READ)
        if span not in self._said:
            text = self.tree.page.text[span[0] : span[1]]
            self._said[span] = frozenset(map(str.lower, bare_words(text)))
        return self._said[span]

    def _links_to(self, link: int, start: int, end: int) -> bool:
        """Whether the image's link has words itself, or the text has a link to the same place."""
        if self.tree.tokens[link]:
            return True
        starts = self._find_text_links().get(self._target(link), [])
        at = bisect_left(starts, start)
        return at < len(starts) and starts[at] < end

    def _leaves_site(self, link: int) -> bool:
        target, own = self._target(link), self.tree.page.url
        if own is None or not target.startswith(("http://", "https://")):
            return False
        return _site(target) != _site(own)

    def _in_navigation(self, ancestors: list[int]) -> bool:
        """Whether the image is in a menu, a head or a foot of the page, by tag or name."""
        chain, known = [], False
        row = ancestors[0] if ancestors else -1
        while row >= 0:
            if row in self._landmarks:
                known = self._landmarks[row]
                break
            chain.append(row)
            if self.tree.tag[row] in _CONTENT_TAGS:
                break
            row = self.tree.parent[row]
        for row in reversed(chain):
            tag = self.tree.tag[row]
            if tag in _CONTENT_TAGS:
                known = False
            elif not known:
                known = tag in _LANDMARK_TAGS or bool(names.NAVIGATION.search(self._names_of(row)))
            self._landmarks[row] = known
        return known

    def _in_line(self, node: int) -> bool:
        """Whether the image stands in a line of text rather than beside it."""
        tree = self.tree
        child, row = node, tree.parent[node]
        while row >= 0 and tree.tag[row] in _LINE_TAGS and not tree.tokens[row]:
            child, row = row, tree.parent[row]
        if row < 0 or not tree.tokens[row]:
            return False
        siblings = tree.children[row]
        at = bisect_left(siblings, child)
        beside = (*siblings[max(at - 1, 0) : at], *siblings[at + 1 : at + 2])
        kind = tree.page.nodes.kind
        return tree.tag[row] in _LINE_TAGS or any(kind[each] == TEXT for each in beside)

    def _surroundings(self, node: int) -> tuple[int, int]:
        """The first ancestor with words, and how many images the one below it holds."""
        tree = self.tree
        row = node
        while tree.parent[row] >= 0 and not tree.tokens[tree.parent[row]]:
            row = tree.parent[row]
        return tree.parent[row], tree.images[row]

    def _ancestors(self, node: int, count: int) -> list[int]:
        rows: list[int] = []
        row = self.tree.parent[node]
        while row >= 0 and len(rows) < count:
            rows.append(row)
            row = self.tree.parent[row]
        return rows

    def _follows(self, at: int, start: int) -> bool:
        """Whether another image of the same text stands before."""
        return self._images_in(start, at) > 0

    def _text_leaves(self, start: int, end: int) -> int:
        starts = self._leaf_starts
        leaves = bisect_left(starts, end) - bisect_left(starts, start)
        return leaves - self._images_in(start, end)

    def _images_in(self, start: int, end: int) -> int:
        starts = self._image_starts
        return bisect_left(starts, end) - bisect_left(starts, start)


def _role_of(evidence: Mapping[str, float]) -> str:
    for role, pieces in (
        ("ad", ("ad name", "ad class", "ad label")),
        ("logo", ("logo name",)),
        (
            "icon",
            ("tiny", "often repeated drawing", "sign name", "social name", "icon class", "svg"),
        ),
        ("decoration", ("hidden", "thin")),
    ):
        if any(evidence[name] for name in pieces):
            return role
    return "no-text"


def _site(url: str) -> list[str]:
    try:
        return urlsplit(url).netloc.split(".")[-2:]
    except ValueError:
        return []


def _is_dot(width: int | None, height: int | None) -> bool:
    """Whether both sides are declared, as at most 12 pixels, and are no ratio."""
    if width is None or height is None or (width, height) in _RATIOS:
        return False
    return max(width, height) <= 12


def _at_most(length: int | None, limit: int) -> bool:
    return length is not None and length <= limit
