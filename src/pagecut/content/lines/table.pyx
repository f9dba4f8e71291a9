# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""The lines of a page, and the table of what is known of each."""

import numpy as np

from libc.stdint cimport uint64_t
from pagecut.content.lines.features cimport LARGEST
from pagecut.evidence.table cimport BLOCK, LINE_LEAF, LINE_TOKENS
from pagecut.content.lines.features import LINE_FEATURES
from pagecut.evidence.table import read_evidence

# Tags in an order in which a number tells something: structure, lists, prose, headings.
_TAGS = (
    "html body nav footer header aside form button label select option fieldset legend ul ol menu "
    "li dl dt table thead tbody tfoot tr th td div center section main article details summary "
    "figure figcaption address span a br p dd blockquote pre h6 h5 h4 h3 h2 h1"
).split()
_TAG_NUMBER = {tag: number + 1 for number, tag in enumerate(_TAGS)}

cdef Py_ssize_t SAME_TEXT = LINE_FEATURES.index("same text")


cdef class Lines:
    """The lines of a page and what is known of each, which other modules fill in.

    Args:
        page: a `Page`.

    Attributes:
        table: (lines, LINE_FEATURES), of which every number is filled in.
        spans: (lines, 2) ranges of the page's text.
        tokens: (lines,).
        texts: (lines,) a code for the text of each.
        parents: (lines,) the row around the block of each.
    """

    def __init__(self, page):
        cdef Evidence evidence = read_evidence(page)
        cdef Py_ssize_t line
        self.evidence = evidence
        self.text = page.text
        self.data_tables = page.data_tables
        self.count = evidence.line_count
        lines = np.asarray(evidence.lines)
        self.spans, self.tokens = lines[:, :2], lines[:, 3]
        self.table = np.empty((self.count, len(LINE_FEATURES)), dtype=np.float32)
        self.tag_number = np.array(
            [_TAG_NUMBER.get(name, 0) for name in page.packed.tag_names] or [0], dtype=np.int32
        )
        if not self.count:
            return
        self.rows = self.table
        self.blocks = np.empty(self.count, dtype=np.int32)
        self.headings = np.zeros((self.count, 2), dtype=np.float32)
        self.large = np.zeros((LARGEST, evidence.rows), dtype=np.int32)
        for line in range(self.count):
            self.blocks[line] = evidence.places[BLOCK, evidence.lines[line, LINE_LEAF]]

    @property
    def leaves(self):
        return np.asarray(self.evidence.lines)[:, 2]

    @property
    def tables(self):
        """(lines,) the data table that each is in; -1 for none."""
        cdef Py_ssize_t line
        found = np.full(self.count, -1, dtype=np.int32)
        cdef int[::1] table = found
        if self.data_tables.any:
            for line in range(self.count):
                table[line] = self.data_tables.table[self.evidence.lines[line, LINE_LEAF]]
        return found

    @property
    def parents(self):
        cdef Py_ssize_t line
        found = np.empty(self.count, dtype=np.int32)
        cdef int[::1] above = found
        for line in range(self.count):
            above[line] = self.evidence.parent[self.blocks[line]]
        return found

    def above_zero(self, const int[::1] columns):
        """(columns, lines) where these columns of the table are above zero."""
        cdef Py_ssize_t line, at
        found = np.empty((columns.shape[0], self.count), dtype=bool)
        cdef unsigned char[:, ::1] out = found.view(np.uint8)
        for line in range(self.count):
            for at in range(columns.shape[0]):
                out[at, line] = self.rows[line, columns[at]] > 0
        return found

    def copied_texts(self, int least, const int[::1] exempt):
        """(lines,) a code for the text of each line that comes again; 0 for others.

        Args:
            least: tokens of such a line.
            exempt: columns of the table that are zero for it.
        """
        cdef Py_ssize_t line, at
        found = self.texts.copy()
        cdef uint64_t[::1] code = found
        for line in range(self.count):
            if self.evidence.lines[line, LINE_TOKENS] < least or self.rows[line, SAME_TEXT] <= 1:
                code[line] = 0
            for at in range(exempt.shape[0]):
                if self.rows[line, exempt[at]] > 0:
                    code[line] = 0
        return found
