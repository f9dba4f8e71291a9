# What kernels/mosaic_learnt.py holds.
from pagecut.compiled.trees cimport TreeSums

cdef class Learnt:
    cdef TreeSums regions
    cdef TreeSums roles
    cdef const double[::1] blocks
    cdef double block_bias
    cdef const double[::1] joints
    cdef double joint_bias
    cdef const double[::1] logs
    cdef const unsigned char[::1] letters
    cdef const int[:, ::1] words
    cdef const long long[::1] word_bits
    cdef const int[:, ::1] stems
    cdef const long long[::1] stem_bits
    cdef long long seed
