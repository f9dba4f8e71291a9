from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from pagecut.evidence.words cimport PRIME, SIGN_CAPITAL, SIGN_COMMA, SIGN_DIGIT, Words
from pagecut.page.text.tokenizer cimport find_tokens

cdef enum:
    # Columns of `counts`, in the order of COUNTS.
    TOKENS
    LINKED_TOKENS
    PROSE_TOKENS
    HIDDEN_TOKENS
    CHARACTERS
    SENTENCE_ENDS
    COMMAS
    DIGITS
    CAPITALS
    LINES
    TEXTS
    IMAGES
    ELEMENTS
    LINKS
    PARAGRAPHS
    LIST_ITEMS
    CELLS
    CONTROLS
    BREAKS
    LISTS
    TABLES
    FORMS
    FIGURES
    MEDIA
    SECTIONS
    H1
    H2
    H3
    H4
    H5
    H6
    TIMES
    BREAKING
    COUNT_COLUMNS

cdef enum:
    # Columns of `places`, in the order of PLACES.
    TOKENS_BEFORE
    CHILDREN
    POSITION
    ALIKE
    LOOK
    BLOCK
    LINK
    REPEATED
    HEADING
    PLACE_COLUMNS

cdef enum:
    # Columns of `lines`, in the order of LINE_COLUMNS.
    LINE_START
    LINE_END
    LINE_LEAF
    LINE_TOKENS
    LINE_LINKED
    LINE_COLUMNS_

cdef enum:
    PROSE_LINE = 20  # tokens from which on a line is prose
    REPEATED_FROM = 3  # siblings alike
    # Bits of `kinds`, in the order of KINDS.
    HEADING_KIND = 0
    LINK_KIND = 22
    RULE_KIND = 32
    BREAKING_KIND = 33
    FORCED_GAP_KIND = 34
    NO_GAP_KIND = 35
    ID_KIND = 36

cdef class Evidence:
    cdef Words known
    cdef readonly Py_ssize_t rows
    cdef readonly Py_ssize_t line_count
    cdef str text
    # The page's own columns.
    cdef const unsigned char[::1] classes
    cdef const unsigned char[::1] kind
    cdef const unsigned char[::1] hidden
    cdef const int[::1] tag
    cdef const int[::1] parent
    cdef const int[::1] subtree_end
    cdef const int[::1] depth
    cdef const int[::1] start
    cdef const int[::1] end
    # What is found.
    cdef readonly int[:, ::1] counts
    cdef readonly int[:, ::1] places
    cdef readonly int[:, ::1] lines
    cdef readonly int[::1] token_starts
    cdef readonly long long[::1] names
    cdef readonly long long[::1] names_around
    cdef readonly long long[::1] names_inside
    cdef readonly long long[::1] kinds
    cdef readonly long long[::1] kinds_around
    cdef readonly long long[::1] kinds_inside
    cdef object read_rows(self, const long long[::1] tag_kinds, const signed char[::1] tag_columns, const int[::1] owners, const unsigned char[::1] keys, const long long[::1] ends, const unsigned char[::1] values, const unsigned char[::1] wanted)
    cdef void read_around(self, const unsigned char[::1] linked) noexcept
    cdef void read_text(self, const int[::1] token_starts, int[::1] in_line) noexcept
    cdef Py_ssize_t end_line(self, Py_ssize_t line, Py_ssize_t last, int seen, int[::1] in_line) noexcept
    cdef void add_up(self) noexcept
    cdef void number_looks(self, const unsigned char[::1] values, const int[:, ::1] class_of, int[::1] slots, long long[::1] said) noexcept
    cdef void count_siblings(self, int[::1] seen) noexcept
    cdef void read_before(self) noexcept

cdef bint same_bytes(const unsigned char[::1] values, Py_ssize_t one, Py_ssize_t one_end, Py_ssize_t other, Py_ssize_t other_end) noexcept
