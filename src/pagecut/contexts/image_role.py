"""Is an image content, or a logo, an icon, an ad, a decoration? By evidence with learnt weights.

Each piece of evidence is something a person could point at; a logistic model adds up their weights.
The weights come from `experiments/train_image_roles.py`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from math import exp
from typing import Final
from urllib.parse import urlsplit

from pagecut.attribute_table import attribute_values
from pagecut.contexts.item_search import Found
from pagecut.contexts.item_tree import ItemTree, is_small
from pagecut.nodes import NOT_SHOWN
from pagecut.page import Image
from pagecut.text import bare_words


class _Words:
    """Finds one of several words in a name, in any case: at once in ASCII, else by a pattern.

    Args:
        words: found anywhere.
        patterns: by a word that must be there for it to match.
    """

    def __init__(self, words: str, **patterns: str) -> None:
        self.words = tuple(words.split())
        self.patterns = {word: re.compile(pattern) for word, pattern in patterns.items()}
        both = [*map(re.escape, self.words), *patterns.values()]
        self.pattern = re.compile("|".join(both), re.IGNORECASE)

    def search(self, name: str) -> bool:
        if not name.isascii():
            return bool(self.pattern.search(name))
        name = name.lower()
        for word in self.words:
            if word in name:
                return True
        return any(word in name and pattern.search(name) for word, pattern in self.patterns.items())


_SIGN_NAME: Final = _Words(
    "icon ico_ ico- bullet arrow spacer pixel blank button btn divid separat 1x1 sprite share "
    "facebook twitter pinterest instagram youtube whatsapp linkedin google rss feed print search "
    "loader loading clear transparent star rating play menu nav flag shadow corner _tl _tr _bl _br "
    "bg _off",
    dot=r"dot\b",
    line=r"line\b",
    _on=r"_on\b",
)
_LOGO_NAME: Final = _Words("logo brand header masthead sponsor partner")
_LOGO_CLASS: Final = _Words("logo brand")
_AD_NAME: Final = _Words(
    "advert banner 2mdn doubleclick promo sponsor taboola outbrain werbung 300x250 728x90 300x600 "
    "160x600",
    ad="(?:^|[^a-z])ads?(?:[^a-z]|$)",
)
_AD_WORD = re.compile(
    r"\W*(?:anzeige|werbung|publicidade?|publicité|advert|sponsor|promoted|ads?\b|реклама|広告|"
    r"annons|reklam)",
    re.IGNORECASE,
)
_SIZE_IN_NAME = re.compile(r"(?<![0-9a-z])(\d{2,4})x(\d{2,4})(?![0-9])", re.IGNORECASE)
_WORD_IN_NAME = re.compile(r"[^\W\d_]{4,}")
_READ: Final = 4000  # characters of a context that are compared with the image's own words
_DRAWN: Final = (".gif", ".png", ".svg")
_PHOTO: Final = (".jpg", ".jpeg", ".webp", ".avif")

# Evidence and its weight; above zero speaks for content.
WEIGHTS: Final[Mapping[str, float]] = {
    "logo class": -1.53,
    "logo name": -1.62,
    "sign name": -1.54,
    "small": -1.46,
    "large": 0.69,
    "photo": 1.94,
    "svg": -1.36,
    "repeated sign": -2.10,
    "ad": -2.02,
    "hidden": -1.27,
    "in a row of images": -0.66,
    "among many": -1.43,
    "one word": -1.41,
    "far": -0.87,
    "long text": -0.79,
    "menu": -0.98,
    "links elsewhere than its text": -1.19,
    "links to another site": -1.30,
    "text says its alt": 0.72,
    "text says its name": 0.72,
    "before its text": 1.15,
    "figure": 1.57,
    "record": 1.13,
}
BIAS: Final = -0.27
# An image of one pixel counts visitors, or is a line or a spacer.
LINE: Final = 1
# Log odds from which an image counts as content: most contexts are wanted, even at some false ones.
THRESHOLD: Final = -2.75


@dataclass(slots=True)
class RoleJudge:
    """Judges the images of one page."""

    tree: ItemTree
    _times: Counter[str | None] = field(init=False)
    _targets: dict[int, str] = field(init=False)
    _leaf_starts: list[int] = field(init=False)
    _image_starts: list[int] = field(init=False)
    _text_links: dict[str, list[int]] | None = None
    _said: dict[tuple[int, int], frozenset[str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        page = self.tree.page
        self._times = Counter(image.src for image in page.images)
        self._targets = attribute_values(page.attrs, "href")
        self._leaf_starts = page.leaf_starts.tolist()
        self._image_starts = page.image_starts.tolist()

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

    def evidence(self, image: Image, found: Found) -> dict[str, bool]:
        """What speaks for and against an image having a context."""
        tree, page = self.tree, self.tree.page
        url = image.src or ""
        inline = url.startswith("data:")
        file = "" if inline else _file_name(url)
        ending = file[file.rfind(".") :].lower() if "." in file else ""
        drawn, photo = ending in _DRAWN, ending in _PHOTO
        sign_name = _SIGN_NAME.search(file)
        described = len((image.alt or "").split()) >= 3
        nearest, lonely = self._surroundings(image.node)
        start, end = (found.spans[0][0], found.spans[-1][1]) if found.spans else (0, 0)
        tokens = tree.count_tokens(start, end)
        leaves = self._text_leaves(start, end)
        ancestors = self._ancestors(image.node, 4)
        link = next((row for row in ancestors if tree.tag[row] == "a"), None)
        alt = [word.lower() for word in bare_words(image.alt or "")]
        named = _WORD_IN_NAME.findall(file.lower())
        said = self._words_said(start, end) if len(alt) > 1 or named else frozenset()
        classes = " ".join(
            f"{attrs.get('class', '')} {attrs.get('id', '')}"
            for row in ancestors[:3]
            if (attrs := page.attrs.get(row))
        )
        return {
            "logo class": _LOGO_CLASS.search(classes),
            "logo name": _LOGO_NAME.search(file) or _LOGO_CLASS.search(image.alt or ""),
            "sign name": sign_name,
            "small": is_small(image),
            "large": _is_large(image, "" if inline else url),
            "photo": photo,
            "svg": ending == ".svg",
            "repeated sign": self._times[image.src] >= 4 and (sign_name or drawn) and not described,
            "ad": _AD_NAME.search("" if inline else url)
            or bool(_AD_WORD.match(page.text[start : start + 40])),
            "hidden": bool(page.nodes.hidden[image.node] & NOT_SHOWN),
            "in a row of images": lonely >= 3,
            "among many": nearest >= 0
            and max(tree.images[nearest], self._images_in(start, end)) >= 4,
            "one word": nearest >= 0 and tree.tokens[nearest] <= 1,
            "far": found.how == "neighbour",
            "long text": tokens > 200,
            "menu": leaves >= 10 and tokens <= 3.5 * leaves,
            "links elsewhere than its text": link is not None
            and not self._links_to(link, start, end),
            "links to another site": link is not None and self._leaves_site(link),
            "text says its alt": len(alt) >= 2
            and 2 * sum(word in said for word in alt) >= len(alt),
            "text says its name": any(word in said for word in named),
            "before its text": bool(found.spans) and int(page.nodes.start[image.node]) <= start,
            "figure": any(tree.tag[row] == "figure" for row in ancestors),
            "record": found.how
            in ("record", "entry", "regular", "column", "shared record", "nearest of alike"),
        }

    def judge(self, image: Image, found: Found) -> tuple[str, float]:
        """The image's role, and how sure that is."""
        if not found.spans:
            return "no-text", 1.0
        if _at_most(image.width, LINE) or _at_most(image.height, LINE):
            return "decoration", 1.0
        evidence = self.evidence(image, found)
        odds = BIAS + sum(WEIGHTS[name] for name, holds in evidence.items() if holds)
        probability = 1 / (1 + exp(-odds))
        if odds >= THRESHOLD:
            return "content", probability
        return _role_of(evidence), 1 - probability

    def _target(self, row: int) -> str:
        return self._targets.get(row, "")

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

    def _text_leaves(self, start: int, end: int) -> int:
        starts = self._leaf_starts
        leaves = bisect_left(starts, end) - bisect_left(starts, start)
        return leaves - self._images_in(start, end)

    def _images_in(self, start: int, end: int) -> int:
        starts = self._image_starts
        return bisect_left(starts, end) - bisect_left(starts, start)


def _role_of(evidence: Mapping[str, bool]) -> str:
    for role, names in (
        ("ad", ("ad",)),
        ("logo", ("logo class", "logo name")),
        ("icon", ("small", "repeated sign", "sign name", "svg")),
        ("decoration", ("hidden",)),
    ):
        if any(evidence[name] for name in names):
            return role
    return "no-text"


def _file_name(url: str) -> str:
    try:
        return urlsplit(url).path.rsplit("/", 1)[-1]
    except ValueError:
        return ""


def _site(url: str) -> list[str]:
    try:
        return urlsplit(url).netloc.split(".")[-2:]
    except ValueError:
        return []


def _at_most(length: int | None, limit: int) -> bool:
    return length is not None and length <= limit


def _is_large(image: Image, url: str) -> bool:
    """Whether the page or the image's name says that it is as large as a picture."""
    if image.width is not None and image.height is not None:
        return image.width >= 100 and image.height >= 80
    sizes = _SIZE_IN_NAME.findall(url[-120:])
    return bool(sizes) and int(sizes[-1][0]) >= 100 and int(sizes[-1][1]) >= 80
