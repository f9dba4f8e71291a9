# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names structures)

"""Which texts may belong to an image: ranges around it, by the tree and by the page's headings."""

from __future__ import annotations

from bisect import bisect_left

import cython
import numpy as np
from cython.cimports.pagecut.evidence.items import HEADING, LINK, WHOLE, ItemTree, count_below
from cython.cimports.pagecut.evidence.names import HREF

from pagecut.page.tags import LINE_BREAKING
from pagecut.page.tokenizer import bare_words

LEVELS = 8  # ancestors with more and more text
CUT_LEVELS = 4  # of these, whose children are parted
CUTS = 10  # ways to part them
STEPS = 64  # siblings that are looked at on each side
MOST = 2500  # tokens of a text that may be about one image
HEADLINE = 400  # tokens of a page's headline with what belongs to it
NONE = 255

AFTER, BEFORE, BOTH, NEXT, PREVIOUS, BESIDE, SECTION, HEAD_TO, TO_HEAD, SHIFTED = range(10)
_CUT_NAMES = (
    "after",
    "before",
    "both",
    "next",
    "previous",
    "beside",
    "section",
    "heading to",
    "to heading",
    "shifted",
)
_OTHERS = (
    "next block",
    "previous block",
    "blocks beside",
    "heading",
    "heading's section",
    "from heading",
    "heading and next block",
    "to next heading",
    "caption",
    "headline",
    "headline block 1",
    "headline block 2",
    "headline block 3",
    "headline block 4",
    "headline run",
    "labelled headline run",
    "far headline run",
    "labelled far headline run",
    "from headline",
    "from headline's label",
    "to headline",
    "caption and headline",
    "caption and headline run",
    "caption and far headline run",
    "caption and headline block",
    "near and headline",
    "near and headline run",
    "near and headline block",
    "near and heading",
    "from headline to caption",
    "twin link's parent",
    "twin link",
    "to twin link",
    "rules",
)
KINDS = (
    *(f"ancestor {level + 1}" for level in range(LEVELS)),
    *(f"{name} {level + 1}" for level in range(CUT_LEVELS) for name in _CUT_NAMES),
    *_OTHERS,
)
KINDS_COUNT = len(KINDS)
(
    DOC_NEXT,
    DOC_PREVIOUS,
    DOC_BOTH,
    HEADING_ALONE,
    HEADING_SECTION,
    HEADING_TO,
    HEADING_NEXT,
    TO_NEXT_HEADING,
    CAPTION_ALONE,
    H1,
    H1_BLOCK,
) = range(LEVELS + CUT_LEVELS * CUTS, LEVELS + CUT_LEVELS * CUTS + 11)
(
    RUN,
    RUN_LABELLED,
    FAR_RUN,
    FAR_RUN_LABELLED,
    H1_TO,
    H1_LABELLED_TO,
    TO_H1,
    CAPTION_H1,
    CAPTION_RUN,
    CAPTION_FAR_RUN,
    CAPTION_BLOCK,
    NEAR_H1,
    NEAR_RUN,
    NEAR_BLOCK,
    NEAR_HEADING,
    H1_TO_CAPTION,
    TWIN,
    TWIN_LINK,
    TWIN_RANGE,
    RULES,
) = range(H1_BLOCK + 4, H1_BLOCK + 24)


