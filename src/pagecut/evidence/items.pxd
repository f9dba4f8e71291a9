from pagecut.evidence.item_tree cimport ItemTree
from pagecut.evidence.sharing_buttons cimport SharingButtons

cdef int FEW, STEP, ITEM, BLOCK, FLOW

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

cpdef list image_items(ItemTree tree, tuple images)
cpdef list whole_items(ItemTree tree, tuple images)
cdef list without_labels(ItemTree tree, list found, SharingButtons buttons)
