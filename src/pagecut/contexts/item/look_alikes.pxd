from pagecut.contexts.item.candidates cimport Candidate, Candidates

cdef enum:
    SUMS_COUNT = 5  # for each group and kind: images, sizes, their squares, overlaps, equals

cdef class LookAlikes:
    cdef Candidates candidates
    cdef object memory
    cdef object stats_memory
    cdef readonly object numbers
    cdef int count
    # By image.
    cdef int *group
    cdef int *following
    cdef int *preceding
    # By group.
    cdef int *size
    cdef float *stats
    cdef object find(self, tuple images)
    cdef void measure(self) noexcept
    cdef double overlap(self, Candidate *own, int other, int kind) noexcept
