cdef double NEVER_DIVIDED
cpdef Py_ssize_t content_nodes(const unsigned char[::1] kind, const int[::1] above, const int[::1] subtree_end, int[::1] work, int[::1] top_of, int[::1] row_of, int[::1] parent_of, int[::1] previous) noexcept
cpdef void keep_cheapest(const int[::1] parent, const double[::1] keep, const double[::1] divide, const double[::1] pair, double[::1] costs, int[::1] links, unsigned char[::1] kept) noexcept
