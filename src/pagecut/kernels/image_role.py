# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The evidence for and against an image's being content.

Compiled into `pagecut.compiled.image_role`; where nothing is compiled, this same source runs. What
is made of it is in `contexts.image_role`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/image_role.pxd takes the compiled ones
    from math import exp, log1p

    from pagecut.kernels.image_names import GIF, SVG
    from pagecut.kernels.item_parts import Found
    from pagecut.kernels.items import FIGURE, LINK, RATIOS
    from pagecut.kernels.objects import get_slot
    from pagecut.kernels.text_beginning import AD_LABEL, COPYRIGHT, FORM_WORDS, Beginning

REVISION = 6  # see `acceleration`

# Positions in `items.ATTRIBUTES`.
HREF = 2
STYLE = 3

# Bits of what names say: groups of words; `text_beginning` has those of texts.
SIGN = 1
SOCIAL = 2
LOGO = 4
LOGO_CLASS = 8
ICON_CLASS = 16
AD_CLASS = 32
AD_NAME = 64
PICTURE_CLASS = 128
OVERLAY_CLASS = 256
NAVIGATION = 512
HEADING_NAME = 1024
UPLOAD_FOLDER = 2048
LAYOUT_FOLDER = 4096

PIECES = 52  # of evidence

LABEL = 3  # words of a menu's entry, a button's label
SHORT = 14  # words that a sign can stand beside; more are a text of their own
TOP = 0.03  # share of the page's text before which its head is
WHOLE_PAGE = 2000  # characters; a shorter text is a part of a page, without a head

# What is read of an image, by its position.
READ = ("node", "tag", "src", "alt", "width", "height")
NODE = 0
TAG = 1
SRC = 2
ALT = 3
WIDTH = 4
HEIGHT = 5

# Bits of how an item was found.
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


