# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""What speaks for an image being content, a logo, an icon, an ad or a decoration.

Each piece of evidence is something a person could point at; a learnt model weighs them.
"""

from __future__ import annotations

import re
from base64 import b64decode
from bisect import bisect_left
from struct import unpack_from

import cython
from cython.cimports.cpython.unicode import (
    Py_UNICODE_TOLOWER,
    PyUnicode_DATA,
    PyUnicode_KIND,
    PyUnicode_READ,
)
from cython.cimports.libc.math import log1p
from cython.cimports.libc.string import memset
from cython.cimports.pagecut.evidence.items import (
    CONTENT,
    FIGURE,
    LANDMARK,
    LINE,
    LINK,
    RATIOS,
    FoundItem,
    ItemTree,
    count_below,
)
from cython.cimports.pagecut.evidence.names import (
    CLASS,
    HREF,
    ID,
    STYLE,
    path_of,
    site_of,
)

from pagecut.contexts.item.image_words import (
    AD_CLASS,
    AD_LABEL,
    AD_NAME,
    COPYRIGHT,
    FORM_PATTERN,
    FORM_WORDS,
    HEADING_NAME,
    ICON_CLASS,
    LAYOUT_FOLDER,
    LOGO,
    LOGO_CLASS,
    NAVIGATION,
    OVERLAY_CLASS,
    PICTURE_CLASS,
    SIGN,
    SIGN_IN,
    SOCIAL,
    UPLOAD_FOLDER,
    groups_by_pattern,
    word_finder,
)
from pagecut.contexts.item.signs import EVIDENCE
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.tokenizer import bare_words

# Sizes in pixels.
SPOT = 1  # an image of one pixel counts visitors, or is a line or a spacer
DOT = 12  # both sides of a bullet or an arrow
TINY = 32  # both sides of a sign, as far as they are known
THIN = 24  # one side of a line, a bar or a heading drawn as a picture
WIDE = 2.6  # from this ratio of its sides, a picture is a banner or a heading

PHOTO_ENDINGS = frozenset({".jpg", ".jpeg", ".webp", ".avif"})
PICTURE_ENDINGS = (".jpg", ".jpeg", ".png", ".gif", ".webp")
SIZE_IN_NAME = re.compile(r"(?<![0-9a-z])(\d{2,4})x(\d{2,4})(?![0-9])", re.IGNORECASE)
SIZE_IN_STYLE = re.compile(r"(?<![-a-z])(width|height)\s*:\s*(\d{1,6})(?:\.\d+)?px", re.IGNORECASE)
UNSEEN = 1
SMALL = bytes(
    [ord(chr(code).lower()) if chr(code).isalnum() else 0 for code in range(128)]
)  # by character, it in small letters; 0 for what ends a word
LONG_WORD = re.compile(r"[^\W\d_]{4,}")
NAME_END = 120  # characters at the end of an address that may tell a size
HASH = 24  # letters without a break from which a name is a hash

# Characters and words that are read.
MOST_NAMED = 300  # of a class or an id
BEGINNING = 200  # of a text that may say what it is
FORM_BEGINNING = 120
MOST_READ = 4000  # of a context that is compared with the image's own words
HASHES = 1024  # that tell words apart
MANY = 64  # words that are looked for from which a set of the context's own pays

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

# The first letters of `AD_LABEL`, as far as they are ASCII.
AD_STARTS = frozenset({"ad", "an", "pr", "pu", "re", "sp", "we"})

# What the beginning of a text says, beside `FORM_WORDS` and `COPYRIGHT`.
IS_AD = 1

AMOUNTS = 52  # pieces of evidence


class ImageName:
    """What an image's address says; read again for each.

    Attributes:
        url: empty for data within the page.
        name: of the file.
        stem: the name without its ending; empty for a hash.
        ending: of the name, with its dot, in small letters.
        numbered: whether the address holds a number of four digits, but for its query.
        may_tell_size: whether it may hold a size that is written as `640x480`.
    """

    def read(self, url: str) -> None:
        dot: cython.Py_ssize_t
        path: str
        self.url = "" if url.startswith("data:") else url
        path = path_of(self.url)
        self.name = path[path.rfind("/") + 1 :]
        dot = self.name.rfind(".")
        self.stem = self.name if dot < 0 else self.name[:dot]
        self.ending = "" if dot < 0 else self.name[dot:].lower()
        if len(self.stem) >= HASH and "-" not in self.stem and "_" not in self.stem:
            self.stem = ""
        self.read_digits()

    def read_digits(self) -> None:
        at: cython.Py_ssize_t
        digits: cython.int = 0
        in_query: cython.bint = False
        ch: cython.Py_UCS4
        before: cython.Py_UCS4 = " "
        self.numbered = self.may_tell_size = False
        for at in range(len(self.url)):
            ch = self.url[at]
            if "0" <= ch <= "9" or (ch >= "\x80" and ch.isdecimal()):
                digits += 1
                if digits == 4 and not in_query:
                    self.numbered = True
                if before == "x" or before == "X":
                    self.may_tell_size = True
            else:
                digits = 0
                if ch == "?":
                    in_query = True
            before = ch

    def is_photo(self) -> cython.bint:
        return self.ending in PHOTO_ENDINGS


class ImageSize:
    """Sides as far as the page, the style or the name of an image tell them; read again for each.

    Attributes:
        width: in pixels, -1 if nothing tells it.
        height: in pixels, -1 if nothing tells it.
    """

    def read(self, width: object, height: object, style: str, url: str, named: cython.bint) -> None:
        """As declared, else by the style, else by the data or the name.

        Args:
            named: whether the name may tell a size.
        """
        if "px" in style.lower():
            sides = {name.lower(): int(value) for name, value in SIZE_IN_STYLE.findall(style)}
            width = sides.get("width") if width is None else width
            height = sides.get("height") if height is None else height
        if width is None and height is None:
            if url.startswith("data:"):
                width, height = size_of_data(url)
            elif named:
                sizes: list = SIZE_IN_NAME.findall(url[max(len(url) - NAME_END, 0) :])
                width, height = sizes.pop() if sizes else (None, None)
        self.width = -1 if width is None else int(width)
        self.height = -1 if height is None else int(height)

    def is_known(self) -> cython.bint:
        return self.width >= 0 or self.height >= 0

    def is_tiny(self) -> cython.bint:
        return (
            self.is_known()
            and max(self.width, self.height) <= TINY
            and (self.width, self.height) not in RATIOS
        )

    def is_thin(self) -> cython.bint:
        return (
            max(self.width, self.height) > TINY
            and (self.width if self.height < 0 or 0 <= self.width < self.height else self.height)
            <= THIN
        )

    def is_large(self) -> cython.bint:
        return (
            self.is_known()
            and (self.width < 0 or self.width >= 100)
            and (self.height < 0 or self.height >= 80)
        )

    def is_wide(self) -> cython.bint:
        return self.width >= 0 and self.height > 0 and self.width >= WIDE * self.height


def size_of_data(url: str) -> tuple:
    """The size that the first bytes of a GIF or PNG file tell."""
    head, _, data = url[:160].partition(",")
    if not head.endswith(";base64"):
        return None, None
    try:
        start = b64decode(data[:32])
    except ValueError:
        return None, None
    if start.startswith(b"GIF8") and len(start) >= 10:
        return unpack_from("<HH", start, 6)
    if start.startswith(b"\x89PNG") and len(start) >= 24:
        return unpack_from(">II", start, 16)
    return None, None


class Surroundings:
    """Names, links and landmarks around the images of one page.

    Args:
        url: of the page, or None.
    """

    def __init__(self, tree: ItemTree, url: object) -> None:
        at: cython.Py_ssize_t
        self.tree = tree
        self.words = word_finder()
        self.site = None if url is None else site_of(url)
        self.links = None
        # By row, once they are known.
        self.named = memoryview(bytearray(4 * tree.rows)).cast("i")
        self.landmarks = memoryview(bytearray(4 * tree.rows)).cast("i")
        for at in range(tree.rows):
            self.named[at] = self.landmarks[at] = -1

    def groups(self, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """The groups of which a range of a text has words."""
        found: cython.int = self.words.find(text, start, end)
        return groups_by_pattern(text[start:end]) if found < 0 else found

    def names(self, row: cython.int) -> cython.int:
        """The groups of which a node's classes and id have words."""
        found: cython.int
        which: cython.int
        value: str
        if self.named[row] < 0:
            found = self.tree.attributes.words_in(row, self.words, MOST_NAMED)
            if found < 0:
                found = 0
                for which in (CLASS, ID):
                    value = self.tree.attributes.value(row, which)[:MOST_NAMED]
                    found |= self.groups(value, 0, len(value))
            self.named[row] = found
        return self.named[row]

    def links_to(
        self, link: cython.int, target: str, start: cython.int, end: cython.int
    ) -> cython.bint:
        """Whether the image's link has words itself, or the text has a link to the same place."""
        starts: list | None
        at: cython.Py_ssize_t
        if self.tree.tokens[link]:
            return True
        if self.links is None:
            self.links = self.find_links()
        starts = self.links.get(target)
        if starts is None:
            return False
        at = bisect_left(starts, start)
        return at < len(starts) and starts[at] < end

    def find_links(self) -> dict:
        """Where the text of each target starts."""
        tree = self.tree
        links: dict = {}
        row: cython.int
        for row in range(tree.rows):
            if tree.meaning(row) & LINK and tree.tokens[row]:
                target = tree.attributes.value(row, HREF)
                if target:
                    links.setdefault(target, []).append(tree.start[row])
        return links

    def leaves_site(self, target: str) -> cython.bint:
        if self.site is None or not target.startswith(("http://", "https://")):
            return False
        return site_of(target) != self.site

    def in_navigation(self, row: cython.int) -> cython.bint:
        """Whether a node is in a menu, a head or a foot of the page, by tag or name."""
        tree = self.tree
        above: cython.int = row
        known: cython.bint = False
        mark: cython.int
        while above >= 0:
            if self.landmarks[above] >= 0:
                known = self.landmarks[above] > 0
                break
            mark = tree.places[tree.tag[above]]
            if mark & CONTENT:
                break
            if mark & LANDMARK or self.names(above) & NAVIGATION:
                known = True
                break
            above = tree.parent[above]
        while row > above:
            self.landmarks[row] = known
            row = tree.parent[row]
        if above >= 0:
            self.landmarks[above] = known
        return known

    def in_line(self, node: cython.int) -> cython.bint:
        """Whether an image stands in a line of text rather than beside it."""
        tree = self.tree
        child: cython.int = node
        row: cython.int = tree.parent[node]
        beside: cython.int
        while row >= 0 and tree.places[tree.tag[row]] & LINE and not tree.tokens[row]:
            child = row
            row = tree.parent[row]
        if row < 0 or not tree.tokens[row]:
            return False
        if tree.places[tree.tag[row]] & LINE:
            return True
        beside = tree.subtree_end[child]
        if beside < tree.subtree_end[row] and tree.kind[beside] == 1:
            return True
        beside = child - 1
        while beside > row and tree.parent[beside] != row:
            beside = tree.parent[beside]
        return beside > row and tree.kind[beside] == 1


