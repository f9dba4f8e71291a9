from libc.math cimport exp
from pagecut.evidence.table cimport TOKENS
from pagecut.evidence.tree_features cimport NODE_COLUMNS, TreeFeatures
from pagecut.segmenters.mosaic.features cimport JUDGED, SIDES, Learnt

cdef enum:
    AT_ONCE = 64  # rows that are filled in, then judged
    COST_ONE = 16  # rows that trees judge side by side
    MOST_KEPT = 4096  # nodes whose features are kept

cdef double SURELY_ONE

cpdef double closing_probability(double coarseness) noexcept

cdef class NodeSides(TreeFeatures):
    cdef Learnt learnt
    cdef int[::1] chosen
    cdef float[:, ::1] node_table
    cdef float[:, ::1] kept
    cdef int[::1] place  # of each node, in `kept`; -1 where it is not
    cdef Py_ssize_t texts
    cdef int[::1] first_leaf
    cdef int[::1] leaf_end
    cdef readonly float[:, ::1] sides
    cdef unsigned char[::1] inside
    cdef double[:, ::1] sums
    cdef object make_room(self)
    cdef const float *features(self, Py_ssize_t node) noexcept
    cdef void find_leaves(self)
    cdef object judge_nodes(self, float surely)
    cdef object hand_down_sides(self, float surely)
    cdef void add_up_sides(self)
