from pagecut.page.tokenizer cimport BLANK, EDGE, PICTURE

cdef int IMAGE, SPACE, NEWLINE, TAB
cdef int IS_LETTERING, IS_CODE, IS_LINK, IS_SPAN, IS_PARAGRAPH, IS_ROW, WITHIN
cdef str OPENING, CLOSING
cdef Py_ssize_t cell_of(const int[::1] parent, Py_ssize_t table_row, Py_ssize_t row) noexcept
cdef bint in_word(str text, Py_ssize_t offset)
cdef bint clings(str text, Py_ssize_t offset)
cdef bint is_white(str text, Py_ssize_t offset)
cpdef str readable(str text)
cdef str without_images(str text)
cdef bint is_blank(str line)
cdef str without_unseen(str text)
cdef str readable_part(str text, unsigned char seen)
cdef str readable_range(str text, const unsigned char[::1] classes, Py_ssize_t start, Py_ssize_t end, const int[::1] spaces, Py_ssize_t first, Py_ssize_t last)

cdef class TextReader:
    cdef str text
    cdef str shown
    cdef const unsigned char[::1] classes
    cdef const int[::1] spaces
    cdef Py_ssize_t place(self, Py_ssize_t offset) noexcept
    cpdef str readable(self, Py_ssize_t start, Py_ssize_t end)
    cpdef str parting(self, Py_ssize_t before, Py_ssize_t after)
    cpdef str readable_spans(self, object spans)
