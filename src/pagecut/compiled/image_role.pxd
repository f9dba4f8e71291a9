# Types of what kernels/image_role.py calls.
from libc.math cimport exp, log1p

from pagecut.compiled._characters cimport PyUnicode_FindChar
from pagecut.compiled.image_names cimport GIF, SVG, ImageName, ImageSize
from pagecut.compiled.image_surroundings cimport Surroundings
from pagecut.compiled.items cimport FIGURE, LINK, RATIOS, ItemTree
from pagecut.compiled.said_words cimport SaidWords

cdef int HREF, STYLE
cdef int SIGN, SOCIAL, LOGO, LOGO_CLASS, ICON_CLASS, AD_CLASS, AD_NAME, PICTURE_CLASS, OVERLAY_CLASS
cdef int NAVIGATION, HEADING_NAME, UPLOAD_FOLDER, LAYOUT_FOLDER, FORM_WORDS, SIGN_IN, COPYRIGHT, AD_LABEL
cdef int PIECES
cdef int LABEL, SHORT, WHOLE_PAGE, BEGINNING, FORM_BEGINNING
cdef double TOP
cdef bint may_label(int letter) noexcept
cdef int place(const int[::1] starts, int offset) noexcept

cdef class Evidence:
    cdef ItemTree tree
    cdef str text
    cdef int not_shown
    cdef Surroundings around
    cdef SaidWords said
    cdef ImageName name
    cdef ImageSize size
    cdef object seen_size
    cdef object is_label
    cdef object is_form
    cdef dict times
    cdef int start
    cdef int end
    cdef int begins
    cdef double amounts[52]
    cdef const double[::1] weights
    cdef double bias
    cdef double threshold
    cdef int line
    cdef int dot
    cdef tuple roles
    cpdef tuple judge(self, object image, object found)
    cpdef str settled(self, object image, tuple spans)
    cdef bint is_mark(self, object width, object height) except -1
    cdef object collect(self, object image, str how, tuple spans)
    cpdef list of(self, object image, str how, tuple spans)
    cdef int images_in(self, int start, int end) noexcept
    cdef int beginning(self, int start, int end) except -1
    cdef bint begins_form(self, int start, int end) except -1
    cdef bint is_labelled(self, int start, int last) except -1
