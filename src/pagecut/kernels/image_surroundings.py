# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where an image stands: names, links and text around it.

Compiled into `pagecut.compiled.image_surroundings`; where nothing is compiled, this source runs.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 4  # see `acceleration`

LINK = 32  # bit of `kernels.items`
# Positions in `items.ATTRIBUTES`.
CLASS = 0
ID = 1
HREF = 2

# Bits of the marks of tags.
LANDMARK = 1
CONTENT = 2
LINE = 4

NEAR = 400  # nodes of a text that are gone through for a link
MOST = 300  # characters of a class or an id that are read
NAVIGATION = 512  # bit of `kernels.image_role`


class Surroundings:
    """Looks around the images of one page.

    Args:
        tree: an `ItemTree`.
        marks: by code of a tag, what it is to an image.
        room: (2, n) of -1, for what is worked out later.
        words: a `WordFinder` for the groups of words.
        patterns: what tells the groups in a text where `words` cannot.
        site_of: the last labels of an address's host.
        url: of the page, or None.
    """

    def __init__(
        self,
        tree: object,
        marks: cython.const[cython.uchar][::1],
        room: cython.int[:, ::1],
        words: object,
        patterns: object,
        site_of: object,
        url: object,
    ) -> None:
        self.tree = tree
        self.marks = marks
        self.named = room[0]
        self.landmarks = room[1]
        self.words = words
        self.patterns = patterns
        self.site_of = site_of
        self.site = None if url is None else site_of(url)
        self.known: dict = {}
        self.links: dict | None = None

    def groups(self, text: str) -> cython.int:
        """The groups of which a text has words."""
        found: cython.int
        known: object
        if not text:
            return 0
        known = self.known.get(text)
        if known is None:
            found = self.words.find(text, 0, len(text))
            known = self.patterns(text) if found < 0 else found
            self.known[text] = known
        return known

    def names(self, row: cython.int) -> cython.int:
        """The groups of which a node's classes and id have words."""
        attributes = self.tree.attributes
        if self.named[row] < 0:
            self.named[row] = self.groups(attributes.value(row, CLASS)[:MOST]) | self.groups(
                attributes.value(row, ID)[:MOST]
            )
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
            near: cython.int = self.near_link(link, target, start, end)
            if near >= 0:
                return near == 1
            self.links = self.find_links()
        starts = self.links.get(target)
        if starts is None:
            return False
        at = bisect_left(starts, start)
        return at < len(starts) and starts[at] < end

    def near_link(
        self, link: cython.int, target: str, start: cython.int, end: cython.int
    ) -> cython.int:
        """Whether a text has a link to a place: 1 or 0, or -1 if it is too long to go through."""
        tree = self.tree
        first: cython.int = 0
        last: cython.int = len(tree.start)
        middle: cython.int
        if not target:
            return 0
        while first < last:
            middle = (first + last) >> 1
            if tree.start[middle] < start:
                first = middle + 1
            else:
                last = middle
        last = min(first + NEAR, len(tree.start))
        while first < last and tree.start[first] < end:
            if (
                tree.tokens[first]
                and tree.meaning(first) & LINK
                and tree.attributes.same(first, link, HREF)
            ):
                return 1
            first += 1
        return -1 if first < len(tree.start) and tree.start[first] < end else 0

    def find_links(self) -> dict:
        """Where the text of each target starts."""
        tree = self.tree
        links: dict = {}
        row: cython.int
        target: str
        for row, target in tree.attributes.all_values(HREF):
            if target and tree.tokens[row] and tree.meaning(row) & LINK:
                starts = links.get(target)
                if starts is None:
                    starts = links[target] = []
                starts.append(tree.start[row])
        return links

    def leaves_site(self, target: str) -> cython.bint:
        if self.site is None or not target.startswith(("http://", "https://")):
            return False
        return self.site_of(target) != self.site

    def in_navigation(self, row: cython.int) -> cython.bint:
        """Whether a node is in a menu, a head or a foot of the page, by tag or name."""
        tree = self.tree
        chain: list = []
        known: cython.bint = False
        mark: cython.int
        while row >= 0:
            if self.landmarks[row] >= 0:
                known = bool(self.landmarks[row])
                break
            chain.append(row)
            if self.marks[tree.tag[row]] & CONTENT:
                break
            row = tree.parent[row]
        chain.reverse()
        for row in chain:
            mark = self.marks[tree.tag[row]]
            if mark & CONTENT:
                known = False
            elif not known:
                known = bool(mark & LANDMARK or self.names(row) & NAVIGATION)
            self.landmarks[row] = known
        return known

    def in_line(self, node: cython.int) -> cython.bint:
        """Whether an image stands in a line of text rather than beside it."""
        tree = self.tree
        child: cython.int = node
        row: cython.int = tree.parent[node]
        beside: cython.int
        while row >= 0 and self.marks[tree.tag[row]] & LINE and not tree.tokens[row]:
            child = row
            row = tree.parent[row]
        if row < 0 or not tree.tokens[row]:
            return False
        if self.marks[tree.tag[row]] & LINE:
            return True
        beside = tree.subtree_end[child]
        if beside < tree.subtree_end[row] and tree.kind[beside] == 1:
            return True
        beside = child - 1
        while beside > row and tree.parent[beside] != row:
            beside = tree.parent[beside]
        return beside > row and tree.kind[beside] == 1
