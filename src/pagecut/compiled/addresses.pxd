# Types of what kernels/addresses.py calls within itself, and offers.
from pagecut.compiled._characters cimport PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_READ

cdef int DIGIT, SLASH, DOT, QUERY, FRAGMENT, BROKEN
cdef bytes URL_KINDS
cpdef str path_of(str url)
cdef Py_ssize_t path_end(str url, Py_ssize_t first) noexcept
cdef list site_of(str url)
cdef Py_ssize_t after_host(str url) noexcept
cdef bint is_plain(str url) noexcept
cdef Py_ssize_t after_plain_host(str url) noexcept
cdef Py_ssize_t after_scheme(str url) noexcept
