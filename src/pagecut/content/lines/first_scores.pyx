# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a model's scores of lines say of the lines around: before and after, in the same blocks, of
the same look, in the same section, on the page.

Means are over words: a line counts by its tokens.
"""

import numpy as np

from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from pagecut.content.lines.features cimport (
    BLOCKS_FIRST, LARGEST, NEAR_FIRST, OF_BLOCK_FIRST, OF_SECTION_FIRST
)
from pagecut.content.lines.lexicon cimport number_alike
from pagecut.content.lines.table cimport REACH, Lines
from pagecut.evidence.table cimport Evidence, HEADING, LINE_LEAF, LINE_TOKENS, LOOK, REPEATED
from pagecut.content.lines.features import CONTEXT_FEATURES, LINE_FEATURES

cdef enum:
    AROUND = 8  # lines before, and after, whose mean counts


def second_table(Lines lines, first, types, chosen):
    """What a second model reads of some lines: what is known of each, what a first model's scores
    (lines,) say of the lines around, and the probabilities of the page's types."""
    cdef Py_ssize_t line, at, other, own = len(LINE_FEATURES), around = len(CONTEXT_FEATURES)
    cdef double[::1] type_of = np.ascontiguousarray(types, dtype=np.float64)
    cdef const long long[::1] asked = np.ascontiguousarray(chosen, dtype=np.int64)
    cdef FirstScores scores
    cdef float *f
    table = np.empty((asked.shape[0], own + around + type_of.shape[0]), dtype=np.float32)
    if not asked.shape[0]:
        return table
    cdef float[:, ::1] out = table
    scores = FirstScores(lines, first)
    for at in range(asked.shape[0]):
        line = asked[at]
        f = &out[at, 0]
        memcpy(f, &lines.rows[line, 0], own * sizeof(float))
        f += own
        scores.put_near(line, f)
        f += NEAR_FIRST
        scores.put_blocks(lines.blocks[line], f)
        f += BLOCKS_FIRST * OF_BLOCK_FIRST + LARGEST
        scores.put_section(line, f)
        f += OF_SECTION_FIRST
        scores.put_page(line, f)
        for other in range(type_of.shape[0]):
            out[at, own + around + other] = type_of[other]
    return table


def agreed(Lines lines, scores):
    """(lines,) the scores of lines (lines,), but one for all lines of the same look in the items
    of a list: their mean."""
    cdef Evidence evidence = lines.evidence
    cdef Py_ssize_t line
    cdef int row
    cdef uint64_t wide = evidence.rows + 1
    cdef uint64_t[::1] key = np.empty(lines.count, dtype=np.uint64)
    found = scores.copy()
    cdef double[::1] score = found
    for line in range(lines.count):
        row = evidence.places[REPEATED, evidence.lines[line, LINE_LEAF]]
        if row >= 0 and evidence.parent[row] >= 0:
            key[line] = (evidence.parent[row] + 1) * wide
            key[line] += evidence.places[LOOK, lines.blocks[line]] + 1
        else:
            key[line] = 0
    cdef double[::1] means = means_of(lines, key, score)
    for line in range(lines.count):
        if key[line]:
            score[line] = means[line]
    return found


cdef object means_of(Lines lines, const uint64_t[::1] keys, const double[::1] scores):
    """(lines,) the mean of the scores of all lines with the same key."""
    cdef Py_ssize_t line
    cdef int[::1] number = np.empty(lines.count, dtype=np.int32)
    cdef double[:, ::1] sums = np.zeros((number_alike(keys, number), 2))
    cdef double tokens
    found = np.empty(lines.count)
    cdef double[::1] out = found
    for line in range(lines.count):
        tokens = lines.evidence.lines[line, LINE_TOKENS]
        sums[number[line], 0] += tokens
        sums[number[line], 1] += tokens * scores[line]
    for line in range(lines.count):
        out[line] = sums[number[line], 1] / sums[number[line], 0]
    return found


