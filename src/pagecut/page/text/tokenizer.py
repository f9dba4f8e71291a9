# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
# mypy: ignore-errors
"""The tokenizer: words, tokens, wrapped lines and atomic blocks of a text.

A word is a run of characters without white space; a token is a word with a letter or digit in it
(Kohlschütter & Nejdl 2008, §3.3). An image is white space here.

The paper knows only languages that put spaces between words. Where a script does not, the word is
the smallest unit at which a line may break: a Han or kana character, or a syllable of Thai, Lao,
Khmer or Burmese. Wide characters take two columns of a line, combining marks none.

Results go into buffers that the caller made.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING
from unicodedata import category, east_asian_width

import numpy as np

if TYPE_CHECKING:
    import cython
    from numpy.typing import NDArray

    from pagecut.page.nodes import Int

IMAGE = "\ufffc"

# Bits of a character's class.
GAP = 1  # white space or an image
LETTER = 2  # or digit
IDEOGRAPHIC = 4
SYLLABIC = 8
PICTURE = 16
EDGE = 32  # a space or newline, which is stripped from what people read
NARROW = 64  # ASCII: one column
BLANK = 128  # beyond ASCII, and not read: other spaces, joiners, marks of direction, icons
UNKNOWN = 255  # no class


def is_ideographic(ch: cython.Py_UCS4) -> cython.bint:
    """Han, kana, bopomofo and their punctuation; Hangul puts spaces between words."""
    if ch < "\u2e80":
        return False
    return (
        ch <= "\u312f"
        or "\u4e00" <= ch <= "\u9fff"
        or "\u31a0" <= ch <= "\u4dbf"
        or "\uf900" <= ch <= "\ufaff"
        or "\uff66" <= ch <= "\uff9f"
        or "\U00020000" <= ch <= "\U0003fffd"
    )


def is_syllabic(ch: cython.Py_UCS4) -> cython.bint:
    """Thai, Lao, Burmese, Khmer."""
    return "\u0e00" <= ch <= "\u0eff" or "\u1000" <= ch <= "\u109f" or "\u1780" <= ch <= "\u17ff"


def is_unseen(ch: cython.Py_UCS4) -> cython.bint:
    """Characters without width or ink that are no white space, and the glyphs of icon fonts."""
    return (
        ch == "\xad"
        or "\ue000" <= ch <= "\uf8ff"
        or "\u200b" <= ch <= "\u200f"
        or "\u202a" <= ch <= "\u202e"
        or "\u2060" <= ch <= "\u2064"
        or "\u2066" <= ch <= "\u2069"
        or ch == "\ufeff"
    )


def class_of(ch: cython.Py_UCS4) -> cython.uchar:
    """What a character is to words and lines, as bits."""
    if ch == IMAGE:
        return GAP | PICTURE
    if ch.isspace():
        if ch == " " or ch == "\n":
            return GAP | EDGE
        return GAP | BLANK if ch > "\x7f" else GAP
    if is_unseen(ch):
        return BLANK
    if is_ideographic(ch):
        return IDEOGRAPHIC | LETTER if ch.isalnum() else IDEOGRAPHIC
    if is_syllabic(ch):
        return SYLLABIC | LETTER if ch.isalnum() else SYLLABIC
    return LETTER if ch.isalnum() else 0


# The classes of all characters, as far as they were asked for.
KNOWN_CLASSES = bytearray([class_of(chr(point)) | NARROW for point in range(128)])
KNOWN_CLASSES.extend(bytes([UNKNOWN]) * (0x110000 - 128))


def classify(text: str) -> bytearray:
    """The class of each character."""
    result: bytearray = bytearray(len(text))
    classes: cython.uchar[::1] = result
    known: cython.uchar[::1] = KNOWN_CLASSES
    ch: cython.Py_UCS4
    at: cython.Py_ssize_t = 0
    found: cython.uchar
    for ch in text:
        found = known[ord(ch)]
        if found == UNKNOWN:
            found = class_of(ch)
            known[ord(ch)] = found
        classes[at] = found
        at += 1  # noqa: SIM113 (enumerate would make an object of each)
    return result


def is_syllabic_digit(ch: cython.Py_UCS4) -> cython.bint:
    return (
        "\u0e50" <= ch <= "\u0e59"
        or "\u0ed0" <= ch <= "\u0ed9"
        or "\u1040" <= ch <= "\u1049"
        or "\u17e0" <= ch <= "\u17e9"
    )


def is_syllable_mark(ch: cython.Py_UCS4) -> cython.bint:
    return (
        "\u0e30" <= ch <= "\u0e3a"
        or "\u0e45" <= ch <= "\u0e4e"
        or "\u0eb0" <= ch <= "\u0ebc"
        or "\u0ec8" <= ch <= "\u0ecd"
        or "\u102b" <= ch <= "\u103e"
        or "\u17b4" <= ch <= "\u17d3"
    )


def is_joined(ch: cython.Py_UCS4, following: cython.Py_UCS4) -> cython.bint:
    """Whether a consonant is written below the one before: Burmese, Khmer."""
    return (ch == "\u1039" and "\u1000" <= following <= "\u102a") or (
        ch == "\u17d2" and "\u1780" <= following <= "\u17b3"
    )


def syllable_end(text: str, at: cython.Py_ssize_t, end: cython.Py_ssize_t) -> cython.Py_ssize_t:
    """Where the syllable or number ends that starts at `at`.

    A syllable is a Thai or Lao vowel written before its consonant, the consonant, and what belongs
    to it: marks and, in Burmese and Khmer, the consonants below.
    """
    ch: cython.Py_UCS4 = text[at]
    if is_syllabic_digit(ch):
        while at < end and is_syllabic_digit(text[at]):
            at += 1
        return at
    if ("\u0e40" <= ch <= "\u0e44" or "\u0ec0" <= ch <= "\u0ec4") and (
        at + 1 < end and is_syllabic(text[at + 1])
    ):
        at += 1
    at += 1
    while at < end:
        ch = text[at]
        if at + 1 < end and is_joined(ch, text[at + 1]):
            at += 2
        elif is_syllable_mark(ch):
            at += 1
        else:
            break
    return at


def token_spans(text: str) -> Int:
    """(k, 2) ranges of the tokens."""
    starts, ends = np.empty((2, len(text)), dtype=np.int32)
    count = find_tokens(text, classify(text), starts, ends)
    return np.stack([starts[:count], ends[:count]], axis=1)


def find_tokens(
    text: str,
    classes: cython.const[cython.uchar][::1],
    starts: cython.int[::1],
    ends: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in where the tokens start and end; how many there are.

    Of a syllable, only the first character tells whether it is a token.

    Args:
        starts: a buffer of as many numbers as there are characters.
        ends: the same, or an empty one if nobody needs them.
    """
    length: cython.Py_ssize_t = len(text)
    at: cython.Py_ssize_t = 0
    first: cython.Py_ssize_t
    count: cython.Py_ssize_t = 0
    gap: cython.uchar = GAP  # which stay in registers
    syllabic: cython.uchar = SYLLABIC
    apart: cython.uchar = GAP | IDEOGRAPHIC | SYLLABIC
    letter: cython.uchar = LETTER
    with_ends: cython.bint = ends.shape[0] > 0
    own: cython.uchar
    seen: cython.uchar
    while True:
        while at < length and classes[at] & gap:
            at += 1
        if at >= length:
            return count
        first = at
        seen = classes[at]
        if seen & syllabic:
            at = syllable_end(text, at, length)
        else:
            at += 1
            if not seen & apart:
                while at < length:
                    own = classes[at]
                    if own & apart:
                        break
                    seen |= own
                    at += 1
        if seen & letter:
            starts[count] = first
            if with_ends:
                ends[count] = at
            count += 1


