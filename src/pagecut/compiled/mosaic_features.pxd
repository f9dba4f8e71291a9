# The kernels of kernels/mosaic_features.py, as C functions, and what they use.
from libc.math cimport log1p, sqrt
from pagecut.compiled._mosaic_marks cimport (
    ALIKE, BEFORE, BIG, BIT_BELOW, BIT_FORCE_GAP, BIT_GROUP, BIT_HEADED, BIT_ID, BIT_IMAGE,
    BIT_INLINE, BIT_LEVEL, BIT_NO_GAP, BIT_PART, BIT_RULE, BIT_TEXT, CHILDREN, DENSITY, DENSITY_SUM,
    DEPTH, ENTROPY, HEADED_CHILDREN, HEADINGS, HEIGHT, INLINE_CHILDREN, LARGEST, LEAST_LINKED,
    LINKED, LINKED_SUM, LINKED_TOKENS, MOST_LINKED, NAMED_CHILDREN, PART_CHILDREN, PARTS, SIZE_SUM,
    TOKENS,
)
cdef double PROSE_LINKS
cdef double logarithm(double count, const double[::1] logs) noexcept
cdef double spread_of(double total, double squares, double count) noexcept
cdef double flag(long long bits, int at) noexcept
cdef double is_prose(long long bits, double linked) noexcept
cdef void node_rows(const int[::1] which, const int[::1] top, const int[::1] parent, const int[::1] depth, const long long[::1] chain, const double[:, ::1] facts, const double[::1] logs, double[:, ::1] table) noexcept
cdef void read_gaps(const unsigned char[::1] kind, const int[::1] above, const int[::1] subtree_end, const int[::1] start, const int[::1] end, const long long[::1] bits, const int[::1] leaves, const int[::1] row_of, const int[::1] previous, int[::1] gaps) noexcept
cdef void pair_rows(const int[::1] which, const int[::1] top, const int[::1] parent_of, const int[::1] previous, const int[::1] tag, const int[::1] gaps, const int[::1] look, const long long[::1] chain, const double[:, ::1] facts, const double[::1] logs, double[:, ::1] table) noexcept
