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

    from pagecut.kernels._characters import PyUnicode_FindChar
    from pagecut.kernels.image_names import GIF, SVG
    from pagecut.kernels.items import FIGURE, LINK, RATIOS

REVISION = 5  # see `acceleration`

# Positions in `items.ATTRIBUTES`.
HREF = 2
STYLE = 3

# Bits of what names and texts say: groups of words.
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
FORM_WORDS = 8192
SIGN_IN = 16384
COPYRIGHT = 32768
AD_LABEL = 65536

PIECES = 52  # of evidence

LABEL = 3  # words of a menu's entry, a button's label
SHORT = 14  # words that a sign can stand beside; more are a text of their own
TOP = 0.03  # share of the page's text before which its head is
WHOLE_PAGE = 2000  # characters; a shorter text is a part of a page, without a head
BEGINNING = 200  # characters of a text that may say what it is
FORM_BEGINNING = 120

# The first letters of what calls a text an ad (`image_words.AD_LABEL`), but for those in `ad`.
LABELS = frozenset({"anze", "werb", "publ", "spon", "prom", "anno", "rekl"})
RECORDS = frozenset({"record", "entry", "regular", "column", "shared record", "nearest of alike"})
SHARED = frozenset({"several", "neighbour", "headline", "section"})


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
        self.is_label = is_label
        self.is_form = is_form
        self.weights, self.bias, self.threshold, self.line, self.dot, self.roles = judgement
        self.start = self.end = -1
        self.begins = 0
        self.times: dict = {}
        for image in images:
            self.times[image.src] = self.times.get(image.src, 0) + 1

    def judge(self, image: object, found: object) -> tuple:
        """The image's role, and how sure that is."""
        odds: cython.double = 0.0
        probability: cython.double
        at: cython.Py_ssize_t
        settled: str = self.settled(image, found.spans)
        if settled:
            return settled, 1.0
        self.collect(image, found.how, found.spans)
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
        if self.is_mark(image.width, image.height):
            return "decoration"
        return "icon" if image.tag == "input" else ""

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
            tokens += tree.tokens_before[last] - tree.tokens_before[first]
        if spans:
            start = spans[0][0]
            end = spans[len(spans) - 1][1]
        images: cython.int = self.images_in(start, end)
        leaves: cython.int = place(tree.leaf_starts, end) - place(tree.leaf_starts, start) - images
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
        shared: cython.bint = how in SHARED
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
        target: str = "" if link < 0 else tree.attributes.value(link, HREF)
        shows_picture: cython.bint = link >= 0 and name.shows_picture(target)
        linked: cython.bint = link >= 0 and surroundings.links_to(link, target, start, end)
        stem: cython.int = surroundings.groups(name.text, name.first, name.stem_end)
        url: cython.int = surroundings.groups(name.url, 0, len(name.url))
        beginning: cython.int = self.beginning(start, end)
        alt_words: cython.Py_ssize_t = self.said.count(alt)
        says_alt: cython.bint = False
        says_name: cython.bint = False
        if not tiny:
            self.said.listen(start, end)
            says_alt = self.said.says_half(alt, alt_words)
            says_name = self.said.says_long(name.text, name.first, name.last)
        logo_class: cython.bint = (near & LOGO_CLASS) != 0
        times: cython.int = self.times[image.src]
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
            how in RECORDS and not tiny,
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
            times >= 2 and not photo and short,  # repeated drawing
            times >= 4 and not photo and short,  # often repeated drawing
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
            tokens <= LABEL + 1 and (how == "entry" or how == "record"),  # short entry
            nearest >= 0 and tree.tokens[nearest] <= 1,  # one word
            lonely >= 3,  # in a row of images
            not photo and shared,  # drawing with a shared text
            shared and not short,  # long shared text
            how == "neighbour",  # far
            tokens > 200,  # long text
            link >= 0 and not shows_picture and not linked,  # links elsewhere than its text
            link >= 0 and not shows_picture and surroundings.leaves_site(target),
        ]

    def images_in(self, start: cython.int, end: cython.int) -> cython.int:
        return place(self.tree.image_starts, end) - place(self.tree.image_starts, start)

    def beginning(self, start: cython.int, end: cython.int) -> cython.int:
        """What the first words of a text say of it: an ad, a form, a copyright notice."""
        last: cython.int = min(end, start + BEGINNING)
        form: cython.int = min(end, start + FORM_BEGINNING)
        found: cython.int
        if start == self.start and last == self.end:
            return self.begins
        found = self.around.words.find(self.text, start, last)
        if found < 0:
            found = self.around.patterns(self.text[start:last])
        if found & (FORM_WORDS | SIGN_IN) and self.begins_form(start, form):
            found = found & COPYRIGHT | FORM_WORDS
        else:
            found &= COPYRIGHT
        if PyUnicode_FindChar(self.text, 0xA9, start, last, 1) >= 0:
            found |= COPYRIGHT
        if self.is_labelled(start, last):
            found |= AD_LABEL
        self.start = start
        self.end = last
        self.begins = found
        return found

    def begins_form(self, start: cython.int, end: cython.int) -> cython.bint:
        """Whether a range has words of a form."""
        found: cython.int = self.around.words.find(self.text, start, end)
        if found >= 0 and not found & SIGN_IN:
            return found & FORM_WORDS != 0
        return bool(self.is_form(self.text[start:end]))

    def is_labelled(self, start: cython.int, last: cython.int) -> cython.bint:
        """Whether the first words of a text call it an ad."""
        at: cython.int = start
        ch: cython.Py_UCS4
        while at < last:
            ch = self.text[at]
            if ch.isalnum() or ch == "_":
                if ch < "\x80" and not may_label(ord(ch) | 32):
                    return False
                beginning: str = self.text[at : min(at + 4, last)].lower()
                if ch >= "\x80" or beginning in LABELS or beginning.startswith("ad"):
                    return bool(self.is_label(self.text[start:last]))
                return False
            at += 1
        return False


def may_label(letter: cython.int) -> cython.bint:
    """Whether one of `LABELS`, or `ad`, starts with a small letter."""
    return letter == 97 or letter == 119 or letter == 112 or letter == 115 or letter == 114


def place(starts: cython.const[cython.int][::1], offset: cython.int) -> cython.int:
    """How many starts come before an offset."""
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t = len(starts)
    middle: cython.Py_ssize_t
    while first < last:
        middle = (first + last) >> 1
        if starts[middle] < offset:
            first = middle + 1
        else:
            last = middle
    return first