class TextWords:
    """Tells which words a range of a page's text has, in any case."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.start = self.end = -1

    def choose(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> None:
        """Choose the range."""
        end = min(end, start + MOST_READ)
        if start != self.start or end != self.end:
            self.start = start
            self.end = end
            self.asked = 0
            self.all_words = None
            self.plain = self.read()

    def read(self) -> cython.bint:
        """Mark the hashes of the words, if those are mere runs of letters and digits whose small
        letters depend on nothing beside them."""
        kind: cython.int = PyUnicode_KIND(self.text)
        data: cython.p_void = PyUnicode_DATA(self.text)
        at: cython.Py_ssize_t
        hashed: cython.uint = 0
        ch: cython.Py_UCS4
        memset(self.hashes, 0, HASHES)
        for at in range(self.start, self.end):
            ch = PyUnicode_READ(kind, data, at)
            if ch < "\x80":
                ch = SMALL[ord(ch)]
            else:
                if ch == "\u0130" or ch == "\u03a3" or (is_complex(ch) and not is_unseen(ch)):
                    return False
                ch = small_letter(ch)
            if not ch:
                self.hashes[hashed % HASHES] = 1
                hashed = 0
            elif ch != UNSEEN:
                hashed = 31 * hashed + ord(ch)
        self.hashes[hashed % HASHES] = 1
        return True

    def has(self, word: str) -> cython.bint:
        """Whether the range has a word, which is in small letters."""
        kind: cython.int = PyUnicode_KIND(self.text)
        data: cython.p_void = PyUnicode_DATA(self.text)
        at: cython.Py_ssize_t
        matched: cython.Py_ssize_t = 0
        size: cython.Py_ssize_t = len(word)
        hashed: cython.uint = 0
        ch: cython.Py_UCS4
        self.asked += 1
        if not self.plain or self.asked > MANY:
            return word in self.words()
        for ch in word:
            hashed = 31 * hashed + ord(ch)
        if not self.hashes[hashed % HASHES]:
            return False
        for at in range(self.start, self.end):
            ch = PyUnicode_READ(kind, data, at)
            ch = SMALL[ord(ch)] if ch < "\x80" else small_letter(ch)
            if not ch:
                if matched == size:
                    return True
                matched = 0
            elif ch != UNSEEN:
                matched = matched + 1 if 0 <= matched < size and word[matched] == ch else -1
        return matched == size

    def words(self) -> frozenset:
        """All words of the range."""
        if self.all_words is None:
            self.all_words = frozenset(words_of(self.text[self.start : self.end]))
        return self.all_words

    def has_half(self, words: list) -> cython.bint:
        """Whether the range has at least half of several words."""
        found: cython.Py_ssize_t = 0
        word: str
        if len(words) < 2:
            return False
        for word in words:
            found += self.has(word)
            if 2 * found >= len(words):
                return True
        return False

    def has_any(self, words: list) -> cython.bint:
        word: str
        for word in words:  # noqa: SIM110 (faster)
            if self.has(word):
                return True
        return False


def words_of(text: str) -> list[str]:
    """The words of a text in small letters."""
    runs: list | None = runs_of(text, 1, True)
    return [word.lower() for word in bare_words(text)] if runs is None else runs


def long_words_of(name: str) -> list[str]:
    """The runs of four letters or more in a name, in small letters."""
    return runs_of(name, 4, False) if name.isascii() else LONG_WORD.findall(name.lower())


def runs_of(text: str, fewest: cython.Py_ssize_t, digits: cython.bint) -> list[str] | None:
    """The runs of letters, or of letters and digits, that are as long; None if words are more."""
    runs: list = []
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    least: cython.int = ord("0") if digits else ord("a")
    inside: cython.bint
    ch: cython.Py_UCS4
    for at in range(len(text)):
        ch = text[at]
        if ch < "\x80":
            inside = SMALL[ord(ch)] >= least
        elif is_complex(ch):
            return None
        else:
            inside = ch.isalnum() and (digits or not ch.isdecimal())
        if not inside:
            if at - start >= fewest:
                runs.append(text[start:at].lower())
            start = at + 1
    if len(text) - start >= fewest:
        runs.append(text[start:].lower())
    return runs


def is_unseen(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a character is never seen, so that what is around it is one word."""
    return ch == "\u00ad" or "\u200b" <= ch <= "\u200f" or ch == "\u2060" or ch == "\ufeff"


