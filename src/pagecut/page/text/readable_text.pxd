from pagecut.page.text.tokenizer cimport BLANK, EDGE, PICTURE

cdef int IMAGE, SPACE, NEWLINE, TAB, JOINER
cdef str HINTS
cpdef str readable(str text)
cdef str without_images(str text)
cdef bint is_blank(str line)
cdef str without_unseen(str text)
cpdef str with_plain_spaces(str text)
cdef str without_hints(str text)
cdef str with_spaces(str text, bint last)
cdef bint is_fixed(Py_UCS4 ch) noexcept
cdef str readable_part(str text, unsigned char seen)
cdef str readable_range(str text, const unsigned char[::1] classes, Py_ssize_t start, Py_ssize_t end, const int[::1] places, bytes signs, Py_ssize_t first, Py_ssize_t last)

cdef class TextReader:
    cdef str text
    cdef str shown
    cdef const unsigned char[::1] classes
    cdef const int[::1] places
    cdef bytes signs
    cdef Py_ssize_t place(self, Py_ssize_t offset) noexcept
    cpdef str readable(self, Py_ssize_t start, Py_ssize_t end)
    cpdef str parting(self, Py_ssize_t before, Py_ssize_t after)
    cpdef str readable_spans(self, object spans)
