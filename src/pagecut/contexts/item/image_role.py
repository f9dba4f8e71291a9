# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""What speaks for an image being content, a logo, an icon, an ad or a decoration.

Each piece of evidence is something a person could point at; a learnt model weighs them.
"""

from __future__ import annotations

import cython
from cython.cimports.pagecut.contexts.item import image_source
from cython.cimports.pagecut.contexts.item.about_images import AboutImages
from cython.cimports.pagecut.contexts.item.image_source import (
    LAYOUT,
    PICTURE_ENDINGS,
    SIGN,
    SOCIAL,
    UPLOAD,
    ImageName,
    ImageSize,
    file_name,
    is_dot,
    site_of,
)
from cython.cimports.pagecut.contexts.item.page_sums import PageSums, logarithm, word_hashes
from cython.cimports.pagecut.evidence.item_tree import FIGURE, LINE, count_below
from cython.cimports.pagecut.evidence.items import FoundItem
from cython.cimports.pagecut.evidence.row_attributes import HREF, STYLE
from cython.cimports.pagecut.evidence.table import LINK as LINK_AROUND

from pagecut.contexts.item.signs import EVIDENCE
from pagecut.evidence.table import KINDS
from pagecut.evidence.vocabulary import bit_of
from pagecut.page.addresses import WEB
from pagecut.page.nodes import NOT_SHOWN

LABELLED = 24  # characters at the start of a text that may call it an ad
BEGINNING = 120  # characters at the start of a text that may say what it is

LABEL = 3  # words of a menu's entry, a button's label
SHORT = 14  # words that a sign can stand beside; more are a text of their own
LONG = 200  # words of a text that is hardly about one picture
TOP = 0.03  # share of the page's text before which its head is
WHOLE_PAGE = 2000  # characters; a shorter text is a part of a page, without a head

# How an item was found, as bits.
RECORD = 1
ENTRY = 2
SHARED = 4
FAR = 8
WAYS = {
    "record": RECORD | ENTRY,
    "entry": RECORD | ENTRY,
    "regular": RECORD,
    "column": RECORD,
    "shared record": RECORD,
    "nearest of alike": RECORD,
    "several": SHARED,
    "neighbour": SHARED | FAR,
    "headline": SHARED,
    "section": SHARED,
}

# What the names of elements say, as bits of the evidence table.
IS_LOGO = bit_of("logo")
IS_ICON = bit_of("icon")
IS_AD = bit_of("ad")
IS_PICTURE = sum(map(bit_of, ("picture", "item", "product", "person", "content", "title")))
IS_OVERLAY = sum(map(bit_of, ("overlay", "icon", "logo", "tags")))
IS_NAVIGATION = bit_of("navigation") | bit_of("footer")
IS_FORM = bit_of("overlay")
IS_COPYRIGHT = bit_of("footer")


def kinds(*names: str) -> int:
    return sum(1 << list(KINDS).index(name) for name in names)


LANDMARK_KINDS = kinds("nav", "footer")
CONTENT_KINDS = kinds("article", "section", "main")


class RoleJudge:
    """Judges the images of one page by the items that were found for them."""

    def __init__(self, page: object, sums: PageSums, about: AboutImages) -> None:
        self.sums = sums
        self.tree = sums.tree
        self.about = about
        self.site = None if page.url is None else site_of(page.url)
        self.name = ImageName()
        self.size = ImageSize()
        self.times: dict = {}
        for image in page.images:
            self.times[image.src] = self.times.get(image.src, 0) + 1
        self.link = self.beginning = self.beginning_end = -1
        self.target = ""

    def certain(self, image: object) -> str:
        """The role that an image has whatever the evidence; empty if that decides."""
        if is_dot(image.width, image.height):
            return "decoration"
        return "icon" if image.tag == "input" else ""

    def evidence(self, image: object, item: FoundItem) -> dict[str, float]:
        """What speaks for and against an image's being content, and how much of it there is."""
        self.collect(image, item)
        return dict(zip(EVIDENCE, list(self.amounts), strict=True))

    def in_navigation(self, row: cython.int) -> cython.bint:
        """Whether a node is in a menu or a foot of the page, by tag or name, but in no article."""
        table = self.sums.table
        around: cython.longlong = table.kinds_around[row]
        if around & CONTENT_KINDS:
            return False
        return (around & LANDMARK_KINDS) != 0 or (table.names_around[row] & IS_NAVIGATION) != 0

    def in_line(self, node: cython.int) -> cython.bint:
        """Whether an image stands in a line of text rather than beside it."""
        tree = self.tree
        child: cython.int = node
        row: cython.int = tree.parent[node]
        beside: cython.int
        while row >= 0 and tree.meaning(row) & LINE and not tree.tokens[row]:
            child = row
            row = tree.parent[row]
        if row < 0 or not tree.tokens[row]:
            return False
        if tree.meaning(row) & LINE:
            return True
        beside = tree.subtree_end[child]
        if beside < tree.subtree_end[row] and tree.kind[beside] == 1:
            return True
        beside = child - 1
        while beside > row and tree.parent[beside] != row:
            beside = tree.parent[beside]
        return beside > row and tree.kind[beside] == 1

    def beginning_says(self, start: cython.int, end: cython.int) -> None:
        """Read what the first words of a range say of it: an ad, a form, a copyright notice."""
        last: cython.int = min(end, start + BEGINNING)
        if start == self.beginning and last == self.beginning_end:
            return
        self.beginning = start
        self.beginning_end = last
        self.said_first = self.sums.said_in(start, min(end, start + LABELLED))
        self.said_early = self.sums.said_in(start, last)
        if self.tree.text.find("\xa9", start, last) >= 0:
            self.said_early |= IS_COPYRIGHT

    def says(self, words: list, start: cython.int, end: cython.int) -> cython.double:
        """The share of some words that a range of text has."""
        before = self.tree.tokens_before
        self.sums.look_for(words)
        return self.sums.said(before[start], before[end])

    def collect(self, image: object, item: FoundItem) -> None:
        """Work out how much there is of each piece of evidence: `amounts`."""
        tree = self.tree
        table = self.sums.table
        name = self.name
        size = self.size
        spans: tuple = item.spans
        node: cython.int = image.node
        at: cython.int = tree.start[node]
        start: cython.int = 0
        end: cython.int = 0
        tokens: cython.int = 0
        first: cython.int
        last: cython.int
        source: str = image.src or ""
        width: object = image.width
        height: object = image.height
        style: str = ""
        for first, last in spans:
            tokens += tree.tokens_in(first, last)
        if spans:
            start = spans[0][0]
            end = spans[len(spans) - 1][1]
        images: cython.int = self.images_in(start, end)
        leaves: cython.int = self.sums.leaf_at(end) - self.sums.leaf_at(start) - images
        name.read(source)
        if width is None or height is None:
            style = tree.attributes.value(node, STYLE)
        size.read(width, height, style, source, name.may_tell_size)
        photo: cython.bint = name.is_photo()
        tiny: cython.bint = size.is_tiny()
        wide: cython.bint = size.is_wide()
        short: cython.bint = tokens <= SHORT
        way: cython.int = WAYS.get(item.how, 0)
        shared: cython.bint = (way & SHARED) != 0
        # The image and up to four ancestors.
        near: cython.longlong = table.names[node]
        around: cython.longlong = 0
        figure: cython.bint = False
        row: cython.int = tree.parent[node]
        level: cython.int = 0
        while row >= 0 and level < 4:
            if level < 2:
                near |= table.names[row]
            else:
                around |= table.names[row]
            if tree.meaning(row) & FIGURE:
                figure = True
            row = tree.parent[row]
            level += 1
        around |= near
        # The first ancestor with words, and the one below it.
        row = node
        while tree.parent[row] >= 0 and not tree.tokens[tree.parent[row]]:
            row = tree.parent[row]
        lonely: cython.int = tree.images[row]
        nearest: cython.int = tree.parent[row]
        link: cython.int = table.places[LINK_AROUND, node]
        self.follow(link)
        shows_picture: cython.bint = self.shows_picture
        linked: cython.bint = link >= 0 and (
            tree.tokens[link] > 0 or self.sums.links_into(link, start, end)
        )
        self.beginning_says(start, end)
        alt: list = self.about.alt[image.index]
        says_alt: cython.bint = False
        says_name: cython.bint = False
        if not tiny:
            says_alt = len(alt) > 1 and self.says(alt, start, end) >= 0.5
            says_name = self.says(self.about.name[image.index], start, end) > 0
        logo_class: cython.bint = (near & IS_LOGO) != 0
        times: cython.int = 0
        if not photo and short:
            times = self.times[image.src]
        self.amounts = [
            photo,
            photo and not tiny and not wide,  # photo in a picture's shape
            not tiny and link >= 0 and not tree.tokens[link] and linked,  # where its text links
            shows_picture,  # links to a picture
            (around & IS_PICTURE) != 0,
            (name.in_stem & image_source.HEADING) != 0,
            name.numbered,
            (name.in_path & UPLOAD) != 0,
            len(alt) >= 4,  # long alt
            says_alt,
            says_name,
            len(spans) > 0 and at <= start,  # before its text
            figure,
            (way & RECORD) != 0 and not tiny,
            logarithm(images),  # images in its text
            tiny,
            tiny and short,  # tiny beside few words
            size.is_thin(),
            wide and not photo,  # wide drawing
            not photo and not size.is_known(),  # drawing of unknown size
            name.ending == ".svg",
            name.ending == ".gif",
            0 < len(name.stem) <= 8,  # short name
            (name.in_stem & SIGN) != 0,
            (name.in_stem & SOCIAL) != 0,
            logo_class
            or (name.in_stem & image_source.LOGO) != 0
            or not LOGO_WORDS.isdisjoint(alt),  # logo name
            logo_class,
            (near & IS_ICON) != 0,
            (near & IS_OVERLAY) != 0 and self.images_in(start, at) > 0,  # laid over another
            (name.in_path & LAYOUT) != 0,
            times >= 2,  # repeated drawing
            times >= 4,  # often repeated drawing
            (name.in_path & image_source.AD) != 0,
            (around & IS_AD) != 0,
            (self.said_first & IS_AD) != 0,
            (tree.hidden[node] & NOT_SHOWN) != 0,
            self.in_navigation(node),
            len(tree.text) >= WHOLE_PAGE and at < TOP * len(tree.text),  # top of the page
            leaves >= 10 and tokens <= 3.5 * leaves,  # menu
            (self.said_early & IS_FORM) != 0,
            (self.said_early & IS_COPYRIGHT) != 0,
            not photo and tokens <= LABEL,  # drawing beside a label
            not photo and not size.is_large() and short and self.in_line(node),
            tokens <= LABEL + 1 and (way & ENTRY) != 0,  # short entry
            nearest >= 0 and tree.tokens[nearest] <= 1,  # one word
            lonely >= 3,  # in a row of images
            not photo and shared,  # drawing with a shared text
            shared and not short,  # long shared text
            (way & FAR) != 0,  # far
            tokens > LONG,  # long text
            link >= 0 and not shows_picture and not linked,  # links elsewhere than its text
            self.leaves_site,
        ]

    def follow(self, link: cython.int) -> None:
        """Read where a link leads, unless it is that of the image before; -1 is none."""
        if link == self.link:
            return
        self.link = link
        self.target = "" if link < 0 else self.tree.attributes.value(link, HREF)
        self.shows_picture = link >= 0 and file_name(self.target).lower().endswith(PICTURE_ENDINGS)
        self.leaves_site = (
            link >= 0
            and not self.shows_picture
            and self.site is not None
            and self.target.startswith(WEB)
            and site_of(self.target) != self.site
        )

    def images_in(self, start: cython.int, end: cython.int) -> cython.int:
        """How many images start in a range of text."""
        tree = self.tree
        return count_below(tree.image_starts, tree.image_count, end) - count_below(
            tree.image_starts, tree.image_count, start
        )


LOGO_WORDS = frozenset(word_hashes("logo logos brand"))
