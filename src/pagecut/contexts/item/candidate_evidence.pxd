from pagecut.contexts.item.about_images cimport AboutImages
from pagecut.contexts.item.candidates cimport Candidate, Candidates, Range
from pagecut.contexts.item.look_alikes cimport LookAlikes
from pagecut.contexts.item.page_sums cimport PageSums
from pagecut.evidence.item_tree cimport ItemTree

cdef enum:
    MOST_IMAGE = 64
    MOST_TREE = 32
    MOST_KINDS = 40
    STEPS = 48  # ancestors that are looked at

# An ancestor of an image, or the image itself.
cdef struct Level:
    int row
    int start  # of its text, in tokens
    int end
    long long inner  # what the names of those between it and the image say
    bint known  # whether `line` is filled in
    float line[32]  # TREE, but for what depends on the candidate

cdef int FEATURES, GROUP_COUNT, SAID_COUNT, MOST_TARGETS, WORDS_FIRST, IMAGE_FIRST
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
    cdef int record
    cdef int record_steps
    cdef Candidate record_frame
    cdef int article
    cdef Candidate article_frame
    cdef int lonely
    cdef long long near
    cdef float of_image[64]
    cdef Level levels[49]
    cdef int level_count
    # Its candidates: what each shares with each, how many kinds each has, and the first of those.
    cdef Candidate *own
    cdef double shares[40][40]
    cdef int own_kinds[40]
    cdef int first_kind[40]
    cdef int kinds_total
    cdef int[::1] seen
    cdef int stamp
    cdef object read_image(self, int image, object source)
    cdef object read_around(self)
    cdef void frame(self, int row, Candidate *found) noexcept
    cdef void start_levels(self) noexcept
    cdef void add_level(self, int row) noexcept
    cdef int read_level(self, Level *level, int steps) except -1
    cdef void compare(self, int count) noexcept
    cdef void fill_kinds(self, int count, float *lines) noexcept
    cdef void fill_names(self, long long names, float *line) noexcept
    cdef int fill(self, int at, int count, float *line) except -1
    cdef void fill_text(self, Candidate *own, float *line) noexcept
    cdef void fill_place(self, Candidate *own, float *line) noexcept
    cdef int fill_tree(self, Candidate *own, float *line) except -1
    cdef void fill_group(self, Candidate *own, int best, float *line) noexcept
    cdef void fill_others(self, int at, int count, int best, float *line) noexcept
    cdef void fill_records(self, Candidate *own, float *line) noexcept
    cdef int fill_lines(self, Candidate *own, float *line) except -1
    cdef object fill_words(self, int count, float *lines)
    cdef void fill_said(self, int count, int wanted, float *lines) noexcept

cdef int sum_over(int *sums, int *ranges) noexcept
