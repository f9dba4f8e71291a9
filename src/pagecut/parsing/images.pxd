cpdef tuple declared_size(dict attributes)
cdef tuple sides_of(object style, object own_width, object own_height)
cdef bint may_have_sides(str style) except -1
cdef object length_of(object value)
cpdef object declare_image(Py_ssize_t index, int row, str tag, dict attributes, object sources, object fallback, object base, object own)
cdef object attribute_text(dict attributes, object fallback, str name)
cdef bint is_folded(str value) noexcept
