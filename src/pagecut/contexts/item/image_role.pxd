from pagecut.contexts.item.about_images cimport AboutImages
from pagecut.contexts.item.image_source cimport ImageName, ImageSize
from pagecut.contexts.item.page_sums cimport PageSums
from pagecut.evidence.item_tree cimport ItemTree
from pagecut.evidence.items cimport FoundItem

cdef int LABELLED, BEGINNING, LABEL, SHORT, LONG, WHOLE_PAGE, NOT_SHOWN
cdef double TOP
cdef int RECORD, ENTRY, SHARED, FAR
cdef long long IS_LOGO, IS_ICON, IS_AD, IS_PICTURE, IS_OVERLAY, IS_NAVIGATION, IS_FORM, IS_COPYRIGHT
cdef long long LANDMARK_KINDS, CONTENT_KINDS
cdef dict WAYS
cdef frozenset LOGO_WORDS

cdef class RoleJudge:
    cdef PageSums sums
    cdef ItemTree tree
    cdef AboutImages about
    cdef list site
    cdef ImageName name
    cdef ImageSize size
    cdef dict times
    cdef int link
    cdef str target
    cdef bint shows_picture
    cdef bint leaves_site
    cdef int beginning
    cdef int beginning_end
    cdef long long said_first
    cdef long long said_early
    cdef double amounts[52]
    cpdef str certain(self, object image)
    cdef bint in_navigation(self, int row) noexcept
    cdef bint in_line(self, int node) noexcept
    cdef object beginning_says(self, int start, int end)
    cdef double says(self, list words, int start, int end) except -1
    cdef object collect(self, object image, FoundItem item)
    cdef object follow(self, int link)
    cdef int images_in(self, int start, int end) noexcept
