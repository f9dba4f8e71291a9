from libc.math cimport exp, fabs, log1p
from libc.string cimport memcpy
from pagecut.results.labelled_ranges cimport merge_images
from pagecut.evidence.boosted_trees cimport BoostedTrees
from pagecut.evidence.table cimport H1, IMAGES, LINKED_TOKENS, TEXTS, TOKENS, TOKENS_BEFORE
from pagecut.evidence.tree_features cimport NODE_COLUMNS, PAIR_COLUMNS, TreeFeatures, log_of

cdef enum:
    AT_ONCE = 64  # rows that are filled in, then judged
    COST_ONE = 16  # rows that trees judge side by side
    MOST_KEPT = 4096  # nodes whose features are kept
    SIDES = 7  # what a node may be part of, as probabilities
    JUDGED = 9  # and whether it is whole
    HEADER_SIDE = 0
    FOOTER_SIDE = 3
    DIVISION_COLUMNS = 13
    THRESHOLDS = 33
    MOST_CUTS = 60  # of a division into regions
    MOST_ROLES = 16
    CONTENT_ROLE = 2  # in ROLES
    COMMENTS_ROLE = 4
    FORM_ROLE = 5
    OVERLAY_COLUMN = 82  # "called overlay" of the nodes
    COMMENTS_COLUMN = 107  # "in comments"
    PLACE_FEATURES = 10
    SIDE_COLUMNS = 51  # 3 * SIDES + 1, 2 * SIDES + 1, SIDES + 1, 6
    BORDER_COLUMNS = 534  # PAIR_COLUMNS, 3 * NODE_COLUMNS, PLACE_FEATURES, SIDE_COLUMNS
    SEGMENT_COLUMNS = 5
    ROLE_COLUMNS = 161  # NODE_COLUMNS, SIDES, SEGMENT_COLUMNS

cdef double CALLED_CONFIDENCE, SURELY_ONE, USUAL_THRESHOLD, STEP, STEADY, FAR_ODDS

cpdef double closing_probability(double coarseness) noexcept
cpdef Py_ssize_t called(Py_ssize_t role, const float[::1] row) noexcept

cdef class Learnt:
    cdef BoostedTrees sides
    cdef BoostedTrees main
    cdef BoostedTrees whole
    cdef BoostedTrees regions
    cdef BoostedTrees borders
    cdef BoostedTrees seen
    cdef BoostedTrees roles

cdef class PageCut(TreeFeatures):
    cdef Learnt learnt
    cdef int[::1] first_leaf
    cdef int[::1] leaf_end
    cdef readonly int[::1] second
    cdef float[:, ::1] node_table
    cdef float[:, ::1] kept
    cdef int[::1] place  # of each node, in `kept`; -1 where it is not
    cdef int[:, ::1] spans
    cdef double[:, ::1] sums
    cdef int[::1] chosen
    cdef Py_ssize_t texts
    cdef readonly float[:, ::1] sides
    cdef unsigned char[::1] inside
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
    cdef object make_room(self)
    cdef const float *features(self, Py_ssize_t node) noexcept
    cdef void find_leaves(self)
    cdef void find_borders(self)
    cdef void add_up_sides(self)
    cdef object hand_down_sides(self, float surely)
    cdef object share_odds(self)
    cpdef object shared_odds(self, const double[::1] odds)
    cdef void fill_border_rows(self, const int[::1] second, float[:, ::1] rows) noexcept
    cdef void fill_seen_rows(self, const int[::1] second, float[:, ::1] rows) noexcept
    cdef object judge_nodes(self, float surely)
    cdef object judge_borders(self)
    cdef object choose_regions(self)
    cpdef double best_threshold(self, const float[:, ::1] rows, const double[::1] found) noexcept
    cdef Py_ssize_t fill_divisions(self, const double[::1] odds, float[:, ::1] rows) except -1
    cdef object cover(self, const int[::1] cuts)
    cdef Py_ssize_t nest(self, bint blocks) except -1
    cdef void fill_role_row(self, const int[::1] nodes, float[:, ::1] rows, Py_ssize_t at) noexcept
    cdef void label_texts(self, bint blocks)
