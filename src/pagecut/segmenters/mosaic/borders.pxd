from libc.math cimport fabs, log1p
from libc.string cimport memcpy
from pagecut.evidence.table cimport IMAGES, LINKED_TOKENS, TEXTS, TOKENS, TOKENS_BEFORE
from pagecut.evidence.tree_features cimport NODE_COLUMNS, PAIR_COLUMNS, log_of
from pagecut.segmenters.mosaic.features cimport BORDER_COLUMNS, PLACE_FEATURES, SIDE_FEATURES, SIDES
from pagecut.segmenters.mosaic.sides cimport AT_ONCE, NodeSides

cdef class Borders(NodeSides):
    cdef readonly int[::1] second
    cdef readonly double[::1] region_odds
    cdef readonly double[::1] block_odds
    cdef void find_borders(self)
    cdef void fill_border_rows(self, const int[::1] second, float[:, ::1] rows) noexcept
    cdef void fill_place(self, Py_ssize_t node, float *row) noexcept
    cdef void fill_sides(self, Py_ssize_t node, float *row) noexcept
    cdef void fill_wholes(self, Py_ssize_t node, float *row) noexcept
    cdef void fill_seen_rows(self, const int[::1] second, float[:, ::1] rows) noexcept
    cdef object judge_borders(self)
    cdef object share_odds(self)
    cpdef object shared_odds(self, const double[::1] odds)
