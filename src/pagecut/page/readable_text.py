# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Ranges of a page's text as people read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from cython.cimports.pagecut.page.tokenizer import class_of

if TYPE_CHECKING:
    import cython

    from pagecut.page.nodes import PackedNodes
    from pagecut.page.tokenizer import BLANK, EDGE, PICTURE

IMAGE = 0xFFFC
SPACE = 32
NEWLINE = 10
TAB = 9

# Bits of `PackedNodes.tag_marks`.
IS_LETTERING = 1
IS_CODE = 2
IS_LINK = 4
IS_SPAN = 8
IS_PARAGRAPH = 16
IS_ROW = 32
WITHIN = IS_LETTERING | IS_LINK | IS_SPAN  # what a paragraph's words may stand in

OPENING = "([{“«„"
CLOSING = ",.;:!?)]}”»"


def inserted_spaces(packed: PackedNodes, text: str) -> memoryview:
    """The offsets (int32) at which two elements touch that people most likely see apart.

    Style sheets part `<a>Name</a><span>wrote:</span>`; without them the words run together.
    Elements that only dress letters, and code, are left alone, as is what white space parts: that
    at the end of preformatted text. So are words that editors tear apart, into several `<span>` of
    one paragraph, and signs that stand before or after a word.
    """
    found = memoryview(bytearray(4 * packed.leaves)).cast("i")
    offsets: cython.int[::1] = found
    numbers: cython.const[cython.int][::1] = packed.numbers
    kind: cython.const[cython.uchar][::1] = packed.bytes
    marks: cython.const[cython.uchar][::1] = packed.tag_marks
    rows: cython.Py_ssize_t = packed.rows
    tag: cython.const[cython.int][::1] = numbers[0:rows]
    parent: cython.const[cython.int][::1] = numbers[rows : 2 * rows]
    subtree_end: cython.const[cython.int][::1] = numbers[2 * rows : 3 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    row: cython.Py_ssize_t
    leaf: cython.Py_ssize_t = -1
    shared: cython.Py_ssize_t
    above: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    closed: cython.bint
    opened: cython.bint
    dressed: cython.bint
    from_span: cython.bint
    to_span: cython.bint
    for row in range(rows):
        if kind[row] == 0:
            continue
        if leaf >= 0 and end[leaf] == start[row] and not is_white(text, start[row] - 1):
            closed = False
            opened = False
            dressed = True
            from_span = False
            to_span = False
            shared = parent[leaf]
            while subtree_end[shared] <= row:
                closed = True
                dressed = dressed and marks[tag[shared]] & IS_LETTERING != 0
                from_span = marks[tag[shared]] & IS_SPAN != 0
                shared = parent[shared]
            above = parent[row]
            while above != shared:
                opened = True
                dressed = dressed and marks[tag[above]] & IS_LETTERING != 0
                to_span = marks[tag[above]] & IS_SPAN != 0
                above = parent[above]
            if closed and opened and not dressed and not clings(text, start[row]):
                if from_span and to_span and in_word(text, start[row]):
                    above = shared
                    while above >= 0 and marks[tag[above]] & WITHIN:
                        above = parent[above]
                    if above >= 0 and marks[tag[above]] & IS_PARAGRAPH:
                        leaf = row
                        continue
                while shared >= 0 and not marks[tag[shared]] & IS_CODE:
                    shared = parent[shared]
                if shared < 0:
                    offsets[count] = start[row]
                    count += 1
        leaf = row
    return found[:count].toreadonly()


def text_with_rows(packed: PackedNodes, text: str) -> str:
    """The text with the cells of a table's row on one line, a tab between two of them, where each
    of the two is one line; every other character is as it was, and where it was."""
    numbers: cython.const[cython.int][::1] = packed.numbers
    kind: cython.const[cython.uchar][::1] = packed.bytes
    marks: cython.const[cython.uchar][::1] = packed.tag_marks
    rows: cython.Py_ssize_t = packed.rows
    tag: cython.const[cython.int][::1] = numbers[0:rows]
    parent: cython.const[cython.int][::1] = numbers[rows : 2 * rows]
    subtree_end: cython.const[cython.int][::1] = numbers[2 * rows : 3 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    row: cython.Py_ssize_t
    leaf: cython.Py_ssize_t = -1
    cell: cython.Py_ssize_t
    above: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    after: cython.Py_ssize_t
    pieces: list = []
    for row in range(marks.shape[0]):
        if marks[row] & IS_ROW:
            break
    else:
        return text
    for row in range(rows):
        if kind[row] == 0:
            continue
        if leaf >= 0 and end[leaf] + 1 == start[row] and text[end[leaf]] == "\n":
            cell = leaf
            above = parent[leaf]
            while subtree_end[above] <= row:
                cell = above
                above = parent[above]
            if cell != leaf and marks[tag[above]] & IS_ROW:
                after = text.find("\n", start[row])
                if start[cell] > text.rfind("\n", 0, end[leaf]) and (
                    after < 0 or end[cell_of(parent, above, row)] <= after
                ):
                    pieces.append(text[at : end[leaf]])
                    at = start[row]
        leaf = row
    pieces.append(text[at:])
    return "\t".join(pieces)


def cell_of(
    parent: cython.const[cython.int][::1], table_row: cython.Py_ssize_t, row: cython.Py_ssize_t
) -> cython.Py_ssize_t:
    """The child of a table's row that a row of the page lies in, or is."""
    while parent[row] != table_row:
        row = parent[row]
    return row


def in_word(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether letters stand on both sides of an offset, a small one after it."""
    return 0 < offset < len(text) and text[offset - 1].isalpha() and text[offset].islower()


def clings(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether a sign stands at an offset that no space goes before, or before it one that none
    goes after."""
    return 0 < offset < len(text) and (text[offset] in CLOSING or text[offset - 1] in OPENING)


def is_white(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether a space or newline stands at an offset."""
    point: cython.int = ord(text[offset]) if offset >= 0 else 0
    return point in (SPACE, NEWLINE)


def readable(text: str) -> str:
    """`text` for people: images and blank lines taken out, the words on both sides of one kept
    apart."""
    text = without_images(text) if chr(IMAGE) in text else text.strip(" \n")
    return text if text.isascii() else without_unseen(text)


def without_images(text: str) -> str:
    """`readable` for a text that has images."""
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = len(text)
    point: cython.int
    broken: cython.bint
    celled: cython.bint
    pieces: list = []
    while True:
        at = text.find(chr(IMAGE), at)
        if at < 0:
            break
        broken = False
        celled = False
        first = at
        while first > start:
            point = ord(text[first - 1])
            if point not in (SPACE, NEWLINE, TAB):
                break
            broken = broken or point == NEWLINE
            celled = celled or point == TAB
            first -= 1
        while at < length:
            point = ord(text[at])
            if point not in (SPACE, NEWLINE, TAB, IMAGE):
                break
            if point == TAB and ord(text[at - 1]) == NEWLINE:
                break  # it indents a line of code
            broken = broken or point == NEWLINE
            celled = celled or point == TAB
            at += 1
        if first > start:
            pieces.append(text[start:first])
        if pieces and at < length:
            pieces.append("\n" if broken else "\t" if celled else " ")
        start = at
    pieces.append(text[start:length])
    return "".join(pieces).strip(" \n")


def is_blank(line: str) -> cython.bint:
    """Whether a line has characters of which none is seen; an empty one has none."""
    ch: cython.Py_UCS4
    blank: cython.bint = False
    for ch in line:
        if ch in " \t":
            continue
        if not class_of(ch) & BLANK:
            return False
        blank = True
    return blank


def without_unseen(text: str) -> str:
    """A text without soft hyphens, which only say where a word may part, and without the lines
    that authors make of no-break spaces and the like."""
    lines: list = text.split("\n")
    kept: list = [line for line in lines if not is_blank(line)]
    if len(kept) < len(lines):
        text = "\n".join(kept).strip(" \n")
    return text.replace("\xad", "")


def readable_range(
    text: str,
    classes: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    spaces: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> str:
    """A range for people, with the inserted spaces first..last-1 inside it."""
    at: cython.Py_ssize_t
    seen: cython.uchar = 0
    pieces: list
    while start < end and classes[start] & (EDGE | PICTURE):
        start += 1
    while end > start and classes[end - 1] & (EDGE | PICTURE):
        end -= 1
    for at in range(start, end):
        seen |= classes[at]
    if first == last:
        return readable_part(text[start:end], seen)
    pieces = []
    at = start
    while first < last:
        if start < spaces[first] < end:
            pieces.append(text[at : spaces[first]])
            at = spaces[first]
        first += 1
    pieces.append(text[at:end])
    return readable_part(" ".join(pieces), seen)


def readable_part(text: str, seen: cython.uchar) -> str:
    """A text for people, by the classes of the characters in it."""
    if seen & PICTURE:
        text = without_images(text)
    return without_unseen(text) if seen & BLANK else text


class TextReader:
    """Reads ranges of one text for people: no images, and the inserted spaces.

    Args:
        shown: the same with rows of tables as lines (`text_with_rows`).
        classes: of the characters (`tokenizer.classify`).
        spaces: offsets at which a space is inserted.
    """

    def __init__(
        self,
        text: str,
        shown: str,
        classes: cython.const[cython.uchar][::1],
        spaces: cython.const[cython.int][::1],
    ) -> None:
        self.text = text
        self.shown = shown
        self.classes = classes
        self.spaces = spaces

    def place(self, offset: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many inserted spaces come before an offset."""
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = self.spaces.shape[0]
        middle: cython.Py_ssize_t
        while first < last:
            middle = (first + last) >> 1
            if self.spaces[middle] < offset:
                first = middle + 1
            else:
                last = middle
        return first

    def readable(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> str:
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        start = max(start, 0)
        end = min(end, len(self.text))
        if start >= end:
            return ""
        first = self.place(start + 1)
        last = self.place(end)
        return readable_range(
            self.shown, self.classes, start, end, self.spaces, first, max(first, last)
        )

    def parting(self, before: cython.Py_ssize_t, after: cython.Py_ssize_t) -> str:
        """What people see between a piece that ends at `before` and one that starts at `after`."""
        if before < after:
            return "\n" if self.text.find("\n", before, after) >= 0 else " "
        at: cython.Py_ssize_t = self.place(after)
        return " " if at < self.spaces.shape[0] and self.spaces[at] == after else ""

    def readable_spans(self, spans: object) -> str:
        """Several ranges, a line or more for each."""
        text: str = ""
        part: str
        parts: list | None = None
        for start, end in spans:
            part = self.readable(start, end)
            if part and text:
                if parts is None:
                    parts = [text]
                parts.append(part)
            elif part:
                text = part
        return text if parts is None else "\n".join(parts)

    def segment_texts(
        self,
        spans: cython.const[cython.int][:, ::1],
        labels: cython.const[cython.int][::1],
        parent: cython.const[cython.int][::1],
        count: cython.Py_ssize_t,
    ) -> list[str]:
        """The text of each segment, with those inside it, as `readable_spans` puts it.

        Args:
            parent: the segment around each segment, -1 = none; empty where none is inside another.
        """
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.spaces.shape[0]
        nested: cython.bint = parent.shape[0] > 0
        label: cython.Py_ssize_t
        texts: list = [""] * count
        others: dict = {}  # segments of several ranges
        part: str
        for at in range(spans.shape[0]):
            label = labels[at]
            while first < size and self.spaces[first] <= spans[at, 0]:
                first += 1
            last = first
            while last < size and self.spaces[last] < spans[at, 1]:
                last += 1
            if label < 0:
                continue
            part = readable_range(
                self.shown, self.classes, spans[at, 0], spans[at, 1], self.spaces, first, last
            )
            while part and label >= 0:
                if texts[label]:
                    others.setdefault(label, [texts[label]]).append(part)
                else:
                    texts[label] = part
                label = parent[label] if nested else -1
        for label, parts in others.items():
            texts[label] = "\n".join(parts)
        return texts
