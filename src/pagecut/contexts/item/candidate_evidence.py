# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""What speaks for each candidate: its size and place, its tree, its words, its group's others."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.string import memcpy, memset
from cython.cimports.pagecut.contexts.item.about_images import ABOUT_COUNT, AboutImages
from cython.cimports.pagecut.contexts.item.candidates import (
    KINDS_COUNT,
    LEVELS,
    NONE,
    RULES,
    Candidate,
    Candidates,
    common,
)
from cython.cimports.pagecut.contexts.item.look_alikes import SUMS_COUNT, LookAlikes
from cython.cimports.pagecut.contexts.item.page_sums import SCANNED, logarithm, shared
from cython.cimports.pagecut.evidence.item_tree import RECORD, WHOLE
from cython.cimports.pagecut.evidence.table import BLOCK
from cython.cimports.pagecut.evidence.table import LINK as LINK_AROUND

from pagecut.contexts.item.about_images import ABOUT_NAMES
from pagecut.contexts.item.candidates import KINDS
from pagecut.evidence import vocabulary

# What names of elements around a text beside an image may say.
GROUPS = ("person", "comments", "product", "slider", "list", "overlay", "picture")
# What the first line of a text may say of it.
SAID = ("picture", "product", "share", "byline", "related", "comments", "person", "ad", "form")
MOST_TARGETS = 64  # of a candidate's links that are counted

TEXT = (
    "tokens",
    "share of page",
    "texts",
    "tokens of a text",
    "blocks",
    "tokens of a block",
    "linked share",
    "heading share",
    "pictures",
    "images",
    "hidden share",
    "second share",
    "title share",
    "sentence ends",
    "digits",
    "prices",
    "first block tokens",
    "last block tokens",
)
PLACE = (
    "image inside",
    "tokens before image",
    "tokens after image",
    "gap tokens",
    "pictures between",
    "before",
    "starts at image",
)
TREE = (
    "steps up",
    "whole ancestor",
    "share of ancestor",
    "ancestor tokens",
    "ancestor pictures",
    "ancestor alike",
    "growth",
    "growth pictures",
    "growth share",
    *(f"ancestor {name}" for name in GROUPS),
    *(f"inside {name}" for name in GROUPS),
)
GROUP = (
    "kind share",
    "kind tokens",
    "kind deviation",
    "kind overlap",
    "kind equal",
    "overlaps next",
    "overlaps previous",
    "equals neighbour",
    "of group's tokens",
)
OTHERS = (
    "consensus",
    "with rules",
    "with ancestor 1",
    "kinds",
    "kinds share",
    "rank",
    "smaller",
    "level",
)
RECORDS = ("with record", "within record", "with article")
LINES = (
    "lines",
    "tokens of a line",
    "prose lines",
    "first line tokens",
    "last line tokens",
    "repeated share",
    *(f"first line says {name}" for name in SAID),
    "of section",
    "section covered",
    "linked alike",
    "linked elsewhere",
    "linked alike share",
    "other targets",
)
WORDS = ("alt said", "alt short of best", "alt density", "name said", "name short of best")
# The same for all candidates of an image.
IMAGE = (
    "group size",
    "width",
    "height",
    "position",
    "page tokens",
    "page images",
    "tokens nearest",
    "in link",
    "h1 distance",
    "lonely",
    "record tokens",
    "record steps",
    "record pictures",
    "article tokens",
    *(f"image {name}" for name in GROUPS),
    *(f"around {name}" for name in GROUPS),
    *ABOUT_NAMES,
)
NAMES = (
    *TEXT,
    *PLACE,
    *TREE,
    *GROUP,
    *OTHERS,
    *RECORDS,
    *LINES,
    *WORDS,
    *IMAGE,
    *(f"is {kind}" for kind in KINDS),
)


