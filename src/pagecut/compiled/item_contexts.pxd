# Types of what kernels/item_contexts.py calls within itself.
from pagecut.compiled.image_role cimport Evidence
from pagecut.compiled.item_parts cimport Found
from pagecut.compiled.items cimport FIGCAPTION, FIGURE, ItemTree, is_readable
from pagecut.compiled.objects cimport Maker
from pagecut.compiled.words cimport WordFinder

cdef int KEPT
cdef bint is_short(tuple spans) except -1
cdef tuple overlap(object caption, tuple spans)

cdef class ShownText:
    cdef ItemTree tree
    cdef str text
    cdef int not_shown
    cdef list starts
    cdef list ends
    cdef dict known
    cdef bint is_shown(self, int row) noexcept
    cpdef tuple parts_of(self, tuple spans)
    cdef object add_parts(self, int start, int end, list parts)

cdef class Captions:
    cdef ItemTree tree
    cdef WordFinder words
    cdef object is_caption
    cdef list classes
    cpdef object find(self, int image)
    cdef int child(self, int row) except -1
    cdef bint named(self, int row) except -1

cpdef list item_contexts(object page, tuple images, bint skip, str made_by, list items, list own_items, object evidence, object shown, object captions, object reader, object maker)
