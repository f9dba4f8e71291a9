cdef class BoostedTrees:
    cdef readonly Py_ssize_t width
    cdef readonly Py_ssize_t outputs
    cdef readonly Py_ssize_t count
    cdef const int[::1] edges
    cdef const int[::1] columns
    cdef const float[::1] missing
    cdef const int[::1] column_edges
    cdef const float[::1] thresholds
    cdef const unsigned int[::1] kept
    cdef const int[::1] tested
    cdef const float[:, ::1] values
    cdef const double[::1] scales
    cdef const double[::1] biases
    cdef int link
    cdef const int[::1] step_edges
    cdef const double[::1] step_places
    cdef const double[::1] step_scores
    # Both need no lock, raise MemoryError, and take `count` rows of `width` numbers each, one after
    # the other; `out` has room for `outputs` numbers of each row.
    cdef int fill_sums(self, const float *rows, Py_ssize_t count, double *out) except -1 nogil
    cdef int fill_scores(self, const float *rows, Py_ssize_t count, double *out) except -1 nogil
    cdef void finish(self, double *sums) noexcept nogil
    cdef double stepped(self, Py_ssize_t output, double score) noexcept nogil
