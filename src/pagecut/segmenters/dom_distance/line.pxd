from pagecut.results.labelled_ranges cimport is_blank

cdef int ELEMENT, TEXT, IMAGE
