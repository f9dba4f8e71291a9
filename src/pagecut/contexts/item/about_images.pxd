cdef int ABOUT_COUNT, MOST_PROSE, MOST_READ, FEWEST_LETTERS, LONGEST_SIDE
cdef frozenset SIDES

cdef class AboutImages:
    cdef float[:, ::1] values
    cdef list alt
    cdef list name

cdef int side_in(str address) except -2
