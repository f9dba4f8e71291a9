from pagecut.contexts.item.about_images cimport AboutImages
from pagecut.contexts.item.candidates cimport Candidates, Range
from pagecut.contexts.item.look_alikes cimport LookAlikes
from pagecut.contexts.item.page_sums cimport PageSums
from pagecut.evidence.items cimport ItemTree

cdef enum:
    MOST_IMAGE = 64

cdef int FEATURES, GROUP_COUNT, SAID_COUNT, MOST_TARGETS, STEPS, WORDS_FIRST, IMAGE_FIRST
cdef int TEXT_COUNT, PLACE_COUNT, TREE_COUNT, GROUP_FEATURES, OTHERS_COUNT, RECORDS_COUNT
cdef int LINES_COUNT, WORDS_COUNT, IMAGE_COUNT

cdef class CandidateEvidence:
    cdef Candidates candidates
    cdef PageSums sums
    cdef ItemTree tree
    cdef readonly LookAlikes groups
    cdef readonly AboutImages about
    cdef int group_bits[32]
    cdef int said_bits[32]
    # The image whose candidates are looked at.
    cdef int image
    cdef int row
    cdef int place
    cdef int here
    cdef int leaf
    cdef int group
    cdef int group_size
    cdef Range section
    cdef int target
    cdef int kinds_total
    cdef int own_kinds
    cdef int record
    cdef int record_steps
    cdef int article
    cdef int lonely
    cdef long long near
    cdef float own[64]
    # The candidate that is looked at: its leaves.
    cdef int first
    cdef int last
    cdef int[::1] seen
    cdef int stamp
    cdef object read_image(self, int image, object source)
    cdef object read_around(self)
    cdef void fill_names(self, long long names, float *line) noexcept
    cdef int fill(self, int at, float *line) except -1
    cdef void fill_text(self, int *own, double tokens, float *line) noexcept
    cdef void fill_place(self, int *own, double tokens, float *line) noexcept
    cdef int fill_tree(self, int *own, double tokens, float *line) except -1
    cdef int fill_kinds(self, int at, float *line) noexcept
    cdef void fill_group(self, int *own, double tokens, int best, float *line) noexcept
    cdef void fill_others(self, int *own, double tokens, int best, float *line) noexcept
    cdef void fill_records(self, int *own, float *line) noexcept
    cdef int fill_lines(self, int *own, double tokens, float *line) except -1
    cdef object fill_words(self, float *lines)
