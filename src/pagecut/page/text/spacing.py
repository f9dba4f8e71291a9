# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""Where two elements touch whose words people see apart: a space is put in."""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import category

from cython.cimports.pagecut.page.tag_marks import (
    IS_CODE,
    IS_LETTERING,
    IS_LINK,
    IS_PARAGRAPH,
    IS_SPAN,
)
from cython.cimports.pagecut.page.text.readable_text import HINTS
from cython.cimports.pagecut.page.text.tokenizer import is_ideographic, is_syllabic

if TYPE_CHECKING:
    import cython

    from pagecut.page.nodes import PackedNodes

WITHIN = IS_LETTERING | IS_LINK | IS_SPAN  # what a paragraph's words may stand in
OPENING = "([{“«„@"
CLOSING = ",.;:!?)]}”»،؛؟۔।॥"


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
    return offset >= 0 and text[offset] in " \n"
