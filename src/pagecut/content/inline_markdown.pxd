cdef class Run:
    cdef readonly str text
    cdef str link
    cdef int marks
    cdef bint code
    cdef str shift  # the element that raises or lowers it; None if it stands on the line

cdef int ALL_MARKS
cdef Run made_run(str text)
cdef object append_run(list runs, str gap, Run run)
cpdef list lines_of(list runs)
cpdef str escaped_start(str line)
cpdef str inline(list runs)
cpdef bint is_strong(list runs)
cdef object dress_code(list runs)
cdef bint has_marked_signs(list runs, int common) except -1
cdef list with_signs_apart(list runs)
cdef bint follows_word(list runs, Py_ssize_t at) except -1
cdef bint precedes_word(list runs, Py_ssize_t at) except -1
cdef object append_part(list runs, Run run, Py_ssize_t first, Py_ssize_t last, int marks)
cdef Py_UCS4 first_sign(Run run) noexcept
cdef Py_UCS4 last_sign(Run run) noexcept
cdef bint is_sign(Py_UCS4 ch) except -1
cdef bint touches(Py_UCS4 ch) except -1
cdef Py_ssize_t first_word(str text) except -1
cdef Py_ssize_t last_word(str text) except -1
cdef str marked_text(list runs, Py_ssize_t at, Py_ssize_t end, int marks, bint after, bint before)
cdef bint may_be_marked(str text, str mark, bint after, bint before) except -1
cdef str index_text(list runs, Py_ssize_t at, Py_ssize_t end)
cdef str code_text(str text)
cdef str joined_text(list runs, Py_ssize_t at, Py_ssize_t end)
cdef str enclosed(str text, str opening, str closing)
cdef str target(str address)
cdef str escaped(str text)
cdef str image_text(object image)
