# Types of what kernels/dom_line.py calls within itself.
cdef int ELEMENT, TEXT, IMAGE, GAP, PICTURE, LEAST
cdef bint is_inked(const unsigned char[::1] classes, Py_ssize_t start, Py_ssize_t end) noexcept
