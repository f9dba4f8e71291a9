from libc.math cimport log1p, sqrt
from pagecut.page.tokenizer cimport atomic_ranges, find_tokens, wrap_ranges
from pagecut.evidence.division cimport content_nodes

cdef enum:
    # Marks of a row: its kind, its tag and its names. The first of them are counted below each node.
    BIT_TEXT = 0
    BIT_IMAGE = 1
    BIT_BELOW = 2  # lists, tables, forms, paragraphs
    BIT_LEVEL = 6  # h1 to h6
    BIT_PART = 12  # seven parts by name
    COUNTED = 19
    BIT_OUTRIGHT = 19  # comments, ad
    BIT_LINK = 21
    BIT_GROUP = 22  # ten groups of tags, the first of them headings
    BIT_ID = 32
    BIT_FORCE_GAP = 33
    BIT_NO_GAP = 34
    BIT_RULE = 35
    BIT_BREAKS = 36
    # Marks of a node only.
    BIT_INLINE = 37
    BIT_HEADED = 38
    # Columns of facts, after the counts.
    TOKENS = 19
    LINKED_TOKENS = 20
    LINKED = 21
    DENSITY = 22
    BEFORE = 23
    CHILDREN = 24
    HEIGHT = 25
    DEPTH = 26
    PART_CHILDREN = 27
    NAMED_CHILDREN = 34
    INLINE_CHILDREN = 35
    HEADED_CHILDREN = 36
    ALIKE = 37
    SIZE_SUM = 38  # with the sum of squares after it, as the next two
    LINKED_SUM = 40
    DENSITY_SUM = 42
    LARGEST = 44
    BIG = 45
    ENTROPY = 46
    MOST_LINKED = 47
    LEAST_LINKED = 48
    FACTS = 49
    # Numbers of things.
    HEADINGS = 6
    PARTS = 7
    OUTRIGHT = 2
    NODE_FEATURES = 75
    PAIR_FEATURES = 40
    LINE_WIDTH = 80
    PRIME = 2147483647

cdef double BIG_SHARE, PROSE_LINKS
cdef Py_ssize_t first_at_least(const int[::1] values, Py_ssize_t size, int least, Py_ssize_t hint) noexcept
cdef double log_of(double count, const double[::1] logs) noexcept
cdef double spread_of(double total, double squares, double count) noexcept
cdef double flag(long long bits, int at) noexcept
cdef double is_prose(long long bits, double linked) noexcept

cdef class Known:
    cdef const double[::1] logs
    cdef const unsigned char[::1] letters
    cdef const int[:, ::1] words
    cdef const long long[::1] word_bits
    cdef const int[:, ::1] stems
    cdef const long long[::1] stem_bits
    cdef long long seed
    cpdef long long parts_in(self, const unsigned char[::1] values, Py_ssize_t start, Py_ssize_t end) noexcept

cdef class PageFeatures:
    cdef Known known
    cdef str text
    cdef const unsigned char[::1] classes
    cdef const int[::1] tag
    cdef const int[::1] above
    cdef const int[::1] subtree_end
    cdef const int[::1] depth
    cdef const int[::1] start
    cdef const int[::1] end
    cdef const unsigned char[::1] kind
    cdef Py_ssize_t leaves
    cdef Py_ssize_t most
    cdef int link
    cdef const long long[::1] tag_bits
    cdef const int[::1] owners
    cdef const unsigned char[::1] keys
    cdef const long long[::1] ends
    cdef const unsigned char[::1] values
    cdef const unsigned char[::1] names
    cdef const double[:, ::1] layout
    cdef const double[:, ::1] pair_layout
    # Buffers.
    cdef int[::1] ints
    cdef long long[::1] longs
    cdef Py_ssize_t used_ints
    cdef Py_ssize_t used_longs
    cdef int[::1] work
    cdef int[:, ::1] lines
    cdef int[::1] line_edges
    # The content tree.
    cdef readonly Py_ssize_t count
    cdef int[::1] top
    cdef int[::1] row
    cdef int[::1] parent
    cdef int[::1] previous
    cdef readonly int[::1] look
    cdef long long[::1] bits
    cdef int[::1] class_starts
    cdef int[::1] class_ends
    cdef long long[::1] chain
    cdef long long[::1] inside
    cdef int[::1] gaps
    cdef double[:, ::1] facts
    cdef int[:, ::1] spans
    cdef int[:, ::1] out_spans
    cdef int[::1] take_ints(self, Py_ssize_t size)
    cdef long long[::1] take_longs(self, Py_ssize_t size)
    cpdef Py_ssize_t read(self) except -1
    cdef object read_rows(self)
    cdef bint equal_classes(self, Py_ssize_t one, Py_ssize_t other) noexcept
    cdef object number_looks(self)
    cdef object read_text(self)
    cdef Py_ssize_t count_linked(self, const int[::1] token_starts, int[::1] linked_before, int[::1] leaves) noexcept
    cdef void read_facts(self, const int[::1] token_starts, const int[::1] linked_before, const int[::1] line_edges, const int[::1] tokens_before_line) noexcept
    cdef object read_tree(self)
    cdef void read_children(self) noexcept
    cdef void count_alike(self) noexcept
    cdef object read_gaps(self, const int[::1] leaves)
    cpdef void fill_nodes(self, const int[::1] which, double[:, ::1] table) noexcept
    cpdef void fill_pairs(self, const int[::1] which, double[:, ::1] table) noexcept
