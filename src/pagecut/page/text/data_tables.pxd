cdef class DataTables:
    cdef Py_ssize_t rows
    cdef str text
    cdef const unsigned char[::1] kind, marks
    cdef const int[::1] tag, parent, subtree_end, start, end
    cdef readonly int[::1] table
    cdef readonly int[::1] cell
    cdef readonly bint any
    cdef object find_cells(self, const unsigned char[::1] is_heading)
    cdef object keep_data(self, int[:, ::1] counts)
    cdef bint is_broken(self, Py_ssize_t leaf, Py_ssize_t after)
