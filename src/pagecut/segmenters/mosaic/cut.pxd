from pagecut.results.labelled_ranges cimport merge_images
from pagecut.evidence.division cimport divide_blocks, divide_regions
from pagecut.evidence.features cimport BIT_PART, CHUNK, MOST_ROLES, NODE_FEATURES, OUTRIGHT, PARTS, TOKENS, PageFeatures
from pagecut.evidence.trees cimport TreeSums, likeliest, probability, weighted_sums

cdef double NAMED_CONFIDENCE
cdef void label_nodes(const int[::1] parent, const int[::1] nodes, const int[::1] segments, int[::1] label) noexcept

cdef class Learnt:
    cdef TreeSums regions
    cdef TreeSums roles
    cdef const double[::1] blocks
    cdef double block_bias
    cdef const double[::1] joints
    cdef double joint_bias

cdef class PageCut(PageFeatures):
    cdef Learnt learnt
    cdef Py_ssize_t segments
    cdef Py_ssize_t texts
    cdef readonly int[::1] region_nodes
    cdef readonly int[::1] region_segments
    cdef readonly int[::1] block_nodes
    cdef readonly int[::1] block_segments
    cdef int[::1] label
    cdef int[::1] labels
    cdef int[::1] own
    cdef int[::1] out_labels
    cdef readonly int[::1] outer
    cdef readonly int[::1] source
    cdef readonly int[::1] role
    cdef readonly double[::1] confidence
    cdef void label_texts(self, const int[::1] nodes, const int[::1] segments) noexcept
    cdef void divide(self, double coarseness)
    cdef void judge(self, const int[::1] nodes, Py_ssize_t segment)
    cdef Py_ssize_t number_regions(self) except -1
    cdef Py_ssize_t nest(self) except -1
