# What other compiled modules call as C functions; the other functions carry their types themselves.
cdef int GAP, LETTER, IDEOGRAPHIC, SYLLABIC, PICTURE, EDGE, NARROW, BLANK, UNKNOWN
cdef bint is_ideographic(Py_UCS4 ch) noexcept
cdef bint is_syllabic(Py_UCS4 ch) noexcept
cdef bint is_unseen(Py_UCS4 ch) noexcept
cdef unsigned char class_of(Py_UCS4 ch) noexcept
cdef bint is_syllabic_digit(Py_UCS4 ch) noexcept
cdef bint is_syllable_mark(Py_UCS4 ch) noexcept
cdef bint is_joined(Py_UCS4 ch, Py_UCS4 following) noexcept
cdef Py_ssize_t syllable_end(str text, Py_ssize_t at, Py_ssize_t end) noexcept
cpdef Py_ssize_t find_tokens(str text, const unsigned char[::1] classes, int[::1] starts, int[::1] ends) except -1
cdef Py_ssize_t word_columns(str text, const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end, unsigned char[::1] widths) except -1
cpdef Py_ssize_t wrap_ranges(str text, const unsigned char[::1] classes, const int[:, ::1] blocks, Py_ssize_t width, int[:, ::1] spans, int[::1] tokens_before, int[::1] block_edges) except -1
cpdef Py_ssize_t atomic_ranges(const unsigned char[::1] classes, const unsigned char[::1] kind, const int[::1] tag, const int[::1] subtree_end, const int[::1] start, const int[::1] end, int link, int[::1] open_rows, int[:, ::1] blocks) except -1
