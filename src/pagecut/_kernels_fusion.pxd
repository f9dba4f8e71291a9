# Types of what kernels_fusion.py calls within itself.
cdef double density_of(const int[::1] before, Py_ssize_t first, Py_ssize_t last) noexcept
cdef bint takes_in(double left, double middle, double right, int smooth) noexcept
cdef double slope_of(double left, double right) noexcept
