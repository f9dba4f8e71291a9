# Types of what kernels/items.py and the kernels that read its columns call.
from pagecut.compiled.attributes cimport RowAttributes

cdef int HEADING, RECORD, ROW, CELL, WHOLE, LINK, FIGURE, FIGCAPTION, FEW, MASKED
cdef int LANDMARK, CONTENT, LINE, PLAIN
cdef Py_UCS4 IMAGE
cdef frozenset RATIOS
cdef bint is_readable(str text, int start, int end) noexcept

cdef class ItemTree:
    cdef readonly str text
    cdef bytes bits
    cdef bytes marks
    cdef const unsigned char *kind
    cdef const int *tag
    cdef const int *parent
    cdef const int *subtree_end
    cdef const int *start
    cdef const int *end
    cdef const unsigned char *hidden
    cdef const int *tokens_before
    cdef const int *leaf_starts
    cdef const int *image_starts
    cdef int *tokens
    cdef int *pictures
    cdef int *images
    cdef int *headings
    cdef int *class_numbers
    cdef int *alike_counts
    cdef int *pictured_counts
    cdef int *captions
    cdef int *found
    cdef int rows
    cdef int leaf_count
    cdef int image_count
    cdef tuple kept
    cdef long long looks[8]
    cdef unsigned long long masks[8]
    cdef readonly RowAttributes attributes
    cdef dict shapes
    cdef int meaning(self, int row) noexcept
    cdef int first_class(self, int row) except -1
    cdef long long look(self, int row) except -1
    cdef tuple span(self, int row)
    cpdef int tokens_in(self, int start, int end) noexcept
    cdef bint holds(self, int row, int other) noexcept
    cdef list filled_children(self, int row)
    cdef object shape(self, int row)
    cdef unsigned long long mask(self, int row) noexcept
    cdef list child_tags(self, int row)
    cdef int alike(self, int row) except -1
    cdef int alike_with_picture(self, int row) except -1
    cdef object count_alike(self, int row)
    cdef object count_pictured(self, int row)
    cdef object count_few_pictured(self, Py_ssize_t size)
    cdef int read_looks(self, Py_ssize_t size) except -1
    cdef Py_ssize_t find_worded(self, int row, int *counts, bint pictured) noexcept
