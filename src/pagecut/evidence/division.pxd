from libc.math cimport exp, log1p
cdef double NEVER_DIVIDED
cpdef Py_ssize_t content_nodes(const unsigned char[::1] kind, const int[::1] above, const int[::1] subtree_end, int[::1] work, int[::1] top_of, int[::1] row_of, int[::1] parent_of, int[::1] previous) noexcept
cpdef void keep_cheapest(const int[::1] parent, const double[::1] keep, const double[::1] divide, const double[::1] pair, double[::1] costs, int[::1] links, unsigned char[::1] kept) noexcept
cdef Py_ssize_t number_kept(const int[::1] previous, const unsigned char[::1] kept, const unsigned char[::1] joined, int[::1] nodes, int[::1] segments) noexcept
cdef double log_of_one_more(double odds) noexcept
cpdef Py_ssize_t divide_regions(const int[::1] parent, const int[::1] previous, const double[::1] weight, const int[::1] inner, const double[::1] odds, double[::1] costs, int[::1] links, unsigned char[::1] flags, int[::1] nodes, int[::1] segments) noexcept
cpdef Py_ssize_t divide_blocks(const int[::1] parent, const int[::1] previous, const double[::1] weight, const int[::1] inner, const double[::1] odds, const int[::1] second, const double[::1] joints, double[::1] costs, int[::1] links, unsigned char[::1] flags, int[::1] nodes, int[::1] segments) noexcept
