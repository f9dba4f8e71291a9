cdef double SPARSE
cdef double density_of(const int[::1] before, Py_ssize_t first, Py_ssize_t last) noexcept
cpdef double slope(double left, double right) noexcept
cpdef bint dominated(double left, double middle, double right, int smooth) noexcept
cpdef Py_ssize_t fuse_blocks(const int[::1] before, const int[::1] edges, const int[::1] gap, double threshold, int smooth, int[::1] first_line, double[::1] density, int[::1] previous, int[::1] following, int[::1] alive, int[::1] visits, int[::1] again) except -1
