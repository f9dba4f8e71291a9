cdef class NodePaths:
    cdef const int[::1] tag, parent, subtree_end, ordinal, start, end, leaves
    cdef tuple names
    cdef list steps
    cdef dict paths
    cdef set foreign
    cpdef str of_row(self, Py_ssize_t row)
    cpdef list cover(self, int start, int end, Py_ssize_t most)
