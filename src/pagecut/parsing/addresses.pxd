cdef bytes PLAIN

cpdef bint is_placeholder(str src) except -1
cdef bint holds_place(str src) except -1
cdef bint is_address(str value) except -1
cdef str stripped(str value)
cdef bint looks_like_url(str value) except -1
cpdef str resolve(str src, str base)
cdef bint is_plain(str src) noexcept
cdef bint is_same(str address, str own) except -1
cdef bint is_file(str url) except -1
