from pagecut.evidence.table cimport Evidence
from pagecut.contexts.item.candidates cimport Candidates
from pagecut.evidence.items cimport ItemTree

cdef int FEATURES, SCANNED, ALT_SAID, WIDTH, GROUP_COUNT, SAID_COUNT, ABOUT_COUNT, LINE_FEATURES
cdef int LINK_PLACE, SHORT_OF_BEST, ALT_DENSITY, PROSE, MOST_PROSE, MOST_TARGETS, SAID_FROM

cdef class CandidateEvidence:
    cdef Candidates candidates
    cdef ItemTree tree
    cdef tuple memory
    cdef int leaves
    cdef int *leaf_row
    cdef int *leaf_start
    cdef int *linked
    cdef int *headed
    cdef int *texts
    cdef int *blocks
    cdef int *pictures
    cdef int *hidden
    cdef unsigned int *hashes
    cdef unsigned char *titled
    cdef int *titled_before
    cdef int token_count
    cdef readonly object groups
    cdef int *group
    cdef int *group_next
    cdef int *group_previous
    cdef int *group_size
    cdef int *group_place
    cdef float *group_stats
    cdef int group_count
    cdef int offset
    cdef unsigned int known[32]
    cdef int known_count
    cdef unsigned char bloom[256]
    cdef int *stops
    cdef int *digits
    cdef int *prices
    cdef Evidence table_of_rows
    cdef long long source_names
    cdef int group_bits[32]
    cdef int said_bits[32]
    cdef int line_count
    cdef int *line_start
    cdef int *line_end
    cdef int *line_tokens
    cdef int *prose_lines
    cdef int *prose_tokens
    cdef int *repeated
    cdef long long *line_says
    cdef int *text_target
    cdef int *text_tokens
    cdef int *target_of_link
    cdef int target
    cdef int section_start
    cdef int section_end
    cdef float[:, ::1] about
    cdef object read_lines(self)
    cdef int line_at(self, int offset) noexcept
    cdef long long said_in_line(self, int line) except -1
    cdef object read_links(self)
    cdef object read_images(self, object page)
    cdef int tokens_of_line(self, int line) noexcept
    cdef void section(self, int row) noexcept
    cdef object fill_lines(self, int *own, double tokens, float *line)
    cdef long long names(self, int row) noexcept
    cdef object read_leaves(self)
    cdef object read_words(self, object page)
    cdef object find_groups(self, object page)
    cdef object measure_groups(self)
    cdef int leaf_at(self, int offset) noexcept
    cdef object fill(self, int image, int row, float[:, ::1] table)
    cdef object fill_words(self, object source, int image, float[:, ::1] table)
    cdef int know(self, list words) except -1
    cdef double said(self, int start, int end) noexcept
    cdef double common(self, int *first, int *second) noexcept

cdef unsigned int word_hash(str word) noexcept
cdef bint is_currency(Py_UCS4 ch) noexcept
cdef int shared(int start, int end, int other, int last) noexcept
