from pagecut.evidence.item_tree cimport ItemTree
from pagecut.evidence.sharing_buttons cimport SharingButtons

cdef int SHORT, NOT_SHOWN

cdef class ShownText:
    cdef ItemTree tree
    cdef list unseen
    cdef dict known
    cdef SharingButtons buttons
    cpdef tuple parts_for(self, int row, tuple spans)
    cdef tuple shown_parts(self, tuple spans)

cdef bint is_short(tuple spans) except -1
cpdef list item_contexts(object page, bint skip, str made_by)
