# Types of what kernels/names.py calls within itself.
cdef long long PRIME
cdef long long parts_in(const unsigned char[::1] values, Py_ssize_t start, Py_ssize_t end, const unsigned char[::1] letters, const int[:, ::1] words, const long long[::1] word_bits, const int[:, ::1] stems, const long long[::1] stem_bits) noexcept
cdef bint equal_classes(const unsigned char[::1] values, const long long[:, ::1] classes, Py_ssize_t one, Py_ssize_t other) noexcept