def is_complex(ch: cython.Py_UCS4) -> cython.bint:
    """Whether words with a character are more than runs of letters (as in `page.tokenizer`)."""
    return (
        ch == "\u00ad"
        or "\u0300" <= ch <= "\u036f"
        or "\u0483" <= ch <= "\u0489"
        or "\u0590" <= ch <= "\u200f"
        or "\u2028" <= ch <= "\u202f"
        or "\u205f" <= ch <= "\u209f"
        or "\u20d0" <= ch <= "\u20ff"
        or "\u2c00" <= ch <= "\ufffb"
        or "\ufffe" <= ch <= "\U0001efff"
        or ch >= "\U0001fb00"
    )


def small_letter(ch: cython.Py_UCS4) -> cython.Py_UCS4:
    """A letter or digit in small letters; 0 for what ends a word, `UNSEEN` for what is in it."""
    if is_unseen(ch):
        return UNSEEN
    return Py_UNICODE_TOLOWER(ch) if ch.isalnum() else 0


class RoleJudge:
    """Judges the images of one page by the items that were found for them."""

    def __init__(self, page: object, tree: ItemTree) -> None:
        self.page = page
        self.tree = tree
        self.text = tree.text
        self.around = Surroundings(tree, page.url)
        self.words = TextWords(tree.text)
        self.name = ImageName()
        self.size = ImageSize()
        self.times = None
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

    def times_shown(self, source: object) -> cython.int:
        """How often the page shows an image from a source."""
        if self.times is None:
            self.times = {}
            for image in self.page.images:
                self.times[image.src] = self.times.get(image.src, 0) + 1
        return self.times[source]

    def beginning_says(self, start: cython.int, end: cython.int) -> cython.int:
        """What the first words of a range say of it: an ad, a form, a copyright notice."""
        last: cython.int = min(end, start + BEGINNING)
        found: cython.int
        bits: cython.int = 0
        if start == self.beginning and last == self.beginning_end:
            return self.beginning_bits
        found = self.around.groups(self.text, start, last)
        if found & (FORM_WORDS | SIGN_IN) and FORM_PATTERN.search(
            self.text, start, min(end, start + FORM_BEGINNING)
        ):
            bits |= FORM_WORDS
        if found & COPYRIGHT or self.text.find("\xa9", start, last) >= 0:
            bits |= COPYRIGHT
        if self.is_labelled(start, last):
            bits |= IS_AD
        self.beginning = start
        self.beginning_end = last
        self.beginning_bits = bits
        return bits

    def is_labelled(self, start: cython.int, last: cython.int) -> cython.bint:
        """Whether the first word of a text calls it an ad; few begin with the letters for that."""
        at: cython.int
        ch: cython.Py_UCS4
        for at in range(start, last):
            ch = self.text[at]
            if ch == "_":
                return False
            if ch.isalnum():
                if ch < "\x80" and self.text[at : at + 2].lower() not in AD_STARTS:
                    return False
                return AD_LABEL.match(self.text, start, last) is not None
        return False

    def collect(self, image: object, item: FoundItem) -> None:
        """Work `amounts` out."""
        tree = self.tree
        name = self.name
        size = self.size
        surroundings = self.around
        spans: tuple = item.spans
        node: cython.int = image.node
        at: cython.int = tree.start[node]
        start: cython.int = 0
        end: cython.int = 0
        tokens: cython.int = 0
        first: cython.int
        last: cython.int
        source: str = image.src or ""
        alt: str = image.alt or ""
        width: object = image.width
        height: object = image.height
        style: str = ""
        for first, last in spans:
            tokens += tree.tokens_in(first, last)
        if spans:
            start = spans[0][0]
            end = spans[len(spans) - 1][1]
        images: cython.int = self.images_in(start, end)
        leaves: cython.int = count_between(tree.leaf_starts, tree.leaf_count, start, end) - images
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
        near: cython.int = surroundings.names(node)
        around: cython.int = 0
        link: cython.int = -1
        figure: cython.bint = False
        row: cython.int = tree.parent[node]
        level: cython.int = 0
        while row >= 0 and level < 4:
            if level < 2:
                near |= surroundings.names(row)
            else:
                around |= surroundings.names(row)
            if link < 0 and tree.meaning(row) & LINK:
                link = row
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
        self.follow(link)
        shows_picture: cython.bint = self.shows_picture
        linked: cython.bint = link >= 0 and surroundings.links_to(link, self.target, start, end)
        stem: cython.int = surroundings.groups(name.stem, 0, len(name.stem))
        url: cython.int = surroundings.groups(name.url, 0, len(name.url))
        beginning: cython.int = self.beginning_says(start, end)
        alt_words: list = words_of(alt)
        says_alt: cython.bint = False
        says_name: cython.bint = False
        if not tiny:
            self.words.choose(start, end)
            says_alt = self.words.has_half(alt_words)
            says_name = self.words.has_any(long_words_of(name.name))
        logo_class: cython.bint = (near & LOGO_CLASS) != 0
        times: cython.int = 0
        if not photo and short:
            times = self.times_shown(image.src)
        self.amounts = [
            photo,
            photo and not tiny and not wide,  # photo in a picture's shape
            not tiny and link >= 0 and not tree.tokens[link] and linked,  # where its text links
            shows_picture,  # links to a picture
            (around & PICTURE_CLASS) != 0,
            (stem & HEADING_NAME) != 0,
            name.numbered,
            (url & UPLOAD_FOLDER) != 0,
            len(alt_words) >= 4,  # long alt
            says_alt,
            says_name,
            len(spans) > 0 and at <= start,  # before its text
            figure,
            (way & RECORD) != 0 and not tiny,
            log1p(images),  # images in its text
            tiny,
            tiny and short,  # tiny beside few words
            size.is_thin(),
            wide and not photo,  # wide drawing
            not photo and not size.is_known(),  # drawing of unknown size
            name.ending == ".svg",
            name.ending == ".gif",
            0 < len(name.stem) <= 8,  # short name
            (stem & SIGN) != 0,
            (stem & SOCIAL) != 0,
            logo_class
            or (stem & LOGO) != 0
            or (surroundings.groups(alt, 0, len(alt)) & LOGO_CLASS) != 0,  # logo name
            logo_class,
            (near & ICON_CLASS) != 0,
            (near & OVERLAY_CLASS) != 0 and self.images_in(start, at) > 0,  # laid over another
            (url & LAYOUT_FOLDER) != 0,
            times >= 2,  # repeated drawing
            times >= 4,  # often repeated drawing
            (url & AD_NAME) != 0,
            (around & AD_CLASS) != 0,
            (beginning & IS_AD) != 0,
            (tree.hidden[node] & NOT_SHOWN) != 0,
            surroundings.in_navigation(tree.parent[node]),
            len(self.text) >= WHOLE_PAGE and at < TOP * len(self.text),  # top of the page
            leaves >= 10 and tokens <= 3.5 * leaves,  # menu
            (beginning & FORM_WORDS) != 0,
            (beginning & COPYRIGHT) != 0,
            not photo and tokens <= LABEL,  # drawing beside a label
            not photo and not size.is_large() and short and surroundings.in_line(node),
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
        self.shows_picture = link >= 0 and path_of(self.target).lower().endswith(PICTURE_ENDINGS)
        self.leaves_site = (
            link >= 0 and not self.shows_picture and self.around.leaves_site(self.target)
        )

    def images_in(self, start: cython.int, end: cython.int) -> cython.int:
        return count_between(self.tree.image_starts, self.tree.image_count, start, end)


def count_between(
    starts: cython.p_const_int, count: cython.int, start: cython.int, end: cython.int
) -> cython.int:
    """How many of some starts are in a range."""
    return count_below(starts, count, end) - count_below(starts, count, start)


def is_dot(width: object, height: object) -> cython.bint:
    """Whether an image is declared as a line, or as a dot: too small for a sign."""
    if width is not None and width <= SPOT:
        return True
    if height is None:
        return False
    return height <= SPOT or (
        width is not None and width <= DOT and height <= DOT and (width, height) not in RATIOS
    )
