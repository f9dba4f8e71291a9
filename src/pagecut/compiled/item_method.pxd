# Types of what kernels/item_method.py calls.
from pagecut.compiled.image_names cimport ImageName, ImageSize
from pagecut.compiled.image_role cimport Evidence
from pagecut.compiled.image_surroundings cimport Surroundings
from pagecut.compiled.item_columns cimport zeros
from pagecut.compiled.item_contexts cimport Captions, ShownText, item_contexts
from pagecut.compiled.item_controls cimport leave_out
from pagecut.compiled.item_search cimport ItemSearch
from pagecut.compiled.items cimport ItemTree
from pagecut.compiled.said_words cimport SaidWords, room_for_words

cdef class ItemMethod:
    cdef tuple control_names
    cdef bytes control_skips
    cdef object names_control
    cdef object words
    cdef object patterns
    cdef object is_label
    cdef object is_form
    cdef tuple judgement
    cdef object bare_words
    cdef int most_read
    cdef object caption_words
    cdef object is_caption
    cdef int not_shown
    cdef object maker
    cpdef object said_words(self, str text)
    cpdef object judge(self, object tree, tuple images, object url, object seen_size)
    cpdef list contexts(self, object page, object tree, bint skip, str made_by, object share, object seen_size)
