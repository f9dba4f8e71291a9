# Types of what kernels/division.py uses within itself.
cdef double NEVER_DIVIDED
cpdef void keep_cheapest(const int[::1] parent, const double[::1] keep, const double[::1] divide, const double[::1] pair, double[:, ::1] costs, int[:, ::1] links, unsigned char[::1] kept) noexcept
cdef Py_ssize_t number_kept(const int[::1] previous, const unsigned char[::1] kept, const unsigned char[::1] joined, int[::1] nodes, int[::1] segments) noexcept
cdef void label_nodes(const int[::1] parent, const int[::1] nodes, const int[::1] segments, int[::1] label) noexcept
