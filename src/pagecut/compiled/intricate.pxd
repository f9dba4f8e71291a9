# Types of what kernels/intricate.py offers to other kernels.
cdef bint is_unshown(Py_UCS4 ch) noexcept
cdef bint may_not_show(Py_UCS4 ch) noexcept
cpdef bint is_intricate(Py_UCS4 ch) noexcept
