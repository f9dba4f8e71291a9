from pagecut.page.text.data_tables cimport DataTables

cdef int QUOTE, ITEM, LISTING, CELL, HEADER_CELL, TABLE_ROW, TABLE, LINK, TERM, ROLE, BLOCK

# What an element is in, itself included: rows, -1 = none.
cdef struct Place:
    int block
    int heading  # its level; 0 = none
    int quotes  # how many
    int quote  # the outermost
    int item  # of a list
    int listing  # the outermost element of preformatted text
    int table
    int table_row
    int cell
    int link
    int term  # that a list defines

cdef class Surroundings:
    cdef const int[::1] tag, parent
    cdef bytes groups
    cdef object memory
    cdef Place *places
    cdef set tables, headed_tables
    cdef object find_places(self, DataTables data)
    cdef int table_around(self, Place *place) except -2
    cpdef bint is_headed(self, Py_ssize_t table)
    cpdef int item_around(self, Py_ssize_t row)
    cpdef int quotes_around(self, Py_ssize_t row)
    cpdef int outermost_quote(self, Py_ssize_t row)