cdef class FirstScores:
    """The scores (lines,) of a first model, with sums over blocks, looks, sections and the page.

    Where there are two sums, they are of tokens, and of tokens times score.
    """

    cdef Lines lines
    cdef Evidence evidence
    cdef Py_ssize_t count
    cdef double[::1] score
    cdef double[::1] tokens
    cdef double[:, ::1] up_to  # the sums up to each line
    cdef double[::1] rank
    cdef double[:, ::1] held  # of rows: the sums, and lines
    cdef double[:, ::1] looks  # by look + 1
    cdef double[:, ::1] sections  # by row of the heading + 1
    cdef int[::1] heading_lines  # by row of the heading, the first line below it, which is its own
    cdef double[::1] of_siblings  # means of the same look in the same parent
    cdef double total, said, most
    cdef double threshold, best  # of the lines that promise the best F, and this F
    cdef double of_start, of_end

    def __init__(self, Lines lines, first):
        cdef Py_ssize_t rows = lines.evidence.rows
        self.lines = lines
        self.evidence = lines.evidence
        self.count = lines.count
        self.score = first
        of_line = np.empty((4, self.count))
        self.tokens, self.up_to, self.rank = of_line[0], of_line[1:3], of_line[3]
        self.held = np.zeros((3, rows))
        self.looks = np.zeros((2, rows + 1))
        self.sections = np.zeros((2, rows + 1))
        self.heading_lines = np.full(rows, -1, dtype=np.int32)
        self.add_up()
        self.find_threshold(np.argsort(-first, kind="stable"))
        self.read_edges(max(1, self.count // 10))

    cdef object add_up(self):
        cdef Evidence evidence = self.evidence
        cdef uint64_t[::1] inside = np.empty(self.count, dtype=np.uint64)  # a look, in a parent
        cdef Py_ssize_t line, row, above, look
        cdef int block, heading
        cdef double tokens, said
        self.total = self.said = self.most = 0
        for line in range(self.count):
            block = self.lines.blocks[line]
            self.tokens[line] = tokens = evidence.lines[line, LINE_TOKENS]
            said = tokens * self.score[line]
            self.held[0, block] += tokens
            self.held[1, block] += said
            self.held[2, block] += 1
            look = evidence.places[LOOK, block] + 1
            self.looks[0, look] += tokens
            self.looks[1, look] += said
            inside[line] = (evidence.parent[block] + 1) * <uint64_t> (evidence.rows + 1) + look
            heading = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]]
            if heading >= 0 and self.heading_lines[heading] < 0:
                self.heading_lines[heading] = line
            self.sections[0, heading + 1] += tokens
            self.sections[1, heading + 1] += said
            self.total += tokens
            self.said += said
            self.up_to[0, line] = self.total
            self.up_to[1, line] = self.said
            if self.score[line] > self.most:
                self.most = self.score[line]
        for row in range(evidence.rows - 1, 0, -1):
            above = evidence.parent[row]
            if above >= 0:
                self.held[0, above] += self.held[0, row]
                self.held[1, above] += self.held[1, row]
                self.held[2, above] += self.held[2, row]
        self.of_siblings = means_of(self.lines, inside, self.score)

    cdef object find_threshold(self, const long long[::1] order):
        """Find how many lines promise the best F; and the rank of each.

        Args:
            order: of the lines, the likeliest first.
        """
        cdef Py_ssize_t at, line
        cdef double tokens = 0, said = 0, promised
        self.best = self.threshold = 0
        for at in range(self.count):
            line = order[at]
            self.rank[line] = <double> at / self.count
            tokens += self.tokens[line]
            said += self.tokens[line] * self.score[line]
            promised = 2 * said / (tokens + self.said + 1e-9)
            if promised > self.best or not at:
                self.best = promised
                self.threshold = self.score[line]

    cdef object read_edges(self, Py_ssize_t edge):
        """Find the means of so many lines at the start and at the end."""
        cdef Py_ssize_t line
        cdef double tokens = 0, said = 0
        self.of_start = self.up_to[1, edge - 1] / self.up_to[0, edge - 1]
        for line in range(self.count - edge, self.count):
            tokens += self.tokens[line]
            said += self.tokens[line] * self.score[line]
        self.of_end = said / tokens

    cdef void put_near(self, Py_ssize_t line, float *f) noexcept:
        cdef Py_ssize_t other, count = self.count
        cdef Py_ssize_t first = line - AROUND if line > AROUND else 0
        cdef Py_ssize_t end = line + AROUND + 1 if line + AROUND + 1 < count else count
        cdef double tokens = 0, said = 0, most = 0
        f[0] = self.score[line]
        f[1] = self.score[line - 1] if line else 0
        f[2] = self.score[line + 1] if line + 1 < count else 0
        f[3] = self.score[line - 2] if line > 1 else 0
        f[4] = self.score[line + 2] if line + 2 < count else 0
        f[5] = self.score[line - 3] if line > 2 else 0
        f[6] = self.score[line + 3] if line + 3 < count else 0
        for other in range(first, end):
            tokens += self.tokens[other]
            said += self.tokens[other] * self.score[other]
            if line - 3 <= other <= line + 3 and self.score[other] > most:
                most = self.score[other]
        f[7] = said / tokens
        f[8] = most

    cdef void put_blocks(self, int block, float *f) noexcept:
        """Put down the means of the blocks from one on outwards, each with more lines than the one
        before, and of those that hold certain shares of the page's text."""
        cdef Py_ssize_t row = block, which = 0, step = 0
        cdef int last = -1
        while which < BLOCKS_FIRST:
            if row < 0 or step > REACH:
                row = 0
            elif <int> self.held[2, row] == last:
                row = self.evidence.parent[row]
                step += 1
                continue
            last = <int> self.held[2, row]
            f[0] = self.mean_of(row)
            f[1] = self.held[0, row] / self.total
            f += OF_BLOCK_FIRST
            which += 1
            if row > 0:
                row = self.evidence.parent[row]
                step += 1
        for which in range(LARGEST):
            f[which] = self.mean_of(self.lines.large[which, block])

    cdef inline double mean_of(self, Py_ssize_t row) noexcept:
        return self.held[1, row] / self.held[0, row] if self.held[0, row] else 0

    cdef void put_section(self, Py_ssize_t line, float *f) noexcept:
        """Put down the means of lines that look the same, of the section, and of what is
        repeated."""
        cdef Evidence evidence = self.evidence
        cdef int leaf = evidence.lines[line, LINE_LEAF]
        cdef int heading = evidence.places[HEADING, leaf], row = evidence.places[REPEATED, leaf]
        cdef Py_ssize_t look = evidence.places[LOOK, self.lines.blocks[line]] + 1
        f[0] = self.looks[1, look] / self.looks[0, look]
        f[1] = self.of_siblings[line]
        f[2] = self.sections[1, heading + 1] / self.sections[0, heading + 1]
        f[3] = self.score[self.heading_lines[heading]] if heading >= 0 else -1
        if row >= 0 and evidence.parent[row] >= 0:
            f[4] = self.mean_of(evidence.parent[row])
        else:
            f[4] = -1

    cdef void put_page(self, Py_ssize_t line, float *f) noexcept:
        cdef double score = self.score[line]
        f[0] = self.up_to[1, line] / (self.said + 1e-9)
        f[1] = self.up_to[0, line] / self.total
        f[2] = self.rank[line]
        f[3] = score - self.threshold
        f[4] = score / (self.most + 1e-9)
        f[5] = self.threshold
        f[6] = self.best
        f[7] = self.said / self.total
        f[8] = self.of_start
        f[9] = self.of_end
