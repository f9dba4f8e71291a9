# The kernels of kernels/mosaic.py, as C functions, and what they use.
from libc.math cimport log1p
from pagecut.compiled._mosaic_marks cimport (
    ALIKE, BEFORE, BIG, BIT_BREAKS, BIT_GROUP, BIT_HEADED, BIT_ID, BIT_INLINE, BIT_LINK, BIT_PART,
    CHILDREN, COUNTED, DENSITY, DENSITY_SUM, DEPTH, ENTROPY, FACTS, HEADED_CHILDREN, HEIGHT,
    INLINE_CHILDREN, LARGEST, LEAST_LINKED, LINKED, LINKED_SUM, LINKED_TOKENS, MOST_LINKED,
    NAMED_CHILDREN, PART_CHILDREN, PARTS, SIZE_SUM, TOKENS,
)
from pagecut.page.tokenizer cimport GAP, IDEOGRAPHIC, LETTER, SYLLABIC, syllable_end
cdef double BIG_SHARE
cpdef Py_ssize_t find_tokens(str text, const unsigned char[::1] classes, int[::1] starts) except -1
cdef Py_ssize_t first_at_least(const int[::1] values, Py_ssize_t size, int least, Py_ssize_t hint) noexcept
cdef double log_of(double count, const double[::1] logs) noexcept
cdef Py_ssize_t count_linked(const unsigned char[::1] kind, const int[::1] subtree_end, const int[::1] start, const long long[::1] bits, const int[::1] token_starts, int[::1] linked_before, int[::1] leaves) noexcept
cdef void read_texts(const int[::1] row, const int[::1] start, const int[::1] end, const int[::1] token_starts, const int[::1] linked_before, const int[::1] line_edges, const int[::1] tokens_before_line, double[:, ::1] facts) noexcept
cdef void read_tree(const int[::1] top, const int[::1] row_of, const int[::1] parent_of, const int[::1] previous, const int[::1] above, const int[::1] subtree_end, const long long[::1] bits, int[::1] owner, int[::1] breaks, long long[::1] chain, long long[::1] inside, double[:, ::1] facts) noexcept
cdef void read_children(const int[::1] parent_of, const long long[::1] chain, const double[::1] logs, double[:, ::1] facts) noexcept
cdef void count_alike(const int[::1] parent, const int[::1] previous, const int[::1] look, int[::1] last, int[::1] seen, double[:, ::1] facts) noexcept
