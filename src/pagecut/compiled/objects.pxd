# Types of what kernels/objects.py offers to other kernels.
from cpython.object cimport PyObject_GenericSetAttr

cdef object new

cdef class Maker:
    cdef object cls
    cdef tuple names
    cpdef object make(self, tuple values)
