# Types of what kernels/images.py calls within itself.
from pagecut.compiled.srcsets cimport best_of_srcset, first_loaded

cdef Py_UCS4 IMAGE
cpdef bint is_placeholder(str src) except -1
cpdef tuple choose_source(dict attributes, object sources=*)
cdef list present(dict attributes, tuple names)
cdef object first_of(dict attributes, tuple names)
cdef str stripped(str value)
cdef bint looks_like_url(str value) except -1
cpdef object resolve(object src, object base)
cpdef tuple declared_size(dict attributes)
cdef tuple sides_of(object style, object own_width, object own_height)
cdef bint may_have_sides(str style) except -1
cdef object length_of(object value)
cpdef tuple declare_image(Py_ssize_t index, int row, str tag, dict attributes, object sources, object fallback, object base, object fold)
cdef object attribute_text(dict attributes, object fallback, str name, object fold)
cdef str folded(str text, object fold)
