from pagecut.evidence.row_attributes cimport RowAttributes
from pagecut.evidence.table cimport Evidence

cdef int HEADING, RECORD, ROW, CELL, WHOLE, LINK, FIGURE, FIGCAPTION
cdef int LANDMARK, CONTENT, LINE, PLAIN, PARAGRAPH
cdef int MASKED, SMALL_WIDTH, SMALL_HEIGHT, FEW, STEP, ITEM, BLOCK, FLOW, MOST_LABELS, FEWEST_LABELS
cdef Py_UCS4 IMAGE
cdef dict MEANINGS, PLACES
cdef frozenset RATIOS
cdef tuple CONTROL_NAMES

cdef class ItemTree:
    cdef readonly Evidence evidence
    cdef str text
    cdef bytes meaning_bytes
    cdef bytes place_bytes
    cdef const unsigned char *meanings  # by tag
    cdef const unsigned char *places
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
cdef bint is_readable(str text, int start, int end) noexcept

cdef class FoundItem:
    cdef readonly str how
    cdef readonly tuple spans

cdef class Parts:
    cdef ItemTree tree
    cdef int row
    cdef list rows
    cdef list texts
    cdef list words_before
    cdef list pictured
    cdef list bare
    cdef list headings
    cdef dict groups
    cdef FoundItem around(self, int child)
    cdef FoundItem found(self, str how, Py_ssize_t first, Py_ssize_t last)
    cdef int words(self, Py_ssize_t first, Py_ssize_t last) except -1
    cdef dict regular_groups(self)
    cdef dict groups_of(self, list pictured)
    cdef Py_ssize_t before_picture(self, Py_ssize_t first, Py_ssize_t last) except -2
    cdef list telling(self, list pictured)
    cdef Py_ssize_t lead(self, list pictured, Py_ssize_t step) except -1
    cdef bint repeats(self, list pictured, Py_ssize_t ahead) except -1
    cdef FoundItem section(self, Py_ssize_t at)
    cdef FoundItem neighbour(self, Py_ssize_t at)
    cdef bint is_headline(self, int row) noexcept

cdef class ItemSearch:
    cdef ItemTree tree
    cdef readonly dict parts
    cdef dict labels
    cdef dict worded
    cdef dict rows
    cdef dict cells
    cdef dict filled
    cdef dict stories
    cpdef FoundItem find(self, int image)
    cdef tuple column(self, int cell)
    cdef list column_texts(self, list rows, Py_ssize_t own, Py_ssize_t step, Py_ssize_t at, Py_ssize_t width)
    cdef list children(self, int row, int meaning, dict known)
    cdef FoundItem climb(self, int first, int image)
    cdef bint shares_record(self, int first, int record) except -1
    cdef int grown(self, int first) noexcept
    cdef FoundItem item_at(self, str how, int row, int image)
    cdef FoundItem shared(self, int row)
    cdef tuple label_before(self, int row)
    cdef list worded_children(self, int row)
    cdef FoundItem part_of(self, int row, int child)
    cdef int nearest_of_alike(self, int row, int image) except -2

cdef bint is_story(ItemTree tree, int row) except -1

cdef class Controls:
    cdef ItemTree tree
    cdef list starts
    cdef list ends
    cdef list spans
    cdef bint is_control(self, int row) except -1
    cdef bint holds(self, int place) except -1
    cdef list leave_out(self, list found)
    cdef bint touch(self, tuple spans) except -1
    cdef tuple without(self, tuple spans)

cdef bint has_words(str text, Py_ssize_t start, Py_ssize_t end, int fewest) noexcept
cpdef list image_items(ItemTree tree, tuple images)
cpdef list whole_items(ItemTree tree, tuple images)
cpdef Controls control_rows(ItemTree tree)
