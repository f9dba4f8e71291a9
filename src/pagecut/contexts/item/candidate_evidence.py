# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# cython: infer_types=True
# mypy: ignore-errors
# ruff: noqa: F821 (the .pxd names constants and C functions)
"""What speaks for each candidate: its size and place, its tree, its words, its group's others."""

from __future__ import annotations

import re

import cython
import numpy as np
from cython.cimports.cpython.unicode import Py_UNICODE_TOLOWER
from cython.cimports.libc.math import log1p, sqrt
from cython.cimports.libc.string import memset
from cython.cimports.pagecut.contexts.item.candidates import (
    CAPTION_ALONE,
    CUTS,
    KINDS_COUNT,
    LEVELS,
    NONE,
    RULES,
    Candidates,
)
from cython.cimports.pagecut.evidence.items import (
    CELL,
    FIGURE,
    HEADING,
    LINK,
    RECORD,
    ROW,
    WHOLE,
    count_below,
)
from cython.cimports.pagecut.evidence.names import HREF

from pagecut.contexts.item.candidates import KINDS
from pagecut.contexts.item.declared import TYPES, Declared, picture_name
from pagecut.evidence import vocabulary
from pagecut.evidence.names import path_of
from pagecut.evidence.table import PLACES, read_evidence
from pagecut.page.nodes import NOT_SHOWN
from pagecut.page.tokenizer import bare_words, find_tokens

# What names of elements may say of a text beside an image.
GROUPS = (
    "person",
    "comments",
    "forum",
    "item",
    "product",
    "picture",
    "slider",
    "caption",
    "title",
    "summary",
    "byline",
    "related",
    "content",
    "list",
    "recipe",
    "header",
    "navigation",
    "footer",
    "logo",
    "icon",
    "ad",
    "share",
    "overlay",
    "aside",
)
GROUP_BITS = tuple(vocabulary.NAMES.index(name) for name in GROUPS)
# What the first line of a text may say of it.
SAID = ("picture", "product", "share", "byline", "related", "comments", "person", "ad", "form")
SAID_BITS = tuple(vocabulary.NAMES.index(name) for name in SAID)
# What is known of an image's place, the same for all of its candidates.
ABOUT_NAMES = (
    "declared",
    *(f"page is {name}" for name in TYPES),
    "headline says alt",
    "title says alt",
    "section tokens",
    "section pictures",
    "section before",
    "line before",
    "line after",
    "prose before",
    "prose after",
    "prose of page",
    "side in address",
)
SIDE_IN_ADDRESS = re.compile(
    r"[?&,;/_-](?:w|h|s|sz|wid|hei|size|width|height|maxwidth|maxheight|imwidth)[=_:]"
    r"(\d{2,4})(?!\d)",
    re.IGNORECASE,
)
PROSE = 20  # tokens from which a line is prose
MOST_PROSE = 9  # lines of prose beside an image that are counted
MOST_TARGETS = 64  # links of a candidate whose targets are told apart
SAID_FROM = 80  # characters of a line that may say what it is
SCANNED = 400  # tokens of a candidate that are compared with an image's words

NAMES = (
    # the text
    "tokens",
    "share of page",
    "texts",
    "tokens of a text",
    "blocks",
    "tokens of a block",
    "linked share",
    "heading share",
    "headings",
    "pictures",
    "images",
    "hidden share",
    "two ranges",
    "second share",
    "title share",
    "first block tokens",
    "last block tokens",
    "starts with heading",
    # its place
    "image inside",
    "tokens before image",
    "tokens after image",
    "gap tokens",
    "gap leaves",
    "pictures between",
    "before",
    "starts at image",
    "ends at image",
    # the tree
    "steps up",
    "whole ancestor",
    "share of ancestor",
    "ancestor tokens",
    "ancestor pictures",
    "ancestor alike",
    "ancestor pictured alike",
    "record",
    "figure",
    "cell",
    "row",
    "link",
    "heading row",
    "growth",
    "growth pictures",
    "growth share",
    "parent alike",
    # words of the image
    "alt said",
    "alt words",
    "name said",
    "name words",
    # the group
    "group size",
    "kind share",
    "kind tokens",
    "kind deviation",
    "kind overlap",
    "kind equal",
    "overlaps next",
    "overlaps previous",
    "equals neighbour",
    "group inside",
    "of group's tokens",
    "kind headed",
    # the others
    "consensus",
    "with rules",
    "with ancestor 1",
    "kinds",
    "kinds share",
    "rank",
    "smaller",
    "candidates",
    "level",
    # the image
    "width",
    "height",
    "ratio",
    "position",
    "page tokens",
    "page images",
    "tokens nearest",
    "in link",
    "caption",
    "h1 distance",
    "after h1",
    "index of image",
    "lonely",
    # records around
    "with record",
    "record tokens",
    "record steps",
    "record pictures",
    "with article",
    "article tokens",
    "within record",
    "alt share",
    # words
    "sentence ends",
    "digits",
    "prices",
    "last is stop",
    "last is colon",
    # lines
    "lines",
    "tokens of a line",
    "prose lines",
    "first line tokens",
    "last line tokens",
    "repeated share",
    "starts with digit",
    *(f"first line says {name}" for name in SAID),
    # the section
    "of section",
    "section covered",
    # links
    "linked alike",
    "linked elsewhere",
    "linked alike share",
    "other targets",
    # words of the image, against other candidates
    "alt short of best",
    "name short of best",
    "alt density",
    *ABOUT_NAMES,
    *(f"image {name}" for name in GROUPS),
    *(f"around {name}" for name in GROUPS),
    *(f"ancestor {name}" for name in GROUPS),
    *(f"inside {name}" for name in GROUPS),
    *(f"beyond {name}" for name in GROUPS),
    *(f"is {kind}" for kind in KINDS),
)
FEATURES = len(NAMES)
LONG_WORD = re.compile(r"[^\W\d_]{3,}")


