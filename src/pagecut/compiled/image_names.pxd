# Types of what kernels/image_names.py offers.
from pagecut.compiled.items cimport RATIOS

cdef int TINY, THIN, READ, HASH
cdef double WIDE
cdef bytes BROKEN
cdef tuple size_in_name(str name)
cdef bint is_digit(Py_UCS4 ch) noexcept
cdef tuple size_of_data(str url)
cpdef str path_of(str url)
cdef Py_ssize_t path_end(str url, Py_ssize_t first) noexcept
cdef list site_of(str url)
cdef Py_ssize_t after_host(str url) noexcept
cdef Py_ssize_t after_scheme(str url) noexcept
cdef bint is_picture_file(str path) except -1

cdef class ImageName:
    cdef readonly str url
    cdef readonly str stem
    cdef readonly str file
    cdef readonly str ending
    cpdef object read(self, str url)
    cpdef list site_of(self, str url)
    cpdef bint shows_picture(self, str target) except -1
    cpdef bint is_photo(self) except -1
    cpdef bint is_numbered(self) except -1

cdef class ImageSize:
    cdef readonly long long width
    cdef readonly long long height
    cpdef object read(self, object width, object height, str style, str url)
    cpdef object see(self, object seen)
    cpdef bint is_known(self) noexcept
    cpdef bint is_tiny(self) except -1
    cpdef bint is_thin(self) noexcept
    cpdef bint is_large(self) noexcept
    cpdef bint is_wide(self) noexcept
