# Types of what kernels/mosaic_features.py calls within itself.
cdef int BIT_BELOW, BIT_PART, BIT_TEXT, BIT_IMAGE, BIT_GROUP, BIT_ID, BIT_FORCE_GAP, BIT_NO_GAP
cdef int BIT_RULE, BIT_INLINE, BIT_HEADED, TOKENS, LINKED_TOKENS, LINKED, DENSITY, BEFORE
cdef int CHILDREN, HEIGHT, DEPTH, PART_CHILDREN, NAMED_CHILDREN, INLINE_CHILDREN, HEADED_CHILDREN, ALIKE
cdef int SIZE_SUM, LINKED_SUM, DENSITY_SUM, LARGEST, BIG, ENTROPY, MOST_LINKED, LEAST_LINKED
cdef double logarithm(double count, const double[::1] logs, object log1p) except -1
cdef double spread_of(double total, double squares, double count) noexcept
cdef double flag(long long bits, int at) noexcept
cdef double PROSE_LINKS
cdef double is_prose(long long bits, double linked) noexcept
cdef Py_ssize_t leaf_at(const int[::1] leaves, const int[::1] start, int offset) noexcept
