cdef int MOST_READ, SHORTEST
cdef frozenset PICTURES
cdef tuple ENDINGS, ENDS_OF_SIZES

cdef class Declared:
    cdef readonly tuple kinds
    cdef readonly frozenset pictures

cpdef str picture_name(str address)
cdef object read_linked(str data, set types, set pictures)
