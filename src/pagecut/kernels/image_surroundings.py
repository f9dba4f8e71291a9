# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where an image stands: names, links and text around it.

Compiled into `pagecut.compiled.image_surroundings`; where nothing is compiled, this source runs.
"""

from __future__ import annotations

from bisect import bisect_left

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else the .pxd file takes the compiled ones
    from pagecut.kernels._characters import PyUnicode_IS_ASCII
    from pagecut.kernels.image_names import ImageName
    from pagecut.kernels.items import CONTENT, LANDMARK, LINE, LINK

REVISION = 6  # see `acceleration`

# Positions in `items.ATTRIBUTES`.
CLASS = 0
ID = 1
HREF = 2

NEAR = 16  # times the nodes of the page are gone through for links, before those are kept
MOST = 300  # characters of a class or an id that are read
GROUPS = (1 << 30) - 1  # all bits of groups
NAVIGATION = 512  # bit of `kernels.image_role`


class Surroundings:
    """Looks around the images of one page.

    Args:
        tree: an `ItemTree`.
        room: for two numbers of each node.
        words: a `WordFinder` for the groups of words.
        patterns: what tells the groups in a text where `words` cannot.
        site_of: the last labels of an address's host.
        url: of the page, or None.

    Attributes:
        stem_groups, url_groups: of which the name that was read last has words.
    """

    def __init__(
        self,
        tree: object,
        room: cython.int[::1],
        words: object,
        patterns: object,
        site_of: object,
        url: object,
    ) -> None:
        self.tree = tree
        at: cython.Py_ssize_t
        size: cython.Py_ssize_t = len(room) >> 1
        for at in range(2 * size):
            room[at] = -1
        self.named = room[0:size]
        self.landmarks = room[size : 2 * size]
        self.words = words
        self.patterns = patterns
        self.site_of = site_of
        self.site = None if url is None else site_of(url)
        self.known: dict = {}
        self.links: dict | None = None
        self.steps = NEAR * size
        self.stem_groups = self.url_groups = 0
        self.folder = ""
        self.folder_groups = 0

    def groups(self, text: str, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.int:
        """The groups of which a range of a text has words."""
        found: cython.int = self.words.find(text, start, end)
        return self.patterns(text[start:end]) if found < 0 else found

    def read_name(self, name: ImageName) -> None:
        """Find the groups of which an image's name and address have words.

        Names of files are bordered by what is in no word of theirs, so that each part is read once;
        images in a row are often in the same folder.
        """
        url: str = name.url
        found: cython.longlong
        if name.text is not url or not PyUnicode_IS_ASCII(url):
            self.stem_groups = self.groups(name.text, name.first, name.stem_end)
            self.url_groups = self.groups(url, 0, len(url))
            return
        if len(self.folder) != name.first or not url.startswith(self.folder):
            self.folder = url[: name.first]
            self.folder_groups = self.words.find_in_part(url, 0, name.first, 0)
        found = self.words.find_in_part(url, name.first, name.stem_end, self.folder_groups)
        self.stem_groups = found & GROUPS
        found = self.words.find_in_part(url, name.stem_end, len(url), found)
        self.url_groups = (self.folder_groups | self.stem_groups | found) & GROUPS

    def names(self, row: cython.int) -> cython.int:
        """The groups of which a node's classes and id have words."""
        found: cython.int
        if self.named[row] < 0:
            found = self.tree.attributes.words_in(row, self.words, MOST)
            if found < 0:
                found = self.value_groups(row, CLASS) | self.value_groups(row, ID)
            self.named[row] = found
        return self.named[row]

    def value_groups(self, row: cython.int, which: cython.int) -> cython.int:
        """The groups of which an attribute of a node has words; equal ones share the work."""
        value: str = self.tree.attributes.value(row, which)[:MOST]
        known: object = self.known.get(value)
        if known is None:
            known = self.known[value] = self.groups(value, 0, len(value))
        return known

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
        """Whether a text has a link to a place: 1 or 0, or -1 if so many were looked for before."""
        tree = self.tree
        first: cython.int = 0
        last: cython.int = tree.rows
        middle: cython.int
        if not target:
            return 0
        while first < last:
            middle = (first + last) >> 1
            if tree.start[middle] < start:
                first = middle + 1
            else:
                last = middle
        last = tree.rows
        while first < last and tree.start[first] < end:
            if (
                tree.tokens[first]
                and tree.meaning(first) & LINK
                and tree.attributes.same(first, link, HREF)
            ):
                return 1
            if not self.steps:
                return -1
            self.steps -= 1
            first += 1
        return 0

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
        above: cython.int = row
        known: cython.bint = False
        mark: cython.int
        while above >= 0:
            if self.landmarks[above] >= 0:
                known = self.landmarks[above] > 0
                break
            mark = tree.marks[tree.tag[above]]
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
        while row >= 0 and tree.marks[tree.tag[row]] & LINE and not tree.tokens[row]:
            child = row
            row = tree.parent[row]
        if row < 0 or not tree.tokens[row]:
            return False
        if tree.marks[tree.tag[row]] & LINE:
            return True
        beside = tree.subtree_end[child]
        if beside < tree.subtree_end[row] and tree.kind[beside] == 1:
            return True
        beside = child - 1
        while beside > row and tree.parent[beside] != row:
            beside = tree.parent[beside]
        return beside > row and tree.kind[beside] == 1
