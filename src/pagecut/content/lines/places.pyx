# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Where a line stands: the lines before and after it, headings, and lines of its text or look."""

import numpy as np

from libc.math cimport log1p
from pagecut.content.lines.features cimport (
    NEIGHBOURS, OF_HEADING, OF_NEIGHBOUR, OF_PLACE, OF_SAME, OF_TITLE, OWN
)
from pagecut.content.lines.lexicon cimport number_alike
from pagecut.content.lines.table cimport Lines
from pagecut.evidence.table cimport (
    Evidence, H1, HEADING, LINE_END, LINE_LEAF, LINE_LINKED, LINE_TOKENS, LINK, LOOK, TOKENS,
    TOKENS_BEFORE
)

cdef int[4] NEAR
NEAR[0], NEAR[1], NEAR[2], NEAR[3] = -1, 1, -2, 2


def read_places(Lines lines):
    """Fill in what stands before and after, headings, texts and looks that come again."""
    cdef Evidence evidence = lines.evidence
    cdef Py_ssize_t line, at, other, count = lines.count, row, first, last
    cdef int block, look, heading, total = evidence.counts[0, TOKENS]
    cdef int h1 = -1, before, next_heading
    cdef double prose, linked, all_tokens
    cdef float *f
    cdef float[:, ::1] looks = np.zeros((evidence.rows + 1, 3), dtype=np.float32)
    cdef int[::1] number = np.empty(count, dtype=np.int32), earlier = np.empty(count, dtype=np.int32)
    cdef int[::1] often = np.zeros(number_alike(lines.texts, number), dtype=np.int32)
    for line in range(count):
        earlier[line] = often[number[line]]
        often[number[line]] += 1
    cdef int[::1] heading_lines = np.full(evidence.rows, -1, dtype=np.int32)
    for row in range(evidence.rows):
        if evidence.kinds[row] >> 1 & 1 and evidence.counts[row, TOKENS]:
            h1 = evidence.places[TOKENS_BEFORE, row]
            break
    for line in range(count):
        block = lines.blocks[line]
        look = evidence.places[LOOK, block] + 1
        looks[look, 0] += 1
        looks[look, 1] += evidence.lines[line, LINE_TOKENS]
        looks[look, 2] += evidence.lines[line, LINE_LINKED]
        heading = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]]
        if heading >= 0 and heading_lines[heading] < 0:
            heading_lines[heading] = line
    next_heading = -1
    for line in range(count - 1, -1, -1):
        f = &lines.rows[line, 0]
        block = lines.blocks[line]
        at = OWN
        for row in range(NEIGHBOURS):
            other = line + NEAR[row]
            if 0 <= other < count:
                f[at] = lines.rows[other, 0]
                f[at + 1] = lines.rows[other, 2]
                f[at + 2] = lines.rows[other, 10]
                f[at + 3] = lines.rows[other, 11]
            else:
                f[at] = f[at + 1] = f[at + 2] = -1
                f[at + 3] = 0
            at += OF_NEIGHBOUR
        look = evidence.places[LOOK, block]
        row = evidence.parent[block]
        f[at] = line > 0 and evidence.parent[lines.blocks[line - 1]] == row
        f[at + 1] = line + 1 < count and evidence.parent[lines.blocks[line + 1]] == row
        f[at + 2] = line > 0 and evidence.places[LOOK, lines.blocks[line - 1]] == look
        f[at + 3] = line + 1 < count and evidence.places[LOOK, lines.blocks[line + 1]] == look
        at += OF_SAME
        row = evidence.lines[line, LINE_LEAF]
        before = evidence.places[TOKENS_BEFORE, row]
        f[at] = <double> line / count
        f[at + 1] = <double> before / total
        f[at + 2] = log1p(line)
        f[at + 3] = log1p(count - line)
        f[at + 4] = <double> (before - h1) / total if h1 >= 0 else -2
        f[at + 5] = evidence.depth[block]
        f[at + 6] = evidence.hidden[row] & 3
        f[at + 7] = evidence.hidden[row] & 4
        at += OF_PLACE
        heading = evidence.places[HEADING, row]
        if heading >= 0:
            f[at] = level_of(evidence, heading)
            f[at + 1] = log1p(before - evidence.places[TOKENS_BEFORE, heading])
            other = heading_lines[heading]
            f[at + 3] = lines.headings[other, 0]
            f[at + 4] = lines.headings[other, 1]
        else:
            f[at] = f[at + 3] = f[at + 4] = 0
            f[at + 1] = -1
        f[at + 2] = log1p(next_heading - before) if next_heading >= 0 else -1
        if heading >= 0 and heading_lines[heading] == line:
            next_heading = before
        at += OF_HEADING + OF_TITLE  # what says the title is there
        f[at] = earlier[line]
        f[at + 1] = often[number[line]]
        look += 1
        f[at + 2] = looks[look, 0] / count
        f[at + 3] = looks[look, 1] / looks[look, 0]
        f[at + 4] = looks[look, 2] / looks[look, 1]
        first = line - 6 if line > 6 else 0
        last = line + 7 if line + 7 < count else count
        prose = linked = all_tokens = 0
        for other in range(first, last):
            all_tokens += evidence.lines[other, LINE_TOKENS]
            linked += evidence.lines[other, LINE_LINKED]
            if evidence.lines[other, LINE_TOKENS] >= 15:
                prose += evidence.lines[other, LINE_TOKENS]
        f[at + 5] = prose / all_tokens
        f[at + 6] = linked / all_tokens
        other = evidence.places[LINK, row]
        f[at + 7] = other >= 0 and evidence.end[other] >= evidence.lines[line, LINE_END]

cdef inline int level_of(Evidence evidence, Py_ssize_t row) noexcept:
    """The level of a heading: the first that is counted in it is its own, or one inside it."""
    cdef int level
    for level in range(6):
        if evidence.counts[row, H1 + level]:
            return level + 1
    return 0
