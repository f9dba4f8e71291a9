# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The hot loops around segments, compiled into `pagecut.compiled.segments` (see `kernels`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import cython

REVISION = 6  # see `acceleration`
IMAGE = 0xFFFC
SPACE = 32
NEWLINE = 10

# Bits of `kernels.classify`.
GAP = 1
PICTURE = 16
EDGE = 32

# Bits of `PackedNodes.tag_marks`.
IS_LETTERING = 1
IS_CODE = 2


def glued_offsets(
    numbers: cython.const[cython.int][::1],
    bytes_: cython.const[cython.uchar][::1],
    rows: cython.Py_ssize_t,
    marks: cython.const[cython.uchar][::1],
    offsets: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in the offsets of `Page.glued`; how many there are.

    Args:
        numbers, bytes_, rows, marks: of `PackedNodes`.
    """
    tag: cython.const[cython.int][::1] = numbers[0:rows]
    parent: cython.const[cython.int][::1] = numbers[rows : 2 * rows]
    subtree_end: cython.const[cython.int][::1] = numbers[2 * rows : 3 * rows]
    start: cython.const[cython.int][::1] = numbers[5 * rows : 6 * rows]
    end: cython.const[cython.int][::1] = numbers[6 * rows : 7 * rows]
    kind: cython.const[cython.uchar][::1] = bytes_[0:rows]
    row: cython.Py_ssize_t
    leaf: cython.Py_ssize_t = -1
    shared: cython.Py_ssize_t
    above: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    closed: cython.bint
    opened: cython.bint
    dressed: cython.bint
    for row in range(rows):
        if kind[row] == 0:
            continue
        if leaf >= 0 and end[leaf] == start[row]:
            closed = False
            opened = False
            dressed = True
            shared = parent[leaf]
            while subtree_end[shared] <= row:
                closed = True
                dressed = dressed and marks[tag[shared]] & IS_LETTERING != 0
                shared = parent[shared]
            above = parent[row]
            while above != shared:
                opened = True
                dressed = dressed and marks[tag[above]] & IS_LETTERING != 0
                above = parent[above]
            if closed and opened and not dressed:
                while shared >= 0 and not marks[tag[shared]] & IS_CODE:
                    shared = parent[shared]
                if shared < 0:
                    offsets[count] = start[row]
                    count += 1
        leaf = row
    return count


def is_blank(
    classes: cython.const[cython.uchar][::1], at: cython.Py_ssize_t, end: cython.Py_ssize_t
) -> cython.bint:
    """Whether a range holds nothing but white space."""
    while at < end:
        if classes[at] & (GAP | PICTURE) != GAP:
            return False
        at += 1
    return True


def label_leaves(
    kind: cython.const[cython.uchar][::1],
    depth: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    spans: cython.const[cython.int][:, ::1],
    labels: cython.const[cython.int][::1],
    rows: cython.int[::1],
    label: cython.int[::1],
    shared: cython.int[::1],
) -> int:
    """The leaves, the label of the range that each meets first (-2: none), and the depth that it
    shares with the leaf before it; how many leaves there are."""
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    size: cython.Py_ssize_t = spans.shape[0]
    lowest: cython.int = 0
    for row in range(kind.shape[0]):
        if row == 0 or depth[row] < lowest:
            lowest = depth[row]
        if kind[row] == 0:
            continue
        while at < size and spans[at, 1] <= start[row]:
            at += 1
        rows[count] = row
        label[count] = labels[at] if at < size and spans[at, 0] < end[row] else -2
        shared[count] = lowest - 1
        lowest = 2147483647
        count += 1
    return count


def merge_images(
    classes: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    depth: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    spans: cython.const[cython.int][:, ::1],
    labels: cython.const[cython.int][::1],
    leaves: cython.int[::1],
    out_spans: cython.int[:, ::1],
    out_labels: cython.int[::1],
) -> cython.Py_ssize_t:
    """Give the images outside of all ranges to the nearest text, and join what touches.

    As `labelled_ranges.with_images_joined`; how many ranges there are.

    Args:
        leaves: room for five values for each leaf.
    """
    room: cython.Py_ssize_t = leaves.shape[0] // 5
    rows: cython.int[::1] = leaves[0:room]
    label: cython.int[::1] = leaves[room : 2 * room]
    shared: cython.int[::1] = leaves[2 * room : 3 * room]  # with the leaf before
    nearness: cython.int[::1] = leaves[3 * room : 4 * room]
    chosen: cython.int[::1] = leaves[4 * room : 5 * room]
    size: cython.Py_ssize_t = spans.shape[0]
    count: cython.Py_ssize_t
    leaf: cython.Py_ssize_t
    at: cython.Py_ssize_t = 0
    out: cython.Py_ssize_t = 0
    near: cython.int = -1
    current: cython.int = -1
    common: cython.int
    first: cython.int
    last: cython.int
    own: cython.int
    count = label_leaves(kind, depth, start, end, spans, labels, rows, label, shared)
    for leaf in range(count):
        near = min(near, shared[leaf])
        nearness[leaf] = near
        chosen[leaf] = current
        if label[leaf] != -2:
            near = 1 << 30
            current = label[leaf]
    near = -1
    current = -1
    for leaf in range(count - 1, -1, -1):
        common = shared[leaf + 1] if leaf + 1 < count else -1
        near = min(near, common)
        if near >= nearness[leaf]:
            chosen[leaf] = current
        if label[leaf] != -2:
            near = 1 << 30
            current = label[leaf]
    leaf = 0
    while True:
        while leaf < count and not (kind[rows[leaf]] == 2 and label[leaf] == -2):
            leaf += 1
        if at < size and (leaf == count or spans[at, 0] <= start[rows[leaf]]):
            first = spans[at, 0]
            last = spans[at, 1]
            own = labels[at]
            at += 1
        elif leaf < count:
            first = start[rows[leaf]]
            last = end[rows[leaf]]
            own = chosen[leaf]
            leaf += 1
        else:
            return out
        if out and out_labels[out - 1] == own and is_blank(classes, out_spans[out - 1, 1], first):
            out_spans[out - 1, 1] = last
        else:
            out_spans[out, 0] = first
            out_spans[out, 1] = last
            out_labels[out] = own
            out += 1


def is_numbered(labels: cython.const[cython.int][::1]) -> bool:
    """Whether labels are 0, 1, 2, … in order of their first appearance; -1 is none."""
    at: cython.Py_ssize_t
    following: cython.int = 0
    for at in range(labels.shape[0]):
        if labels[at] > following:
            return False
        if labels[at] == following:
            following += 1
    return True


def without_images(text: str) -> str:
    """As `page.readable`, for a text that has images."""
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = len(text)
    point: cython.int
    broken: cython.bint
    pieces: list = []
    while True:
        at = text.find(chr(IMAGE), at)
        if at < 0:
            break
        broken = False
        first = at
        while first > start:
            point = ord(text[first - 1])
            if point != SPACE and point != NEWLINE:
                break
            broken = broken or point == NEWLINE
            first -= 1
        while at < length:
            point = ord(text[at])
            if point == NEWLINE:
                broken = True
            elif point != SPACE and point != IMAGE:
                break
            at += 1
        pieces.append(text[start:first])
        pieces.append("\n" if broken else " ")
        start = at
    pieces.append(text[start:length])
    return "".join(pieces).strip(" \n")


def readable_range(
    text: str,
    classes: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    glued: cython.const[cython.int][::1],
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> str:
    """As `Page.readable`, with the glued offsets first..last-1 inside the range."""
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
        return without_images(text[start:end]) if seen & PICTURE else text[start:end]
    pieces = []
    at = start
    while first < last:
        if start < glued[first] < end:
            pieces.append(text[at : glued[first]])
            at = glued[first]
        first += 1
    pieces.append(text[at:end])
    return without_images(" ".join(pieces)) if seen & PICTURE else " ".join(pieces)


def segment_texts(
    text: str,
    classes: cython.const[cython.uchar][::1],
    spans: cython.const[cython.int][:, ::1],
    labels: cython.const[cython.int][::1],
    parent: cython.const[cython.int][::1],
    glued: cython.const[cython.int][::1],
    count: cython.Py_ssize_t,
) -> list[str]:
    """The text of each segment, as `Page.readable_spans` puts it.

    Args:
        parent: the segment around each segment, -1 = none; empty where none is inside another.
    """
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t = 0
    last: cython.Py_ssize_t
    size: cython.Py_ssize_t = glued.shape[0]
    nested: cython.bint = parent.shape[0] > 0
    label: cython.Py_ssize_t
    texts: list = [""] * count
    others: dict = {}  # segments of several ranges
    part: str
    for at in range(spans.shape[0]):
        label = labels[at]
        while first < size and glued[first] <= spans[at, 0]:
            first += 1
        last = first
        while last < size and glued[last] < spans[at, 1]:
            last += 1
        if label < 0:
            continue
        part = readable_range(text, classes, spans[at, 0], spans[at, 1], glued, first, last)
        while part and label >= 0:
            if texts[label]:
                others.setdefault(label, [texts[label]]).append(part)
            else:
                texts[label] = part
            label = parent[label] if nested else -1
    for label, parts in others.items():
        texts[label] = "\n".join(parts)
    return texts


class TextReader:
    """Reads ranges of one text, as `Page.readable`.

    Args:
        classes: of the characters (`kernels.classify`).
        glued: offsets at which elements touch that people see apart.
    """

    def __init__(
        self,
        text: str,
        classes: cython.const[cython.uchar][::1],
        glued: cython.const[cython.int][::1],
    ) -> None:
        self.text = text
        self.classes = classes
        self.glued = glued

    def place(self, offset: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many glued offsets come before one."""
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = len(self.glued)
        middle: cython.Py_ssize_t
        while first < last:
            middle = (first + last) >> 1
            if self.glued[middle] < offset:
                first = middle + 1
            else:
                last = middle
        return first

    def readable(self, start: cython.Py_ssize_t, end: cython.Py_ssize_t) -> str:
        first: cython.Py_ssize_t
        last: cython.Py_ssize_t
        if not 0 <= start <= end <= len(self.text):
            raise IndexError(f"range {start} to {end} of {len(self.text)} characters")
        first = self.place(start + 1)
        last = self.place(end)
        return readable_range(
            self.text, self.classes, start, end, self.glued, first, max(first, last)
        )

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
