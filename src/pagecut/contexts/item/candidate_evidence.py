# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""What speaks for each candidate: its size and place, its tree, its words, its group's others."""

from __future__ import annotations

import cython
import numpy as np
from cython.cimports.libc.math import sqrt
from cython.cimports.libc.string import memcpy
from cython.cimports.pagecut.contexts.item.about_images import ABOUT_COUNT, AboutImages
from cython.cimports.pagecut.contexts.item.candidates import KINDS_COUNT, LEVELS, RULES, Candidates
from cython.cimports.pagecut.contexts.item.look_alikes import SUMS_COUNT, LookAlikes
from cython.cimports.pagecut.contexts.item.page_sums import SCANNED, logarithm, shared
from cython.cimports.pagecut.evidence.items import RECORD, WHOLE
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
STEPS = 48  # ancestors that are looked at

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
        found: object = np.zeros((max(1, candidates.firsts[last] - offset), FEATURES), np.float32)
        table: cython.float[:, ::1] = found
        for image in range(first, last):
            if candidates.firsts[image] == candidates.firsts[image + 1]:
                continue
            self.read_image(image, images[image])
            lines = cython.address(table[candidates.firsts[image] - offset, 0])
            for at in range(candidates.firsts[image], candidates.firsts[image + 1]):
                self.fill(at, lines + (at - candidates.firsts[image]) * FEATURES)
            self.fill_words(lines)
        return found[: candidates.firsts[last] - offset]

    def read_image(self, image: cython.int, source: object) -> None:
        """What is the same for all candidates of an image."""
        tree = self.tree
        candidates = self.candidates
        sums = self.sums
        before = tree.tokens_before
        kind: cython.int
        row: cython.int = source.node
        self.image = image
        self.row = row
        self.place = tree.start[row]
        self.here = before[self.place]
        self.leaf = sums.leaf_at(self.place)
        self.group = self.groups.group[image]
        self.group_size = self.groups.size[self.group]
        self.section = candidates.section(row)
        self.target = sums.target_around(row)
        self.kinds_total = 0
        for kind in range(KINDS_COUNT):
            self.kinds_total += candidates.of_kind(image, kind) != cython.NULL
        self.read_around()
        nearest = candidates.of_kind(image, 0)
        link = sums.table.places[LINK_AROUND, row]
        h1 = candidates.h1
        line: cython.p_float = self.own
        line[0] = logarithm(self.group_size)
        line[1] = -1 if source.width is None else source.width
        line[2] = -1 if source.height is None else source.height
        line[3] = self.here / cython.cast(cython.double, max(1, sums.token_count))
        line[4] = logarithm(sums.token_count)
        line[5] = logarithm(candidates.images)
        line[6] = -1 if nearest == cython.NULL else candidates.tokens(nearest)
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

    def fill_names(self, names: cython.longlong, line: cython.p_float) -> None:
        """Which of GROUPS some names say."""
        index: cython.int
        for index in range(GROUP_COUNT):
            line[index] = (names >> self.group_bits[index]) & 1

    def fill(self, at: cython.int, line: cython.p_float) -> None:
        """The evidence of one candidate, but for the words of the image."""
        own = self.candidates.ranges + 4 * at
        tokens: cython.double = self.candidates.tokens(own)
        kinds = line + IMAGE_FIRST + IMAGE_COUNT
        self.fill_text(own, tokens, line)
        line += TEXT_COUNT
        self.fill_place(own, tokens, line)
        line += PLACE_COUNT
        self.fill_tree(own, tokens, line)
        line += TREE_COUNT
        best = self.fill_kinds(at, kinds)
        self.fill_group(own, tokens, best, line)
        line += GROUP_FEATURES
        self.fill_others(own, tokens, best, line)
        line += OTHERS_COUNT
        self.fill_records(own, line)
        line += RECORDS_COUNT
        self.fill_lines(own, tokens, line)
        memcpy(
            line + LINES_COUNT + WORDS_COUNT, self.own, IMAGE_COUNT * cython.sizeof(cython.float)
        )

    def fill_text(self, own: cython.p_int, tokens: cython.double, line: cython.p_float) -> None:
        sums = self.sums
        tree = self.tree
        before = tree.tokens_before
        one = before[own[1]] - before[own[0]]
        leaf = self.first = sums.leaf_at(own[0])
        leaf_end = self.last = sums.leaf_at(own[1])
        texts: cython.int = sums.texts[leaf_end] - sums.texts[leaf]
        blocks: cython.int = sums.blocks[leaf_end] - sums.blocks[leaf]
        linked: cython.int = sums.linked[leaf_end] - sums.linked[leaf]
        headed: cython.int = sums.headed[leaf_end] - sums.headed[leaf]
        hidden: cython.int = sums.hidden[leaf_end] - sums.hidden[leaf]
        pictures: cython.int = sums.pictures[leaf_end] - sums.pictures[leaf]
        leaves: cython.int = leaf_end - leaf
        titled: cython.int = sums.titled[before[own[1]]] - sums.titled[before[own[0]]]
        stops: cython.int = sums.stops[before[own[1]]] - sums.stops[before[own[0]]]
        digits: cython.int = sums.digits[before[own[1]]] - sums.digits[before[own[0]]]
        prices: cython.int = sums.prices[before[own[1]]] - sums.prices[before[own[0]]]
        if own[3] > own[2]:
            other = sums.leaf_at(own[2])
            other_end = sums.leaf_at(own[3])
            texts += sums.texts[other_end] - sums.texts[other]
            blocks += sums.blocks[other_end] - sums.blocks[other]
            linked += sums.linked[other_end] - sums.linked[other]
            headed += sums.headed[other_end] - sums.headed[other]
            hidden += sums.hidden[other_end] - sums.hidden[other]
            pictures += sums.pictures[other_end] - sums.pictures[other]
            leaves += other_end - other
            titled += sums.titled[before[own[3]]] - sums.titled[before[own[2]]]
            stops += sums.stops[before[own[3]]] - sums.stops[before[own[2]]]
            digits += sums.digits[before[own[3]]] - sums.digits[before[own[2]]]
            prices += sums.prices[before[own[3]]] - sums.prices[before[own[2]]]
        line[0] = logarithm(cython.cast(cython.int, tokens))
        line[1] = tokens / max(1, sums.token_count)
        line[2] = logarithm(texts)
        line[3] = tokens / max(1, texts)
        line[4] = max(1, blocks)
        line[5] = tokens / max(1, blocks)
        line[6] = linked / tokens
        line[7] = headed / tokens
        line[8] = pictures
        line[9] = leaves - texts
        line[10] = hidden / tokens
        line[11] = (tokens - one) / tokens
        line[12] = titled / tokens
        line[13] = stops / tokens
        line[14] = digits / tokens
        line[15] = prices
        if sums.texts[leaf_end] > sums.texts[leaf]:
            block = sums.table.places[BLOCK, sums.text_row[sums.texts[leaf]]]
            line[16] = logarithm(min(one, tree.tokens[block]))
            block = sums.table.places[BLOCK, sums.text_row[sums.texts[leaf_end] - 1]]
            line[17] = logarithm(min(one, tree.tokens[block]))

    def fill_place(self, own: cython.p_int, tokens: cython.double, line: cython.p_float) -> None:
        sums = self.sums
        before = self.tree.tokens_before
        here = self.here
        place = self.place
        start = own[0]
        end = own[1]
        two: cython.bint = own[3] > own[2]
        far_end = own[3] if two else end
        ahead: cython.int = 0
        gap: cython.int = 0
        between: cython.int = 0
        if here > before[start]:
            ahead = min(here, before[end]) - before[start]
        if two and here > before[own[2]]:
            ahead += min(here, before[own[3]]) - before[own[2]]
        if place >= end and (not two or place < own[2]):
            gap = here - before[end]
            between = sums.pictures[self.leaf] - sums.pictures[min(self.last, self.leaf)]
        elif place < start:
            gap = before[start] - here
            between = (
                sums.pictures[self.first] - sums.pictures[self.leaf] - self.tree.pictures[self.row]
            )
        line[0] = start <= place < far_end
        line[1] = ahead / tokens
        line[2] = logarithm(cython.cast(cython.int, tokens) - ahead)
        line[3] = logarithm(gap)
        line[4] = max(0, between)
        line[5] = place >= far_end
        line[6] = here == before[start]

    def fill_tree(self, own: cython.p_int, tokens: cython.double, line: cython.p_float) -> None:
        """The nearest ancestor of the image that holds the candidate, and the next larger one."""
        tree = self.tree
        names = self.sums.table.names
        before = tree.tokens_before
        low = before[min(own[0], self.place)]
        high = before[max(own[3] if own[3] > own[2] else own[1], self.place)]
        above: cython.int = self.row
        steps: cython.int = 0
        inner: cython.longlong = 0
        while (
            tree.parent[above] >= 0
            and steps < STEPS
            and not (
                tree.kind[above] == 0
                and before[tree.start[above]] <= low
                and before[tree.end[above]] >= high
            )
        ):
            if steps:
                inner |= names[above]
            above = tree.parent[above]
            steps += 1
        around: cython.double = tree.tokens[above]
        line[0] = steps
        line[1] = around == tokens
        line[2] = tokens / max(1.0, around)
        line[3] = logarithm(tree.tokens[above])
        line[4] = tree.pictures[above]
        line[5] = logarithm(tree.alike(above))
        other: cython.int = tree.parent[above]
        steps = 0
        while other >= 0 and tree.tokens[other] == tree.tokens[above] and steps < STEPS:
            other = tree.parent[other]
            steps += 1
        if other >= 0:
            line[6] = logarithm(tree.tokens[other] - tree.tokens[above])
            line[7] = logarithm(tree.pictures[other] - tree.pictures[above])
            line[8] = around / max(1, tree.tokens[other])
        self.fill_names(names[above], line + 9)
        self.fill_names(inner, line + 9 + GROUP_COUNT)

    def fill_kinds(self, at: cython.int, line: cython.p_float) -> cython.int:
        """Of which kinds a candidate is; the first of them."""
        candidates = self.candidates
        kind: cython.int
        best: cython.int = -1
        index = at - candidates.firsts[self.image]
        self.own_kinds = 0
        for kind in range(KINDS_COUNT):
            if candidates.kinds[self.image * KINDS_COUNT + kind] == index:
                line[kind] = 1
                self.own_kinds += 1
                if best < 0:
                    best = kind
        return best

    def fill_group(
        self, own: cython.p_int, tokens: cython.double, best: cython.int, line: cython.p_float
    ) -> None:
        """What candidates of the same kind are like in the group, and at the neighbours."""
        groups = self.groups
        if self.group_size == 1:
            line[0] = 1
            line[1] = logarithm(cython.cast(cython.int, tokens))
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
        line[8] = logarithm(cython.cast(cython.int, tokens)) - mean

    def fill_others(
        self, own: cython.p_int, tokens: cython.double, best: cython.int, line: cython.p_float
    ) -> None:
        """How a candidate stands to the others of its image."""
        candidates = self.candidates
        sums = self.sums
        other: cython.int
        total: cython.double = 0
        smaller: cython.int = 0
        first = candidates.firsts[self.image]
        last = candidates.firsts[self.image + 1]
        rules = candidates.of_kind(self.image, RULES)
        nearest = candidates.of_kind(self.image, 0)
        for other in range(first, last):
            second = candidates.ranges + 4 * other
            total += sums.common(own, second)
            smaller += candidates.tokens(second) < tokens
        count: cython.double = last - first
        line[0] = total / count
        line[1] = -1 if rules == cython.NULL else sums.common(own, rules)
        line[2] = -1 if nearest == cython.NULL else sums.common(own, nearest)
        line[3] = self.own_kinds
        line[4] = self.own_kinds / cython.cast(cython.double, max(1, self.kinds_total))
        line[5] = smaller / count
        line[6] = smaller
        line[7] = best if best >= LEVELS else -best

    def fill_records(self, own: cython.p_int, line: cython.p_float) -> None:
        """What a candidate shares with the record and the article around the image."""
        tree = self.tree
        before = tree.tokens_before
        frame: cython.int[4]
        line[0] = line[1] = line[2] = -1
        if self.record >= 0:
            frame[0] = tree.start[self.record]
            frame[1] = frame[2] = frame[3] = tree.end[self.record]
            far_end = own[3] if own[3] > own[2] else own[1]
            line[0] = self.sums.common(own, frame)
            line[1] = before[own[0]] >= before[frame[0]] and before[far_end] <= before[frame[1]]
        if self.article >= 0:
            frame[0] = tree.start[self.article]
            frame[1] = frame[2] = frame[3] = tree.end[self.article]
            line[2] = self.sums.common(own, frame)

    def fill_lines(self, own: cython.p_int, tokens: cython.double, line: cython.p_float) -> None:
        """What the lines, the section and the links of a candidate are like."""
        sums = self.sums
        before = self.tree.tokens_before
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
            start = own[which]
            end = own[which + 1]
            if end <= start:
                continue
            one = sums.line_at(start)
            two = sums.line_at(end)
            if one > 0 and sums.line_end[one - 1] > start:
                one -= 1  # it begins within a line
            if two > one:
                if first < 0:
                    first = one
                last = two - 1
                count += two - one
                prose += sums.prose_lines[two] - sums.prose_lines[one]
                repeated += sums.repeated[two] - sums.repeated[one]
            covered += shared(
                before[start], before[end], before[self.section.start], before[self.section.end]
            )
            one = sums.texts[sums.leaf_at(start) if which else self.first]
            two = min(sums.texts[sums.leaf_at(end) if which else self.last], one + SCANNED)
            for text in range(one, two):
                target = sums.text_target[text]
                if target < 0:
                    continue
                if target == self.target:
                    alike += sums.text_tokens[text]
                    continue
                elsewhere += sums.text_tokens[text]
                if self.seen[target] != self.stamp:
                    self.seen[target] = self.stamp
                    others += 1
        line[0] = logarithm(count)
        line[1] = tokens / max(1, count)
        line[2] = prose
        line[3] = line[4] = -1
        line[5] = repeated / tokens
        if first >= 0:
            line[3] = sums.tokens_of_line(first)
            line[4] = sums.tokens_of_line(last)
            said = sums.said_in_line(first)
            for index in range(SAID_COUNT):
                line[6 + index] = (said >> self.said_bits[index]) & 1
        line += 6 + SAID_COUNT
        line[0] = covered / tokens
        line[1] = covered / cython.cast(
            cython.double, max(1, before[self.section.end] - before[self.section.start])
        )
        line[2] = logarithm(alike)
        line[3] = logarithm(elsewhere)
        line[4] = alike / cython.cast(cython.double, max(1, alike + elsewhere))
        line[5] = logarithm(min(others, MOST_TARGETS))

    def fill_words(self, lines: cython.p_float) -> None:
        """How much of its alt text and of its name each candidate of the image says."""
        sums = self.sums
        candidates = self.candidates
        before = self.tree.tokens_before
        at: cython.int
        first = candidates.firsts[self.image]
        last = candidates.firsts[self.image + 1]
        column: cython.int = WORDS_FIRST
        best: cython.float
        for words, density in ((self.about.alt[self.image], 2), (self.about.name[self.image], 0)):
            count = sums.look_for(words)
            best = -1
            for at in range(first, last):
                line = lines + (at - first) * FEATURES + column
                line[0] = -1
                if count:
                    own = candidates.ranges + 4 * at
                    line[0] = sums.said(before[own[0]], before[own[1]])
                    if own[3] > own[2]:
                        line[0] = min(1.0, line[0] + sums.said(before[own[2]], before[own[3]]))
                    if density:
                        line[density] = line[0] * count / max(1, candidates.tokens(own))
                best = max(best, line[0])
            for at in range(first, last):
                line = lines + (at - first) * FEATURES + column
                line[1] = best - line[0]
            column += 3


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
if IMAGE_COUNT > MOST_IMAGE:
    raise AssertionError("more is known of an image than candidate_evidence.pxd has room for")
