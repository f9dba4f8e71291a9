from libc.math cimport log1p, sqrt
from pagecut.evidence.division cimport content_nodes
from pagecut.evidence.table cimport (
    ALIKE, BREAKING, CAPITALS, CHARACTERS, COMMAS, DIGITS, Evidence, FORCED_GAP_KIND, H1,
    HEADING_KIND, HIDDEN_TOKENS, ID_KIND, LINES, LINKED_TOKENS, LOOK, NO_GAP_KIND, PROSE_TOKENS,
    RULE_KIND, SENTENCE_ENDS, TEXTS, TOKENS, TOKENS_BEFORE
)

cdef enum:
    # Columns of facts.
    LINKED  # share of tokens in links
    LINE_LENGTH
    CHILD_COUNT
    HEIGHT
    DEPTH
    INLINE_CHILDREN
    HEADED_CHILDREN
    NAMED_CHILDREN
    MOST_ALIKE
    SIZE_SUM  # with the sum of squares after it, as the next two
    SIZE_SQUARES
    LINKED_SUM
    LINKED_SQUARES
    LENGTH_SUM
    LENGTH_SQUARES
    LARGEST
    BIG
    ENTROPY
    MOST_LINKED
    LEAST_LINKED
    FACTS

cdef enum:
    # Numbers of things.
    HEADINGS = 6
    COUNTED = 15
    GROUPS_ = 13
    NAMES_ = 32
    PART_NAMES = 12
    NODE_COLUMNS = 149
    PAIR_COLUMNS = 26

cdef double BIG_SHARE, PROSE_LINKS
cdef double log_of(double count, const double[::1] logs) noexcept
cdef double spread_of(double total, double squares, double count) noexcept

cdef class TreeFeatures:
    cdef readonly Evidence evidence
    cdef const double[::1] logs
    cdef const long long[::1] kind_masks
    cdef const long long[::1] kind_names
    cdef const long long[::1] group_masks
    cdef const int[::1] part_bits
    cdef const int[::1] counted
    cdef const double[:, ::1] layout
    cdef const double[:, ::1] pair_layout
    # The content tree.
    cdef readonly Py_ssize_t count
    cdef int[::1] top
    cdef int[::1] row
    cdef int[::1] parent
    cdef int[::1] previous
    cdef readonly int[::1] look
    cdef unsigned char[::1] inline
    cdef unsigned char[::1] headed
    cdef long long[::1] kinds
    cdef long long[::1] called
    cdef long long[::1] child_called
    cdef long long[::1] below
    cdef int[::1] gaps
    cdef double[:, ::1] facts
    cdef long long said_of(self, long long kinds, long long names) noexcept
    cdef object read(self)
    cdef void read_tree(self) noexcept
    cdef void read_children(self) noexcept
    cdef void count_alike(self, int[::1] last, int[::1] seen) noexcept
    cdef void read_gaps(self, int[::1] leaves) noexcept
    cdef double headings(self, Py_ssize_t node) noexcept
    cdef Py_ssize_t top_level(self, Py_ssize_t node) noexcept
    cdef void fill_nodes(self, const int[::1] which, float[:, ::1] rows, Py_ssize_t base) noexcept
    cdef void fill_pairs(self, const int[::1] which, float[:, ::1] rows) noexcept
