# Types of what kernels/segments.py calls within itself.
cdef int GAP, PICTURE, EDGE, IMAGE, SPACE, NEWLINE, IS_LETTERING, IS_CODE
cdef bint is_blank(const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end) noexcept
cdef Py_ssize_t label_leaves(const unsigned char[::1] kind, const int[::1] depth, const int[::1] start, const int[::1] end, const int[:, ::1] spans, const int[::1] labels, int[::1] rows, int[::1] label, int[::1] shared) noexcept
cdef str readable_range(str text, const unsigned char[::1] classes, Py_ssize_t start, Py_ssize_t end, const int[::1] glued, Py_ssize_t first, Py_ssize_t last)
cdef str without_images(str text)
cpdef Py_ssize_t merge_images(const unsigned char[::1] classes, const unsigned char[::1] kind, const int[::1] depth, const int[::1] start, const int[::1] end, const int[:, ::1] spans, const int[::1] labels, int[::1] leaves, int[:, ::1] out_spans, int[::1] out_labels) except -1

cdef class TextReader:
    cdef str text
    cdef const unsigned char[::1] classes
    cdef const int[::1] glued
    cdef Py_ssize_t place(self, Py_ssize_t offset) noexcept
    cpdef str readable(self, Py_ssize_t start, Py_ssize_t end)
    cpdef str readable_spans(self, object spans)
