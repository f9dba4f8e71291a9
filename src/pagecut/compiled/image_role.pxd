# Types of what kernels/image_role.py calls.
from libc.math cimport exp, log1p

from pagecut.compiled.image_names cimport GIF, SVG, ImageName, ImageSize
from pagecut.compiled.image_surroundings cimport Surroundings
from pagecut.compiled.item_parts cimport Found
from pagecut.compiled.items cimport FIGURE, LINK, RATIOS, ItemTree
from pagecut.compiled.objects cimport get_slot
from pagecut.compiled.said_words cimport SaidWords
from pagecut.compiled.text_beginning cimport AD_LABEL, COPYRIGHT, FORM_WORDS, Beginning

cdef int HREF, STYLE
cdef int SIGN, SOCIAL, LOGO, LOGO_CLASS, ICON_CLASS, AD_CLASS, AD_NAME, PICTURE_CLASS, OVERLAY_CLASS
cdef int NAVIGATION, HEADING_NAME, UPLOAD_FOLDER, LAYOUT_FOLDER
cdef int PIECES
cdef int LABEL, SHORT, WHOLE_PAGE
cdef double TOP
cdef dict WAYS
cdef int NODE, TAG, SRC, ALT, WIDTH, HEIGHT
cdef int RECORD, ENTRY, SHARED, FAR
cdef int place(const int *starts, int count, int offset) noexcept
cdef int count_between(const int *starts, int count, int start, int end) noexcept

cdef class Evidence:
    cdef ItemTree tree
    cdef str text
    cdef int not_shown
    cdef Surroundings around
    cdef SaidWords said
    cdef ImageName name
    cdef ImageSize size
    cdef object seen_size
    cdef Beginning beginning
    cdef tuple slots
    cdef tuple images
    cdef dict times
    cdef int link
    cdef str target
    cdef bint shows_picture
    cdef bint leaves_site
    cdef double amounts[52]
    cdef const double[::1] weights
    cdef double bias
    cdef double threshold
    cdef int line
    cdef int dot
    cdef tuple roles
    cdef int times_of(self, object source) except -1
    cpdef tuple judge(self, object image, object found)
    cpdef str settled(self, object image, tuple spans)
    cdef bint is_mark(self, object width, object height) except -1
    cdef object collect(self, object image, str how, tuple spans)
    cpdef list of(self, object image, str how, tuple spans)
    cdef object follow(self, int link)
    cdef int images_in(self, int start, int end) noexcept
