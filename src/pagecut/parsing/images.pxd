cdef bytes PLAIN

cpdef bint is_placeholder(str src) except -1
cdef bint holds_place(str src) except -1
cdef bint is_address(str value) except -1
cpdef tuple choose_source(dict attributes, object sources=*)
cpdef double screen_fit(str media) except? -1
cdef list present(dict attributes, tuple names)
cdef tuple plain_source(dict attributes)
cdef str with_size(str value, dict attributes)
cdef str stripped(str value)
cdef bint looks_like_url(str value) except -1
cpdef str resolve(str src, str base)
cdef bint is_plain(str src) noexcept
cpdef tuple declared_size(dict attributes)
cdef tuple sides_of(object style, object own_width, object own_height)
cdef bint may_have_sides(str style) except -1
cdef object length_of(object value)
cpdef bint stands_in(dict fallback, dict image) except -1
cpdef object declare_image(Py_ssize_t index, int row, str tag, dict attributes, object sources, object fallback, object base, object own)
cdef bint is_same(str address, str own) except -1
cdef object attribute_text(dict attributes, object fallback, str name)
cdef bint is_folded(str value) noexcept
cpdef list parse_srcset(str value)
cdef Py_ssize_t descriptors_end(str value, Py_ssize_t at, Py_ssize_t size) noexcept
cdef double number_of(str word) except? -1
cdef object first_loaded(list values)
cdef bint is_file(str url) except -1
cpdef object best_of_srcset(list values)
cdef object best_candidate(list values, bint only_files)

cdef class Srcset:
    cdef str value
    cdef Py_ssize_t at
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef double width
    cdef double density
    cdef bint read(self) except -1
    cdef bint read_number(self) noexcept
    cdef object read_descriptors(self)
    cdef bint is_data(self) except -1
    cdef str url(self)
