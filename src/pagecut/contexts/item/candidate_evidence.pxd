from pagecut.evidence.table cimport Evidence
from pagecut.contexts.item.candidates cimport Candidates
from pagecut.evidence.items cimport ItemTree

cdef int FEATURES, SCANNED, ALT_SAID, WIDTH, GROUP_COUNT, AROUND_COUNT
cdef dict ENDINGS

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
    cdef int around_bits[32]
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
cdef bint is_home(str target) except -1
cdef bint is_currency(Py_UCS4 ch) noexcept
cdef int shared(int start, int end, int other, int last) noexcept
