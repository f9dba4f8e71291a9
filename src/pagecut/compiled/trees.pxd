# Types of what kernels/trees.py uses within itself.
cdef int TREES_PER_WORD, PADDING
cdef double E
