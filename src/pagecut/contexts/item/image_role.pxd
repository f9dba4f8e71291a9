from pagecut.evidence.items cimport FoundItem, ItemTree
from pagecut.evidence.names cimport WordFinder

cdef int SPOT, DOT, TINY, THIN, NAME_END, HASH
cdef int MOST_NAMED, BEGINNING, FORM_BEGINNING, MOST_READ, HASHES, MANY
cdef int LABEL, SHORT, LONG, WHOLE_PAGE
cdef Py_UCS4 UNSEEN
cdef double WIDE, TOP
cdef int RECORD, ENTRY, SHARED, FAR, IS_AD, AMOUNTS, NOT_SHOWN
cdef int SIGN, SOCIAL, LOGO, LOGO_CLASS, ICON_CLASS, AD_CLASS, AD_NAME, PICTURE_CLASS, OVERLAY_CLASS
cdef int NAVIGATION, HEADING_NAME, UPLOAD_FOLDER, LAYOUT_FOLDER, FORM_WORDS, SIGN_IN, COPYRIGHT
cdef dict WAYS
cdef tuple PICTURE_ENDINGS
cdef bytes SMALL
cdef frozenset PHOTO_ENDINGS, AD_STARTS

cdef class ImageName:
    cdef str url
    cdef str name
    cdef str stem
    cdef str ending
    cdef bint numbered
    cdef bint may_tell_size
    cdef object read(self, str url)
    cdef object read_digits(self)
    cdef bint is_photo(self) except -1

cdef class ImageSize:
    cdef long long width
    cdef long long height
    cdef object read(self, object width, object height, str style, str url, bint named)
    cdef bint is_known(self) noexcept
    cdef bint is_tiny(self) except -1
    cdef bint is_thin(self) noexcept
    cdef bint is_large(self) noexcept
    cdef bint is_wide(self) noexcept

cdef tuple size_of_data(str url)

cdef class Surroundings:
    cdef ItemTree tree
    cdef WordFinder words
    cdef list site
    cdef dict links
    cdef int[::1] named
    cdef int[::1] landmarks
    cdef int groups(self, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef int names(self, int row) except -1
    cdef bint links_to(self, int link, str target, int start, int end) except -1
    cdef dict find_links(self)
    cdef bint leaves_site(self, str target) except -1
    cdef bint in_navigation(self, int row) except -1
    cdef bint in_line(self, int node) noexcept

cdef class TextWords:
    cdef str text
    cdef Py_ssize_t start
    cdef Py_ssize_t end
    cdef Py_ssize_t asked
    cdef bint plain
    cdef unsigned char hashes[1024]
    cdef frozenset all_words
    cpdef object choose(self, Py_ssize_t start, Py_ssize_t end)
    cdef bint read(self) noexcept
    cpdef bint has(self, str word) except -1
    cdef frozenset words(self)
    cpdef bint has_half(self, list words) except -1
    cpdef bint has_any(self, list words) except -1

cpdef list words_of(str text)
cpdef list long_words_of(str name)
cdef list runs_of(str text, Py_ssize_t fewest, bint digits)
cpdef bint is_unseen(Py_UCS4 ch) noexcept
cpdef bint is_complex(Py_UCS4 ch) noexcept
cdef Py_UCS4 small_letter(Py_UCS4 ch) noexcept

cdef class RoleJudge:
    cdef object page
    cdef ItemTree tree
    cdef str text
    cdef Surroundings around
    cdef TextWords words
    cdef ImageName name
    cdef ImageSize size
    cdef double amounts[52]
    cdef dict times
    cdef int link
    cdef str target
    cdef bint shows_picture
    cdef bint leaves_site
    cdef int beginning
    cdef int beginning_end
    cdef int beginning_bits
    cpdef str certain(self, object image)
    cdef int times_shown(self, object source) except -1
    cdef int beginning_says(self, int start, int end) except -1
    cdef bint is_labelled(self, int start, int last) except -1
    cdef object collect(self, object image, FoundItem item)
    cdef object follow(self, int link)
    cdef int images_in(self, int start, int end) noexcept

cdef int count_between(const int *starts, int count, int start, int end) noexcept
cdef bint is_dot(object width, object height) except -1