# Without these, words are mere runs of letters and digits: no marks, nothing that does not show, no
# script without spaces. (More than needed; what is common in European text is not among them.)
# Compiled when it is first needed: that takes longer than to read most pages.
COMPLEX = (
    "[\u00ad\u0300-\u036f\u0483-\u0489\u0590-\u200f\u2028-\u202f\u205f-\u209f\u20d0-\u20ff"
    "\u2c00-\ufffb\ufffe-\U0001efff\U0001fb00-\U0010ffff]"
)
SIMPLE_WORD = re.compile(r"[^\W_]+")
ASCII_WORD = re.compile(r"[A-Za-z0-9]+")


def bare_words(text: str) -> list[str]:
    """The words of a text without punctuation, as the measures for image contexts compare them."""
    if text.isascii():
        return ASCII_WORD.findall(text)
    return complex_words(text) if re.search(COMPLEX, text) else SIMPLE_WORD.findall(text)


def complex_words(text: str) -> list[str]:
    """The same in any script."""
    if IMAGE in text:  # there may be thousands in a row
        text = " ".join(text.replace(IMAGE, " ").split())
    letters = letters_of(text)
    return [letters[start:end] for start, end in token_spans(letters).tolist()]


LETTERS_OF_SYMBOLS: dict[str, str] = {}


def letters_of(text: str) -> str:
    """A text with nothing but the letters of its words: symbols are replaced.

    Vowel signs and accents are parts of a word, and so is what is around a joiner or hyphen that
    does not show; all other symbols end it.
    """
    parts: list = []
    part: object
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    ch: cython.Py_UCS4
    for at in range(len(text)):
        ch = text[at]
        if ch.isalnum() or ch.isspace():
            continue
        part = LETTERS_OF_SYMBOLS.get(ch)
        if part is None:
            symbol = text[at : at + 1]
            kind = category(symbol)
            part = symbol if kind[0] == "M" else "" if kind == "Cf" else " "
            LETTERS_OF_SYMBOLS[symbol] = part
        parts.append(text[start:at])
        parts.append(part)
        start = at + 1
    parts.append(text[start:])
    return "".join(parts)


