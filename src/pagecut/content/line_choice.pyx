# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Which lines are chosen, by how likely each is main text and by what stands around it."""

import numpy as np

from pagecut.page.nodes import NOT_SHOWN

cdef int UNSEEN = NOT_SHOWN
cdef double UNFOLDING = 0.1  # of the words that are chosen: hidden text that is content
cdef double OF_TABLE = 0.25  # of the words of a table, chosen: then all of them are

ctypedef const unsigned char[::1] Mask


def choose_lines(probability, tokens, double beta=1.0):
    """(m,) the likeliest lines, as many as promise the best F of words.

    A higher beta chooses the same and perhaps more.

    Args:
        beta: how many times as much recall counts as precision does.
    """
    cdef Py_ssize_t at, most = 0, count = len(probability)
    cdef const double[::1] p = probability, words = tokens
    cdef double right = 0, held = 0, expected = 0, best = -1, promised
    found = np.zeros(count, dtype=bool)
    if not count:
        return found
    cdef const long long[::1] order = np.argsort(-probability, kind="stable")
    cdef unsigned char[::1] chosen = found.view(np.uint8)
    for at in range(count):
        expected += p[order[at]] * words[order[at]]
    for at in range(count):
        right += p[order[at]] * words[order[at]]
        held += words[order[at]]
        promised = right / (held + beta * beta * expected + 1e-9)
        if promised > best:
            best, most = promised, at
    for at in range(most + 1):
        chosen[order[at]] = True
    return found


def unfolds(chosen, hidden, const double[::1] tokens):
    """Whether the lines that the markup hides are a good part of what is chosen: sections that
    unfold, not words for machines."""
    cdef Py_ssize_t line
    cdef Mask mine = chosen.view(np.uint8), unseen = hidden.view(np.uint8)
    cdef double held = 0, total = 0
    for line in range(mine.shape[0]):
        if mine[line]:
            total += tokens[line]
            held += tokens[line] if unseen[line] else 0
    return held >= UNFOLDING * total


def find_copies(
    chosen, probability, const unsigned long long[::1] texts, again, const int[::1] parents
):
    """(m,) the chosen lines whose text is chosen elsewhere, where it is likelier.

    Two or more that follow each other, with nothing but copies between them: one sentence may well
    be said again.

    Args:
        texts: (m,) a code for the text of each; 0 where it is none that comes again as a copy.
        again: (m,) whether the page has the text of a line twice, short ones also.
        parents: (m,) what each lies in; what comes again in there is no copy.
    """
    cdef Py_ssize_t line, other, last = -1
    cdef Mask is_chosen = chosen.view(np.uint8), comes_again = again.view(np.uint8)
    cdef const double[::1] p = probability
    cdef dict likeliest = {}
    cdef bint copied, before = False
    found = np.zeros(len(chosen), dtype=bool)
    cdef unsigned char[::1] copies = found.view(np.uint8)
    for line in range(is_chosen.shape[0]):
        if is_chosen[line] and texts[line]:
            other = likeliest.setdefault(texts[line], line)
            if p[line] > p[other]:
                likeliest[texts[line]] = line
    for line in range(is_chosen.shape[0]):
        if is_chosen[line] and texts[line]:
            other = likeliest[texts[line]]
            copied = parents[line] != parents[other]
            if copied and before:
                copies[line] = copies[last] = True
            before, last = copied, line
        elif is_chosen[line] and not comes_again[line]:
            before = False
    return found


def complete_tables(chosen, const int[::1] tables, hidden, const double[::1] tokens):
    """Choose, in place, data tables as a whole where a good part of their words is, others not.

    Args:
        tables: (m,) the one that a line is in; -1 if in none. The lines of one follow each other.
        hidden: (m,) lines that are left as they are.
    """
    cdef Py_ssize_t line, first = 0, end, count = len(chosen)
    cdef unsigned char[::1] mine = chosen.view(np.uint8)
    cdef Mask unseen = hidden.view(np.uint8)
    cdef double held, total
    while first < count:
        end = first + 1
        if tables[first] >= 0:
            held = total = 0
            end = first
            while end < count and tables[end] == tables[first]:
                if not unseen[end]:
                    total += tokens[end]
                    held += tokens[end] if mine[end] else 0
                end += 1
            for line in range(first, end):
                if not unseen[line]:
                    mine[line] = held > OF_TABLE * total
        first = end


