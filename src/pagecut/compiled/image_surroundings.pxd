# Types of what kernels/image_surroundings.py offers.
from pagecut.compiled._characters cimport PyUnicode_IS_ASCII
from pagecut.compiled.image_names cimport ImageName
from pagecut.compiled.items cimport CONTENT, LANDMARK, LINE, LINK, ItemTree
from pagecut.compiled.words cimport WordFinder

cdef int CLASS, ID, HREF, NEAR, MOST, GROUPS, NAVIGATION

cdef class Surroundings:
    cdef ItemTree tree
    cdef int[::1] named
    cdef WordFinder words
    cdef object patterns
    cdef object site_of
    cdef list site
    cdef dict known
    cdef int[::1] landmarks
    cdef dict links
    cdef Py_ssize_t steps
    cdef int stem_groups
    cdef int url_groups
    cdef str folder
    cdef long long folder_groups
    cdef int groups(self, str text, Py_ssize_t start, Py_ssize_t end) except -1
    cdef object read_name(self, ImageName name)
    cdef int names(self, int row) except -1
    cdef int value_groups(self, int row, int which) except -1
    cdef bint links_to(self, int link, str target, int start, int end) except -1
    cdef int near_link(self, int link, str target, int start, int end) except -2
    cdef dict find_links(self)
    cdef bint leaves_site(self, str target) except -1
    cdef bint in_navigation(self, int row) except -1
    cdef bint in_line(self, int node) noexcept
