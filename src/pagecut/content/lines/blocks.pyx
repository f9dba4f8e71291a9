# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What is around a line: blocks, names of elements, tags, what is repeated, the page."""

import numpy as np

from libc.math cimport log1p
from libc.stdint cimport uint64_t
from libc.string cimport memcpy
from pagecut.content.lines.features cimport (
    CHAIN, CHAIN_PLACE, FAR, LARGE_PLACE, LARGEST, NAME_PLACE, NEAREST, OF_CHAIN, OF_LARGE,
    OF_NAMES, OF_PAGE, OF_REPEATED
)
from pagecut.content.lines.lexicon cimport Lexicon
from pagecut.content.lines.table cimport REACH, Lines
from pagecut.evidence.table cimport (
    ALIKE, CELLS, CHARACTERS, COMMAS, CONTROLS, DIGITS, ELEMENTS, Evidence, H1, H2, H3, H4, H5, H6,
    IMAGES, LINE_LEAF, LINES, LINKED_TOKENS, LINKS, LIST_ITEMS, LOOK, PARAGRAPHS, POSITION,
    PROSE_TOKENS, REPEATED, SENTENCE_ENDS, TIMES, TOKENS, TOKENS_BEFORE
)
from pagecut.content.lines.features import FEATURED_NAMES, KINDS_AROUND, SHARES
from pagecut.evidence.table import KINDS, NAMING
from pagecut.evidence.vocabulary import NAMES
from pagecut.page.attributes import packed_attributes

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int first_bit(unsigned long long word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int)place;
    }
    #else
    #define first_bit(word) __builtin_ctzll(word)
    #endif
    """
    int first_bit(uint64_t word) noexcept nogil

cdef Py_ssize_t NAMED = len(FEATURED_NAMES)
cdef int[64] NAME_PLACES  # of each bit of the names that are a feature, its place among them
cdef uint64_t FEATURED = 0  # these bits
for place, name in enumerate(FEATURED_NAMES):
    NAME_PLACES[<int> NAMES.index(name)] = place
    FEATURED |= (<uint64_t> 1) << <int> NAMES.index(name)
cdef int[::1] AROUND_BITS = np.array(
    [list(KINDS).index(name) for name in KINDS_AROUND], dtype=np.int32
)


def read_blocks(Lines lines, page, Lexicon names):
    """Fill in what is around each line."""
    cdef Blocks blocks = Blocks(lines)
    blocks.find_large()
    owners, keys, ends, values, wanted = packed_attributes(page.attrs, NAMING)
    blocks.read_names(names, owners, keys, ends, values, wanted)
    blocks.fill()


cdef class Blocks:
    """Fills in what is around the lines of a page, one after the other: what is as for the line
    before is copied."""

    cdef Lines lines
    cdef Evidence evidence
    cdef int[:, ::1] most_alike  # of all rows around: siblings alike, the depth
    cdef float[:, ::1] named  # what the names of each row say, and of it and all rows around it
    # The blocks that were last filled in.
    cdef Py_ssize_t[CHAIN] chain
    cdef Py_ssize_t[LARGEST] large

    def __init__(self, Lines lines):
        cdef Py_ssize_t at
        self.lines = lines
        self.evidence = lines.evidence
        self.most_alike = np.zeros((2, self.evidence.rows), dtype=np.int32)
        self.named = np.zeros((2, self.evidence.rows), dtype=np.float32)
        for at in range(CHAIN):
            self.chain[at] = -1
        for at in range(LARGEST):
            self.large[at] = -1

    cdef object find_large(self):
        """Find the blocks around each row that hold certain shares of the page's text, and the row
        with most siblings like it."""
        cdef Evidence evidence = self.evidence
        cdef int[:, ::1] large = self.lines.large
        cdef Py_ssize_t row, at
        cdef int above
        cdef double[LARGEST] least
        for at in range(LARGEST):
            least[at] = SHARES[at] * evidence.counts[0, TOKENS]
        for row in range(evidence.rows):
            above = evidence.parent[row]
            for at in range(LARGEST):
                if above < 0 or evidence.counts[row, TOKENS] >= least[at]:
                    large[at, row] = row
                else:
                    large[at, row] = large[at, above]
            if above < 0 or evidence.places[ALIKE, row] > self.most_alike[0, above]:
                self.most_alike[0, row] = evidence.places[ALIKE, row]
                self.most_alike[1, row] = evidence.depth[row]
            else:
                self.most_alike[0, row] = self.most_alike[0, above]
                self.most_alike[1, row] = self.most_alike[1, above]

    cdef object read_names(
        self,
        Lexicon names,
        const int[::1] owners,
        const unsigned char[::1] keys,
        const long long[::1] ends,
        const unsigned char[::1] values,
        const unsigned char[::1] wanted,
    ):
        """Find what the names of rows say that hold text."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t at, start = 0, end
        cdef int row, look, above
        cdef unsigned char key
        cdef float[2] said
        cdef float[:, ::1] known = np.zeros((2, evidence.rows), dtype=np.float32)  # by look
        cdef unsigned char[::1] is_known = np.zeros(evidence.rows, dtype=np.uint8)
        for at in range(owners.shape[0]):
            end = ends[at]
            row, key = owners[at], keys[at]
            if evidence.counts[row, TOKENS] and (
                key == wanted[0] or key == wanted[1] or key == wanted[2] or key == wanted[3]
            ):
                look = evidence.places[LOOK, row] if key == wanted[0] else -1
                if look >= 0 and is_known[look]:  # rows of one look have the same class
                    said[0], said[1] = known[0, look], known[1, look]
                else:
                    said[0] = said[1] = 0
                    names.add_said(values, start, end, said)
                    if look >= 0:
                        known[0, look], known[1, look], is_known[look] = said[0], said[1], True
                self.named[0, row] += said[0]
                self.named[1, row] += said[1]
            start = end
        for row in range(1, evidence.rows):
            above = evidence.parent[row]
            if above >= 0:
                self.named[1, row] += self.named[1, above]

    cdef void fill(self) noexcept:
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line, width = self.lines.rows.shape[1]
        cdef int block, leaf
        cdef float *f
        cdef float *before = NULL
        for line in range(self.lines.count):
            f = &self.lines.rows[line, 0]
            block = self.lines.blocks[line]
            leaf = evidence.lines[line, LINE_LEAF]
            if line:
                before = &self.lines.rows[line - 1, 0]
            if line and self.lines.blocks[line - 1] == block:
                memcpy(f + CHAIN_PLACE, before + CHAIN_PLACE, (width - CHAIN_PLACE) * sizeof(float))
                self.put_place(block, leaf, f + LARGE_PLACE)
                self.put_said(leaf, f + NAME_PLACE + NAMED)
                continue
            self.put_chain(block, f, before)
            self.put_large(block, leaf, f, before)
            f += NAME_PLACE
            self.put_names(leaf, f)
            f += NAMED
            self.put_said(leaf, f)
            f += OF_NAMES
            self.put_kinds(leaf, f)
            f += AROUND_BITS.shape[0]
            self.put_repeated(block, leaf, f)
            if not line:
                self.put_page(f + OF_REPEATED)
            else:  # the page is the same for all
                memcpy(f + OF_REPEATED, before + width - OF_PAGE, OF_PAGE * sizeof(float))

    cdef void put_chain(self, Py_ssize_t row, float *f, const float *before) noexcept:
        """Put down what the blocks from a row on outwards hold, each with more text than the one
        before."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t at = CHAIN_PLACE, block = 0, step = 0
        cdef int last = -1
        while block < CHAIN:
            if row < 0 or step > REACH:
                row = 0
            elif evidence.counts[row, TOKENS] == last:
                row = evidence.parent[row]
                step += 1
                continue
            last = evidence.counts[row, TOKENS]
            if row == self.chain[block]:
                memcpy(f + at, before + at, OF_CHAIN * sizeof(float))
            else:
                self.chain[block] = row
                self.put_block(row, f + at)
            at += OF_CHAIN
            block += 1
            if row > 0:
                row = evidence.parent[row]
                step += 1

    cdef inline void put_block(self, Py_ssize_t row, float *f) noexcept:
        cdef Evidence evidence = self.evidence
        cdef double size = evidence.counts[row, TOKENS]
        f[0] = size / evidence.counts[0, TOKENS]
        f[1] = evidence.counts[row, LINKED_TOKENS] / size
        f[2] = size / (evidence.counts[row, LINES] or 1)
        f[3] = evidence.counts[row, PARAGRAPHS] / size
        f[4] = evidence.counts[row, LIST_ITEMS] / size
        f[5] = evidence.counts[row, LINKS] / size
        f[6] = evidence.counts[row, COMMAS] / size
        f[7] = evidence.counts[row, SENTENCE_ENDS] / size
        f[8] = evidence.counts[row, ELEMENTS] / size
        f[9] = evidence.places[ALIKE, row]
        f[10] = self.lines.tag_number[evidence.tag[row]]
        f[11] = evidence.counts[row, IMAGES] / size
        f[12] = headings_in(evidence, row) / size
        f[13] = evidence.counts[row, CONTROLS] / size
        f[14] = <double> evidence.counts[row, DIGITS] / (evidence.counts[row, CHARACTERS] or 1)
        f[15] = evidence.counts[row, PROSE_TOKENS] / size
        f[16] = evidence.places[POSITION, row]
        f[17] = evidence.counts[row, CELLS] / size

    cdef void put_large(self, int block, int leaf, float *f, const float *before) noexcept:
        """Put down what the blocks hold that hold certain shares of the page's text, and where in
        them a leaf stands."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t at = LARGE_PLACE, row, which
        cdef double size
        for which in range(LARGEST):
            row = self.lines.large[which, block]
            if row == self.large[which]:
                memcpy(f + at, before + at, OF_LARGE * sizeof(float))
            else:
                self.large[which] = row
                size = evidence.counts[row, TOKENS]
                f[at] = size / evidence.counts[0, TOKENS]
                f[at + 1] = evidence.counts[row, LINKED_TOKENS] / size
                f[at + 2] = size / (evidence.counts[row, LINES] or 1)
                f[at + 5] = self.lines.tag_number[evidence.tag[row]]
                f[at + 6] = evidence.counts[row, PARAGRAPHS] / size
                f[at + 7] = headings_in(evidence, row) / size
            f[at + 4] = evidence.depth[block] - evidence.depth[row]
            at += OF_LARGE
        self.put_place(block, leaf, f + LARGE_PLACE)

    cdef inline void put_place(self, int block, int leaf, float *f) noexcept:
        """Put down where in each of these blocks a leaf stands."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t row, which
        cdef double size
        for which in range(LARGEST):
            row = self.lines.large[which, block]
            size = evidence.counts[row, TOKENS]
            f[which * OF_LARGE + 3] = (
                evidence.places[TOKENS_BEFORE, leaf] - evidence.places[TOKENS_BEFORE, row]
            ) / size

    cdef void put_names(self, Py_ssize_t row, float *f) noexcept:
        """Put down how far from a leaf the nearest element of each name is."""
        cdef Evidence evidence = self.evidence
        cdef uint64_t bits, left = evidence.names_around[row] & FEATURED  # all of them stand above
        cdef Py_ssize_t name, step = 0
        for name in range(NAMED):
            f[name] = FAR + 1
        while left:
            bits = left if step == REACH else left & evidence.names[row]
            left ^= bits
            while bits:
                f[NAME_PLACES[first_bit(bits)]] = FAR if step == REACH else step
                bits &= bits - 1
            row = evidence.parent[row]
            step += 1

    cdef inline void put_said(self, int row, float *f) noexcept:
        """Put down what the names of the elements around a leaf say: the nearest, the others."""
        cdef int step
        f[0] = f[1] = 0
        for step in range(NEAREST):
            row = self.evidence.parent[row]
            if row < 0:
                return
            f[0] += self.named[0, row]
        row = self.evidence.parent[row]
        if row >= 0:
            f[1] = self.named[1, row]

    cdef inline void put_kinds(self, int leaf, float *f) noexcept:
        """Put down which kinds of elements are around a leaf."""
        cdef uint64_t bits = self.evidence.kinds_around[leaf]
        cdef Py_ssize_t at
        for at in range(AROUND_BITS.shape[0]):
            f[at] = bits >> AROUND_BITS[at] & 1

    cdef inline void put_repeated(self, int block, int leaf, float *f) noexcept:
        """Put down of what a line is part that is repeated."""
        cdef Evidence evidence = self.evidence
        cdef int row = evidence.places[REPEATED, leaf]
        f[0] = self.most_alike[0, block]
        f[1] = evidence.depth[block] - self.most_alike[1, block]
        if row >= 0:
            f[2] = <double> evidence.counts[row, TOKENS]
            f[3] = <double> evidence.counts[row, LINES]
            f[4] = evidence.places[ALIKE, row]
        else:
            f[2] = f[3] = f[4] = -1

    cdef void put_page(self, float *f) noexcept:
        cdef Evidence evidence = self.evidence
        cdef double size = evidence.counts[0, TOKENS]
        f[0] = log1p(evidence.counts[0, TOKENS])
        f[1] = evidence.counts[0, LINKED_TOKENS] / size
        f[2] = self.lines.count / size
        f[3] = evidence.counts[0, PROSE_TOKENS] / size
        f[4] = log1p(evidence.counts[0, PARAGRAPHS])
        f[5] = log1p(evidence.counts[0, IMAGES])
        f[6] = log1p(evidence.counts[0, CONTROLS])
        f[7] = log1p(evidence.counts[0, CELLS])
        f[8] = log1p(evidence.counts[0, LIST_ITEMS])
        f[9] = evidence.counts[0, H1]
        f[10] = log1p(headings_in(evidence, 0))
        f[11] = log1p(evidence.counts[0, TIMES])
        f[12] = log1p(evidence.counts[0, LINKS])
        f[13] = evidence.counts[0, ELEMENTS] / size


cdef inline int headings_in(Evidence evidence, Py_ssize_t row) noexcept:
    return (
        evidence.counts[row, H1] + evidence.counts[row, H2] + evidence.counts[row, H3]
        + evidence.counts[row, H4] + evidence.counts[row, H5] + evidence.counts[row, H6]
    )
