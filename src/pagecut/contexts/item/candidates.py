# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names structures)

"""Which texts may belong to an image: ranges around it, by the tree and by the page's headings."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.pagecut.contexts.item.page_sums import PageSums, shared
from cython.cimports.pagecut.evidence.item_tree import HEADING, WHOLE, ItemTree
from cython.cimports.pagecut.evidence.table import BLOCK as BLOCK_AROUND
from cython.cimports.pagecut.evidence.table import HEADING as HEADING_BEFORE
from cython.cimports.pagecut.evidence.table import LINK as LINK_AROUND

from pagecut.page.text.tokenizer import bare_words

LEVELS = 5  # ancestors with more and more text
CUT_LEVELS = 3  # of these, whose children are parted
STEPS = 64  # siblings that are looked at on each side
MOST = 2500  # tokens of a text that may be about one image
HEADLINE = 400  # tokens of a page's headline with what belongs to it
NONE = 255  # in the table of kinds

KINDS = (
    *(f"ancestor {level + 1}" for level in range(LEVELS)),
    # parts of the first ancestor with words
    "after 1",
    "before 1",
    "both 1",
    "next 1",
    "previous 1",
    "beside 1",
    "shifted 1",
    # parts of the next two
    "before 2",
    "next 2",
    "shifted 2",
    "to heading 2",
    "to heading 3",
    "after 2",
    # by the order of the page
    "next block",
    "blocks beside",
    "heading",
    "heading's section",
    "from heading",
    "next heading's section",
    "caption",
    "headline block",
    "labelled headline run",
    "far headline run",
    "from headline",
    "from headline's label",
    "caption and headline run",
    "caption and far headline run",
    "from headline to caption",
    "twin link",
    "rules",
)
KINDS_COUNT = len(KINDS)
(
    AFTER,
    BEFORE,
    BOTH,
    NEXT,
    PREVIOUS,
    BESIDE,
    SHIFTED,
    BEFORE_2,
    NEXT_2,
    SHIFTED_2,
    TO_HEADING_2,
    TO_HEADING_3,
    AFTER_2,
    DOC_NEXT,
    DOC_BOTH,
    HEADING_ALONE,
    HEADING_SECTION,
    HEADING_TO,
    NEXT_SECTION,
    CAPTION,
    H1_BLOCK,
    RUN,
    FAR_RUN,
    H1_TO,
    H1_LABELLED_TO,
    CAPTION_RUN,
    CAPTION_FAR_RUN,
    H1_TO_CAPTION,
    TWIN,
    RULES,
) = range(LEVELS, KINDS_COUNT)
# Ranges around the headline.
BLOCK, NEAR, LABELLED, FAR = range(4)


class Candidates:
    """The candidates of all images of a page.

    Attributes:
        kinds_table: (images, kinds) which candidate of the image is of a kind; NONE if none is.
    """

    def __init__(self, page: object, sums: PageSums, items: list, captions: list) -> None:
        images: tuple = page.images
        rows: cython.Py_ssize_t = sums.tree.rows
        self.tree = sums.tree
        self.sums = sums
        self.images = len(images)
        self.count = 0
        columns: cython.int[::1] = np.full(2 * rows + len(images) + 2, -1, np.int32)
        self.memory = columns
        self.previous = cython.address(columns[0])
        self.heading_after = self.previous + rows
        self.firsts = self.previous + 2 * rows
        size = KINDS_COUNT * max(1, len(images)) * cython.sizeof(Candidate)
        found: cython.uchar[::1] = np.empty(size, np.uint8)
        self.found_memory = found
        self.found = cython.cast(cython.pointer(Candidate), cython.address(found[0]))
        kinds: cython.uchar[:, ::1] = np.full((max(1, len(images)), KINDS_COUNT), NONE, np.uint8)
        self.kinds_table = kinds
        self.kinds = cython.address(kinds[0, 0])
        self.exact = {}  # the ranges of candidates that have more than two
        self.read_rows()
        self.h1 = find_headline_row(page, self.tree)
        self.find_headline()
        for at in range(len(images)):
            self.firsts[at] = self.count
            self.find(at, images[at].node, captions[at], items[at].spans)
        self.firsts[len(images)] = self.count

    def read_rows(self) -> None:
        tree = self.tree
        row: cython.int
        last: cython.int = -1
        following: cython.int
        for row in range(tree.rows):
            parent = tree.parent[row]
            following = tree.subtree_end[row]
            if parent >= 0 and following < tree.subtree_end[parent]:
                self.previous[following] = row
        for row in range(tree.rows - 1, -1, -1):
            self.heading_after[row] = last
            if tree.kind[row] == 0 and tree.meaning(row) & HEADING and tree.tokens[row]:
                last = row

    def heading_before(self, row: cython.int) -> cython.int:
        """The last heading before a row; -1 if there is none."""
        return self.sums.table.places[HEADING_BEFORE, row]

    def section(self, row: cython.int) -> Range:
        """The range from the heading before a row to the next."""
        tree = self.tree
        found: Range
        heading = self.heading_before(row)
        following = self.heading_after[row]
        found.start = 0 if heading < 0 else tree.start[heading]
        found.end = tree.end[0] if following < 0 else tree.start[following]
        return found

    def of_kind(self, image: cython.int, kind: cython.int) -> cython.pointer(Candidate):
        """An image's candidate of a kind; NULL if it has none."""
        index = self.kinds[image * KINDS_COUNT + kind]
        return cython.NULL if index == NONE else self.found + self.firsts[image] + index

    def find_control(self, row: cython.int) -> None:
        """The range of the control that an image is in; an empty one if it is in none."""
        tree = self.tree
        above: cython.int = tree.parent[row]
        steps: cython.int = 0
        self.control.start = self.control.end = 0
        while above >= 0 and steps < STEPS and self.sums.labels[self.sums.leaves]:
            if self.sums.is_control[tree.tag[above]]:
                self.control.start = tree.start[above]
                self.control.end = tree.end[above]
                break
            above = tree.parent[above]
            steps += 1

    def labels(self, start: cython.int, end: cython.int) -> cython.int:
        """How many words of a range are labels: of controls, but for one that the image is in; or
        for screen readers alone."""
        sums = self.sums
        if end <= start:
            return 0
        first = sums.leaf_at(start)
        last = sums.leaf_at(end)
        found: cython.int = sums.labels[last] - sums.labels[first]
        if found:
            low = max(start, self.control.start)
            high = min(end, self.control.end)
            if high > low:
                found -= sums.labels[sums.leaf_at(high)] - sums.labels[sums.leaf_at(low)]
        return found + sums.unseen[last] - sums.unseen[first]

    def is_labels(
        self, start: cython.int, end: cython.int, other: cython.int, last: cython.int
    ) -> cython.bint:
        """Whether two ranges have hardly any words but labels."""
        sums = self.sums
        before = self.tree.tokens_before
        if not sums.labels[sums.leaves] and not sums.unseen[sums.leaves]:
            return False
        tokens = before[end] - before[start] + before[last] - before[other]
        return 4 * (self.labels(start, end) + self.labels(other, last)) >= 3 * tokens

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
        made = self.found + self.count
        made.token[0] = before[start]
        made.token[1] = before[end]
        made.token[2] = before[other]
        made.token[3] = before[last]
        made.tokens = made.token[1] - made.token[0] + made.token[3] - made.token[2]
        if made.tokens > MOST:
            return
        if self.is_labels(start, end, other, last):
            return
        for at in range(first, self.count):
            known = self.found + at
            if (
                known.token[0] == made.token[0]
                and known.token[1] == made.token[1]
                and known.token[2] - known.token[3] == made.token[2] - made.token[3]
                and (other == last or known.token[2] == made.token[2])
            ):
                self.kinds[image * KINDS_COUNT + kind] = at - first
                return
        self.kinds[image * KINDS_COUNT + kind] = self.count - first
        made.text[0] = start
        made.text[1] = end
        made.text[2] = other
        made.text[3] = last
        for at in range(4):
            made.leaf[at] = self.sums.leaf_at(made.text[at])
        self.count += 1

    def find(self, image: cython.int, row: cython.int, caption: cython.int, item: tuple) -> None:
        """All candidates of one image."""
        tree = self.tree
        level: cython.int = 0
        child: cython.int = row
        above: cython.int = tree.parent[row]
        steps: cython.int = 0
        self.find_control(row)
        while above >= 0 and level < LEVELS and steps < 400:
            steps += 1
            start = tree.start[above]
            end = tree.end[above]
            if tree.tokens[above] > tree.tokens[child] and not self.is_labels(start, end, 0, 0):
                if level < CUT_LEVELS:
                    self.cut_level(image, level, above, child)
                if tree.tokens[above] > MOST or tree.meaning(above) & WHOLE:
                    break
                self.add(image, level, start, end)
                level += 1
            child = above
            above = tree.parent[above]
        self.find_in_document(image, row)
        if caption >= 0:
            self.add(image, CAPTION, tree.start[caption], tree.end[caption])
        if self.h1 >= 0:
            self.add_headline(image, row, caption)
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
        after: Side = self.look(child, tree.subtree_end[above], True)
        start = tree.start[child]
        if level > 0 and after.heading >= 0:
            kind = TO_HEADING_2 if level == 1 else TO_HEADING_3
            self.add(image, kind, start, tree.end[after.until])
        if level > 1:
            return
        before: Side = self.look(child, 0, False)
        end = tree.end[child]
        self.add(image, BEFORE if level == 0 else BEFORE_2, tree.start[before.edge], end)
        if level == 1:
            self.add(image, AFTER_2, start, tree.end[after.edge])
        if level == 0:
            self.add(image, AFTER, start, tree.end[after.edge])
            self.add(image, BOTH, tree.start[before.edge], tree.end[after.edge])
        if after.text >= 0:
            self.add(image, NEXT if level == 0 else NEXT_2, start, tree.end[after.text])
        if before.text < 0:
            return
        first = tree.start[before.text]
        if level == 0:
            self.add(image, PREVIOUS, first, end)
        if after.text >= 0:
            self.add(image, SHIFTED if level == 0 else SHIFTED_2, first, tree.end[after.inner])
            if level == 0:
                self.add(image, BESIDE, first, tree.end[after.text])

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
        sums = self.sums
        place = tree.start[row]
        leaf: cython.int = sums.leaf_at(place)
        texts = sums.texts[leaf]
        before: cython.int = -1
        after: cython.int = -1
        if texts > 0:
            before = self.block_of_text(texts - 1)
        if texts < sums.texts[sums.leaves]:
            after = self.block_of_text(texts)
            self.add(image, DOC_NEXT, tree.start[after], tree.end[after])
        if before >= 0 and after >= 0:
            self.add(
                image,
                DOC_BOTH,
                min(tree.start[before], tree.start[after]),
                max(tree.end[before], tree.end[after]),
            )
        heading = self.heading_before(row)
        following = self.heading_after[row]
        if following >= 0:
            second = self.heading_after[following]
            self.add(
                image,
                NEXT_SECTION,
                tree.start[following],
                tree.end[0] if second < 0 else tree.start[second],
            )
        if heading >= 0:
            end: cython.int = tree.end[0] if following < 0 else tree.start[following]
            self.add(image, HEADING_ALONE, tree.start[heading], tree.end[heading])
            self.add(image, HEADING_SECTION, tree.start[heading], end)
            self.add(image, HEADING_TO, tree.start[heading], max(place, tree.end[heading]))

    def block_of_text(self, text: cython.int) -> cython.int:
        """The row that breaks lines around a text with words, by its number among those."""
        return self.sums.table.places[BLOCK_AROUND, self.sums.text_row[text]]

    def find_headline(self) -> None:
        """The ranges of the page's headline: the second block around it, and runs of siblings."""
        tree = self.tree
        at: cython.int
        row: cython.int = self.h1
        for at in range(4):
            self.headline[at].start = self.headline[at].end = -1
        if row < 0:
            return
        at = 0
        tokens: cython.int = tree.tokens[row]
        while tree.parent[row] >= 0 and at < 2:
            above: cython.int = tree.parent[row]
            if tree.tokens[above] > tokens:
                if at == 0:
                    self.run(row, NEAR, False)
                    self.run(row, LABELLED, True)
                else:
                    self.run(row, FAR, False)
                if tree.tokens[above] > HEADLINE:
                    break
                if at == 1:
                    self.headline[BLOCK].start = tree.start[above]
                    self.headline[BLOCK].end = tree.end[above]
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

    def add_headline(self, image: cython.int, row: cython.int, caption: cython.int) -> None:
        tree = self.tree
        h1 = self.h1
        start = tree.start[h1]
        end = tree.end[h1]
        place = tree.start[row]
        before = tree.tokens_before
        self.add_range(image, H1_BLOCK, BLOCK, -1)
        self.add_range(image, RUN, LABELLED, -1)
        self.add_range(image, FAR_RUN, FAR, -1)
        if place > end and before[place] - before[start] <= HEADLINE:
            self.add(image, H1_TO, start, place)
            if self.headline[LABELLED].start >= 0:
                self.add(image, H1_LABELLED_TO, self.headline[LABELLED].start, place)
            if caption > row:
                self.add(image, H1_TO_CAPTION, start, tree.end[caption])
        if caption >= 0:
            self.add_range(image, CAPTION_RUN, NEAR, caption)
            self.add_range(image, CAPTION_FAR_RUN, FAR, caption)

    def add_range(
        self, image: cython.int, kind: cython.int, which: cython.int, caption: cython.int
    ) -> None:
        """A range around the headline, if there is one, with the caption, if there is one."""
        tree = self.tree
        start = self.headline[which].start
        end = self.headline[which].end
        if start < 0:
            return
        if caption < 0:
            self.add(image, kind, start, end)
        else:
            self.add_two(image, kind, start, end, tree.start[caption], tree.end[caption])

    def find_twin(self, image: cython.int, row: cython.int) -> None:
        """The nearest other link to where the image's link leads."""
        tree = self.tree
        link: cython.int = self.sums.table.places[LINK_AROUND, row]
        if link < 0 or self.sums.target[link] < 0:
            return
        other = self.sums.link_before[link]
        twin = self.sums.link_after[link]
        if other >= 0 and (
            twin < 0 or link - tree.subtree_end[other] < twin - tree.subtree_end[link]
        ):
            twin = other
        if twin >= 0:
            self.add(image, TWIN, tree.start[twin], tree.end[twin])

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
        if at in self.exact:
            return self.exact[at]
        text: cython.p_int = self.found[at].text
        if text[3] > text[2]:
            return ((text[0], text[1]), (text[2], text[3]))
        return ((text[0], text[1]),)

    def of(self, image: int) -> list:
        """The candidates of an image, as ranges of text."""
        found = []
        at: cython.int
        for at in range(self.firsts[image], self.firsts[image + 1]):
            found.append(self.spans(at))
        return found


def common(first: cython.pointer(Candidate), second: cython.pointer(Candidate)) -> cython.double:
    """F of the tokens of two candidates."""
    one: cython.p_int = first.token
    two: cython.p_int = second.token
    both: cython.int = shared(one[0], one[1], two[0], two[1])
    if one[3] > one[2]:
        both += shared(one[2], one[3], two[0], two[1])
    if two[3] > two[2]:
        both += shared(one[0], one[1], two[2], two[3])
        both += shared(one[2], one[3], two[2], two[3])
    return 2.0 * both / max(1, first.tokens + second.tokens)


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
            level: cython.double = 0.6 if name == "h1" else 0.1 if name == "h2" else 0.0
            if tree.tokens[row] > 60 or 1.0 + level - 0.01 * seen <= best_score:
                continue
            words = [
                word.lower() for word in bare_words(tree.text[tree.start[row] : tree.end[row]])
            ]
            shared: cython.double = 0.0
            if words and title:
                shared = sum([word in title for word in words]) / len(words)
                shared *= min(1.0, len(words) / 3.0)
            score: cython.double = shared + level - 0.01 * seen
            if score > best_score:
                best_score = score
                best = row
    return best
