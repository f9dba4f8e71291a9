from pagecut.page.text.tokenizer cimport GAP, PICTURE

cdef bint is_numbered(const int[::1] labels) noexcept
cdef bint is_blank(const unsigned char[::1] classes, Py_ssize_t at, Py_ssize_t end) noexcept
cdef Py_ssize_t label_leaves(const unsigned char[::1] kind, const int[::1] depth, const int[::1] start, const int[::1] end, const int[:, ::1] spans, const int[::1] labels, int[::1] rows, int[::1] label, int[::1] shared) noexcept
cpdef Py_ssize_t merge_images(const unsigned char[::1] classes, const unsigned char[::1] kind, const int[::1] depth, const int[::1] start, const int[::1] end, const int[:, ::1] spans, const int[::1] labels, int[::1] leaves, int[:, ::1] out_spans, int[::1] out_labels) except -1
