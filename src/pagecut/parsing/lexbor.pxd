cimport cython

# The columns of a parsed page, which the readers fill and the walk reads.
cdef struct Buffer:
    char *data
    Py_ssize_t size
    Py_ssize_t capacity

cdef int grow(Buffer *self, Py_ssize_t more) except -1
cdef void start(Buffer *self) noexcept
cdef void release(Buffer *self) noexcept

cdef inline int reserve(Buffer *self, Py_ssize_t more) except -1:
    """Let so many more bytes fit."""
    if self.size + more > self.capacity:
        grow(self, more)
    return 0

# What a tag means to the reader and to the walk, as bits.
cdef enum:
    BREAKS_LINE = 1
    BREAKS_WORD = 2
    PRESERVES = 4
    OPAQUE = 8
    MUTE = 16
    MUTE_IF_FOREIGN = 32
    FOREIGN = 64  # SVG and MathML
    ENDS_FOREIGN = 128
    LINK = 256
    DIALOG = 512
    IMG = 1024
    SOURCE = 2048
    PICTURE = 4096
    MAYBE_IMAGE = 8192  # decided by its attributes, or by what is around it
    UNREAD = 16384  # content that nobody asks for
    RAW_TEXT = 32768
    NOSCRIPT = 65536
    TEMPLATE = 1 << 17
    FRAME = 1 << 18
    DECLARES = 1 << 19  # may say something of the page itself

# What an attribute means to the walk.
cdef enum:
    KEPT = 1
    OF_IMAGE = 2
    HIDDEN = 4
    ARIA_HIDDEN = 8
    STYLE = 16
    OPEN = 32
    IS_TYPE = 64
    POSTER = 128
    COMPOSES = 256  # a frame or a shadow tree
    DECLARED = 512  # what an element says of the page itself

# Codes of nodes that are no elements; those of elements are positions in `Tree.tags`.
cdef enum:
    TEXT = 0
    OTHER = -1  # a comment, and the like

# What an int can count. As powers of two they would be Python's objects, made for each node.
cdef enum:
    MOST_NODES = 0x7ffffffe
    MOST_CHARACTERS = 0x7fffffff

cdef struct Node:
    int tag
    int depth
    int end  # the first node after its sub-tree
    Py_ssize_t first  # of an element, its attributes; of a text, its bytes
    Py_ssize_t last

cdef struct Attribute:
    int name
    Py_ssize_t start  # of the value in the tree's bytes; -1 if it has none
    Py_ssize_t end

@cython.final
cdef class Tree:
    cdef Buffer node_buffer
    cdef Buffer attribute_buffer
    cdef Buffer trait_buffer
    cdef Buffer values
    cdef Buffer declaring  # the nodes that say something of the page itself
    cdef int last_depth
    cdef readonly list tags
    cdef readonly list names
    cdef dict tag_codes
    cdef dict name_codes
    cdef readonly bint everything
    cdef readonly bint composed
    cdef readonly bint unclosed  # a frame in a <noscript>, which has more of the page in it
    cdef bint wanted  # whether the content of the element that was added last is asked for
    cdef inline Node *nodes(self) noexcept:
        return <Node *> self.node_buffer.data
    cdef inline Attribute *attributes(self) noexcept:
        return <Attribute *> self.attribute_buffer.data
    cdef inline unsigned int *traits(self) noexcept:
        return <unsigned int *> self.trait_buffer.data
    cdef inline Py_ssize_t count(self) noexcept:
        return self.node_buffer.size // <Py_ssize_t> sizeof(Node)
    cdef int tag_code(self, bytes name) except -2
    cdef int name_code(self, bytes name) except -2
    cdef Node *add_node(self, int tag, int depth) except NULL
    cdef int add_value(self, int name, const unsigned char *value, Py_ssize_t size) except -1
    cdef Py_ssize_t add_bytes(self, const unsigned char *data, Py_ssize_t size) except -1
    cdef str value_at(self, Py_ssize_t start, Py_ssize_t end)
    cdef int note_composed(self, Node *node) except -1
    cdef int note_declaring(self, unsigned int traits) except -1
    cdef bint is_linked_data(self, Node *node)
    cdef Node *_node(self, Py_ssize_t at) except NULL

cdef const unsigned short *attribute_traits
