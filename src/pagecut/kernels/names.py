# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Names that authors give to elements, read as bytes; compiled into `pagecut.compiled.names`.

See `kernels`. The plain twins are `landmarks.landmarks` and `graph_cuts_features.looks`.
"""

from __future__ import annotations

try:
    import cython
except ImportError:
    from pagecut.kernels import _cython as cython

if not cython.compiled:  # else compiled/names.pxd has them as constants
    from pagecut.kernels._mosaic_marks import BIT_ID, BIT_IMAGE, BIT_TEXT, PRIME

REVISION = 6  # see `acceleration`


def parts_in(
    values: cython.const[cython.uchar][::1],
    start: cython.Py_ssize_t,
    end: cython.Py_ssize_t,
    letters: cython.const[cython.uchar][::1],
    words: cython.const[cython.int][:, ::1],
    word_bits: cython.const[cython.longlong][::1],
    stems: cython.const[cython.int][:, ::1],
    stem_bits: cython.const[cython.longlong][::1],
) -> cython.longlong:
    """As `landmarks.parts_named`: the bits of the parts that a name speaks of.

    Args:
        letters: by byte, 0 to 25 for a to z, 32 more for A to Z, 255 for all else.
        words: by state and letter, the next state; 0 is no word's beginning, 1 the start.
        stems: the same for the stems that a word may hold, from state 0.
    """
    at: cython.Py_ssize_t
    letter: cython.int
    lower: cython.bint = False
    word: cython.int = 1
    stem: cython.int = 0
    held: cython.longlong = 0
    found: cython.longlong = 0
    for at in range(start, end):
        letter = letters[values[at]]
        if letter >= 32:
            if lower or letter == 255:
                found |= word_bits[word] if word_bits[word] else held
                word = 1
                stem = 0
                held = 0
            lower = False
            if letter == 255:
                continue
        else:
            lower = True
        letter &= 31
        word = words[word, letter]
        stem = stems[stem, letter]
        held |= stem_bits[stem]
    return found | (word_bits[word] if word_bits[word] else held)


def read_rows(
    kind: cython.const[cython.uchar][::1],
    tag: cython.const[cython.int][::1],
    tag_bits: cython.const[cython.longlong][::1],
    owners: cython.const[cython.int][::1],
    keys: cython.const[cython.uchar][::1],
    ends: cython.const[cython.longlong][::1],
    values: cython.const[cython.uchar][::1],
    key_id: cython.int,
    key_class: cython.int,
    key_role: cython.int,
    letters: cython.const[cython.uchar][::1],
    words: cython.const[cython.int][:, ::1],
    word_bits: cython.const[cython.longlong][::1],
    stems: cython.const[cython.int][:, ::1],
    stem_bits: cython.const[cython.longlong][::1],
    bits: cython.longlong[::1],
    class_starts: cython.int[::1],
    class_ends: cython.int[::1],
) -> None:
    """Fill in each row's bits by its kind, tag, id, class and role, and where its class is."""
    at: cython.Py_ssize_t
    start: cython.Py_ssize_t = 0
    end: cython.Py_ssize_t
    row: cython.Py_ssize_t
    key: cython.int
    one: cython.longlong = 1
    for row in range(kind.shape[0]):
        bits[row] = tag_bits[tag[row]]
        if kind[row]:
            bits[row] |= one << (BIT_TEXT if kind[row] == 1 else BIT_IMAGE)
        class_starts[row] = 0
        class_ends[row] = 0
    for at in range(owners.shape[0]):
        end = ends[at]
        key = keys[at]
        if key == key_id or key == key_class or key == key_role:  # noqa: SIM109 (compiled)
            row = owners[at]
            bits[row] |= parts_in(values, start, end, letters, words, word_bits, stems, stem_bits)
            if key == key_id:
                bits[row] |= one << BIT_ID
            elif key == key_class:
                class_starts[row] = start
                class_ends[row] = end
        start = end


def equal_classes(
    values: cython.const[cython.uchar][::1],
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    one: cython.Py_ssize_t,
    other: cython.Py_ssize_t,
) -> cython.bint:
    """Whether two rows have the same class."""
    first: cython.Py_ssize_t = starts[one]
    second: cython.Py_ssize_t = starts[other]
    at: cython.Py_ssize_t
    size: cython.Py_ssize_t = ends[one] - first
    if ends[other] - second != size:
        return False
    for at in range(size):  # noqa: SIM110 (compiled)
        if values[first + at] != values[second + at]:
            return False
    return True


def number_looks(
    values: cython.const[cython.uchar][::1],
    starts: cython.const[cython.int][::1],
    ends: cython.const[cython.int][::1],
    tag: cython.const[cython.int][::1],
    top: cython.const[cython.int][::1],
    seed: cython.longlong,
    slots: cython.int[::1],
    look: cython.int[::1],
) -> cython.Py_ssize_t:
    """Fill in equal numbers for nodes of equal tags and classes; how many there are.

    Args:
        seed: below PRIME, not to be guessed: a page could choose classes that meet in one slot.
        starts, ends: of the classes of rows.
        slots: a power of two of them, at least twice as many as there are nodes.
    """
    node: cython.Py_ssize_t
    at: cython.Py_ssize_t
    row: cython.Py_ssize_t
    end: cython.Py_ssize_t
    other: cython.Py_ssize_t
    count: cython.int = 0
    mask: cython.longlong = slots.shape[0] - 1
    code: cython.longlong
    for at in range(slots.shape[0]):
        slots[at] = -1
    for node in range(top.shape[0]):
        row = top[node]
        code = int(tag[row])
        at = starts[row]
        end = ends[row]
        while at + 3 <= end:
            code = (
                code * seed + values[at] * 65536 + values[at + 1] * 256 + values[at + 2]
            ) % PRIME
            at += 3
        while at < end:
            code = (code * seed + values[at] + 1) % PRIME
            at += 1
        at = code & mask
        while slots[at] >= 0:
            other = top[slots[at]]
            if tag[other] == tag[row] and equal_classes(values, starts, ends, row, other):
                break
            at = (at + 1) & mask
        if slots[at] < 0:
            slots[at] = node
            look[node] = count
            count += 1
        else:
            look[node] = look[slots[at]]
    return count