class Evidence:
    """Collects the evidence of the images of one page.

    Args:
        tree: an `ItemTree`.
        not_shown: the bits of `hidden` that keep a node from being shown.
        images: of the page.
        around: `Surroundings`.
        said: a `SaidWords`.
        name: an `ImageName`.
        size: an `ImageSize`.
        seen_size: the size at which a rendered page shows an image, or None.
        is_label: whether the beginning of a text calls it an ad.
        is_form: whether the beginning of a text has words of a form.
        judgement: weights (as many as `PIECES`), bias, threshold, the largest side of a line, the
            largest sides of a dot, and for each role but content the evidence that makes it.
    """

    def __init__(
        self,
        tree: object,
        not_shown: cython.int,
        images: tuple,
        around: object,
        said: object,
        name: object,
        size: object,
        seen_size: object,
        is_label: object,
        is_form: object,
        judgement: tuple,
    ) -> None:
        self.tree = tree
        self.text = self.tree.text
        self.name = name
        self.size = size
        self.not_shown = not_shown
        self.around = around
        self.said = said
        self.seen_size = seen_size
        self.beginning = Beginning(
            self.text, self.around.words, self.around.patterns, is_label, is_form
        )
        self.weights, self.bias, self.threshold, self.line, self.dot, self.roles = judgement
        self.slots = ()
        self.images = images
        self.times: dict | None = None
        self.link = -1
        self.target = ""
        self.shows_picture = self.leaves_site = False
        if images:
            cls: type = type(images[0])
            self.slots = tuple([getattr(cls, name) for name in READ])

    def times_of(self, source: object) -> cython.int:
        """How often the page shows an image from a source."""
        if self.times is None:
            self.times = {}
            for image in self.images:
                other: object = get_slot(image, self.slots[SRC])
                times: object = self.times.get(other)
                self.times[other] = 1 if times is None else times + 1
        return self.times[source]

    def judge(self, image: object, found: object) -> tuple:
        """The image's role, and how sure that is."""
        odds: cython.double = 0.0
        probability: cython.double
        at: cython.Py_ssize_t
        item: Found = found
        settled: str = self.settled(image, item.spans)
        if settled:
            return settled, 1.0
        self.collect(image, item.how, item.spans)
        for at in range(PIECES):
            odds += self.weights[at] * self.amounts[at]
        odds += self.bias
        probability = 1 / (1 + exp(-odds))
        if odds >= self.threshold:
            return "content", probability
        for role, pieces in self.roles:
            for at in pieces:
                if self.amounts[at]:
                    return role, 1 - probability
        return "no-text", 1 - probability

    def settled(self, image: object, spans: tuple) -> str:
        """The role that an image has whatever the evidence; empty if that decides."""
        if not spans:
            return "no-text"
        if self.is_mark(get_slot(image, self.slots[WIDTH]), get_slot(image, self.slots[HEIGHT])):
            return "decoration"
        tag: str = get_slot(image, self.slots[TAG])
        return "icon" if tag == "input" else ""

    def is_mark(self, width: object, height: object) -> cython.bint:
        """Whether an image is declared as a line, or as a dot: too small for a sign."""
        if width is not None and width <= self.line:
            return True
        if height is None:
            return False
        return height <= self.line or (
            width is not None
            and width <= self.dot
            and height <= self.dot
            and (width, height) not in RATIOS
        )

    def of(self, image: object, how: str, spans: tuple) -> list:
        """How much there is of each piece of evidence, in the order of their weights."""
        self.collect(image, how, spans)
        return list(self.amounts)

    def collect(self, image: object, how: str, spans: tuple) -> None:
        """Work `amounts` out."""
        tree = self.tree
        name = self.name
        size = self.size
        surroundings = self.around
        node: cython.int = get_slot(image, self.slots[NODE])
        at: cython.int = tree.start[node]
        start: cython.int = 0
        end: cython.int = 0
        tokens: cython.int = 0
        first: cython.int
        last: cython.int
        source: str = get_slot(image, self.slots[SRC]) or ""
        alt: str = get_slot(image, self.slots[ALT]) or ""
        width: object = get_slot(image, self.slots[WIDTH])
        height: object = get_slot(image, self.slots[HEIGHT])
        style: str = ""
        for first, last in spans:
            tokens += tree.tokens_before[last] - tree.tokens_before[first]
        if spans:
            start = spans[0][0]
            end = spans[len(spans) - 1][1]
        images: cython.int = self.images_in(start, end)
        leaves: cython.int = count_between(tree.leaf_starts, tree.leaf_count, start, end) - images
        name.read(source)
        if width is None or height is None:
            style = tree.attributes.value(node, STYLE)
        size.read(width, height, style, source, name.may_tell_size)
        if self.seen_size is not None:
            size.see(self.seen_size(image))
        photo: cython.bint = name.is_photo()
        tiny: cython.bint = size.is_tiny()
        wide: cython.bint = size.is_wide()
        short: cython.bint = tokens <= SHORT
        way: cython.int = WAYS.get(how, 0)
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
        surroundings.read_name(name)
        stem: cython.int = surroundings.stem_groups
        url: cython.int = surroundings.url_groups
        beginning: cython.int = self.beginning.says(start, end)
        alt_words: cython.Py_ssize_t = self.said.count(alt)
        says_alt: cython.bint = False
        says_name: cython.bint = False
        if not tiny:
            self.said.listen(start, end)
            says_alt = self.said.says_half(alt, alt_words)
            says_name = self.said.says_long(name.text, name.first, name.last)
        logo_class: cython.bint = (near & LOGO_CLASS) != 0
        times: cython.int = 0
        if not photo and short:
            times = self.times_of(get_slot(image, self.slots[SRC]))
        self.amounts = [
            photo,
            photo and not tiny and not wide,  # photo in a picture's shape
            not tiny and link >= 0 and not tree.tokens[link] and linked,  # where its text links
            shows_picture,  # links to a picture
            (around & PICTURE_CLASS) != 0,
            (stem & HEADING_NAME) != 0,
            name.numbered,
            (url & UPLOAD_FOLDER) != 0,
            alt_words >= 4,  # long alt
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
            name.ending == SVG,
            name.ending == GIF,
            0 < name.stem_end - name.first <= 8,  # short name
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
            (beginning & AD_LABEL) != 0,
            (tree.hidden[node] & self.not_shown) != 0,
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
            tokens > 200,  # long text
            link >= 0 and not shows_picture and not linked,  # links elsewhere than its text
            self.leaves_site,
        ]

    def follow(self, link: cython.int) -> None:
        """Read where a link leads, unless it is that of the image before; -1 is none."""
        if link == self.link:
            return
        self.link = link
        self.target = "" if link < 0 else self.tree.attributes.value(link, HREF)
        self.shows_picture = link >= 0 and self.name.shows_picture(self.target)
        self.leaves_site = (
            link >= 0 and not self.shows_picture and self.around.leaves_site(self.target)
        )

    def images_in(self, start: cython.int, end: cython.int) -> cython.int:
        return count_between(self.tree.image_starts, self.tree.image_count, start, end)


def count_between(
    starts: cython.p_const_int, count: cython.int, start: cython.int, end: cython.int
) -> cython.int:
    """How many of some starts are in a range."""
    return place(starts, count, end) - place(starts, count, start)


def place(starts: cython.p_const_int, count: cython.int, offset: cython.int) -> cython.int:
    """How many of some starts come before an offset."""
    first: cython.int = 0
    middle: cython.int
    while first < count:
        middle = first + ((count - first) >> 1)
        if starts[middle] < offset:
            first = middle + 1
        else:
            count = middle
    return first
