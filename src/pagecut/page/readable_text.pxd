from pagecut.page.tokenizer cimport BLANK, EDGE, PICTURE

cdef int IMAGE, SPACE, NEWLINE, TAB
cdef int IS_LETTERING, IS_CODE, IS_LINK, IS_SPAN, IS_PARAGRAPH, IS_ROW, IS_CELL, IS_TABLE, WITHIN
cdef str OPENING, CLOSING, HINTS
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

cdef class DataTables:
    cdef Py_ssize_t rows
    cdef str text
    cdef const unsigned char[::1] kind, marks
    cdef const int[::1] tag, parent, subtree_end, start, end
    cdef readonly int[::1] table
    cdef readonly int[::1] cell
    cdef readonly bint any
    cdef object find_cells(self, const unsigned char[::1] is_heading)
    cdef object keep_data(self, int[:, ::1] counts)
    cdef bint is_broken(self, Py_ssize_t leaf, Py_ssize_t after)

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
