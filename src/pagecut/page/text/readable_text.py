# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Ranges of a page's text as people read them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from cython.cimports.pagecut.page.text.tokenizer import class_of, is_syllabic

if TYPE_CHECKING:
    import cython

    from pagecut.page.text.tokenizer import BLANK, EDGE, PICTURE

IMAGE = 0xFFFC
SPACE = 32
NEWLINE = 10
TAB = 9
JOINER = 0x2060  # of words, also in place of each sign of a gloss
HINTS = "\xad\u200b\u2060\ufeff"  # of where a line may end, or must not


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
    gap: str
    pieces: list = []
    while True:
        at = text.find(chr(IMAGE), at)
        if at < 0:
            break
        first = at
        while first > start and ord(text[first - 1]) in (SPACE, NEWLINE, TAB):
            first -= 1
        while at < length and ord(text[at]) in (SPACE, NEWLINE, TAB, IMAGE):
            at += 1
        gap = text[first:at]
        if first > start:
            pieces.append(text[start:first])
        if pieces and at < length:
            # Tabs after a newline stand for cells that hold nothing else, or indent code.
            if "\n" in gap:
                pieces.append("\n" + "\t" * gap.count("\t", gap.rfind("\n")))
            else:
                pieces.append("\t" * gap.count("\t") or " ")
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
    """A text without the lines that authors make of no-break spaces and the like, and with plain
    spaces in others; no-break ones at the end of a line or a cell are left out."""
    lines: list = text.split("\n")
    kept: list = [line for line in lines if not is_blank(line)]
    if len(kept) < len(lines):
        text = "\n".join(kept)
    return with_spaces(without_hints(text), False).strip(" \n")


def with_plain_spaces(text: str) -> str:
    """A text with plain spaces for no-break ones and the like, several inside of a line as one,
    and without soft hyphens and what else only says where a line may end."""
    return with_spaces(without_hints(text), True)


def without_hints(text: str) -> str:
    """A text without the characters that only say where a line may end or must not; one that parts
    words of Thai, Lao, Burmese or Khmer stays."""
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = len(text)
    ch: cython.Py_UCS4
    pieces: list = []
    for at in range(length):
        ch = text[at]
        if ch < "\xad":
            continue
        if ch in HINTS and not (ch == "\u200b" and at + 1 < length and is_syllabic(text[at + 1])):
            pieces.append(text[start:at])
            start = at + 1
    if not start:
        return text
    pieces.append(text[start:])
    return "".join(pieces)


def with_spaces(text: str, last: cython.bint) -> str:
    """A text with one plain space for each run of spaces inside a line that has others than plain
    ones, and one for each of them where a line begins.

    Args:
        last: whether there is one for those at the end of a line, too.
    """
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    end: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    length: cython.Py_ssize_t = len(text)
    pieces: list = []
    while at < length:
        if text[at] < "\xa0" or not is_fixed(text[at]):
            at += 1
            continue
        first = at
        while first > start and text[first - 1] == " ":
            first -= 1
        end = at
        while end < length and (text[end] == " " or is_fixed(text[end])):
            end += 1
        pieces.append(text[start:first])
        if not last and (end == length or text[end] in "\t\n"):
            pass
        elif first == 0 or text[first - 1] in "\t\n":
            pieces.append(" " * (end - first))
        else:
            pieces.append(" ")
        start = at = end
    if not start:
        return text
    pieces.append(text[start:])
    return "".join(pieces)


def is_fixed(ch: cython.Py_UCS4) -> cython.bint:
    """A space of a fixed width, or at which no line ends."""
    return ch == "\xa0" or "\u2000" <= ch <= "\u200a" or ch == "\u202f" or ch == "\u205f"


def readable_range(
    text: str,
    classes: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    places: cython.const[cython.int][::1],
    signs: bytes,
    first: cython.Py_ssize_t,
    last: cython.Py_ssize_t,
) -> str:
    """A range for people, with the inserted signs first..last-1 inside it."""
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
        if start < places[first] < end:
            pieces.append(text[at : places[first]])
            pieces.append(chr(signs[first]))
            at = places[first]
        first += 1
    pieces.append(text[at:end])
    return readable_part("".join(pieces), seen)


def readable_part(text: str, seen: cython.uchar) -> str:
    """A text for people, by the classes of the characters in it."""
    if seen & PICTURE:
        text = without_images(text)
    return without_unseen(text) if seen & BLANK else text


class TextReader:
    """Reads ranges of one text for people: no images, and some signs inserted.

    Args:
        text: of the page, joiners in place of its glosses (`ruby.without_glosses`).
        shown: the same with rows of tables as lines (`DataTables.rows_as_lines`).
        classes: of the characters (`tokenizer.classify`).
        spaces: offsets at which a space is inserted, ascending.
        tabs: offsets at which a tab is inserted, ascending; some may come again.
    """

    def __init__(
        self,
        text: str,
        shown: str,
        classes: cython.const[cython.uchar][::1],
        spaces: memoryview,
        tabs: list,
    ) -> None:
        self.text = text
        self.shown = shown
        self.classes = classes
        self.places = spaces
        self.signs = b" " * len(spaces)
        if tabs:
            signs: list = sorted([(at, SPACE) for at in spaces] + [(at, TAB) for at in tabs])
            self.places = array("i", [at for at, _ in signs])
            self.signs = bytes([sign for _, sign in signs])

    def place(self, offset: cython.Py_ssize_t) -> cython.Py_ssize_t:
        """How many inserted signs come before an offset."""
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t = self.places.shape[0]
        middle: cython.Py_ssize_t
        while first < last:
            middle = (first + last) >> 1
            if self.places[middle] < offset:
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
            self.shown, self.classes, start, end, self.places, self.signs, first, max(first, last)
        )

    def parting(self, before: cython.Py_ssize_t, after: cython.Py_ssize_t) -> str:
        """What people see between a piece that ends at `before` and one that starts at `after`."""
        while before < after and ord(self.text[before]) == JOINER:
            before += 1
        if before < after:
            return "\n" if self.text.find("\n", before, after) >= 0 else " "
        at: cython.Py_ssize_t = self.place(after)
        return " " if at < self.places.shape[0] and self.places[at] == after else ""

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
            parent: the segment around each segment, -1 = none.
        """
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.places.shape[0]
        label: cython.Py_ssize_t
        texts: list = [""] * count
        others: dict = {}  # segments of several ranges
        part: str
        for at in range(spans.shape[0]):
            label = labels[at]
            while first < size and self.places[first] <= spans[at, 0]:
                first += 1
            last = first
            while last < size and self.places[last] < spans[at, 1]:
                last += 1
            if label < 0:
                continue
            part = readable_range(
                self.shown,
                self.classes,
                spans[at, 0],
                spans[at, 1],
                self.places,
                self.signs,
                first,
                last,
            )
            while part and label >= 0:
                if texts[label]:
                    others.setdefault(label, [texts[label]]).append(part)
                else:
                    texts[label] = part
                label = parent[label]
        for label, parts in others.items():
            texts[label] = "\n".join(parts)
        return texts
