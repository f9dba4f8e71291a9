cdef double E
cdef void weighted_sums(const double[:, ::1] table, const double[::1] weights, double bias, double[::1] odds) noexcept
cdef Py_ssize_t likeliest(const double[::1] odds) noexcept
cdef double probability(const double[::1] odds, Py_ssize_t best) noexcept

cdef class TreeSums:
    cdef readonly const double[::1] biases
    cdef const int[::1] features
    cdef const int[::1] edges
    cdef const double[::1] thresholds
    cdef const int[::1] word_edges
    cdef const int[::1] words
    cdef const int[::1] mask_edges
    cdef const long long[::1] masks
    cdef const unsigned char[::1] first_leaf
    cdef const double[:, ::1] values
    cpdef void add_up(self, const double[:, ::1] table, long long[::1] left, double[::1] odds) noexcept
