cdef int WITHIN
cdef str OPENING, CLOSING
cdef bint in_word(str text, Py_ssize_t offset)
cdef bint is_accent(Py_UCS4 ch)
cdef bint is_unspaced(str text, Py_ssize_t offset)
cdef bint has_space(Py_UCS4 ch) noexcept
cdef bint is_note(str text, Py_ssize_t offset)
cdef bint ends_before(str text, Py_ssize_t offset)
cdef bint is_member(str text, Py_ssize_t first, Py_ssize_t middle, Py_ssize_t last)
cdef bint begins_word(str text, Py_ssize_t offset)
cdef bint clings(str text, Py_ssize_t offset)
cdef bint is_named(Py_UCS4 ch)
cdef bint is_ordinal(str text, Py_ssize_t offset)
cdef bint is_name(str text, Py_ssize_t offset)
cdef bint is_white(str text, Py_ssize_t offset)