def code_points(text: str) -> NDArray[np.uint32]:
    """(n,) the characters of a text as numbers."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype=np.uint32)


# The columns of all characters, as far as they were asked for.
KNOWN_WIDTHS = bytearray([UNKNOWN]) * 0x110000


def columns(text: str) -> int:
    """How many columns of a line a text takes."""
    return len(text) if text.isascii() else sum(map(character_columns, text))


def character_columns(character: str) -> int:
    if east_asian_width(character) in "WF":
        return 2
    later_jamo = "\u1160" <= character <= "\u11ff"  # stand in the columns of the first one
    return 0 if later_jamo or category(character) in ("Mn", "Me", "Cf") else 1


def word_columns(
    text: str,
    classes: cython.const[cython.uchar][::1],
    at: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    widths: cython.uchar[::1],
) -> cython.Py_ssize_t:
    """The same for a word.

    Args:
        widths: `KNOWN_WIDTHS`.
    """
    ch: cython.Py_UCS4
    point: cython.Py_ssize_t
    total: cython.Py_ssize_t = 0
    while at < end:
        if classes[at] & NARROW:
            total += 1
        else:
            ch = text[at]
            point = ord(ch)
            if widths[point] == UNKNOWN:
                widths[point] = character_columns(text[at : at + 1])
            total += widths[point]
        at += 1
    return total


def wrap_ranges(
    text: str,
    classes: cython.const[cython.uchar][::1],
    blocks: cython.const[cython.int][:, ::1],
    width: cython.Py_ssize_t,
    spans: cython.int[:, ::1],
    tokens_before: cython.int[::1],
    block_edges: cython.int[::1],
) -> cython.Py_ssize_t:
    """Wrap ranges of text, each by itself; how many of them have lines.

    A word longer than a line has a line of its own and is not broken.
    """
    block: cython.Py_ssize_t
    end: cython.Py_ssize_t
    at: cython.Py_ssize_t
    first: cython.Py_ssize_t
    size: cython.Py_ssize_t
    used: cython.Py_ssize_t
    line_end: cython.Py_ssize_t
    line: cython.Py_ssize_t = 0
    kept: cython.Py_ssize_t = 0
    tokens: cython.int = 0
    own: cython.uchar
    seen: cython.uchar
    shared: cython.uchar
    widths: cython.uchar[::1] = KNOWN_WIDTHS
    tokens_before[0] = 0
    block_edges[0] = 0
    for block in range(blocks.shape[0]):
        at = blocks[block, 0]
        end = blocks[block, 1]
        used = 0
        line_end = -1
        while True:
            while at < end and classes[at] & GAP:
                at += 1
            if at >= end:
                break
            first = at
            seen = classes[at]
            shared = seen
            if seen & SYLLABIC:
                at = syllable_end(text, at, end)
                shared = 0
            else:
                at += 1
                if not seen & IDEOGRAPHIC:
                    while at < end:
                        own = classes[at]
                        if own & (GAP | IDEOGRAPHIC | SYLLABIC):
                            break
                        seen |= own
                        shared &= own
                        at += 1
            size = at - first
            if not shared & NARROW:
                size = word_columns(text, classes, first, at, widths)
            if line_end >= 0:
                used += first - line_end + size
                if used > width:
                    spans[line, 1] = line_end
                    line += 1
                    tokens_before[line] = tokens
                    line_end = -1
            if line_end < 0:
                spans[line, 0] = first
                used = size
            line_end = at
            if seen & LETTER:
                tokens += 1
        if line_end >= 0:
            spans[line, 1] = line_end
            line += 1
            tokens_before[line] = tokens
            kept += 1
            block_edges[kept] = line
    return kept


def atomic_ranges(
    classes: cython.const[cython.uchar][::1],
    kind: cython.const[cython.uchar][::1],
    tag: cython.const[cython.int][::1],
    subtree_end: cython.const[cython.int][::1],
    start: cython.const[cython.int][::1],
    end: cython.const[cython.int][::1],
    link: cython.int,
    open_rows: cython.int[::1],
    blocks: cython.int[:, ::1],
) -> cython.Py_ssize_t:
    """Fill in the ranges of text between tags, without those of white space; how many there are.

    Args:
        link: code of the tag <a>, whose tags do not count.
        open_rows: a buffer for one row per level.
    """
    row: cython.Py_ssize_t
    at: cython.Py_ssize_t
    rows: cython.Py_ssize_t = kind.shape[0]
    height: cython.Py_ssize_t = 0
    count: cython.Py_ssize_t = 0
    kept: cython.Py_ssize_t = 0
    gap: cython.bint = True
    for row in range(rows):
        while height and subtree_end[open_rows[height - 1]] <= row:
            height -= 1
            if tag[open_rows[height]] != link:
                gap = True
        if kind[row] == 1:
            if gap:
                blocks[count, 0] = start[row]
                count += 1
                gap = False
            blocks[count - 1, 1] = end[row]
        else:
            if tag[row] != link:
                gap = True
            if kind[row] == 0:
                open_rows[height] = row
                height += 1
    for row in range(count):
        at = blocks[row, 0]
        while at < blocks[row, 1] and classes[at] & (GAP | PICTURE) == GAP:
            at += 1
        if at < blocks[row, 1]:
            blocks[kept, 0] = blocks[row, 0]
            blocks[kept, 1] = blocks[row, 1]
            kept += 1
    return kept
