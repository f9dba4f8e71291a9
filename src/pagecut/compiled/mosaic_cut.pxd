# The methods of kernels/mosaic_cut.py, and the kernels that they call, as C functions.
from pagecut.compiled.division cimport divide_blocks, divide_regions
from pagecut.compiled._mosaic_marks cimport BIT_PART, CHUNK, NODE_FEATURES, OUTRIGHT, PARTS, TOKENS
from pagecut.compiled.mosaic_page cimport MosaicPage
from pagecut.compiled.nesting cimport label_texts, nest_blocks
from pagecut.results.labelled_ranges cimport merge_images
from pagecut.compiled.trees cimport likeliest, probability, weighted_sums
cdef double NEVER, NAMED_CONFIDENCE

cdef class MosaicCut(MosaicPage):
    cdef void divide(self, double coarseness)
    cdef void judge(self, const int[::1] nodes, Py_ssize_t segment)
    cdef void judge_all(self)
    cdef Py_ssize_t number_regions(self) except -1
    cdef Py_ssize_t nest(self) except -1