def close_gaps(chosen, headings, preformatted, hidden, copies, const double[::1] tokens):
    """Choose, in place, headings between two lines that are chosen; choose listings or leave them
    out as a whole: those between two such lines, or with most words chosen, but for copies. Where
    most words that are chosen are in listings, these are rather the text, and stay as they are."""
    cdef Py_ssize_t line, first, end, count = len(chosen)
    cdef double held, total, inside = 0, outside = 0
    cdef bint whole
    cdef unsigned char[::1] mine = chosen.view(np.uint8)
    cdef Mask heading = headings.view(np.uint8), listed = preformatted.view(np.uint8)
    cdef Mask unseen = hidden.view(np.uint8), copied = copies.view(np.uint8)
    cdef bint before = False, own
    for line in range(count - 1):
        own = mine[line]
        if before and mine[line + 1] and heading[line] and not unseen[line]:
            mine[line] = True
        before = own
    for line in range(count):
        if mine[line] and listed[line]:
            inside += tokens[line]
        elif mine[line]:
            outside += tokens[line]
    end = 0
    while end < count:
        first = end
        while end < count and listed[end] and not unseen[end]:
            end += 1
        held = total = 0
        for line in range(first, end):
            total += tokens[line]
            held += tokens[line] if mine[line] else 0
        whole = 2 * held > total or (0 < first < end < count and mine[first - 1] and mine[end])
        if whole or inside < outside:
            for line in range(first, end):
                mine[line] = whole and not copied[line]
        end += first == end


def drop_last_headings(chosen, headings, probability):
    """Drop, in place, headings at the end, which are of what was left out, unless likeliest."""
    cdef Py_ssize_t line, last = -1
    cdef unsigned char[::1] mine = chosen.view(np.uint8)
    cdef Mask heading = headings.view(np.uint8)
    cdef const double[::1] p = probability
    cdef double highest = -1
    for line in range(mine.shape[0]):
        if mine[line] and not heading[line]:
            last = line
            highest = max(highest, p[line])
    if last >= 0:
        for line in range(last + 1, mine.shape[0]):
            if p[line] <= highest:
                mine[line] = False


def runs_of(chosen):
    """The ranges of lines that are chosen, one after the other."""
    cdef Py_ssize_t line, first = -1
    cdef Mask mine = chosen.view(np.uint8)
    cdef list found = []
    for line in range(mine.shape[0]):
        if not mine[line]:
            if first >= 0:
                found.append((first, line))
            first = -1
        elif first < 0:
            first = line
    if first >= 0:
        found.append((first, mine.shape[0]))
    return found


def hidden_leaves(packed, const int[:, :] lines, hidden):
    """The ranges of text of the leaves that the markup hides, in lines that begin shown.

    Args:
        packed: the nodes of the page.
        lines: (m, 2) their ranges of text.
        hidden: (m,) which of them the markup hides where they begin.
    """
    cdef Py_ssize_t row, line = -1, rows = packed.rows
    cdef const unsigned char[::1] marks = packed.bytes
    cdef const unsigned char[::1] kind = marks[:rows], of_row = marks[rows:]
    cdef const int[::1] numbers = packed.numbers
    cdef const int[::1] start = numbers[5 * rows : 6 * rows], end = numbers[6 * rows :]
    cdef Mask unseen = hidden.view(np.uint8)
    cdef list found = []
    for row in range(rows):
        if kind[row] and of_row[row] & UNSEEN:
            while line + 1 < lines.shape[0] and lines[line + 1, 0] <= start[row]:
                line += 1
            if line < 0 or unseen[line]:
                continue
            # Lines begin with a word, and their leaves may begin with other signs before it.
            if lines[line, 1] > start[row] or not (
                line + 1 < lines.shape[0] and lines[line + 1, 0] < end[row]
            ):
                found.append((start[row], end[row]))
    return found
