from pagecut.evidence.row_attributes cimport RowAttributes
from pagecut.evidence.table cimport Evidence

cdef int HEADING, RECORD, ROW, CELL, WHOLE, LINK, FIGURE, FIGCAPTION, LINE, PLAIN, PARAGRAPH
cdef int MASKED, SMALL_WIDTH, SMALL_HEIGHT
cdef Py_UCS4 IMAGE
cdef dict MEANINGS
cdef frozenset RATIOS

cdef class ItemTree:
    cdef readonly Evidence evidence
    cdef str text
    cdef const int *meanings  # by tag
    cdef Py_ssize_t tag_count
    cdef readonly RowAttributes attributes
    cdef const unsigned char *kind
    cdef const unsigned char *hidden
    cdef const int *tag
    cdef const int *parent
    cdef const int *subtree_end
    cdef const int *start
    cdef const int *end
    cdef int *tokens
    cdef int *pictures
    cdef int *images
    cdef int *headings
    # By what the evidence table calls a look; -1 if not yet known.
    cdef int *class_numbers
    cdef int *look_numbers
    # By row; -1 if not yet known.
    cdef int *alike_counts
    cdef int *pictured_counts
    cdef int *captions
    # While siblings are counted: their rows, and by look how many have it; zeros otherwise.
    cdef int *siblings
    cdef int *counted
    cdef int *leaf_starts
    cdef int *image_starts
    cdef int *image_rows
    cdef int *tokens_before
    cdef int rows
    cdef int leaf_count
    cdef int image_count
    cdef tuple memory
    cdef dict shapes
    cdef dict tag_sets
    cdef dict looks
    cdef void read_table(self) noexcept
    cdef object count_pictures(self, tuple images)
    cdef int meaning(self, int row) noexcept
    cdef int first_class(self, int row) except -1
    cdef int look(self, int row) except -1
    cdef tuple span(self, int row)
    cdef int tokens_in(self, int start, int end) noexcept
    cdef bint is_readable(self, int start, int end) noexcept
    cdef bint holds(self, int row, int other) noexcept
    cdef list filled_children(self, int row)
    cdef object shape(self, int row)
    cdef list child_tags(self, int row)
    cdef int alike(self, int row) except -1
    cdef int alike_with_picture(self, int row) except -1
    cdef object count_alike(self, int row)
    cdef object count_pictured(self, int row)
    cdef Py_ssize_t find_siblings(self, int row, int *counts, bint pictured) noexcept

cdef bint is_small(object width, object height) except -1
cdef int count_below(const int *starts, int count, int offset) noexcept