class CandidateEvidence:
    """Evidence of all candidates of a page."""

    def __init__(self, page: object, candidates: Candidates) -> None:
        self.candidates = candidates
        self.sums = candidates.sums
        self.tree = candidates.tree
        self.groups = LookAlikes(page, candidates)
        self.about = AboutImages(page, candidates)
        # By target: the last candidate that was found to link there.
        self.seen = np.zeros(self.tree.rows + 1, np.int32)
        self.stamp = 0
        for index in range(GROUP_COUNT):
            self.group_bits[index] = vocabulary.NAMES.index(GROUPS[index])
        for index in range(SAID_COUNT):
            self.said_bits[index] = vocabulary.NAMES.index(SAID[index])

    def table(self, page: object, first: cython.int, last: cython.int) -> object:
        """(candidates, features) of the candidates of some images."""
        image: cython.int
        at: cython.int
        images: tuple = page.images
        candidates = self.candidates
        offset = candidates.firsts[first]
        found: object = np.empty((max(1, candidates.firsts[last] - offset), FEATURES), np.float32)
        table: cython.float[:, ::1] = found
        for image in range(first, last):
            count = candidates.firsts[image + 1] - candidates.firsts[image]
            if count == 0:
                continue
            self.read_image(image, images[image])
            lines = cython.address(table[candidates.firsts[image] - offset, 0])
            self.compare(count)
            self.fill_kinds(count, lines + IMAGE_FIRST + IMAGE_COUNT)
            for at in range(count):
                self.fill(at, count, lines + at * FEATURES)
            self.fill_words(count, lines)
        return found[: candidates.firsts[last] - offset]

    def read_image(self, image: cython.int, source: object) -> None:
        """What is the same for all candidates of an image."""
        tree = self.tree
        candidates = self.candidates
        sums = self.sums
        before = tree.tokens_before
        row = tree.image_rows[image]
        self.image = image
        self.row = row
        self.place = tree.start[row]
        self.here = before[self.place]
        self.leaf = sums.leaf_at(self.place)
        self.group = self.groups.group[image]
        self.group_size = self.groups.size[self.group]
        self.section = candidates.section(row)
        self.target = sums.target_around(row)
        self.own = candidates.found + candidates.firsts[image]
        self.read_around()
        self.start_levels()
        nearest = candidates.of_kind(image, 0)
        link = sums.table.places[LINK_AROUND, row]
        h1 = candidates.h1
        line: cython.p_float = self.of_image
        line[0] = logarithm(self.group_size)
        line[1] = -1 if source.width is None else source.width
        line[2] = -1 if source.height is None else source.height
        line[3] = self.here / cython.cast(cython.double, max(1, sums.token_count))
        line[4] = logarithm(sums.token_count)
        line[5] = logarithm(candidates.images)
        line[6] = -1 if nearest == cython.NULL else nearest.tokens
        line[7] = -1 if link < 0 else tree.tokens[link]
        line[8] = -1 if h1 < 0 else logarithm(abs(self.here - before[tree.end[h1]]))
        line[9] = self.lonely
        line[10] = line[11] = line[12] = line[13] = -1
        if self.record >= 0:
            line[10] = logarithm(tree.tokens[self.record])
            line[11] = self.record_steps
            line[12] = tree.pictures[self.record]
        if self.article >= 0:
            line[13] = logarithm(tree.tokens[self.article])
        line += 14
        self.fill_names(self.near, line)
        self.fill_names(sums.table.names_around[row], line + GROUP_COUNT)
        memcpy(
            line + 2 * GROUP_COUNT,
            cython.address(self.about.values[image, 0]),
            ABOUT_COUNT * cython.sizeof(cython.float),
        )

    def read_around(self) -> None:
        """The record and the article around the image, and what its names say."""
        tree = self.tree
        names = self.sums.table.names
        self.record = self.article = -1
        self.near = names[self.row]
        above: cython.int = tree.parent[self.row]
        steps: cython.int = 0
        while above >= 0 and steps < STEPS and not tree.meaning(above) & WHOLE:
            if steps < 3:
                self.near |= names[above]
            if tree.tokens[above]:
                if self.record < 0 and tree.alike_with_picture(above) >= 2:
                    self.record = above
                    self.record_steps = steps
                if self.article < 0 and tree.meaning(above) & RECORD:
                    self.article = above
            above = tree.parent[above]
            steps += 1
        above = self.row
        steps = 0
        while tree.parent[above] >= 0 and not tree.tokens[tree.parent[above]] and steps < STEPS:
            above = tree.parent[above]
            steps += 1
        self.lonely = tree.pictures[above]
        if self.record >= 0:
            self.frame(self.record, cython.address(self.record_frame))
        if self.article >= 0:
            self.frame(self.article, cython.address(self.article_frame))

    def frame(self, row: cython.int, found: cython.pointer(Candidate)) -> None:
        """The text of a row as if it were a candidate, to compare with."""
        before = self.tree.tokens_before
        found.token[0] = before[self.tree.start[row]]
        found.token[1] = found.token[2] = found.token[3] = before[self.tree.end[row]]
        found.tokens = found.token[1] - found.token[0]

    def fill_names(self, names: cython.longlong, line: cython.p_float) -> None:
        """Which of GROUPS some names say."""
        index: cython.int
        for index in range(GROUP_COUNT):
            line[index] = (names >> self.group_bits[index]) & 1

    def compare(self, count: cython.int) -> None:
        """What each candidate of the image shares with each other."""
        one: cython.int
        two: cython.int
        for one in range(count):
            self.shares[one][one] = 1
            for two in range(one):
                self.shares[one][two] = self.shares[two][one] = common(
                    self.own + one, self.own + two
                )

    def fill_kinds(self, count: cython.int, lines: cython.p_float) -> None:
        """Of which kinds each candidate is, how many those are, and the first of them."""
        kind: cython.int
        at: cython.int
        self.kinds_total = 0
        for at in range(count):
            memset(lines + at * FEATURES, 0, KINDS_COUNT * cython.sizeof(cython.float))
            self.own_kinds[at] = 0
        for kind in range(KINDS_COUNT):
            at = self.candidates.kinds[self.image * KINDS_COUNT + kind]
            if at == NONE:
                continue
            lines[at * FEATURES + kind] = 1
            if not self.own_kinds[at]:
                self.first_kind[at] = kind
            self.own_kinds[at] += 1
            self.kinds_total += 1

    def fill(self, at: cython.int, count: cython.int, line: cython.p_float) -> None:
        """The evidence of one candidate, but for its kinds and the words of the image.

        Args:
            at: the candidate's place among those of the image.
            count: how many those are.
        """
        own = self.own + at
        best = self.first_kind[at]
        self.fill_text(own, line)
        line += TEXT_COUNT
        self.fill_place(own, line)
        line += PLACE_COUNT
        self.fill_tree(own, line)
        line += TREE_COUNT
        self.fill_group(own, best, line)
        line += GROUP_FEATURES
        self.fill_others(at, count, best, line)
        line += OTHERS_COUNT
        self.fill_records(own, line)
        line += RECORDS_COUNT
        self.fill_lines(own, line)
        memcpy(
            line + LINES_COUNT + WORDS_COUNT,
            self.of_image,
            IMAGE_COUNT * cython.sizeof(cython.float),
        )

    def fill_text(self, own: cython.pointer(Candidate), line: cython.p_float) -> None:
        sums = self.sums
        tree = self.tree
        tokens: cython.double = own.tokens
        one = own.token[1] - own.token[0]
        texts = sum_over(sums.texts, own.leaf)
        blocks = sum_over(sums.blocks, own.leaf)
        leaves = own.leaf[1] - own.leaf[0] + own.leaf[3] - own.leaf[2]
        line[0] = logarithm(own.tokens)
        line[1] = tokens / max(1, sums.token_count)
        line[2] = logarithm(texts)
        line[3] = tokens / max(1, texts)
        line[4] = max(1, blocks)
        line[5] = tokens / max(1, blocks)
        line[6] = sum_over(sums.linked, own.leaf) / tokens
        line[7] = sum_over(sums.headed, own.leaf) / tokens
        line[8] = sum_over(sums.pictures, own.leaf)
        line[9] = leaves - texts
        line[10] = sum_over(sums.hidden, own.leaf) / tokens
        line[11] = (tokens - one) / tokens
        line[12] = sum_over(sums.titled, own.token) / tokens
        line[13] = sum_over(sums.stops, own.token) / tokens
        line[14] = sum_over(sums.digits, own.token) / tokens
        line[15] = sum_over(sums.prices, own.token)
        line[16] = line[17] = 0
        first = sums.texts[own.leaf[0]]
        last = sums.texts[own.leaf[1]]
        if last > first:
            block = sums.table.places[BLOCK, sums.text_row[first]]
            line[16] = logarithm(min(one, tree.tokens[block]))
            block = sums.table.places[BLOCK, sums.text_row[last - 1]]
            line[17] = logarithm(min(one, tree.tokens[block]))

    def fill_place(self, own: cython.pointer(Candidate), line: cython.p_float) -> None:
        sums = self.sums
        here = self.here
        place = self.place
        start = own.text[0]
        end = own.text[1]
        two: cython.bint = own.text[3] > own.text[2]
        far_end = own.text[3] if two else end
        ahead: cython.int = 0
        gap: cython.int = 0
        between: cython.int = 0
        if here > own.token[0]:
            ahead = min(here, own.token[1]) - own.token[0]
        if two and here > own.token[2]:
            ahead += min(here, own.token[3]) - own.token[2]
        if place >= end and (not two or place < own.text[2]):
            gap = here - own.token[1]
            between = sums.pictures[self.leaf] - sums.pictures[min(own.leaf[1], self.leaf)]
        elif place < start:
            gap = own.token[0] - here
            between = (
                sums.pictures[own.leaf[0]] - sums.pictures[self.leaf] - self.tree.pictures[self.row]
            )
        line[0] = start <= place < far_end
        line[1] = ahead / cython.cast(cython.double, own.tokens)
        line[2] = logarithm(own.tokens - ahead)
        line[3] = logarithm(gap)
        line[4] = max(0, between)
        line[5] = place >= far_end
        line[6] = here == own.token[0]

    def start_levels(self) -> None:
        """Begin anew with the image's ancestors, which `fill_tree` looks at as far as needed."""
        self.levels[0].inner = 0
        self.level_count = 0
        self.add_level(self.row)

    def add_level(self, row: cython.int) -> None:
        before = self.tree.tokens_before
        level = cython.address(self.levels[self.level_count])
        level.row = row
        level.start = before[self.tree.start[row]]
        level.end = before[self.tree.end[row]]
        level.known = False
        if self.level_count > 0:
            below = cython.address(self.levels[self.level_count - 1])
            level.inner = below.inner
            if self.level_count > 1:
                level.inner |= self.sums.table.names[below.row]
        self.level_count += 1

    def fill_tree(self, own: cython.pointer(Candidate), line: cython.p_float) -> None:
        """The nearest ancestor of the image that holds the candidate, and the next larger one."""
        tree = self.tree
        tokens: cython.double = own.tokens
        low = min(own.token[0], self.here)
        high = max(own.token[3], self.here)
        steps: cython.int = 0
        while True:
            level = cython.address(self.levels[steps])
            above = tree.parent[level.row]
            if above < 0 or steps == STEPS:
                break
            if tree.kind[level.row] == 0 and level.start <= low and level.end >= high:
                break
            steps += 1
            if steps == self.level_count:
                self.add_level(above)
        if not level.known:
            self.read_level(level, steps)
        memcpy(line, level.line, TREE_COUNT * cython.sizeof(cython.float))
        around: cython.double = tree.tokens[level.row]
        line[1] = around == tokens
        line[2] = tokens / max(1.0, around)

    def read_level(self, level: cython.pointer(Level), steps: cython.int) -> None:
        """Work out what is the same for all candidates that an ancestor holds."""
        tree = self.tree
        line: cython.p_float = level.line
        above = level.row
        around: cython.double = tree.tokens[above]
        line[0] = steps
        line[3] = logarithm(tree.tokens[above])
        line[4] = tree.pictures[above]
        line[5] = logarithm(tree.alike(above))
        line[6] = line[7] = line[8] = 0
        other: cython.int = tree.parent[above]
        steps = 0
        while other >= 0 and tree.tokens[other] == tree.tokens[above] and steps < STEPS:
            other = tree.parent[other]
            steps += 1
        if other >= 0:
            line[6] = logarithm(tree.tokens[other] - tree.tokens[above])
            line[7] = logarithm(tree.pictures[other] - tree.pictures[above])
            line[8] = around / max(1, tree.tokens[other])
        self.fill_names(self.sums.table.names[above], line + 9)
        self.fill_names(level.inner, line + 9 + GROUP_COUNT)
        level.known = True

    def fill_group(
        self,
        own: cython.pointer(Candidate),
        best: cython.int,
        line: cython.p_float,
    ) -> None:
        """What candidates of the same kind are like in the group, and at the neighbours."""
        groups = self.groups
        if self.group_size == 1:
            line[0] = 1
            line[1] = logarithm(own.tokens)
            line[2] = line[8] = 0
            line[3] = line[4] = line[5] = line[6] = line[7] = -1
            return
        stats = groups.stats + (self.group * KINDS_COUNT + best) * SUMS_COUNT
        have: cython.double = max(1.0, stats[0])
        mean: cython.double = stats[1] / have
        pairs: cython.double = max(1.0, have - 1)
        line[0] = stats[0] / self.group_size
        line[1] = mean
        line[2] = sqrt(max(0.0, stats[2] / have - mean * mean))
        line[3] = stats[3] / pairs
        line[4] = stats[4] / pairs
        line[5] = groups.overlap(own, groups.following[self.image], best)
        line[6] = groups.overlap(own, groups.preceding[self.image], best)
        line[7] = line[5] > 0.999 or line[6] > 0.999
        line[8] = logarithm(own.tokens) - mean

    def fill_others(
        self, at: cython.int, count: cython.int, best: cython.int, line: cython.p_float
    ) -> None:
        """How a candidate stands to the others of its image."""
        other: cython.int
        total: cython.double = 0
        smaller: cython.int = 0
        kinds = self.candidates.kinds + self.image * KINDS_COUNT
        for other in range(count):
            total += self.shares[at][other]
            smaller += self.own[other].tokens < self.own[at].tokens
        line[0] = total / count
        line[1] = -1 if kinds[RULES] == NONE else self.shares[at][kinds[RULES]]
        line[2] = -1 if kinds[0] == NONE else self.shares[at][kinds[0]]
        line[3] = self.own_kinds[at]
        line[4] = self.own_kinds[at] / cython.cast(cython.double, max(1, self.kinds_total))
        line[5] = smaller / cython.cast(cython.double, count)
        line[6] = smaller
        line[7] = best if best >= LEVELS else -best

    def fill_records(self, own: cython.pointer(Candidate), line: cython.p_float) -> None:
        """What a candidate shares with the record and the article around the image."""
        line[0] = line[1] = line[2] = -1
        if self.record >= 0:
            record: cython.p_int = self.record_frame.token
            line[0] = common(own, cython.address(self.record_frame))
            line[1] = own.token[0] >= record[0] and own.token[3] <= record[1]
        if self.article >= 0:
            line[2] = common(own, cython.address(self.article_frame))

    def fill_lines(self, own: cython.pointer(Candidate), line: cython.p_float) -> None:
        """What the lines, the section and the links of a candidate are like."""
        sums = self.sums
        before = self.tree.tokens_before
        tokens: cython.double = own.tokens
        section_start = before[self.section.start]
        section_end = before[self.section.end]
        which: cython.int
        text: cython.int
        index: cython.int
        first: cython.int = -1
        last: cython.int = -1
        count: cython.int = 0
        prose: cython.int = 0
        repeated: cython.int = 0
        covered: cython.int = 0
        alike: cython.int = 0
        elsewhere: cython.int = 0
        others: cython.int = 0
        self.stamp += 1
        for which in range(0, 4, 2):
            if own.text[which + 1] <= own.text[which]:
                continue
            one = sums.lines_before[own.token[which]]
            two = sums.lines_before[own.token[which + 1]]
            if one > 0 and sums.line_end[one - 1] > own.text[which]:
                one -= 1  # it begins within a line
            if two > one:
                if first < 0:
                    first = one
                last = two - 1
                count += two - one
                prose += sums.prose_lines[two] - sums.prose_lines[one]
                repeated += sums.repeated[two] - sums.repeated[one]
            covered += shared(own.token[which], own.token[which + 1], section_start, section_end)
            one = sums.texts[own.leaf[which]]
            two = min(sums.texts[own.leaf[which + 1]], one + SCANNED)
            for text in range(sums.leading[one], sums.leading[two]):
                target = sums.targets[text]
                if target == self.target:
                    alike += sums.target_tokens[text]
                    continue
                elsewhere += sums.target_tokens[text]
                if self.seen[target] != self.stamp:
                    self.seen[target] = self.stamp
                    others += 1
        line[0] = logarithm(count)
        line[1] = tokens / max(1, count)
        line[2] = prose
        line[3] = line[4] = -1
        line[5] = repeated / tokens
        said: cython.longlong = 0
        if first >= 0:
            line[3] = sums.tokens_of_line(first)
            line[4] = sums.tokens_of_line(last)
            said = sums.said_in_line(first)
        for index in range(SAID_COUNT):
            line[6 + index] = (said >> self.said_bits[index]) & 1
        line += 6 + SAID_COUNT
        line[0] = covered / tokens
        line[1] = covered / cython.cast(cython.double, max(1, section_end - section_start))
        line[2] = logarithm(alike)
        line[3] = logarithm(elsewhere)
        line[4] = alike / cython.cast(cython.double, max(1, alike + elsewhere))
        line[5] = logarithm(min(others, MOST_TARGETS))

    def fill_words(self, count: cython.int, lines: cython.p_float) -> None:
        """How much of its alt text and of its name each candidate of the image says."""
        at: cython.int
        line: cython.p_float
        wanted: cython.int = self.sums.look_for(self.about.alt[self.image])
        self.fill_said(count, wanted, lines + WORDS_FIRST)
        for at in range(count):
            line = lines + at * FEATURES + WORDS_FIRST
            line[2] = line[0] * wanted / max(1, self.own[at].tokens) if wanted else 0
        wanted = self.sums.look_for(self.about.name[self.image])
        self.fill_said(count, wanted, lines + WORDS_FIRST + 3)

    def fill_said(self, count: cython.int, wanted: cython.int, lines: cython.p_float) -> None:
        """The share of the words looked for that each candidate says, and how much more the best
        of them does."""
        at: cython.int
        best: cython.float = -1
        for at in range(count):
            line = lines + at * FEATURES
            own: cython.p_int = self.own[at].token
            line[0] = -1
            if wanted:
                line[0] = self.sums.said(own[0], own[1])
                if own[3] > own[2]:
                    line[0] = min(1.0, line[0] + self.sums.said(own[2], own[3]))
            best = max(best, line[0])
        for at in range(count):
            line = lines + at * FEATURES
            line[1] = best - line[0]


def sum_over(sums: cython.p_int, ranges: cython.p_int) -> cython.int:
    """What two ranges have of something, by its sums before each place."""
    return sums[ranges[1]] - sums[ranges[0]] + sums[ranges[3]] - sums[ranges[2]]


FEATURES = len(NAMES)
GROUP_COUNT = len(GROUPS)
SAID_COUNT = len(SAID)
TEXT_COUNT = len(TEXT)
PLACE_COUNT = len(PLACE)
TREE_COUNT = len(TREE)
GROUP_FEATURES = len(GROUP)
OTHERS_COUNT = len(OTHERS)
RECORDS_COUNT = len(RECORDS)
LINES_COUNT = len(LINES)
WORDS_COUNT = len(WORDS)
IMAGE_COUNT = len(IMAGE)
WORDS_FIRST = NAMES.index("alt said")
IMAGE_FIRST = NAMES.index("group size")
if IMAGE_COUNT > MOST_IMAGE or TREE_COUNT > MOST_TREE or KINDS_COUNT > MOST_KINDS:
    raise AssertionError("more is known of an image than candidate_evidence.pxd has room for")
