from pagecut.contexts.item.page_sums cimport PageSums
from pagecut.evidence.item_tree cimport ItemTree

cdef int LEVELS, CUT_LEVELS, STEPS, MOST, HEADLINE, KINDS_COUNT, NONE
cdef int AFTER, BEFORE, BOTH, NEXT, PREVIOUS, BESIDE, SHIFTED, BEFORE_2, NEXT_2, SHIFTED_2
cdef int TO_HEADING_2, TO_HEADING_3, AFTER_2, DOC_NEXT, DOC_BOTH, HEADING_ALONE, HEADING_SECTION
cdef int HEADING_TO, NEXT_SECTION
cdef int CAPTION, H1_BLOCK, RUN, FAR_RUN, H1_TO, H1_LABELLED_TO, CAPTION_RUN, CAPTION_FAR_RUN
cdef int H1_TO_CAPTION, TWIN, RULES, BLOCK, NEAR, LABELLED, FAR

cdef struct Range:
    int start
    int end

# A text that may belong to an image: one or two ranges, the second of which may be empty.
cdef struct Candidate:
    int text[4]
    int token[4]  # the same in tokens
    int leaf[4]  # the same in leaves
    int tokens

cdef struct Side:
    int edge  # the last child with text before the next picture
    int inner  # the one before it
    int text  # the first with text; -1 if none has any
    int heading  # the first with a heading; -1 if none has one
    int until  # the last with text before that

cdef class Candidates:
    cdef readonly ItemTree tree
    cdef PageSums sums
    cdef object memory
    cdef readonly int images
    cdef readonly int count
    cdef object found_memory
    cdef Candidate *found
    cdef int *previous
    cdef int *heading_after
    cdef int *firsts
    cdef unsigned char *kinds
    cdef dict exact
    cdef int h1
    cdef Range headline[4]
    cdef Range control  # around the image
    cdef readonly object kinds_table
    cdef void read_rows(self) noexcept
    cdef int heading_before(self, int row) noexcept
    cdef Range section(self, int row) noexcept
    cdef Candidate *of_kind(self, int image, int kind) noexcept
    cdef void find_control(self, int row) noexcept
    cdef int labels(self, int start, int end) noexcept
    cdef bint is_labels(self, int start, int end, int other, int last) noexcept
    cpdef object first_of_each(self)
    cpdef tuple spans(self, int at)
    cdef object add_spans(self, int image, int kind, tuple spans)
    cdef void add(self, int image, int kind, int start, int end) noexcept
    cdef void add_two(self, int image, int kind, int start, int end, int other, int last) noexcept
    cdef object find(self, int image, int row, int caption, tuple item)
    cdef void cut_level(self, int image, int level, int above, int child) noexcept
    cdef Side look(self, int child, int stop, bint forward) noexcept
    cdef void find_in_document(self, int image, int row) noexcept
    cdef int block_of_text(self, int text) noexcept
    cdef void find_headline(self) noexcept
    cdef void add_headline(self, int image, int row, int caption) noexcept
    cdef void add_range(self, int image, int kind, int which, int caption) noexcept
    cdef void find_twin(self, int image, int row) noexcept
    cdef void run(self, int row, int which, bint labelled) noexcept

cdef double common(Candidate *first, Candidate *second) noexcept
