from pagecut.evidence.table cimport Evidence
from pagecut.page.text.data_tables cimport DataTables

cdef enum:
    REACH = 40  # elements that are looked at above a line

cdef class Lines:
    cdef readonly Evidence evidence
    cdef readonly Py_ssize_t count
    cdef readonly object table
    cdef readonly object spans
    cdef readonly object tokens
    cdef readonly object texts
    cdef float[:, ::1] rows  # of the table
    cdef int[::1] blocks  # the row of each line that breaks lines around it
    cdef int[:, ::1] large  # of each row of the page, the rows around it that hold certain shares
    cdef float[:, ::1] headings  # words of each line, as part of a heading: mean, least
    cdef str text
    cdef int[::1] tag_number
    cdef DataTables data_tables
