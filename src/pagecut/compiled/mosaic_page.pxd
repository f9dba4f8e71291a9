# What kernels/mosaic_page.py holds, and the kernels that it calls, as C functions.
from pagecut.compiled.division cimport content_nodes
from pagecut.compiled.mosaic cimport count_alike, count_linked, find_tokens, read_children, read_texts, read_tree
from pagecut.compiled.mosaic_features cimport node_rows, pair_rows, read_gaps
from pagecut.compiled.mosaic_learnt cimport Learnt
from pagecut.compiled._mosaic_marks cimport LINE_WIDTH, NODE_FEATURES, PAIR_FEATURES
from pagecut.compiled.names cimport number_looks, read_rows
from pagecut.page.tokenizer cimport atomic_ranges, wrap_ranges

cdef class MosaicPage:
    cdef Learnt learnt
    cdef str text
    cdef const unsigned char[::1] classes
    cdef const int[::1] tag
    cdef const int[::1] above
    cdef const int[::1] subtree_end
    cdef const int[::1] depth
    cdef const int[::1] start
    cdef const int[::1] end
    cdef const unsigned char[::1] kind
    cdef Py_ssize_t leaves
    cdef Py_ssize_t most
    cdef int link
    cdef const long long[::1] tag_bits
    cdef const int[::1] owners
    cdef const unsigned char[::1] keys
    cdef const long long[::1] ends
    cdef const unsigned char[::1] values
    cdef const unsigned char[::1] names
    cdef const double[:, ::1] layout
    cdef const double[:, ::1] pair_layout
    # Room.
    cdef int[::1] ints
    cdef long long[::1] longs
    cdef double[::1] doubles
    cdef Py_ssize_t used_ints
    cdef Py_ssize_t used_longs
    cdef Py_ssize_t used_doubles
    cdef unsigned char[::1] flags
    cdef double[:, ::1] table
    cdef int[::1] work
    cdef int[:, ::1] lines
    cdef int[::1] line_edges
    # The content tree.
    cdef int[::1] top
    cdef int[::1] row
    cdef int[::1] parent
    cdef int[::1] previous
    cdef readonly int[::1] look
    cdef long long[::1] bits
    cdef long long[::1] chain
    cdef long long[::1] inside
    cdef int[::1] gaps
    cdef double[:, ::1] facts
    # Its divisions, and the segments.
    cdef int[::1] region_nodes
    cdef int[::1] region_segments
    cdef int[::1] block_nodes
    cdef int[::1] block_segments
    cdef int[::1] label
    cdef int[::1] labels
    cdef int[::1] own
    cdef int[:, ::1] spans
    cdef int[:, ::1] out_spans
    cdef int[::1] out_labels
    cdef int[::1] outer
    cdef int[::1] role
    cdef double[::1] confidence
    cdef int[::1] take_ints(self, Py_ssize_t size)
    cdef long long[::1] take_longs(self, Py_ssize_t size)
    cdef double[::1] take_doubles(self, Py_ssize_t size)
    cpdef Py_ssize_t read(self) except -1
    cdef Py_ssize_t read_text(self) except -1
    cpdef void fill_nodes(self, const int[::1] which, double[:, ::1] table) noexcept
    cpdef void fill_pairs(self, const int[::1] which, double[:, ::1] table) noexcept
