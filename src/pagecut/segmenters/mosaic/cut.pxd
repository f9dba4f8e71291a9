from libc.math cimport fabs, log1p
from pagecut.results.labelled_ranges cimport merge_images
from pagecut.evidence.boosted_trees cimport BoostedTrees
from pagecut.evidence.features cimport BEFORE, BIT_IMAGE, BIT_INLINE, BIT_LEVEL, BIT_PART, BIT_TEXT, HEADINGS, LINKED, NODE_FEATURES, OUTRIGHT, PAIR_FEATURES, PARTS, TOKENS, PageFeatures, log_of

cdef enum:
    AT_ONCE = 64  # rows that are filled in, then judged
    NODE_COLUMNS = 84  # NODE_FEATURES, and what names around a node say
    SIDES = 7  # what a node may be part of, as probabilities
    MOST_ROLES = 16
    CONTENT_ROLE = 2  # in ROLES
    COMMENTS_ROLE = 4
    COMMENTS_COLUMN = 82  # NODE_FEATURES, PARTS
    PLACE_COLUMNS = 10
    SIDE_COLUMNS = 45  # 3 * SIDES + 1, 2 * SIDES + 1, SIDES + 1
    BORDER_COLUMNS = 347  # PAIR_FEATURES, 3 * NODE_COLUMNS, PLACE_COLUMNS, SIDE_COLUMNS
    SEGMENT_COLUMNS = 5
    ROLE_COLUMNS = 96  # NODE_COLUMNS, SIDES, SEGMENT_COLUMNS

cdef double COMMENTS_CONFIDENCE

cdef class Learnt:
    cdef BoostedTrees sides
    cdef BoostedTrees main
    cdef BoostedTrees borders
    cdef BoostedTrees seen
    cdef BoostedTrees roles

cdef class PageCut(PageFeatures):
    cdef Learnt learnt
    cdef int[::1] first_leaf
    cdef int[::1] leaf_end
    cdef readonly int[::1] second
    cdef double[:, ::1] node_table
    cdef double[:, ::1] pair_table
    cdef double[:, ::1] sums
    cdef int[::1] chosen
    cdef Py_ssize_t texts
    cdef readonly float[:, ::1] sides
    cdef readonly double[::1] region_odds
    cdef readonly double[::1] block_odds
    cdef readonly int[::1] region_nodes
    cdef readonly int[::1] region_segments
    cdef readonly int[::1] block_nodes
    cdef readonly int[::1] block_segments
    cdef int[::1] labels
    cdef readonly int[::1] outer
    cdef readonly int[::1] source
    cdef readonly int[::1] role
    cdef readonly double[::1] confidence
    cdef void find_leaves(self)
    cdef void find_borders(self)
    cdef void fill_node_rows(self, const int[::1] nodes, float[:, ::1] rows) noexcept
    cdef void add_up_sides(self)
    cdef void fill_border_rows(self, const int[::1] second, float[:, ::1] rows) noexcept
    cdef void fill_seen_rows(self, const int[::1] second, float[:, ::1] rows) noexcept
    cdef object judge_nodes(self)
    cdef object judge_borders(self)
    cdef object cover(self, const int[::1] cuts)
    cdef Py_ssize_t nest(self, bint blocks) except -1
    cdef void fill_role_row(self, const int[::1] nodes, float[:, ::1] rows, Py_ssize_t at) noexcept
    cdef void label_texts(self, bint blocks)
