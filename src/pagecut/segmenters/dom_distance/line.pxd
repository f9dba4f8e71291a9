from pagecut.page.tokenizer cimport GAP, PICTURE

cdef int ELEMENT, TEXT, IMAGE
cdef bint is_inked(const unsigned char[::1] classes, Py_ssize_t start, Py_ssize_t end) noexcept
