from pagecut.evidence.table cimport IMAGES, TEXTS
from pagecut.results.labelled_ranges cimport merge_images
from pagecut.segmenters.mosaic.features cimport ROLE_COLUMNS
from pagecut.segmenters.mosaic.roles cimport Roles
from pagecut.segmenters.mosaic.sides cimport AT_ONCE, closing_probability

cdef class PageCut(Roles):
    cdef readonly int[::1] region_nodes
    cdef readonly int[::1] region_segments
    cdef readonly int[::1] block_nodes
    cdef readonly int[::1] block_segments
    # Where the nodes of each begin, and where those of the last end.
    cdef int[::1] region_edges
    cdef int[::1] block_edges
    cdef readonly int[::1] outer
    cdef readonly int[::1] source
    cdef int[::1] labels
    cdef int[:, ::1] spans
    cdef object divide(self, double coarseness)
    cdef object cover(self, const int[::1] cuts)
    cdef Py_ssize_t nest(self, bint blocks) except -1
    cdef object find_roles(self)
    cdef void label_texts(self, bint blocks)

cdef object edges_of(const int[::1] segments)
