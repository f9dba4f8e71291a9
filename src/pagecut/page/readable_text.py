# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Ranges of a page's text as people read them."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING
from unicodedata import category

from cython.cimports.pagecut.page.tokenizer import class_of, is_ideographic, is_syllabic

from pagecut.page.tags import HEADINGS

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
IS_CELL = 64
IS_TABLE = 128
WITHIN = IS_LETTERING | IS_LINK | IS_SPAN  # what a paragraph's words may stand in

OPENING = "([{“«„@"
CLOSING = ",.;:!?)]}”»،؛؟۔।॥"
HINTS = "\xad\u200b\u2060\ufeff"  # of where a line may end, or must not


def inserted_spaces(packed: PackedNodes, text: str) -> memoryview:
    """The offsets (int32) at which two elements touch that people most likely see apart.

    Style sheets part `<a>Name</a><span>wrote:</span>`; without them the words run together.
    Elements that only dress letters, and code, are left alone, as is what white space parts: that
    at the end of preformatted text. So are words that editors tear apart, into several `<span>` of
    one paragraph (in scripts without spaces, into lettering, too) or into single letters, and signs
    that cling to a word. Numbers that are raised, of notes mostly, are parted from the word before;
    m² is not. Where a sentence or a label ends at the border of any element, and a capital follows
    (`<cite>Gus wrote:</cite>There`), they are parted in any case; where a word does, at that of any
    but lettering. But a name of a program that is two `<span>` (`json.JSONDecoder`) is one word.
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
    unspaced: cython.bint
    tearing: cython.int  # marks of elements into which editors tear words
    from_tearing: cython.bint
    to_tearing: cython.bint
    raised: cython.int = packed.tag_names.index("sup") if "sup" in packed.tag_names else -1
    raises: cython.bint
    noted: cython.bint
    for row in range(rows):
        if kind[row] == 0:
            continue
        if leaf >= 0 and end[leaf] == start[row] and not is_white(text, start[row] - 1):
            closed = False
            opened = False
            dressed = True
            unspaced = is_unspaced(text, start[row])
            tearing = IS_SPAN | IS_LETTERING if unspaced else IS_SPAN
            from_tearing = False
            to_tearing = False
            raises = False
            shared = parent[leaf]
            while shared >= 0 and subtree_end[shared] <= row:
                closed = True
                dressed = dressed and marks[tag[shared]] & IS_LETTERING != 0
                from_tearing = marks[tag[shared]] & tearing != 0
                shared = parent[shared]
            above = parent[row]
            while above != shared:
                opened = True
                dressed = dressed and marks[tag[above]] & IS_LETTERING != 0
                to_tearing = marks[tag[above]] & tearing != 0
                raises = raises or tag[above] == raised
                above = parent[above]
            if from_tearing and to_tearing and is_member(text, start[leaf], start[row], end[row]):
                leaf = row
                continue
            noted = raises and is_note(text, start[row])
            if noted or ((closed or opened) and ends_before(text, start[row])):
                dressed = False
                closed = True
                opened = True
            elif (closed or opened) and not dressed and begins_word(text, start[row]):
                # In a paragraph it may be a name: `Open<a>Street</a>`.
                above = shared
                while above >= 0 and marks[tag[above]] & WITHIN:
                    above = parent[above]
                if above < 0 or not marks[tag[above]] & IS_PARAGRAPH:
                    closed = True
                    opened = True
            if closed and opened and not dressed and (noted or not clings(text, start[row])):
                if in_word(text, start[row]) and (
                    end[leaf] - start[leaf] == 1 or end[row] - start[row] == 1
                ):
                    leaf = row
                    continue
                if from_tearing and to_tearing and (unspaced or in_word(text, start[row])):
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


class DataTables:
    """The tables of a page that hold data: no table or heading inside, two rows or more with two
    cells or more that hold something, most rows such ones, cells of one line mostly.

    Attributes:
        table: (rows,) the one that a row of the page is in, or is; -1 for none.
        cell: (rows,) the cell of it; -1 if in none, as captions are.
    """

    def __init__(self, packed: PackedNodes, text: str) -> None:
        numbers: cython.const[cython.int][::1] = packed.numbers
        rows: cython.Py_ssize_t = packed.rows
        self.rows = rows
        self.text = text
        self.kind = packed.bytes
        self.tag = numbers[0:rows]
        self.parent = numbers[rows : 2 * rows]
        self.subtree_end = numbers[2 * rows : 3 * rows]
        self.start = numbers[5 * rows : 6 * rows]
        self.end = numbers[6 * rows : 7 * rows]
        self.marks = packed.tag_marks
        self.table = memoryview(bytearray(4 * rows)).cast("i")
        self.cell = memoryview(bytearray(4 * rows)).cast("i")
        self.any = False
        self.find_cells(bytes([name in HEADINGS for name in packed.tag_names] or [0]))
        if self.any:
            self.keep_data(memoryview(bytearray(4 * 6 * rows)).cast("i", (6, rows)))

    def find_cells(self, is_heading: cython.const[cython.uchar][::1]) -> None:
        """Fill in the nearest table and cell of each row, of tables with no other, and no heading,
        inside.

        Args:
            is_heading: of each tag.
        """
        laid_out: cython.uchar[::1] = bytearray(self.rows)
        row: cython.Py_ssize_t
        above: cython.int
        for row in range(self.rows):
            above = self.parent[row]
            self.table[row] = self.table[above] if above >= 0 else -1
            self.cell[row] = self.cell[above] if above >= 0 else -1
            if self.kind[row] != 0:
                continue
            if self.marks[self.tag[row]] & IS_TABLE:
                if self.table[row] >= 0:
                    laid_out[self.table[row]] = 1
                self.table[row] = row
                self.cell[row] = -1
            elif is_heading[self.tag[row]] and self.table[row] >= 0:
                laid_out[self.table[row]] = 1
            elif (
                self.marks[self.tag[row]] & IS_CELL
                and above >= 0
                and self.marks[self.tag[above]] & IS_ROW
            ):
                self.cell[row] = row
                self.any = self.any or self.table[row] >= 0
        for row in range(self.rows):
            if self.table[row] >= 0 and laid_out[self.table[row]]:
                self.cell[row] = -1

    def keep_data(self, counts: cython.int[:, ::1]) -> None:
        """Count what tables hold, and forget those that are there for the layout.

        Args:
            counts: a buffer of zeros: of each table cells, lines, rows, rows of two cells or more,
                cells of the row that is being read; and the last leaf in it, plus one.
        """
        row: cython.Py_ssize_t
        last: cython.Py_ssize_t
        table: cython.Py_ssize_t
        for row in range(self.rows):
            if self.kind[row] == 0 or self.cell[row] < 0 or self.table[row] < 0:
                continue
            table = self.table[row]
            last = counts[5, table] - 1
            counts[5, table] = row + 1
            if last < 0 or self.cell[last] != self.cell[row]:
                counts[0, table] += 1
                counts[1, table] += 1
                if last < 0 or self.parent[self.cell[last]] != self.parent[self.cell[row]]:
                    counts[2, table] += 1
                    counts[4, table] = 0
                counts[4, table] += 1
                counts[3, table] += counts[4, table] == 2
            elif self.is_broken(last, row):
                counts[1, table] += 1
        for row in range(self.rows):
            table = self.table[row]
            if (
                table < 0
                or counts[3, table] < 2
                or counts[3, table] * 5 < counts[2, table] * 3
                or counts[1, table] > 2 * counts[0, table]
            ):
                self.table[row] = -1
                self.cell[row] = -1

    def is_broken(self, leaf: cython.Py_ssize_t, after: cython.Py_ssize_t) -> cython.bint:
        """Whether a newline, and nothing else, parts two leaves."""
        return self.end[leaf] + 1 == self.start[after] and self.text[self.end[leaf]] == "\n"

    def rows_as_lines(self) -> tuple:
        """The text with a row of a data table on one line: a tab between two cells, a space between
        two lines of a cell; every other character is as it was, and where it was. And the offsets
        at which a tab is missing, for a cell that holds nothing."""
        row: cython.Py_ssize_t
        leaf: cython.Py_ssize_t = -1
        cell: cython.Py_ssize_t
        last: cython.Py_ssize_t = -1  # the last cell that held something
        other: cython.Py_ssize_t
        at: cython.Py_ssize_t = 0
        pieces: list = []
        missing: list = []
        if not self.any:
            return self.text, missing
        for row in range(self.rows):
            if self.kind[row] == 0:
                continue
            cell = self.cell[row]
            if cell >= 0:
                beside: cython.bint = last >= 0 and self.parent[last] == self.parent[cell]
                other = self.subtree_end[last] if beside else self.parent[cell] + 1
                while other < cell:
                    if self.marks[self.tag[other]] & IS_CELL:
                        missing.append(self.start[row])
                    other = self.subtree_end[other]
                if (
                    beside
                    and self.cell[leaf] == last
                    and at <= self.end[leaf]
                    and self.is_broken(leaf, row)
                ):
                    pieces.append(self.text[at : self.end[leaf]])
                    pieces.append(" " if last == cell else "\t")
                    at = self.start[row]
                last = cell
            leaf = row
        pieces.append(self.text[at:])
        return "".join(pieces), missing


def in_word(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether letters stand on both sides of an offset, a small one after it."""
    return 0 < offset < len(text) and text[offset - 1].isalpha() and text[offset].islower()


