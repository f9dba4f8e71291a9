# Types of what kernels/text_beginning.py calls within itself, and offers.
from pagecut.compiled._characters cimport PyUnicode_FindChar
from pagecut.compiled.words cimport WordFinder

cdef int FORM_WORDS, SIGN_IN, COPYRIGHT, AD_LABEL
cdef int BEGINNING, FORM_BEGINNING
cdef int ANNO, ANZE, PROM, PUBL, REKL, SPON, WERB
cdef int four_letters(str text, Py_ssize_t start) noexcept

cdef class Beginning:
    cdef str text
    cdef WordFinder words
    cdef object patterns
    cdef object is_label
    cdef object is_form
    cdef int start
    cdef int end
    cdef int known
    cdef int says(self, int start, int end) except -1
    cdef bint has_form(self, int start, int end) except -1
    cdef bint lets_in(self, int start, int end) noexcept
    cdef bint is_way_in(self, int at) noexcept
    cdef bint is_labelled(self, int start, int last) except -1
    cdef bint may_label(self, int at, int last) noexcept
