# Types of what kernels/mosaic.py calls within itself.
cdef int BIT_LEVEL, BIT_BELOW, BIT_PART, BIT_TEXT, BIT_IMAGE, COUNTED, BIT_OUTRIGHT, BIT_LINK
cdef int BIT_GROUP, BIT_ID, BIT_FORCE_GAP, BIT_NO_GAP, BIT_RULE, BIT_BREAKS, BIT_INLINE, BIT_HEADED
cdef int TOKENS, LINKED_TOKENS, LINKED, DENSITY, BEFORE, CHILDREN, HEIGHT, DEPTH
cdef int PART_CHILDREN, NAMED_CHILDREN, INLINE_CHILDREN, HEADED_CHILDREN, ALIKE, SIZE_SUM, LINKED_SUM, DENSITY_SUM
cdef int LARGEST, BIG, ENTROPY, MOST_LINKED, LEAST_LINKED, FACTS
cdef double BIG_SHARE
cdef Py_ssize_t first_at_least(const int[::1] values, int least, Py_ssize_t hint) noexcept
cdef double log_of(double count, const double[::1] logs, object log1p) except -1
cdef Py_ssize_t count_linked(const unsigned char[::1] kind, const int[::1] subtree_end, const int[::1] start, const long long[::1] bits, const int[::1] token_starts, int[::1] linked_before, int[::1] leaves) noexcept
cdef void read_texts(const int[::1] row, const int[::1] start, const int[::1] end, const int[::1] token_starts, const int[::1] linked_before, const int[::1] line_starts, const int[::1] line_ends, const int[::1] tokens_before_line, double[:, ::1] facts) noexcept
cdef void read_tree(const int[:, ::1] tree, Py_ssize_t count, const int[::1] above, const int[::1] subtree_end, const long long[::1] bits, int[:, ::1] work, long long[::1] chain, long long[::1] inside, double[:, ::1] facts) noexcept
cdef object read_children(const int[:, ::1] tree, Py_ssize_t count, const long long[::1] chain, const double[::1] logs, object log1p, double[:, ::1] facts)
cdef void count_alike(const int[:, ::1] tree, Py_ssize_t count, const int[::1] look, int[:, ::1] work, double[:, ::1] facts) noexcept
