from pagecut.evidence.items cimport ItemTree

cdef int LEVELS, CUT_LEVELS, CUTS, STEPS, MOST, HEADLINE, KINDS_COUNT, NONE
cdef int AFTER, BEFORE, BOTH, NEXT, PREVIOUS, BESIDE, SECTION, HEAD_TO, TO_HEAD, SHIFTED
cdef int DOC_NEXT, DOC_PREVIOUS, DOC_BOTH, HEADING_ALONE, HEADING_SECTION, HEADING_TO
cdef int HEADING_NEXT, TO_NEXT_HEADING, CAPTION_ALONE, H1, H1_BLOCK, RUN, RUN_LABELLED
cdef int FAR_RUN, FAR_RUN_LABELLED, H1_TO, H1_LABELLED_TO, TO_H1, CAPTION_H1, CAPTION_RUN
cdef int CAPTION_FAR_RUN, CAPTION_BLOCK, NEAR_H1, NEAR_RUN, NEAR_BLOCK, NEAR_HEADING, H1_TO_CAPTION
cdef int TWIN, TWIN_LINK, TWIN_RANGE, RULES

cdef struct Range:
    int start
    int end

cdef struct Side:
    int edge  # the last child with text before the next picture
    int inner  # the one before it
    int text  # the first with text; -1 if none has any
    int heading  # the first with a heading; -1 if none has one
    int until  # the last with text before that

cdef class Candidates:
    cdef readonly ItemTree tree
    cdef tuple memory
    cdef readonly int images
    cdef readonly int count
    cdef int capacity
    cdef object ranges_memory
    cdef int *ranges
    cdef int *previous
    cdef int *block
    cdef int *heading_before
    cdef int *heading_after
    cdef int *text_rows
    cdef int text_count
    cdef int *firsts
    cdef unsigned char *kinds
    cdef unsigned char *line_breaking
    cdef bytes line_breaking_memory
    cdef dict links
    cdef dict exact
    cdef int last_link
    cdef list last_rows
    cdef int h1
    cdef Range headline[8]
    cdef readonly object kinds_table
    cdef object read_rows(self)
    cdef object find_links(self)
    cpdef object first_of_each(self)
    cpdef tuple spans(self, int at)
    cdef object add_spans(self, int image, int kind, tuple spans)
    cdef object add(self, int image, int kind, int start, int end)
    cdef object add_two(self, int image, int kind, int start, int end, int other, int last)
    cdef object find(self, int image, int row, int caption, tuple item)
    cdef object cut_level(self, int image, int level, int above, int child)
    cdef Side look(self, int child, int stop, bint forward) noexcept
    cdef object find_in_document(self, int image, int row)
    cdef object find_headline(self)
    cdef object add_headline(self, int image, int row, int caption, int nearest)
    cdef object find_twin(self, int image, int row)
    cdef object run(self, int row, int which, bint labelled)
