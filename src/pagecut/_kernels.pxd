# Types of what kernels.py calls within itself; its other functions carry their types themselves.
cdef int GAP, LETTER, IDEOGRAPHIC, SYLLABIC, PICTURE, EDGE, NARROW
cdef bint is_ideographic(Py_UCS4 ch) noexcept
cdef bint is_syllabic(Py_UCS4 ch) noexcept
cdef unsigned char class_of(Py_UCS4 ch) noexcept
cdef bint is_syllabic_digit(Py_UCS4 ch) noexcept
cdef bint is_syllable_mark(Py_UCS4 ch) noexcept
cdef bint is_joined(Py_UCS4 ch, Py_UCS4 following) noexcept
cdef Py_ssize_t syllable_end(str text, Py_ssize_t at, Py_ssize_t end) noexcept
cdef Py_ssize_t word_start(const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end) noexcept
cdef Py_ssize_t word_end(str text, const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end) noexcept
cdef bint is_token(const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end) noexcept
cdef Py_ssize_t columns_of(str text, const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end, unsigned char[::1] widths, object width_of) except -1
