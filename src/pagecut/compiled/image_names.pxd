# Types of what kernels/image_names.py offers.
from pagecut.compiled._characters cimport PyUnicode_DATA, PyUnicode_IS_ASCII, PyUnicode_READ
from pagecut.compiled.addresses cimport BROKEN, DIGIT, DOT, QUERY, SLASH, URL_KINDS, after_plain_host, path_of, site_of
from pagecut.compiled.items cimport RATIOS

cdef int TINY, THIN, READ, HASH
cdef long long JPG, JPEG, PNG, GIF, WEBP, AVIF, SVG
cdef double WIDE
cdef long long ending_code(str text, Py_ssize_t first, Py_ssize_t last) noexcept
cdef bint may_tell_sides(str style) except -1
cdef tuple size_in_name(str name)
cdef bint is_digit(Py_UCS4 ch) noexcept
cdef bint is_times(Py_UCS4 ch) noexcept
cdef tuple size_of_data(str url)

cdef class ImageName:
    cdef readonly str url
    cdef readonly str text
    cdef readonly Py_ssize_t first
    cdef readonly Py_ssize_t stem_end
    cdef readonly Py_ssize_t last
    cdef readonly long long ending
    cdef readonly bint numbered
    cdef readonly bint may_tell_size
    cpdef object read(self, str url)
    cdef bint read_plain(self, str url) noexcept
    cdef object read_path(self, str url)
    cdef bint is_hash(self) noexcept
    cpdef list site_of(self, str url)
    cpdef bint shows_picture(self, str target) except -1
    cpdef bint is_photo(self) noexcept

cdef class ImageSize:
    cdef readonly long long width
    cdef readonly long long height
    cpdef object read(self, object width, object height, str style, str url, bint named)
    cpdef object see(self, object seen)
    cpdef bint is_known(self) noexcept
    cpdef bint is_tiny(self) except -1
    cpdef bint is_thin(self) noexcept
    cpdef bint is_large(self) noexcept
    cpdef bint is_wide(self) noexcept
