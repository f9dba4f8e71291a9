from pagecut.evidence.item_tree cimport ItemTree
from pagecut.evidence.table cimport Evidence

cdef enum:
    LOGARITHMS = 1024
    MOST_WORDS = 32  # of an alt text or a name that are looked for

cdef struct Word:
    unsigned int hashed
    # In `word_places`: the tokens of the page among which it is, if anywhere.
    int first
    int last

cdef double logarithms[1024]
cdef int PROSE, SAID_FROM, SCANNED, MOST_TWINS, NOT_SHOWN
cdef bytes SMALL
cdef frozenset CONTROLS
cdef long long UNSEEN
cdef int MOST_UNSEEN

cdef class PageSums:
    cdef ItemTree tree
    cdef Evidence table
    cdef list memory
    cdef bytes control_bytes
    cdef const unsigned char *is_control  # by tag
    # By row: where a link leads, and the nearest links with words that lead there; -1 if none.
    cdef int *target
    cdef int *link_before
    cdef int *link_after
    # By character: how many leaves begin before it.
    cdef int *leaves_before
    # By leaf, sums over those before it.
    cdef int leaves
    cdef int *linked
    cdef int *headed
    cdef int *texts
    cdef int *blocks
    cdef int *pictures
    cdef int *hidden
    cdef int *labels
    cdef int *unseen
    # By text with words.
    cdef int *text_row
    cdef int *leading  # how many before it lead somewhere
    # By text with words that leads somewhere.
    cdef int *targets
    cdef int *target_tokens
    # By token, sums over those before it.
    cdef int token_count
    cdef unsigned int *hashes
    cdef int *titled
    cdef int *stops
    cdef int *digits
    cdef int *prices
    # Tokens sorted by the last bits of their hashes, and where those of the same bits begin.
    cdef unsigned int mask
    cdef int *word_firsts
    cdef int *word_places
    # By token: how many lines begin before it.
    cdef int *lines_before
    # By line, sums over those before it.
    cdef int line_count
    cdef int *line_start
    cdef int *line_end
    cdef int *line_tokens
    cdef int *prose_lines
    cdef int *repeated
    cdef long long *line_says
    # The words that are looked for.
    cdef Word known[32]
    cdef int known_count
    cdef int wanted_count
    cdef int *columns(self, Py_ssize_t count, Py_ssize_t length) except NULL
    cdef object read_links(self)
    cdef bint links_into(self, int link, int start, int end) noexcept
    cdef int target_around(self, int row) noexcept
    cdef object read_leaves(self, object page)
    cdef object read_words(self, object page)
    cdef int sort_words(self) except -1
    cdef object read_lines(self)
    cdef int line_at(self, int offset) noexcept
    cdef int tokens_of_line(self, int line) noexcept
    cdef int leaf_at(self, int offset) noexcept
    cdef long long said_in_line(self, int line) noexcept
    cdef long long said_in(self, int start, int end) noexcept
    cdef int look_for(self, list words) except -1
    cdef double said(self, int start, int end) noexcept

cdef list word_hashes(str text)
cdef list letter_hashes(str text, int fewest, bint digits=*)
cdef double logarithm(int count) noexcept
cdef int shared(int start, int end, int other, int last) noexcept
cdef bint is_currency(Py_UCS4 ch) noexcept
cdef void fill_logarithms() noexcept