def word_hash(word: str) -> cython.uint:
    hashed: cython.uint = 17
    ch: cython.Py_UCS4
    for ch in word:
        hashed = 31 * hashed + ord(ch)
    return hashed


class CandidateEvidence:
    """Evidence of all candidates of a page."""

    def __init__(self, page: object, candidates: Candidates) -> None:
        self.candidates = candidates
        self.tree = candidates.tree
        self.table_of_rows = read_evidence(page)
        self.memory = ()
        for index in range(GROUP_COUNT):
            self.group_bits[index] = GROUP_BITS[index]
        for index in range(SAID_COUNT):
            self.said_bits[index] = SAID_BITS[index]
        self.read_leaves()
        self.read_words(page)
        self.read_lines()
        self.find_groups(page)
        self.measure_groups()
        self.read_links()
        self.read_images(page)

    def read_leaves(self) -> None:
        tree = self.tree
        row: cython.int
        at: cython.int = 0
        link_end: cython.int = 0
        heading_end: cython.int = 0
        block: cython.int = -1
        columns: cython.int[::1] = np.zeros(8 * (tree.leaf_count + 1), np.int32)
        self.leaves = tree.leaf_count
        step = tree.leaf_count + 1
        self.leaf_row = cython.address(columns[0])
        self.leaf_start = self.leaf_row + step
        self.linked = self.leaf_row + 2 * step
        self.headed = self.leaf_row + 3 * step
        self.texts = self.leaf_row + 4 * step
        self.blocks = self.leaf_row + 5 * step
        self.pictures = self.leaf_row + 6 * step
        self.hidden = self.leaf_row + 7 * step
        self.memory = (columns, self.memory)
        for row in range(tree.rows):
            if tree.kind[row] == 0:
                if tree.meaning(row) & LINK:
                    link_end = max(link_end, tree.subtree_end[row])
                elif tree.meaning(row) & HEADING:
                    heading_end = max(heading_end, tree.subtree_end[row])
                continue
            tokens = tree.tokens[row]
            self.leaf_row[at] = row
            self.leaf_start[at] = tree.start[row]
            self.linked[at + 1] = self.linked[at] + (tokens if row < link_end else 0)
            self.headed[at + 1] = self.headed[at] + (tokens if row < heading_end else 0)
            self.texts[at + 1] = self.texts[at] + (tokens > 0)
            own = self.candidates.block[row]
            self.blocks[at + 1] = self.blocks[at] + (tokens > 0 and own != block)
            if tokens > 0:
                block = own
            self.pictures[at + 1] = self.pictures[at] + tree.pictures[row]
            self.hidden[at + 1] = self.hidden[at] + (tokens if tree.hidden[row] & NOT_SHOWN else 0)
            at += 1

    def read_words(self, page: object) -> None:
        """The hash of each token, and whether the title has it."""
        at: cython.Py_ssize_t
        place: cython.Py_ssize_t
        text: str = page.text
        count: cython.Py_ssize_t = self.tree.tokens_before[len(text)]
        starts: cython.int[::1] = np.zeros(count + 1, np.int32)
        ends: cython.int[::1] = np.zeros(count + 1, np.int32)
        hashes: cython.uint[::1] = np.zeros(count + 1, np.uint32)
        titled: cython.int[::1] = np.zeros(count + 2, np.int32)
        signs: cython.int[:, ::1] = np.zeros((3, count + 2), np.int32)
        digit: cython.bint
        hashed: cython.uint
        ch: cython.Py_UCS4
        found: cython.Py_ssize_t = find_tokens(text, page.character_classes, starts, ends)
        count = min(count, found)
        self.know([word.lower() for word in bare_words(page.title[:300])])
        for at in range(count):
            hashed = 17
            digit = False
            for place in range(starts[at], ends[at]):
                ch = text[place]
                digit = digit or ch.isdigit()
                if ch.isalnum():
                    hashed = 31 * hashed + cython.cast(cython.uint, Py_UNICODE_TOLOWER(ch))
            hashes[at] = hashed
            titled[at + 1] = titled[at]
            ch = text[ends[at] - 1]
            signs[0, at + 1] = signs[0, at] + (ch == "." or ch == "!" or ch == "?")
            signs[1, at + 1] = signs[1, at] + digit
            ch = text[starts[at]]
            place = max(ends[at] - 1, starts[at])
            signs[2, at + 1] = signs[2, at] + (
                digit and (is_currency(ch) or is_currency(text[place]))
            )
            if self.bloom[hashed & 255]:
                for place in range(self.known_count):
                    if self.known[place] == hashed:
                        titled[at + 1] += 1
                        break
        self.hashes = cython.address(hashes[0])
        self.titled_before = cython.address(titled[0])
        self.token_count = count
        self.memory += (hashes, titled, signs)
        self.stops = cython.address(signs[0, 0])
        self.digits = cython.address(signs[1, 0])
        self.prices = cython.address(signs[2, 0])

    def read_lines(self) -> None:
        """Sums over the page's lines, and which lines it has more than once."""
        tree = self.tree
        before = tree.tokens_before
        at: cython.int
        token: cython.int
        lines: cython.int[:, ::1] = self.table_of_rows.lines
        count = lines.shape[0]
        columns: cython.int[::1] = np.zeros(6 * (count + 1), np.int32)
        bits: cython.longlong[::1] = np.full(count + 1, -1, np.int64)
        hashes: cython.uint[::1] = np.zeros(count + 1, np.uint32)
        hashed: cython.uint
        self.line_count = count
        self.line_start = cython.address(columns[0])
        self.line_tokens = self.line_start + count + 1
        self.prose_lines = self.line_start + 2 * (count + 1)
        self.prose_tokens = self.line_start + 3 * (count + 1)
        self.repeated = self.line_start + 4 * (count + 1)
        self.line_end = self.line_start + 5 * (count + 1)
        self.line_says = cython.address(bits[0])
        self.memory += (columns, bits)
        for at in range(count):
            hashed = 7
            for token in range(before[lines[at, 0]], min(before[lines[at, 1]], self.token_count)):
                hashed = 16777619 * hashed ^ self.hashes[token]
            hashes[at] = hashed
        _, places, times = np.unique(hashes[:count], return_inverse=True, return_counts=True)
        often: cython.uchar[::1] = (times > 1)[places].astype(np.uint8)
        for at in range(count):
            tokens = lines[at, 3]
            self.line_start[at] = lines[at, 0]
            self.line_end[at] = lines[at, 1]
            self.line_tokens[at + 1] = self.line_tokens[at] + tokens
            self.prose_lines[at + 1] = self.prose_lines[at] + (tokens >= PROSE)
            self.prose_tokens[at + 1] = self.prose_tokens[at] + (tokens if tokens >= PROSE else 0)
            self.repeated[at + 1] = self.repeated[at] + (tokens if often[at] else 0)

    def line_at(self, offset: cython.int) -> cython.int:
        """How many lines start before an offset."""
        return count_below(self.line_start, self.line_count, offset)

    def said_in_line(self, line: cython.int) -> cython.longlong:
        """The groups of which the beginning of a line has words."""
        if self.line_says[line] < 0:
            start = self.line_start[line]
            said = self.tree.text[start : start + SAID_FROM].encode("utf-8", "surrogatepass")
            self.line_says[line] = self.table_of_rows.known.said_by(said, 0, len(said))
        return self.line_says[line]

    def read_links(self) -> None:
        """The target of each text's link, as numbers; -1 where a text is in no link."""
        tree = self.tree
        rows = self.table_of_rows
        at: cython.int
        targets: cython.int[:, ::1] = np.full((2, self.leaves + 1), -1, np.int32)
        numbers: cython.int[::1] = np.full(tree.rows + 1, -1, np.int32)
        known: dict = {}
        self.text_target = cython.address(targets[0, 0])
        self.text_tokens = cython.address(targets[1, 0])
        self.target_of_link = cython.address(numbers[0])
        self.memory += (targets, numbers)
        for at in range(tree.rows):
            if tree.kind[at] == 0 and tree.meaning(at) & LINK:
                target: str = tree.attributes.value(at, HREF)
                if target:
                    numbers[at] = known.setdefault(target, len(known))
        for at in range(self.leaves):
            row = self.leaf_row[at]
            if tree.tokens[row]:
                link = rows.places[LINK_PLACE, row]
                targets[0, self.texts[at]] = -1 if link < 0 else numbers[link]
                targets[1, self.texts[at]] = tree.tokens[row]

    def read_images(self, page: object) -> None:
        """ABOUT_NAMES of each image."""
        tree = self.tree
        candidates = self.candidates
        before = tree.tokens_before
        at: cython.int
        index: cython.int
        images: tuple = page.images
        declared = Declared(page)
        title = {word.lower() for word in bare_words(page.title[:300])}
        found: object = np.zeros((max(1, len(images)), ABOUT_COUNT), np.float32)
        self.about = found
        h1 = candidates.h1
        total: cython.double = max(1, self.line_tokens[self.line_count])
        prose: cython.double = self.prose_tokens[self.line_count] / total
        for at in range(len(images)):
            image = images[at]
            row: cython.int = image.node
            place = tree.start[row]
            line: cython.p_float = cython.address(self.about[at, 0])
            source: str = image.src or ""
            name = picture_name(source)
            line[0] = name != "" and name in declared.pictures
            column: cython.int = 1
            for each in declared.kinds:
                line[column] = each
                column += 1
            words = [word.lower() for word in bare_words((image.alt or "")[:300])]
            line[column] = line[column + 1] = -1
            if words:
                if h1 >= 0 and self.know(words):
                    line[column] = self.said(before[tree.start[h1]], before[tree.end[h1]])
                line[column + 1] = sum([word in title for word in words]) / len(words)
            column += 2
            self.section(row)
            tokens = before[self.section_end] - before[self.section_start]
            leaf = self.leaf_at(self.section_start)
            line[column] = log1p(tokens)
            line[column + 1] = self.pictures[self.leaf_at(self.section_end)] - self.pictures[leaf]
            line[column + 2] = (before[place] - before[self.section_start]) / cython.cast(
                cython.double, max(1, tokens)
            )
            column += 3
            here = self.line_at(place)
            line[column] = -1 if here == 0 else self.tokens_of_line(here - 1)
            line[column + 1] = -1 if here >= self.line_count else self.tokens_of_line(here)
            index = here - 1
            while (
                index >= 0
                and here - 1 - index < MOST_PROSE
                and self.line_start[index] >= self.section_start
                and self.tokens_of_line(index) >= PROSE
            ):
                index -= 1
            line[column + 2] = here - 1 - index
            index = here
            while (
                index < self.line_count
                and index - here < MOST_PROSE
                and self.line_start[index] < self.section_end
                and self.tokens_of_line(index) >= PROSE
            ):
                index += 1
            line[column + 3] = index - here
            line[column + 4] = prose
            sides = (
                []
                if source.startswith("data:")
                else SIDE_IN_ADDRESS.findall(source[max(0, len(source) - 300) :])
            )
            line[column + 5] = min([int(side) for side in sides]) if sides else -1

    def tokens_of_line(self, line: cython.int) -> cython.int:
        return self.line_tokens[line + 1] - self.line_tokens[line]

    def section(self, row: cython.int) -> None:
        """Find the range from the heading before a row to the next."""
        tree = self.tree
        heading = self.candidates.heading_before[row]
        following = self.candidates.heading_after[row]
        self.section_start = 0 if heading < 0 else tree.start[heading]
        self.section_end = tree.end[0] if following < 0 else tree.start[following]

    def fill_lines(self, own: cython.p_int, tokens: cython.double, line: cython.p_float) -> None:
        """What the lines, the section and the links of a candidate are like."""
        tree = self.tree
        before = tree.tokens_before
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
        seen: cython.int[64]
        for which in range(0, 4, 2):
            start = own[which]
            end = own[which + 1]
            if end <= start:
                continue
            one = self.line_at(start)
            two = self.line_at(end)
            if one > 0 and self.line_end[one - 1] > start:
                one -= 1  # it begins within a line
            if two > one:
                if first < 0:
                    first = one
                last = two - 1
                count += two - one
                prose += self.prose_lines[two] - self.prose_lines[one]
                repeated += self.repeated[two] - self.repeated[one]
            covered += shared(
                before[start], before[end], before[self.section_start], before[self.section_end]
            )
            one = self.texts[self.leaf_at(start)]
            two = min(self.texts[self.leaf_at(end)], one + SCANNED)
            for text in range(one, two):
                target = self.text_target[text]
                if target < 0:
                    continue
                if target == self.target:
                    alike += self.text_tokens[text]
                    continue
                elsewhere += self.text_tokens[text]
                if others < MOST_TARGETS:
                    for index in range(others):
                        if seen[index] == target:
                            break
                    else:
                        seen[others] = target
                        others += 1
        line[0] = log1p(count)
        line[1] = tokens / max(1, count)
        line[2] = prose
        line[3] = line[4] = -1
        line[5] = repeated / tokens
        if first >= 0:
            line[3] = self.tokens_of_line(first)
            line[4] = self.tokens_of_line(last)
            said = self.said_in_line(first)
            for index in range(SAID_COUNT):
                line[7 + index] = (said >> self.said_bits[index]) & 1
        line[6] = self.digits[before[own[0]] + 1] > self.digits[before[own[0]]]
        line += 7 + SAID_COUNT
        line[0] = covered / tokens
        line[1] = covered / cython.cast(
            cython.double, max(1, before[self.section_end] - before[self.section_start])
        )
        line[2] = log1p(alike)
        line[3] = log1p(elsewhere)
        line[4] = alike / cython.cast(cython.double, max(1, alike + elsewhere))
        line[5] = log1p(others)

    def names(self, row: cython.int) -> cython.longlong:
        """The groups of which a row's names have words."""
        return self.table_of_rows.names[row]

    def know(self, words: list) -> cython.int:
        """Take up some words that are looked for; how many there are."""
        hashed: cython.uint
        memset(self.bloom, 0, 256)
        self.known_count = 0
        for word in words:
            if self.known_count == 32:
                break
            if len(word) < 2:
                continue
            hashed = word_hash(word)
            self.known[self.known_count] = hashed
            self.known_count += 1
            self.bloom[hashed & 255] = 1
        return self.known_count

    def said(self, start: cython.int, end: cython.int) -> cython.double:
        """The share of the words looked for that a range of tokens has."""
        at: cython.int
        which: cython.int
        found: cython.uint = 0
        one: cython.uint = 1
        count: cython.int = 0
        hashed: cython.uint
        end = min(end, start + SCANNED)
        for at in range(start, end):
            hashed = self.hashes[at]
            if self.bloom[hashed & 255]:
                for which in range(self.known_count):
                    if self.known[which] == hashed and not found & (one << which):
                        found |= one << which
                        count += 1
        return count / cython.cast(cython.double, max(1, self.known_count))

    def find_groups(self, page: object) -> None:
        """Images whose ancestors have the same tags are a group."""
        tree = self.tree
        row: cython.int
        at: cython.int
        images: tuple = page.images
        paths: cython.uint[::1] = np.zeros(tree.rows, np.uint32)
        count = len(images)
        numbers: dict = {}
        lasts: list = []
        for row in range(tree.rows):
            parent = tree.parent[row]
            if parent >= 0:
                paths[row] = paths[parent] * 1000003 + tree.tag[row] + 1
        columns: cython.int[::1] = np.full(5 * max(1, count), -1, np.int32)
        self.group = cython.address(columns[0])
        self.group_next = self.group + count
        self.group_previous = self.group + 2 * count
        self.group_size = self.group + 3 * count
        self.group_place = self.group + 4 * count
        for at in range(count):
            row = images[at].node
            key = (paths[row], tree.pictures[row])
            number: cython.int = numbers.setdefault(key, len(numbers))
            self.group[at] = number
            if number == len(lasts):
                lasts.append(at)
                self.group_size[number] = 1
                self.group_place[at] = 0
            else:
                last: cython.int = lasts[number]
                self.group_next[last] = at
                self.group_previous[at] = last
                self.group_place[at] = self.group_size[number]
                self.group_size[number] += 1
                lasts[number] = at
        self.group_count = len(numbers)
        self.groups = columns
        self.memory += (columns,)

    def measure_groups(self) -> None:
        """For each group and kind: how many images have one, their sizes, and what they share."""
        tree = self.tree
        at: cython.int
        kind: cython.int
        before = tree.tokens_before
        candidates = self.candidates
        stats: cython.float[::1] = np.zeros(max(1, self.group_count) * KINDS_COUNT * 6, np.float32)
        self.group_stats = cython.address(stats[0])
        self.memory += (stats,)
        for at in range(candidates.images):
            following = self.group_next[at]
            for kind in range(KINDS_COUNT):
                index = candidates.kinds[at * KINDS_COUNT + kind]
                if index == NONE:
                    continue
                own = candidates.ranges + 4 * (candidates.firsts[at] + index)
                line = self.group_stats + (self.group[at] * KINDS_COUNT + kind) * 6
                tokens: cython.double = log1p(
                    before[own[1]] - before[own[0]] + before[own[3]] - before[own[2]]
                )
                line[0] += 1
                line[1] += tokens
                line[2] += tokens * tokens
                leaf = self.leaf_at(own[0])
                line[5] += self.headed[min(leaf + 1, self.leaves)] > self.headed[leaf]
                if following >= 0:
                    index = candidates.kinds[following * KINDS_COUNT + kind]
                    if index != NONE:
                        other = candidates.ranges + 4 * (candidates.firsts[following] + index)
                        common: cython.double = self.common(own, other)
                        line[3] += common > 0
                        line[4] += common > 0.999

    def leaf_at(self, offset: cython.int) -> cython.int:
        """How many leaves start before an offset."""
        return count_below(self.leaf_start, self.leaves, offset)

    def common(self, first: cython.p_int, second: cython.p_int) -> cython.double:
        """F of the tokens of two candidates."""
        before = self.tree.tokens_before
        one = before[first[1]] - before[first[0]] + before[first[3]] - before[first[2]]
        two = before[second[1]] - before[second[0]] + before[second[3]] - before[second[2]]
        both: cython.int = shared(
            before[first[0]], before[first[1]], before[second[0]], before[second[1]]
        )
        if first[3] > first[2]:
            both += shared(before[first[2]], before[first[3]], before[second[0]], before[second[1]])
        if second[3] > second[2]:
            both += shared(before[first[0]], before[first[1]], before[second[2]], before[second[3]])
            if first[3] > first[2]:
                both += shared(
                    before[first[2]], before[first[3]], before[second[2]], before[second[3]]
                )
        return 2.0 * both / max(1, one + two)

    def table(self, page: object, first: cython.int, last: cython.int) -> object:
        """(candidates, features) of the candidates of some images."""
        image: cython.int
        images: tuple = page.images
        candidates = self.candidates
        self.offset = candidates.firsts[first]
        count = candidates.firsts[last] - self.offset
        found: object = np.zeros((max(1, count), FEATURES), np.float32)
        table: cython.float[:, ::1] = found
        for image in range(first, last):
            source: str = images[image].src or ""
            source = "" if source.startswith("data:") else source[max(0, len(source) - 200) :]
            source += " " + (images[image].alt or "")[:60]
            said = source.encode("utf-8", "surrogatepass")
            self.source_names = self.table_of_rows.known.said_by(said, 0, len(said))
            self.fill(image, images[image].node, table)
            self.fill_words(images[image], image, table)
        return found[:count]

    def fill_words(self, source: object, image: cython.int, table: cython.float[:, ::1]) -> None:
        """How much of its alt text and of its name a candidate says."""
        at: cython.int
        candidates = self.candidates
        offset = self.offset
        before = self.tree.tokens_before
        url = source.src or ""
        name = "" if url.startswith("data:") else path_of(url)
        name = name[name.rfind("/") + 1 :]
        column: cython.int = ALT_SAID
        short: cython.int = SHORT_OF_BEST
        best: cython.float
        width: cython.double = -1 if source.width is None else source.width
        height: cython.double = -1 if source.height is None else source.height
        for words in (
            [word.lower() for word in bare_words((source.alt or "")[:300])],
            LONG_WORD.findall(name.lower()),
        ):
            count = self.know(words)
            for at in range(candidates.firsts[image], candidates.firsts[image + 1]):
                if count:
                    own = candidates.ranges + 4 * at
                    table[at - offset, column] = self.said(before[own[0]], before[own[1]])
                    if own[3] > own[2]:
                        table[at - offset, column] = min(
                            1.0,
                            table[at - offset, column] + self.said(before[own[2]], before[own[3]]),
                        )
                else:
                    table[at - offset, column] = -1
                table[at - offset, column + 1] = count
            best = -1
            for at in range(candidates.firsts[image], candidates.firsts[image + 1]):
                best = max(best, table[at - offset, column])
            for at in range(candidates.firsts[image], candidates.firsts[image + 1]):
                own = candidates.ranges + 4 * at
                table[at - offset, short] = best - table[at - offset, column]
                if column == ALT_SAID and count:
                    table[at - offset, ALT_DENSITY] = (table[at - offset, column] * count) / max(
                        1, before[own[1]] - before[own[0]] + before[own[3]] - before[own[2]]
                    )
            column += 2
            short += 1
        for at in range(candidates.firsts[image], candidates.firsts[image + 1]):
            table[at - offset, WIDTH] = width
            table[at - offset, WIDTH + 1] = height
            table[at - offset, WIDTH + 2] = width / height if width > 0 and height > 0 else -1

    def fill(
        self,
        image: cython.int,
        row: cython.int,
        table: cython.float[:, ::1],
    ) -> None:
        """The evidence of one image's candidates."""
        tree = self.tree
        candidates = self.candidates
        before = tree.tokens_before
        at: cython.int
        kind: cython.int
        other: cython.int
        first = candidates.firsts[image]
        last = candidates.firsts[image + 1]
        place = tree.start[row]
        here = before[place]
        image_leaf = self.leaf_at(place)
        page_tokens: cython.double = max(1, self.token_count)
        group = self.group[image]
        group_size = self.group_size[group]
        rules: cython.p_int = cython.NULL
        nearest: cython.p_int = cython.NULL
        index: cython.int = candidates.kinds[image * KINDS_COUNT + RULES]
        if index != NONE:
            rules = candidates.ranges + 4 * (first + index)
        index = candidates.kinds[image * KINDS_COUNT]
        nearest_tokens: cython.double = -1
        if index != NONE:
            nearest = candidates.ranges + 4 * (first + index)
            nearest_tokens = before[nearest[1]] - before[nearest[0]]
        kinds_total: cython.int = 0
        for kind in range(KINDS_COUNT):
            kinds_total += candidates.kinds[image * KINDS_COUNT + kind] != NONE
        h1 = candidates.h1
        self.section(row)
        self.target = -1
        if self.table_of_rows.places[LINK_PLACE, row] >= 0:
            self.target = self.target_of_link[self.table_of_rows.places[LINK_PLACE, row]]
        in_link: cython.int = -1
        above: cython.int = tree.parent[row]
        steps: cython.int = 0
        while above >= 0 and steps < 6:
            if tree.meaning(above) & LINK:
                in_link = tree.tokens[above]
                break
            above = tree.parent[above]
            steps += 1
        # the record and the article around the image
        record: cython.int = -1
        record_steps: cython.int = 0
        article: cython.int = -1
        near: cython.longlong = self.names(row)
        around_names: cython.longlong = self.table_of_rows.names_around[row]
        above = tree.parent[row]
        steps = 0
        while above >= 0 and steps < 48 and not tree.meaning(above) & WHOLE:
            if steps < 3:
                near |= self.names(above)
            if tree.tokens[above]:
                if record < 0 and tree.alike_with_picture(above) >= 2:
                    record = above
                    record_steps = steps
                if article < 0 and tree.meaning(above) & RECORD:
                    article = above
            above = tree.parent[above]
            steps += 1
        near |= self.source_names
        frame: cython.int[4]
        lonely: cython.int = 0
        above = row
        steps = 0
        while tree.parent[above] >= 0 and not tree.tokens[tree.parent[above]] and steps < 48:
            above = tree.parent[above]
            steps += 1
        lonely = tree.pictures[above]
        for at in range(first, last):
            own = candidates.ranges + 4 * at
            line: cython.p_float = cython.address(table[at - self.offset, 0])
            column: cython.int = 0
            start = own[0]
            end = own[1]
            far_end = own[3] if own[3] > own[2] else end
            one = before[end] - before[start]
            two = before[own[3]] - before[own[2]]
            tokens: cython.double = one + two
            leaf = self.leaf_at(start)
            leaf_end = self.leaf_at(end)
            leaf2 = self.leaf_at(own[2])
            leaf2_end = self.leaf_at(own[3])
            texts = (
                self.texts[leaf_end] - self.texts[leaf] + self.texts[leaf2_end] - self.texts[leaf2]
            )
            blocks = max(
                1,
                self.blocks[leaf_end]
                - self.blocks[leaf]
                + self.blocks[leaf2_end]
                - self.blocks[leaf2],
            )
            linked = (
                self.linked[leaf_end]
                - self.linked[leaf]
                + self.linked[leaf2_end]
                - self.linked[leaf2]
            )
            headed = (
                self.headed[leaf_end]
                - self.headed[leaf]
                + self.headed[leaf2_end]
                - self.headed[leaf2]
            )
            hidden = (
                self.hidden[leaf_end]
                - self.hidden[leaf]
                + self.hidden[leaf2_end]
                - self.hidden[leaf2]
            )
            pictures = (
                self.pictures[leaf_end]
                - self.pictures[leaf]
                + self.pictures[leaf2_end]
                - self.pictures[leaf2]
            )
            images = leaf_end - leaf + leaf2_end - leaf2 - texts
            titled = (
                self.titled_before[before[end]]
                - self.titled_before[before[start]]
                + self.titled_before[before[own[3]]]
                - self.titled_before[before[own[2]]]
            )
            headings: cython.int = 0
            scan: cython.int = leaf
            run: cython.bint = False
            while scan < leaf_end and scan < leaf + 200:
                inside: cython.bint = self.headed[scan + 1] > self.headed[scan]
                if inside and not run:
                    headings += 1
                if self.texts[scan + 1] > self.texts[scan]:
                    run = inside
                scan += 1
            line[column] = log1p(tokens)
            line[column + 1] = tokens / page_tokens
            line[column + 2] = log1p(texts)
            line[column + 3] = tokens / max(1, texts)
            line[column + 4] = blocks
            line[column + 5] = tokens / blocks
            line[column + 6] = linked / tokens
            line[column + 7] = headed / tokens
            line[column + 8] = headings
            line[column + 9] = pictures
            line[column + 10] = images
            line[column + 11] = hidden / tokens
            line[column + 12] = two > 0
            line[column + 13] = two / tokens
            line[column + 14] = titled / tokens
            # the first and the last block
            scan = leaf
            while scan < leaf_end and self.texts[scan + 1] == self.texts[scan]:
                scan += 1
            if scan < leaf_end:
                block = candidates.block[self.leaf_row[scan]]
                line[column + 15] = log1p(min(one, tree.tokens[block]))
                line[column + 17] = self.headed[scan + 1] > self.headed[scan]
            scan = leaf_end - 1
            while scan > leaf and self.texts[scan + 1] == self.texts[scan]:
                scan -= 1
            if scan >= leaf:
                block = candidates.block[self.leaf_row[scan]]
                line[column + 16] = log1p(min(one, tree.tokens[block]))
            column += 18
            # its place
            inside = start <= place < far_end
            line[column] = inside
            ahead: cython.int = 0
            if here > before[start]:
                ahead = min(here, before[end]) - before[start]
            if two and here > before[own[2]]:
                ahead += min(here, before[own[3]]) - before[own[2]]
            line[column + 1] = ahead / tokens
            line[column + 2] = log1p(tokens - ahead)
            gap: cython.int = 0
            gap_leaves: cython.int = 0
            between: cython.int = 0
            if place >= end and (not two or place < own[2]):
                gap = here - before[end]
                gap_leaves = image_leaf - leaf_end
                between = self.pictures[image_leaf] - self.pictures[min(leaf_end, image_leaf)]
            elif place < start:
                gap = before[start] - here
                gap_leaves = leaf - image_leaf
                between = self.pictures[leaf] - self.pictures[image_leaf] - tree.pictures[row]
            line[column + 3] = log1p(max(0, gap))
            line[column + 4] = log1p(max(0, gap_leaves))
            line[column + 5] = max(0, between)
            line[column + 6] = place >= far_end
            line[column + 7] = here == before[start]
            line[column + 8] = here == before[far_end]
            column += 9
            # the tree
            low = min(start, place)
            high = max(far_end, place)
            above = row
            steps = 0
            while (
                tree.parent[above] >= 0
                and steps < 48
                and not (
                    before[tree.start[above]] <= before[low]
                    and before[tree.end[above]] >= before[high]
                    and tree.kind[above] == 0
                )
            ):
                above = tree.parent[above]
                steps += 1
            ancestor: cython.int = above
            meaning = tree.meaning(above)
            around: cython.double = tree.tokens[above]
            line[column] = steps
            line[column + 1] = around == tokens
            line[column + 2] = tokens / max(1.0, around)
            line[column + 3] = log1p(around)
            line[column + 4] = tree.pictures[above]
            line[column + 5] = log1p(tree.alike(above))
            line[column + 6] = log1p(tree.alike_with_picture(above))
            line[column + 7] = (meaning & RECORD) != 0
            line[column + 8] = (meaning & FIGURE) != 0
            line[column + 9] = (meaning & CELL) != 0
            line[column + 10] = (meaning & ROW) != 0
            line[column + 11] = (meaning & LINK) != 0
            line[column + 12] = (meaning & WHOLE) != 0
            # what the next larger ancestor adds
            other = tree.parent[above]
            steps = 0
            while other >= 0 and tree.tokens[other] == tree.tokens[above] and steps < 48:
                other = tree.parent[other]
                steps += 1
            if other >= 0:
                line[column + 13] = log1p(tree.tokens[other] - tree.tokens[above])
                line[column + 14] = log1p(tree.pictures[other] - tree.pictures[above])
                line[column + 15] = around / max(1, tree.tokens[other])
            line[column + 16] = -1
            if tree.parent[above] >= 0:
                line[column + 16] = log1p(tree.alike_with_picture(tree.parent[above]))
            column += 17
            column += 4  # words of the image
            # the group
            best: cython.int = -1
            own_kinds: cython.int = 0
            for kind in range(KINDS_COUNT):
                if candidates.kinds[image * KINDS_COUNT + kind] == at - first:
                    own_kinds += 1
                    if best < 0:
                        best = kind
                    line[FEATURES - KINDS_COUNT + kind] = 1
            stats = self.group_stats + (group * KINDS_COUNT + best) * 6
            have: cython.double = max(1.0, stats[0])
            mean: cython.double = stats[1] / have
            pairs: cython.double = max(1.0, have - 1)
            line[column] = log1p(group_size)
            line[column + 1] = stats[0] / group_size
            line[column + 2] = mean
            line[column + 3] = sqrt(max(0.0, stats[2] / have - mean * mean))
            line[column + 4] = stats[3] / pairs if group_size > 1 else -1
            line[column + 5] = stats[4] / pairs if group_size > 1 else -1
            line[column + 6] = line[column + 7] = line[column + 8] = -1
            following = self.group_next[image]
            preceding = self.group_previous[image]
            if following >= 0:
                line[column + 6] = 0
                index = candidates.kinds[following * KINDS_COUNT + best]
                if index != NONE:
                    line[column + 6] = self.common(
                        own, candidates.ranges + 4 * (candidates.firsts[following] + index)
                    )
                line[column + 8] = line[column + 6] > 0.999
            if preceding >= 0:
                line[column + 7] = 0
                index = candidates.kinds[preceding * KINDS_COUNT + best]
                if index != NONE:
                    line[column + 7] = self.common(
                        own, candidates.ranges + 4 * (candidates.firsts[preceding] + index)
                    )
                line[column + 8] = max(line[column + 8], line[column + 7] > 0.999)
            mates: cython.int = 0
            if following >= 0 and start <= tree.image_starts[following] < far_end:
                mates += 1
            if preceding >= 0 and start <= tree.image_starts[preceding] < far_end:
                mates += 1
            line[column + 9] = mates
            line[column + 10] = log1p(tokens) - mean
            line[column + 11] = stats[5] / have
            column += 12
            # the others
            total: cython.double = 0
            smaller: cython.int = 0
            for other in range(first, last):
                second = candidates.ranges + 4 * other
                total += self.common(own, second)
                size = before[second[1]] - before[second[0]] + before[second[3]] - before[second[2]]
                smaller += size < tokens
            line[column] = total / max(1, last - first)
            line[column + 1] = -1 if rules == cython.NULL else self.common(own, rules)
            line[column + 2] = -1 if nearest == cython.NULL else self.common(own, nearest)
            line[column + 3] = own_kinds
            line[column + 4] = own_kinds / cython.cast(cython.double, max(1, kinds_total))
            line[column + 5] = smaller / cython.cast(cython.double, max(1, last - first))
            line[column + 6] = smaller
            line[column + 7] = last - first
            line[column + 8] = best % CUTS if best >= LEVELS else -best
            column += 9
            # the image
            column += 3
            line[column] = here / page_tokens
            line[column + 1] = log1p(page_tokens)
            line[column + 2] = log1p(candidates.images)
            line[column + 3] = nearest_tokens
            line[column + 4] = in_link
            line[column + 5] = candidates.kinds[image * KINDS_COUNT + CAPTION_ALONE] != NONE
            if h1 >= 0:
                line[column + 6] = log1p(abs(here - before[tree.end[h1]]))
                line[column + 7] = place > tree.start[h1]
            else:
                line[column + 6] = line[column + 7] = -1
            line[column + 8] = image
            line[column + 9] = lonely
            column += 10
            for index in range(7):
                line[column + index] = -1
            if record >= 0:
                frame[0] = tree.start[record]
                frame[1] = frame[2] = frame[3] = tree.end[record]
                line[column] = self.common(own, frame)
                line[column + 1] = log1p(tree.tokens[record])
                line[column + 2] = record_steps
                line[column + 3] = tree.pictures[record]
                line[column + 6] = (
                    before[start] >= before[frame[0]] and before[far_end] <= before[frame[1]]
                )
            if article >= 0:
                frame[0] = tree.start[article]
                frame[1] = frame[2] = frame[3] = tree.end[article]
                line[column + 4] = self.common(own, frame)
                line[column + 5] = log1p(tree.tokens[article])
            column += 8
            line[column] = (
                self.stops[before[end]]
                - self.stops[before[start]]
                + self.stops[before[own[3]]]
                - self.stops[before[own[2]]]
            ) / tokens
            line[column + 1] = (
                self.digits[before[end]]
                - self.digits[before[start]]
                + self.digits[before[own[3]]]
                - self.digits[before[own[2]]]
            ) / tokens
            line[column + 2] = (
                self.prices[before[end]]
                - self.prices[before[start]]
                + self.prices[before[own[3]]]
                - self.prices[before[own[2]]]
            )
            line[column + 3] = self.stops[before[far_end]] > self.stops[before[far_end] - 1]
            ch: cython.Py_UCS4 = " "
            scan = far_end - 1
            while scan > start and scan > far_end - 20:
                ch = tree.text[scan]
                if ch != " " and ch != "\n" and ch != "\ufffc":
                    break
                scan -= 1
            line[column + 4] = ch == ":"
            column += 5
            self.fill_lines(own, tokens, line + column)
            column += LINE_FEATURES
            column += 3  # words of the image against other candidates
            for index in range(ABOUT_COUNT):
                line[column + index] = self.about[image, index]
            column += ABOUT_COUNT
            # names
            inner: cython.longlong = 0
            other = tree.parent[row]
            steps = 0
            while other >= 0 and steps < 48 and other != ancestor:
                inner |= self.names(other)
                other = tree.parent[other]
                steps += 1
            own_names = self.names(ancestor)
            outer: cython.longlong = 0
            other = tree.parent[ancestor]
            steps = 0
            while other >= 0 and steps < 3:
                outer |= self.names(other)
                other = tree.parent[other]
                steps += 1
            for index in range(GROUP_COUNT):
                bit = self.group_bits[index]
                line[column + index] = (near >> bit) & 1
                line[column + GROUP_COUNT + index] = (around_names >> bit) & 1
                line[column + 2 * GROUP_COUNT + index] = (own_names >> bit) & 1
                line[column + 3 * GROUP_COUNT + index] = (inner >> bit) & 1
                line[column + 4 * GROUP_COUNT + index] = (outer >> bit) & 1


def shared(start: cython.int, end: cython.int, other: cython.int, last: cython.int) -> cython.int:
    """How much two ranges have in common."""
    low = max(start, other)
    high = min(end, last)
    return high - low if high > low else 0


def is_currency(ch: cython.Py_UCS4) -> cython.bint:
    return ch == "$" or ch == "\u20ac" or ch == "\xa3" or ch == "\xa5" or ch == "\u20b9"


GROUP_COUNT = len(GROUPS)
SAID_COUNT = len(SAID)
ABOUT_COUNT = len(ABOUT_NAMES)
LINE_FEATURES = 13 + SAID_COUNT
LINK_PLACE = list(PLACES).index("link")
SHORT_OF_BEST = NAMES.index("alt short of best")
ALT_DENSITY = NAMES.index("alt density")
ALT_SAID = NAMES.index("alt said")
WIDTH = NAMES.index("width")
