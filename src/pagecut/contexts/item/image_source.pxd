from pagecut.evidence.words cimport Words

cdef int SPOT, DOT, TINY, THIN, NAME_END, MOST_READ, HASH
cdef int SIGN, SOCIAL, LOGO, AD, HEADING, UPLOAD, LAYOUT
cdef double WIDE
cdef tuple PICTURE_ENDINGS
cdef frozenset PHOTO_ENDINGS

cdef class ImageName:
    cdef Words words
    cdef str url
    cdef str name
    cdef str stem
    cdef str ending
    cdef bint numbered
    cdef bint may_tell_size
    cdef long long in_stem
    cdef long long in_path
    cdef object read(self, str url)
    cdef object read_digits(self)
    cdef bint is_photo(self) except -1

cdef class ImageSize:
    cdef long long width
    cdef long long height
    cdef object read(self, object width, object height, str style, str url, bint named)
    cdef bint is_known(self) noexcept
    cdef bint is_tiny(self) except -1
    cdef bint is_thin(self) noexcept
    cdef bint is_large(self) noexcept
    cdef bint is_wide(self) noexcept

cdef tuple size_of_data(str url)
cpdef str path_of(str address)
cpdef str file_name(str address)
cpdef list site_of(str address)
cdef bint is_home(str address) except -1
cdef bint is_dot(object width, object height) except -1
