cdef class Run:
    cdef readonly str text
    cdef str link
    cdef int marks
    cdef bint code
    cdef str shift  # the element that raises or lowers it; None if it stands on the line

cdef Run made_run(str text)
cdef object append_run(list runs, str gap, Run run)
cpdef list lines_of(list runs)
cpdef str escaped_start(str line)
cpdef str inline(list runs)
cpdef bint is_strong(list runs)
cdef str marked_text(list runs, Py_ssize_t at, Py_ssize_t end, Py_ssize_t level)
cdef str emphasised(str text, str mark, bint after, bint before)
cdef str index_text(list runs, Py_ssize_t at, Py_ssize_t end)
cdef str code_text(str text)
cdef str joined_text(list runs, Py_ssize_t at, Py_ssize_t end)
cdef str enclosed(str text, str opening, str closing)
cdef str target(str address)
cdef str escaped(str text)
cdef str image_text(object image)
