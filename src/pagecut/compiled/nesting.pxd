# The kernels of kernels/nesting.py, as C functions.
cdef void label_nodes(const int[::1] parent, const int[::1] nodes, const int[::1] segments, int[::1] label) noexcept
cpdef Py_ssize_t nest_blocks(const int[::1] parent, const int[::1] region_nodes, const int[::1] region_segments, const int[::1] block_nodes, const int[::1] block_segments, int[::1] label, int[::1] around, int[::1] inside, int[::1] outer, int[::1] source, int[::1] own) noexcept
cpdef Py_ssize_t label_texts(const unsigned char[::1] kind, const int[::1] start, const int[::1] end, const int[::1] parent, const int[::1] row, const int[::1] nodes, const int[::1] segments, const int[::1] own, int[::1] label, int[:, ::1] spans, int[::1] labels) noexcept