class Candidates:
    """The candidates of all images of a page.

    Attributes:
        kinds_table: (images, kinds) which candidate of the image is of a kind; NONE if none is.
    """

    def __init__(self, page: object, tree: ItemTree, items: list, captions: list) -> None:
        images: tuple = page.images
        rows: cython.Py_ssize_t = tree.rows
        self.tree = tree
        self.images = len(images)
        self.count = 0
        self.capacity = 64 * max(1, len(images))
        columns: cython.int[::1] = np.full(5 * rows + len(images) + 2, -1, np.int32)
        self.memory = (columns,)
        self.previous = cython.address(columns[0])
        self.block = self.previous + rows
        self.heading_before = self.previous + 2 * rows
        self.heading_after = self.previous + 3 * rows
        self.text_rows = self.previous + 4 * rows
        self.firsts = self.previous + 5 * rows
        ranges: cython.int[::1] = np.zeros(4 * self.capacity, np.int32)
        self.ranges_memory = ranges
        self.ranges = cython.address(ranges[0])
        kinds: cython.uchar[:, ::1] = np.full((max(1, len(images)), KINDS_COUNT), NONE, np.uint8)
        self.kinds_table = kinds
        self.kinds = cython.address(kinds[0, 0])
        self.links = None
        self.last_link = -1
        self.exact = {}  # the ranges of candidates that have more than two
        breaking: cython.const[cython.uchar][::1] = bytes(
            [name in LINE_BREAKING for name in page.packed.tag_names] or [0]
        )
        self.line_breaking_memory = bytes(breaking)
        self.line_breaking = cython.cast(cython.p_uchar, self.line_breaking_memory)
        self.read_rows()
        self.h1 = find_headline_row(page, tree)
        self.find_headline()
        for at in range(len(images)):
            self.firsts[at] = self.count
            if self.count + 128 > self.capacity:
                self.capacity = 2 * self.capacity + 128
                larger = np.zeros(4 * self.capacity, np.int32)
                larger[: 4 * self.count] = np.asarray(self.ranges_memory)[: 4 * self.count]
                ranges = larger
                self.ranges_memory = ranges
                self.ranges = cython.address(ranges[0])
            self.find(at, images[at].node, captions[at], items[at].spans)
        self.firsts[len(images)] = self.count

    def read_rows(self) -> None:
        tree = self.tree
        row: cython.int
        last: cython.int = -1
        following: cython.int
        count: cython.int = 0
        for row in range(tree.rows):
            parent = tree.parent[row]
            following = tree.subtree_end[row]
            if parent >= 0 and following < tree.subtree_end[parent]:
                self.previous[following] = row
            if parent < 0 or self.line_breaking[tree.tag[row]] or tree.kind[row] == 2:
                self.block[row] = row
            else:
                self.block[row] = self.block[parent]
            if tree.kind[row] == 0 and tree.meaning(row) & HEADING and tree.tokens[row]:
                last = row
            self.heading_before[row] = last
            if tree.kind[row] == 1 and tree.tokens[row]:
                self.text_rows[count] = row
                count += 1
        self.text_count = count
        last = -1
        for row in range(tree.rows - 1, -1, -1):
            self.heading_after[row] = last
            if tree.kind[row] == 0 and tree.meaning(row) & HEADING and tree.tokens[row]:
                last = row

    def add(self, image: cython.int, kind: cython.int, start: cython.int, end: cython.int) -> None:
        self.add_two(image, kind, start, end, -1, -1)

    def add_two(
        self,
        image: cython.int,
        kind: cython.int,
        start: cython.int,
        end: cython.int,
        other: cython.int,
        last: cython.int,
    ) -> None:
        """Add a candidate of one or two ranges of text, unless it is there already."""
        tree = self.tree
        before = tree.tokens_before
        at: cython.int
        first = self.firsts[image]
        if other >= 0 and before[last] == before[other]:
            other = -1
        if before[end] == before[start]:
            if other < 0:
                return
            start = other
            end = last
            other = -1
        if other >= 0:
            if other < start:
                start, other = other, start
                end, last = last, end
            if before[other] <= before[end]:
                end = max(end, last)
                other = -1
        if other < 0:
            other = last = end
        if before[end] - before[start] + before[last] - before[other] > MOST:
            return
        for at in range(first, self.count):
            known = self.ranges + 4 * at
            if (
                before[known[0]] == before[start]
                and before[known[1]] == before[end]
                and before[known[2]] - before[known[3]] == before[other] - before[last]
                and (other == last or before[known[2]] == before[other])
            ):
                self.kinds[image * KINDS_COUNT + kind] = at - first
                return
        self.kinds[image * KINDS_COUNT + kind] = self.count - first
        known = self.ranges + 4 * self.count
        known[0] = start
        known[1] = end
        known[2] = other
        known[3] = last
        self.count += 1

    def find(self, image: cython.int, row: cython.int, caption: cython.int, item: tuple) -> None:
        """All candidates of one image."""
        tree = self.tree
        level: cython.int = 0
        child: cython.int = row
        above: cython.int = tree.parent[row]
        nearest: cython.int = -1
        steps: cython.int = 0
        while above >= 0 and level < LEVELS and steps < 400:
            steps += 1
            if tree.tokens[above] > tree.tokens[child]:
                if nearest < 0:
                    nearest = above
                if level < CUT_LEVELS:
                    self.cut_level(image, level, above, child)
                if tree.tokens[above] > MOST or tree.meaning(above) & WHOLE:
                    break
                self.add(image, level, tree.start[above], tree.end[above])
                level += 1
            child = above
            above = tree.parent[above]
        self.find_in_document(image, row)
        if nearest >= 0 and tree.tokens[nearest] > 60:
            nearest = -1
        if caption >= 0:
            self.add(image, CAPTION_ALONE, tree.start[caption], tree.end[caption])
        if nearest >= 0:
            heading = self.heading_before[row]
            if heading >= 0:
                self.add_two(
                    image,
                    NEAR_HEADING,
                    tree.start[heading],
                    tree.end[heading],
                    tree.start[nearest],
                    tree.end[nearest],
                )
        if self.h1 >= 0:
            self.add_headline(image, row, caption, nearest)
        self.find_twin(image, row)
        if item:
            self.add_spans(image, RULES, item)

    def add_spans(self, image: cython.int, kind: cython.int, spans: tuple) -> None:
        if len(spans) == 1:
            self.add(image, kind, spans[0][0], spans[0][1])
        else:
            end: cython.int = spans[len(spans) - 1][1]
            count = self.count
            self.add_two(image, kind, spans[0][0], spans[0][1], spans[1][0], end)
            if len(spans) > 2 and self.count > count:
                self.exact[count] = spans

    def cut_level(
        self, image: cython.int, level: cython.int, above: cython.int, child: cython.int
    ) -> None:
        """Ranges of an ancestor's children around the one that holds the image."""
        tree = self.tree
        base: cython.int = LEVELS + level * CUTS
        before: Side = self.look(child, 0, False)
        after: Side = self.look(child, tree.subtree_end[above], True)
        start = tree.start[child]
        end = tree.end[child]
        self.add(image, base + AFTER, start, tree.end[after.edge])
        self.add(image, base + BEFORE, tree.start[before.edge], end)
        self.add(image, base + BOTH, tree.start[before.edge], tree.end[after.edge])
        if after.text >= 0:
            self.add(image, base + NEXT, start, tree.end[after.text])
        if before.text >= 0:
            self.add(image, base + PREVIOUS, tree.start[before.text], end)
        if before.text >= 0 and after.text >= 0:
            self.add(image, base + BESIDE, tree.start[before.text], tree.end[after.text])
            self.add(image, base + SHIFTED, tree.start[before.text], tree.end[after.inner])
        if before.heading >= 0:
            self.add(image, base + SECTION, tree.start[before.heading], tree.end[after.until])
            self.add(image, base + HEAD_TO, tree.start[before.heading], end)
        if after.heading >= 0:
            self.add(image, base + TO_HEAD, start, tree.end[after.until])

    def look(self, child: cython.int, stop: cython.int, forward: cython.bint) -> Side:
        """What stands on one side of a child, among its siblings.

        Args:
            stop: the first row after the siblings.
        """
        tree = self.tree
        steps: cython.int
        open_: cython.bint = True
        row: cython.int
        found: Side
        found.edge = found.inner = found.until = child
        found.text = found.heading = -1
        row = tree.subtree_end[child] if forward else self.previous[child]
        for steps in range(STEPS):
            if row < 0 or (forward and row >= stop):
                break
            if tree.pictures[row]:
                open_ = False
            if tree.tokens[row]:
                if found.text < 0:
                    found.text = row
                if open_:
                    found.inner = found.edge
                    found.edge = row
                if tree.headings[row]:
                    found.heading = row
                    break
                found.until = row
            if not open_ and steps > 16:
                break
            row = tree.subtree_end[row] if forward else self.previous[row]
        return found

    def find_in_document(self, image: cython.int, row: cython.int) -> None:
        """The blocks beside an image, and the section of the heading before it."""
        tree = self.tree
        at = count_below(self.text_rows, self.text_count, row)
        before: cython.int = -1
        after: cython.int = -1
        place = tree.start[row]
        if at > 0:
            before = self.block[self.text_rows[at - 1]]
            self.add(image, DOC_PREVIOUS, tree.start[before], max(tree.end[before], 0))
        if at < self.text_count:
            after = self.block[self.text_rows[at]]
            self.add(image, DOC_NEXT, tree.start[after], tree.end[after])
        if before >= 0 and after >= 0:
            self.add(
                image,
                DOC_BOTH,
                min(tree.start[before], tree.start[after]),
                max(tree.end[before], tree.end[after]),
            )
        heading = self.heading_before[row]
        following = self.heading_after[row]
        if heading >= 0:
            end: cython.int = tree.end[0] if following < 0 else tree.start[following]
            self.add(image, HEADING_ALONE, tree.start[heading], tree.end[heading])
            self.add(image, HEADING_SECTION, tree.start[heading], end)
            self.add(image, HEADING_TO, tree.start[heading], max(place, tree.end[heading]))
            if after >= 0:
                self.add_two(
                    image,
                    HEADING_NEXT,
                    tree.start[heading],
                    tree.end[heading],
                    tree.start[after],
                    tree.end[after],
                )
        if following >= 0:
            self.add(image, TO_NEXT_HEADING, place, tree.end[following])

    def find_headline(self) -> None:
        """The ranges of the page's headline: itself, blocks around it, runs of siblings."""
        tree = self.tree
        at: cython.int
        row: cython.int = self.h1
        for at in range(8):
            self.headline[at].start = self.headline[at].end = -1
        if row < 0:
            return
        at = 0
        tokens: cython.int = tree.tokens[row]
        while tree.parent[row] >= 0 and at < 4:
            above: cython.int = tree.parent[row]
            if tree.tokens[above] > tokens:
                if at < 2:
                    self.run(row, 4 + 2 * at, False)
                    self.run(row, 5 + 2 * at, True)
                if tree.tokens[above] > HEADLINE:
                    break
                self.headline[at].start = tree.start[above]
                self.headline[at].end = tree.end[above]
                tokens = tree.tokens[above]
                at += 1
            row = above

    def run(self, row: cython.int, which: cython.int, labelled: cython.bint) -> None:
        """The headline's child of an ancestor with the short siblings after it."""
        tree = self.tree
        first: cython.int = row
        last: cython.int = row
        stop = tree.subtree_end[tree.parent[row]]
        total: cython.int = tree.tokens[row]
        each: cython.int = tree.subtree_end[row]
        for _ in range(STEPS):
            if each >= stop or tree.pictures[each] or tree.headings[each]:
                break
            if tree.tokens[each] > 80 or total + tree.tokens[each] > HEADLINE:
                break
            if tree.tokens[each]:
                last = each
                total += tree.tokens[each]
            each = tree.subtree_end[each]
        if labelled:
            each = self.previous[row]
            for _ in range(3):
                if each < 0 or tree.pictures[each] or tree.tokens[each] > 15:
                    break
                if tree.tokens[each]:
                    first = each
                each = self.previous[each]
        self.headline[which].start = tree.start[first]
        self.headline[which].end = tree.end[last]

    def add_headline(
        self, image: cython.int, row: cython.int, caption: cython.int, nearest: cython.int
    ) -> None:
        tree = self.tree
        at: cython.int
        h1 = self.h1
        start = tree.start[h1]
        end = tree.end[h1]
        place = tree.start[row]
        before = tree.tokens_before
        self.add(image, H1, start, end)
        for at in range(8):
            if self.headline[at].start >= 0:
                self.add(image, H1_BLOCK + at, self.headline[at].start, self.headline[at].end)
        if place > end and before[place] - before[start] <= HEADLINE:
            self.add(image, H1_TO, start, place)
            if self.headline[5].start >= 0:
                self.add(image, H1_LABELLED_TO, self.headline[5].start, place)
            if caption > row:
                self.add(image, H1_TO_CAPTION, start, tree.end[caption])
        if place < start and before[end] - before[place] <= HEADLINE:
            self.add(
                image,
                TO_H1,
                place,
                end if self.headline[4].start < 0 else self.headline[4].end,
            )
        for other, base in ((caption, CAPTION_H1), (nearest, NEAR_H1)):
            if other >= 0:
                first = tree.start[other]
                last = tree.end[other]
                self.add_two(image, base, start, end, first, last)
                if self.headline[4].start >= 0:
                    self.add_two(
                        image,
                        base + 1,
                        self.headline[4].start,
                        self.headline[4].end,
                        first,
                        last,
                    )
                if base == CAPTION_H1 and self.headline[6].start >= 0:
                    self.add_two(
                        image,
                        base + 2,
                        self.headline[6].start,
                        self.headline[6].end,
                        first,
                        last,
                    )
                if self.headline[0].start >= 0:
                    self.add_two(
                        image,
                        CAPTION_BLOCK if base == CAPTION_H1 else NEAR_BLOCK,
                        self.headline[0].start,
                        self.headline[0].end,
                        first,
                        last,
                    )

    def find_links(self) -> None:
        """The links with words of each target."""
        tree = self.tree
        row: cython.int
        self.links = {}
        for row in range(tree.rows):
            if tree.meaning(row) & LINK and tree.tokens[row]:
                target = tree.attributes.value(row, HREF)
                if target:
                    self.links.setdefault(target, []).append(row)

    def find_twin(self, image: cython.int, row: cython.int) -> None:
        """The nearest other link to where the image's link leads."""
        tree = self.tree
        link: cython.int = tree.parent[row]
        steps: cython.int = 0
        rows: list | None
        while link >= 0 and steps < 6 and not tree.meaning(link) & LINK:
            link = tree.parent[link]
            steps += 1
        if link < 0 or not tree.meaning(link) & LINK:
            return
        if self.links is None:
            self.find_links()
        if link != self.last_link:
            self.last_link = link
            self.last_rows = self.links.get(tree.attributes.value(link, HREF))
        rows = self.last_rows
        if not rows:
            return
        at: cython.Py_ssize_t = bisect_left(rows, link)
        twin: cython.int = -1
        other: cython.int
        if at < len(rows):
            twin = rows[at]
            if twin == link:
                twin = -1 if at + 1 >= len(rows) else rows[at + 1]
        if at > 0:
            other = rows[at - 1]
            if twin < 0 or link - tree.subtree_end[other] < twin - tree.subtree_end[link]:
                twin = other
        if twin < 0:
            return
        self.add(image, TWIN_LINK, tree.start[twin], tree.end[twin])
        self.add(
            image,
            TWIN_RANGE,
            min(tree.start[twin], tree.start[link]),
            max(tree.end[twin], tree.end[link]),
        )
        above: cython.int = tree.parent[link]
        for _ in range(32):
            if above < 0 or tree.meaning(above) & WHOLE:
                return
            if tree.holds(above, twin):
                self.add(image, TWIN, tree.start[above], tree.end[above])
                return
            above = tree.parent[above]

    def first_of_each(self) -> object:
        """(images + 1,) the first candidate of each image among all."""
        found: object = np.empty(self.images + 1, np.int64)
        firsts: cython.longlong[::1] = found
        at: cython.int
        for at in range(self.images + 1):
            firsts[at] = self.firsts[at]
        return found

    def spans(self, at: cython.int) -> tuple:
        """A candidate's ranges of text, by its number among all."""
        known = self.ranges + 4 * at
        if at in self.exact:
            return self.exact[at]
        if known[3] > known[2]:
            return ((known[0], known[1]), (known[2], known[3]))
        return ((known[0], known[1]),)

    def of(self, image: int) -> list:
        """The candidates of an image, as ranges of text."""
        found = []
        at: cython.int
        for at in range(self.firsts[image], self.firsts[image + 1]):
            found.append(self.spans(at))
        return found


def find_headline_row(page: object, tree: ItemTree) -> cython.int:
    """The heading that says what the page is about; -1 if none does."""
    row: cython.int
    seen: cython.int = 0
    best: cython.int = -1
    best_score: cython.double = 0.25
    title = {word.lower() for word in bare_words(page.title[:400])}
    names: tuple = page.packed.tag_names
    for row in range(tree.rows):
        if tree.kind[row] == 0 and tree.meaning(row) & HEADING and tree.tokens[row]:
            seen += 1
            if seen > 40:
                break
            name = names[tree.tag[row]]
            if tree.tokens[row] > 60:
                continue
            words = [
                word.lower() for word in bare_words(tree.text[tree.start[row] : tree.end[row]])
            ]
            shared: cython.double = 0.0
            if words and title:
                shared = sum([word in title for word in words]) / len(words)
                shared *= min(1.0, len(words) / 3)
            score: cython.double = shared + (0.6 if name == "h1" else 0.1 if name == "h2" else 0.0)
            score -= 0.01 * seen
            if score > best_score:
                best_score = score
                best = row
    return best
