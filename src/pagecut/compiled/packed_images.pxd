# Types of what kernels/packed_images.py calls within itself.
from pagecut.compiled.images cimport declare_image, folded, length_of, resolve, sides_of, stripped
from pagecut.compiled.objects cimport Maker

cdef int LAST_SOURCE, ALT, TITLE, STYLE, WIDTH, HEIGHT, NOTHING, ELSEWHERE_USE

cdef class PackedImages:
    cdef const int[:, ::1] columns
    cdef const int[::1] sources
    cdef const int[::1] owners
    cdef bytes keys
    cdef const long long[::1] ends
    cdef bytes values
    cdef tuple names
    cdef bytes uses
    cdef Py_ssize_t first_of(self, int owner) noexcept
    cdef str value(self, Py_ssize_t place)
    cdef object length(self, Py_ssize_t place)
    cdef dict attributes(self, int owner)
    cdef tuple plain(self, Py_ssize_t index, int row, str tag, object base, object fold)