def is_accent(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a character is a vowel sign or accent of the letter before it."""
    return ch >= "\u0300" and category(chr(ch))[0] == "M"


def is_unspaced(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether both sides of an offset are of scripts without spaces between words."""
    if not 0 < offset < len(text):
        return False
    before: cython.Py_UCS4 = text[offset - 1]
    after: cython.Py_UCS4 = text[offset]
    return (is_ideographic(before) or is_syllabic(before)) and (
        is_ideographic(after) or is_syllabic(after)
    )


def has_space(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a sign is as wide as a Han character, and so brings its own space: `，`, `（`."""
    return (
        "\u3001" <= ch <= "\u3003"
        or "\u3008" <= ch <= "\u3011"
        or "\u3014" <= ch <= "\u301f"
        or ch == "\u30fb"
        or "\uff01" <= ch <= "\uff0f"
        or "\uff1a" <= ch <= "\uff20"
        or "\uff3b" <= ch <= "\uff3d"
        or "\uff5b" <= ch <= "\uff60"
    )


def is_note(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether a number at an offset would be read as part of the word or number before it."""
    if not 0 < offset < len(text):
        return False
    ch: cython.Py_UCS4 = text[offset]
    before: cython.Py_UCS4 = text[offset - 1]
    if not (ch.isdigit() or ch == "[") or not (before.isalnum() or before in ".,;:!?)”’"):
        return False
    # A unit, or a letter of a formula, has the number as its power.
    return not before.isalpha() or (
        offset > 2 and text[offset - 2].isalpha() and text[offset - 3].isalpha()
    )


def ends_before(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether a sentence or a label ends before an offset, and a capital stands at it."""
    if not 1 < offset < len(text) or not text[offset].isupper():
        return False
    if text[offset - 1] == ":":
        return text[offset - 2].isalpha()
    return text[offset - 1] in ".!?" and text[offset - 2].islower()


def is_member(
    text: str, first: cython.Py_ssize_t, middle: cython.Py_ssize_t, last: cython.Py_ssize_t
) -> cython.bint:
    """Whether a range is a name with dots in small letters, `json.` or `_x.y.`, and from the middle
    on a name in it."""
    at: cython.Py_ssize_t
    ch: cython.Py_UCS4
    if not 0 < middle < len(text) or text[middle - 1] != ".":
        return False
    if not (text[first].islower() or text[first] == "_"):
        return False
    if text[middle].isdigit():
        return False
    for at in range(first, last):
        ch = text[at]
        if not (ch.isalnum() or ch == "_" or (ch == "." and at < middle)):
            return False
    return True


def begins_word(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether a word in small letters ends before an offset, and one with a capital begins."""
    return (
        1 < offset < len(text) - 1
        and text[offset - 2].islower()
        and text[offset - 1].islower()
        and text[offset].isupper()
        and text[offset + 1].isalpha()
    )


def clings(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether no space goes between the signs before and after an offset: `(more)`, `$43`, `51%`,
    `3rd`, `a.b(c=d)`, `string/int`, `—many`."""
    if not 0 < offset < len(text):
        return False
    before: cython.Py_UCS4 = text[offset - 1]
    after: cython.Py_UCS4 = text[offset]
    if after in CLOSING or before in OPENING or after in HINTS:
        return True
    if is_accent(after) or has_space(before) or has_space(after):
        return True
    second: cython.Py_UCS4 = text[offset - 2] if offset > 1 else " "
    following: cython.Py_UCS4 = text[offset + 1] if offset + 1 < len(text) else " "
    if before in HINTS and second.isspace():
        return True
    if before == "*" and second in "(*, " and after.isalpha():
        return True
    if (after == "=" and is_named(before)) or (before == "=" and is_named(after)):
        return True
    if before.isdigit() and (after == "%" or is_ordinal(text, offset)):
        return True
    if after.isdigit() and category(chr(before)) == "Sc":
        return True
    if before == "." and second.isalnum() and (after.islower() or after == "_"):
        return True
    if before in "/+" and second.isalnum() and after.isalnum():
        return True
    if before in "'‘" and second.isspace():
        return True
    if after == "(" and (following == ")" or is_name(text, offset)):
        return True
    if after in "'’" and following == "s" and not text[offset + 2 : offset + 3].isalpha():
        return True
    return before.isalnum() and after in "-–—+" and following.isalpha()


def is_named(ch: cython.Py_UCS4) -> cython.bint:
    """Whether a character may stand in a name, or in a value that it is given."""
    return ch.isalnum() or ch in "_])'\""


def is_ordinal(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether the ending of an ordinal number stands at an offset."""
    return text[offset : offset + 2] in ("st", "nd", "rd", "th") and not (
        text[offset + 2 : offset + 3].isalpha()
    )


def is_name(text: str, offset: cython.Py_ssize_t) -> cython.bint:
    """Whether a name as programs have it (`list.clear`, `__init__`) ends at an offset."""
    at: cython.Py_ssize_t = offset - 1
    ch: cython.Py_UCS4
    dotted: cython.bint = False
    while at >= 0 and at > offset - 100:
        ch = text[at]
        if not (ch.isalnum() or ch in "._"):
            break
        dotted = dotted or (ch in "._")
        at -= 1
    return dotted


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
            parent: the segment around each segment, -1 = none; empty where none is inside another.
        """
        at: cython.Py_ssize_t
        first: cython.Py_ssize_t = 0
        last: cython.Py_ssize_t
        size: cython.Py_ssize_t = self.places.shape[0]
        nested: cython.bint = parent.shape[0] > 0
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
                label = parent[label] if nested else -1
        for label, parts in others.items():
            texts[label] = "\n".join(parts)
        return texts
