# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""A page's tree by lexbor, as columns that are our own.

lexbor is the one inside of selectolax's extension. It is used only through functions that the
extension exports, looked up by name: none of its structures is declared here, and none of its
memory is written. Where a function is missing, `read_tree` takes the same columns from selectolax's
Python classes.
"""

import ctypes
import warnings
from array import array
from time import thread_time

import selectolax
import selectolax.lexbor
cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free, realloc
from libc.string cimport memcpy, memset

from pagecut.errors import PageError
from pagecut.page.declarations import CONTENT, Declaration
from pagecut.page.tags import (
    DECLARING,
    DECLARING_ATTRIBUTES,
    FOREIGN_MUTE,
    KEPT_ATTRIBUTES,
    LINE_BREAKING,
    MUTE as MUTE_TAGS,
    OPAQUE as OPAQUE_TAGS,
    PRESERVING,
    WORD_BREAKING,
)
from pagecut.page.xpath import TEXT_TAG
from pagecut.parsing.images import IMAGE_ATTRIBUTES
from pagecut.parsing.limits import DEFAULT_LIMITS, Spent

# Opaque elements with something that is asked for all the same: the title, fallback images.
READ = frozenset({"head", "noscript"})
TAG_TRAITS = {
    BREAKS_LINE: LINE_BREAKING,
    BREAKS_WORD: WORD_BREAKING,
    PRESERVES: PRESERVING,
    OPAQUE: OPAQUE_TAGS,
    MUTE: MUTE_TAGS,
    MUTE_IF_FOREIGN: FOREIGN_MUTE,
    FOREIGN: {"svg", "math"},
    ENDS_FOREIGN: {"foreignObject"},
    LINK: {"a"},
    DIALOG: {"dialog"},
    IMG: {"img"},
    SOURCE: {"source"},
    PICTURE: {"picture"},
    MAYBE_IMAGE: {"source", "input", "image", "amp-img", "video", "noscript"},
    UNREAD: OPAQUE_TAGS - READ,
    RAW_TEXT: {"script", "style", "iframe", "textarea", "noframes", "noembed"},
    NOSCRIPT: {"noscript"},
    TEMPLATE: {"template"},
    FRAME: {"iframe"},
    DECLARES: DECLARING,
}
ATTRIBUTE_TRAITS = {
    KEPT: KEPT_ATTRIBUTES,
    OF_IMAGE: IMAGE_ATTRIBUTES,
    HIDDEN: {"hidden"},
    ARIA_HIDDEN: {"aria-hidden"},
    STYLE: {"style"},
    OPEN: {"open"},
    IS_TYPE: {"type"},
    POSTER: {"poster"},
    COMPOSES: {"srcdoc", "shadowrootmode"},
    DECLARED: DECLARING_ATTRIBUTES,
}


def traits_of(name, table):
    return sum(bit for bit, names in table.items() if name in names)


KNOWN_TAGS = [TEXT_TAG, *sorted(set().union(*TAG_TRAITS.values(), {"body", "slot", "title", "base"}))]
KNOWN_TAG_CODES = {name.encode(): code for code, name in enumerate(KNOWN_TAGS) if code != TEXT}
KNOWN_NAMES = sorted(set().union(*ATTRIBUTE_TRAITS.values(), {"data-shadow-tree", "slot"}))
KNOWN_NAME_CODES = {name.encode(): code for code, name in enumerate(KNOWN_NAMES)}

cdef bytes known_traits = array("I", [traits_of(name, TAG_TRAITS) for name in KNOWN_TAGS]).tobytes()
# Names beyond the known ones mean nothing.
cdef bytes known_attribute_traits = array(
    "H", [traits_of(name, ATTRIBUTE_TRAITS) for name in KNOWN_NAMES]
).tobytes()
cdef const unsigned short *attribute_traits = <const unsigned short *> PyBytes_AS_STRING(
    known_attribute_traits
)
cdef int KNOWN = len(KNOWN_NAMES)


cdef int TYPE_NAME = KNOWN_NAMES.index("type")
cdef bytes LINKED_DATA = b"application/ld+json"
cdef Py_ssize_t LINKED_DATA_SIZE = len(LINKED_DATA)


# Buffers of moderate size are kept for the next page: fresh memory costs as much as filling it.
cdef enum:
    MOST_SPARE = 16
    LARGEST_SPARE = 1 << 20

cdef Buffer spare[MOST_SPARE]
cdef int spares = 0


cdef void start(Buffer *self) noexcept:
    """Make a buffer empty, with memory that was kept if there is any."""
    global spares
    memset(self, 0, sizeof(Buffer))
    if spares:
        spares -= 1
        self[0] = spare[spares]


cdef void release(Buffer *self) noexcept:
    global spares
    if self.data != NULL and spares < MOST_SPARE and self.capacity <= LARGEST_SPARE:
        spare[spares] = self[0]
        spare[spares].size = 0
        spares += 1
    else:
        free(self.data)
    memset(self, 0, sizeof(Buffer))


cdef int grow(Buffer *self, Py_ssize_t more) except -1:
    cdef Py_ssize_t capacity = 2 * self.size + more + 256
    cdef void *data = realloc(self.data, capacity)
    if data == NULL:
        raise MemoryError
    self.data = <char *> data
    self.capacity = capacity
    return 0


@cython.final
cdef class Tree:
    """The nodes of a page in document order, with their attributes and texts.

    Args:
        everything: keep all attributes, and what is in elements that a page has no rows for.
    """

    def __cinit__(self, bint everything=False):
        start(&self.node_buffer)
        start(&self.attribute_buffer)
        start(&self.trait_buffer)
        start(&self.values)
        start(&self.declaring)
        self.everything = everything
        self.last_depth = -1
        self.tags = KNOWN_TAGS.copy()
        self.names = KNOWN_NAMES.copy()
        self.tag_codes = KNOWN_TAG_CODES.copy()
        self.name_codes = KNOWN_NAME_CODES.copy()
        reserve(&self.trait_buffer, 2 * len(known_traits))
        memcpy(self.trait_buffer.data, PyBytes_AS_STRING(known_traits), len(known_traits))
        self.trait_buffer.size = len(known_traits)

    def __dealloc__(self):
        release(&self.declaring)
        release(&self.values)
        release(&self.trait_buffer)
        release(&self.attribute_buffer)
        release(&self.node_buffer)

    def __len__(self):
        return self.count()

    cdef int tag_code(self, bytes name) except -2:
        """The code of a tag, a new one if it is not known."""
        code = self.tag_codes.get(name)
        if code is None:
            code = self.tag_codes[name] = len(self.tags)
            self.tags.append(name.decode("utf-8", "replace"))
            reserve(&self.trait_buffer, sizeof(int))
            self.traits()[<int> code] = 0
            self.trait_buffer.size += sizeof(int)
        return code

    cdef int name_code(self, bytes name) except -2:
        """The code of an attribute's name; -1 if nobody asks for such attributes."""
        code = self.name_codes.get(name)
        if code is None:
            if not self.everything:
                return -1
            code = self.name_codes[name] = len(self.names)
            self.names.append(name.decode("utf-8", "replace"))
        return code

    cdef Node *add_node(self, int tag, int depth) except NULL:
        """A node after all others; without attributes so far."""
        cdef Node *node
        if self.count() >= MOST_NODES:
            raise MemoryError
        if not 0 <= depth <= self.last_depth + 1:
            raise ValueError(f"a node of depth {depth} follows one of {self.last_depth}")
        self.last_depth = depth
        reserve(&self.node_buffer, sizeof(Node))
        node = <Node *> (self.node_buffer.data + self.node_buffer.size)
        self.node_buffer.size += sizeof(Node)
        node.tag = tag
        node.depth = depth
        node.end = 0
        node.first = node.last = self.attribute_buffer.size // <Py_ssize_t> sizeof(Attribute)
        return node

    cdef Py_ssize_t add_bytes(self, const unsigned char *data, Py_ssize_t size) except -1:
        cdef Py_ssize_t start = self.values.size
        reserve(&self.values, size)
        memcpy(self.values.data + start, data, size)
        self.values.size += size
        return start

    cdef int add_value(self, int name, const unsigned char *value, Py_ssize_t size) except -1:
        """An attribute of the last node, an element."""
        cdef Attribute *attribute
        cdef Py_ssize_t start = -1 if value == NULL else self.add_bytes(value, size)
        reserve(&self.attribute_buffer, sizeof(Attribute))
        attribute = <Attribute *> (self.attribute_buffer.data + self.attribute_buffer.size)
        self.attribute_buffer.size += sizeof(Attribute)
        attribute.name = name
        attribute.start = start
        attribute.end = -1 if value == NULL else start + size
        self.nodes()[self.count() - 1].last += 1
        return 0

    cdef int note_composed(self, Node *node) except -1:
        """Whether an element has content in an attribute or as a shadow tree; notes it."""
        cdef Py_ssize_t at
        cdef Attribute *attribute
        if self.traits()[node.tag] & (FRAME | TEMPLATE):
            for at in range(node.first, node.last):
                attribute = &self.attributes()[at]
                if (
                    attribute.name < KNOWN
                    and attribute_traits[attribute.name] & COMPOSES
                    and attribute.end > attribute.start
                ):
                    self.composed = True
                    return 1
        return 0

    cdef int note_declaring(self, unsigned int traits) except -1:
        """Note the last node if it says something of the page; whether its content does so."""
        cdef Node *node = &self.nodes()[self.count() - 1]
        cdef bint is_data = False
        if traits & RAW_TEXT:  # a script
            is_data = self.is_linked_data(node)
            if not is_data:
                return 0
        elif node.first == node.last:
            return 0
        reserve(&self.declaring, sizeof(int))
        (<int *> (self.declaring.data + self.declaring.size))[0] = <int> self.count() - 1
        self.declaring.size += sizeof(int)
        return is_data

    cdef bint is_linked_data(self, Node *node):
        cdef Py_ssize_t at
        cdef Attribute *attribute
        for at in range(node.first, node.last):
            attribute = &self.attributes()[at]
            if attribute.name == TYPE_NAME and attribute.end - attribute.start >= LINKED_DATA_SIZE:
                kind = self.values.data[attribute.start : attribute.end].strip().lower()
                return kind.startswith(LINKED_DATA)
        return False

    cdef str value_at(self, Py_ssize_t start, Py_ssize_t end):
        return PyUnicode_DecodeUTF8(self.values.data + start, end - start, "replace")

    def declarations(self):
        """What the page says of itself, in document order."""
        cdef Py_ssize_t number, at, count = self.declaring.size // <Py_ssize_t> sizeof(int)
        cdef Node *node
        cdef Attribute *attribute
        cdef dict attributes
        cdef list found = []
        cdef int each
        for number in range(count):
            each = (<int *> self.declaring.data)[number]
            node = &self.nodes()[each]
            attributes = {}
            for at in range(node.first, node.last):
                attribute = &self.attributes()[at]
                if attribute.name < KNOWN and attribute_traits[attribute.name] & DECLARED:
                    value = self.value_at(attribute.start, attribute.end)
                    attributes[self.names[attribute.name]] = value
            if node.end > each + 1:
                attributes[CONTENT] = "".join([self.text(child) for child in self.children(each)])
            found.append(Declaration(self.tags[node.tag], attributes))
        return tuple(found)

    # What readers in Python call, and what composes trees.

    def add_element(self, str tag, int depth, dict attributes):
        """Add an element; whether it holds a document or a shadow tree."""
        cdef bytes raw
        cdef unsigned int traits
        cdef int name
        self.add_node(self.tag_code(tag.encode("utf-8", "replace")), depth)
        for key, value in attributes.items():
            name = self.name_code(key.encode("utf-8", "replace"))
            if name < 0:
                continue
            if value is None:
                self.add_value(name, NULL, 0)
            else:
                raw = value.encode("utf-8", "replace")
                self.add_value(name, <const unsigned char *> PyBytes_AS_STRING(raw), len(raw))
        traits = self.traits()[self.nodes()[self.count() - 1].tag]
        self.wanted = bool(traits & DECLARES and self.note_declaring(traits))
        return bool(self.note_composed(&self.nodes()[self.count() - 1]))

    def add_text(self, str text, int depth):
        cdef bytes raw = text.encode("utf-8", "replace")
        cdef Node *node = self.add_node(TEXT, depth)
        node.first = self.add_bytes(<const unsigned char *> PyBytes_AS_STRING(raw), len(raw))
        self.nodes()[self.count() - 1].last = self.values.size

    def add_other(self, int depth):
        """Add a node that is neither an element nor a text."""
        self.add_node(OTHER, depth)

    def add_nodes(self, Tree tree, Py_ssize_t first, Py_ssize_t last, int deeper):
        """Add nodes of another tree as they are, so many levels deeper."""
        cdef Py_ssize_t at, i
        cdef Node *node
        cdef Attribute *attribute
        cdef int depth
        if not 0 <= first <= last <= tree.count():
            raise IndexError(last)
        for at in range(first, last):
            node = &tree.nodes()[at]
            depth = node.depth + deeper
            if node.tag == TEXT:
                self.add_node(TEXT, depth)
                i = self.add_bytes(<unsigned char *> tree.values.data + node.first, node.last - node.first)
                node = &self.nodes()[self.count() - 1]
                node.first, node.last = i, self.values.size
                continue
            self.add_node(-1 if node.tag < 0 else self.tag_code((<str> tree.tags[node.tag]).encode()), depth)
            for i in range(node.first, node.last):
                attribute = &tree.attributes()[i]
                self.add_value(
                    self.name_code((<str> tree.names[attribute.name]).encode()),
                    NULL if attribute.start < 0 else <unsigned char *> tree.values.data + attribute.start,
                    attribute.end - attribute.start,
                )

    def finish(self):
        """Let every node know where its sub-tree ends; the tree itself."""
        cdef Py_ssize_t at, count = self.count()
        cdef Node *nodes = self.nodes()
        cdef int depth, deepest = 0, open_depth = -1
        cdef int *open_at  # by depth, the node whose sub-tree has not ended
        for at in range(count):
            deepest = max(deepest, nodes[at].depth)
        open_at = <int *> realloc(NULL, (deepest + 1) * sizeof(int))
        if open_at == NULL:
            raise MemoryError
        for at in range(count):
            for depth in range(nodes[at].depth, open_depth + 1):
                nodes[open_at[depth]].end = <int> at
            open_depth = nodes[at].depth
            open_at[open_depth] = <int> at
        for depth in range(open_depth + 1):
            nodes[open_at[depth]].end = <int> count
        free(open_at)
        return self

    # What is read in Python, node by node.

    def tag(self, Py_ssize_t at):
        """The name of an element, None of any other node."""
        cdef int tag = self._node(at).tag
        return self.tags[tag] if tag > TEXT else None

    def is_text(self, Py_ssize_t at):
        return self._node(at).tag == TEXT

    def depth(self, Py_ssize_t at):
        return self._node(at).depth

    def end(self, Py_ssize_t at):
        """The first node after the sub-tree of this one."""
        return self._node(at).end

    def text(self, Py_ssize_t at):
        """The content of a text."""
        cdef Node *node = self._node(at)
        return self.value_at(node.first, node.last) if node.tag == TEXT else ""

    def attributes_of(self, Py_ssize_t at):
        """The attributes of an element; None for one without a value."""
        cdef Node *node = self._node(at)
        cdef Attribute *attribute
        cdef Py_ssize_t each
        found = {}
        if node.tag > TEXT:
            for each in range(node.first, node.last):
                attribute = &self.attributes()[each]
                found[self.names[attribute.name]] = (
                    None if attribute.start < 0 else self.value_at(attribute.start, attribute.end)
                )
        return found

    def children(self, Py_ssize_t at):
        """The nodes right below one."""
        cdef Py_ssize_t end = self._node(at).end
        found = []
        at += 1
        while at < end:
            found.append(at)
            at = self._node(at).end
        return found

    def find(self, str tag):
        """All elements of a name."""
        cdef int code = self.tag_codes.get(tag.encode(), OTHER)
        return [at for at in range(self.count()) if self.nodes()[at].tag == code and code > TEXT]

    def parents(self, list nodes):
        """The parents of some nodes, in document order; -1 for the root."""
        cdef Py_ssize_t at = 0, each
        cdef list above = [], found = []  # the nodes around one, the innermost last
        for each in nodes:
            while at <= each:
                del above[self._node(at).depth :]
                above.append(at)
                at += 1
            found.append(above[len(above) - 2] if len(above) > 1 else -1)
        return found

    cdef Node *_node(self, Py_ssize_t at) except NULL:
        if not 0 <= at < self.count():
            raise IndexError(at)
        return &self.nodes()[at]


# lexbor's functions, by the names under which the extension exports them.

ctypedef unsigned int (*serialized)(const unsigned char *data, size_t size, void *context) noexcept

cdef struct Lexbor:
    void *(*html_document_create)() noexcept nogil
    unsigned int (*html_document_parse_chunk_begin)(void *) noexcept nogil
    unsigned int (*html_document_parse_chunk)(void *, const unsigned char *, size_t) noexcept nogil
    unsigned int (*html_document_parse_chunk_end)(void *) noexcept nogil
    void *(*html_document_destroy)(void *) noexcept nogil
    void *(*dom_document_root)(void *) noexcept nogil
    int (*dom_node_type_noi)(void *) noexcept nogil
    void *(*dom_node_first_child_noi)(void *) noexcept nogil
    void *(*dom_node_next_noi)(void *) noexcept nogil
    void *(*dom_node_parent_noi)(void *) noexcept nogil
    unsigned char *(*dom_node_text_content)(void *, size_t *) noexcept nogil
    const unsigned char *(*dom_element_qualified_name)(void *, size_t *) noexcept nogil
    void *(*dom_element_first_attribute_noi)(void *) noexcept nogil
    void *(*dom_element_next_attribute_noi)(void *) noexcept nogil
    const unsigned char *(*dom_attr_qualified_name)(void *, size_t *) noexcept nogil
    const unsigned char *(*dom_attr_value_noi)(void *, size_t *) noexcept nogil
    unsigned int (*html_serialize_tree_cb)(void *, serialized, void *) noexcept

FUNCTIONS = (
    "lxb_html_document_create",
    "lxb_html_document_parse_chunk_begin",
    "lxb_html_document_parse_chunk",
    "lxb_html_document_parse_chunk_end",
    "lxb_html_document_destroy",
    "lxb_dom_document_root",
    "lxb_dom_node_type_noi",
    "lxb_dom_node_first_child_noi",
    "lxb_dom_node_next_noi",
    "lxb_dom_node_parent_noi",
    "lxb_dom_node_text_content",
    "lxb_dom_element_qualified_name",
    "lxb_dom_element_first_attribute_noi",
    "lxb_dom_element_next_attribute_noi",
    "lxb_dom_attr_qualified_name",
    "lxb_dom_attr_value_noi",
    "lxb_html_serialize_tree_cb",
)
cdef Lexbor lexbor

# DOM §4.4
cdef enum:
    ELEMENT_NODE = 1
    TEXT_NODE = 3


def find_functions(path):
    """Look up lexbor's functions in a library; the name of one that it lacks, else None."""
    cdef size_t address
    cdef void **place = <void **> &lexbor
    try:
        library = ctypes.CDLL(path)
    except OSError:
        return FUNCTIONS[0]
    for name in FUNCTIONS:
        try:
            address = ctypes.cast(getattr(library, name), ctypes.c_void_p).value
        except AttributeError:
            return name
        place[0] = <void *> address
        place += 1
    return None


cdef enum:
    CACHE_BITS = 8
    CACHED = 1 << CACHE_BITS

cdef struct CachedName:
    const unsigned char *name  # where lexbor has it, while the document lives
    int code

cdef inline size_t cache_place(const unsigned char *name) noexcept:
    return (<unsigned long long> <size_t> name * 0x9E3779B97F4A7C15ULL) >> (64 - CACHE_BITS)


# A source is parsed in pieces, and refused after one that took too long: its tags may be looked for
# in, or reopen, all that was left open before. Of 512 bytes 128 tags do so.
cdef enum:
    PIECE = 512  # bytes
cdef double MOMENT = 0.01  # seconds between two looks at the clock that counts

cdef extern from "<time.h>" nogil:
    cdef struct timespec:
        long long tv_sec
        long tv_nsec
    int TIME_UTC
    int timespec_get(timespec *time, int base)


cdef double now() noexcept nogil:
    """The wall's clock, which is read without a call into the system."""
    cdef timespec time
    timespec_get(&time, TIME_UTC)
    return <double> time.tv_sec + 1e-9 * <double> time.tv_nsec


@cython.final
cdef class Reader:
    """Copies the tree of one document."""

    cdef Tree tree
    cdef object limits, page, spent
    cdef double started  # as if the page's other documents had been read just before
    cdef void *document
    cdef Py_ssize_t size  # of the source
    cdef CachedName tags[CACHED]
    cdef CachedName names[CACHED]

    def __cinit__(self, Tree tree, limits, page, spent):
        self.tree = tree
        self.limits = limits
        self.page = page
        self.spent = spent
        self.started = thread_time() - spent.seconds
        memset(self.tags, 0, sizeof(self.tags))
        memset(self.names, 0, sizeof(self.names))

    def __dealloc__(self):
        if self.document != NULL:
            lexbor.html_document_destroy(self.document)

    cdef bint parse(self, bytes source, Py_ssize_t begin) except -1:
        """Parse a source piece by piece: what a piece can cost depends on all before it."""
        cdef const unsigned char *data = <const unsigned char *> PyBytes_AS_STRING(source) + begin
        cdef const unsigned char *end = data + PyBytes_GET_SIZE(source) - begin
        cdef unsigned int failed
        self.size = end - data
        self.document = lexbor.html_document_create()
        if self.document == NULL:
            raise MemoryError
        self.spent.size += self.size
        failed = lexbor.html_document_parse_chunk_begin(self.document)
        while data < end and not failed:
            with nogil:
                failed = self.parse_some(&data, end)
            self.limits.check_seconds(thread_time() - self.started, self.spent.size, self.page)
        return not failed and not lexbor.html_document_parse_chunk_end(self.document)

    cdef unsigned int parse_some(
        self, const unsigned char **at, const unsigned char *end
    ) noexcept nogil:
        """Parse until a moment has passed, and move on; whether it failed."""
        cdef double started = now()
        cdef unsigned int failed = 0
        cdef Py_ssize_t size
        while at[0] < end and not failed and 0 <= now() - started < MOMENT:
            size = min(end - at[0], <Py_ssize_t> PIECE)
            failed = lexbor.html_document_parse_chunk(self.document, at[0], size)
            at[0] += size
        return failed

    cdef int copy(self) except -1:
        """Copy the nodes in document order; without recursion, so that depth costs no stack."""
        cdef void *root = lexbor.dom_document_root(self.document)
        cdef void *node = root
        cdef void *following
        cdef int depth = 0, kind, fallbacks = 0  # how many <noscript> are open
        cdef unsigned int traits = 0
        cdef Py_ssize_t copied = self.spent.copied
        cdef Py_ssize_t usual = 4 * self.size
        if root == NULL:
            return 0
        while True:
            kind = lexbor.dom_node_type_noi(node)
            following = NULL
            if kind == ELEMENT_NODE:
                traits = self.add_element(node, depth)
                if copied + self.tree.values.size > usual:
                    self.limits.check_values(
                        copied + self.tree.values.size, self.spent.size, self.page
                    )
                if traits & FRAME:
                    self.note_unclosed(node)
                if not traits & (RAW_TEXT if fallbacks else UNREAD) or self.tree.everything:
                    following = lexbor.dom_node_first_child_noi(node)
            elif kind == TEXT_NODE:
                self.add_text(node, depth)
            else:
                self.tree.add_node(OTHER, depth)
            if following != NULL:
                fallbacks += traits & NOSCRIPT != 0
                depth += 1
                node = following
                continue
            while node != root:
                following = lexbor.dom_node_next_noi(node)
                if following != NULL:
                    break
                node = lexbor.dom_node_parent_noi(node)
                depth -= 1
                if fallbacks and self.tag_of(node) == NOSCRIPT_CODE:
                    fallbacks -= 1
            if node == root:
                return 0
            node = following

    cdef int note_unclosed(self, void *frame) except -1:
        """Note that a frame has the end of the <noscript> that it was written in for content."""
        cdef void *text = lexbor.dom_node_first_child_noi(frame)
        cdef size_t size = 0
        cdef unsigned char *content
        if text != NULL and lexbor.dom_node_type_noi(text) == TEXT_NODE:
            content = lexbor.dom_node_text_content(text, &size)
            if content != NULL and NOSCRIPT_END in content[:size].lower():
                self.tree.unclosed = True
        return 0

    cdef int tag_of(self, void *element) except -2:
        cdef size_t size = 0
        cdef const unsigned char *name = lexbor.dom_element_qualified_name(element, &size)
        cdef CachedName *cached = &self.tags[cache_place(name)]
        if cached.name != name:
            cached.code = self.tree.tag_code(PyBytes_FromStringAndSize(<const char *> name, size))
            cached.name = name
        return cached.code

    cdef int name_of(self, void *attribute) except -2:
        cdef size_t size = 0
        cdef const unsigned char *name = lexbor.dom_attr_qualified_name(attribute, &size)
        cdef CachedName *cached = &self.names[cache_place(name)]
        if cached.name != name:
            cached.code = self.tree.name_code(PyBytes_FromStringAndSize(<const char *> name, size))
            cached.name = name
        return cached.code

    cdef unsigned int add_element(self, void *element, int depth) except? 0xffffffff:
        """Add an element with its attributes; its traits."""
        cdef int tag = self.tag_of(element), name
        cdef unsigned int traits = self.tree.traits()[tag]
        cdef void *attribute = lexbor.dom_element_first_attribute_noi(element)
        cdef const unsigned char *value
        cdef size_t size
        self.tree.add_node(tag, depth)
        while attribute != NULL:
            name = self.name_of(attribute)
            if name >= 0:
                size = 0
                value = lexbor.dom_attr_value_noi(attribute, &size)
                self.tree.add_value(name, value, size)
            attribute = lexbor.dom_element_next_attribute_noi(attribute)
        if traits & (FRAME | TEMPLATE) and self.tree.note_composed(
            &self.tree.nodes()[self.tree.count() - 1]
        ) and traits & TEMPLATE:
            self.add_template(element, depth)
        if traits & DECLARES and self.tree.note_declaring(traits):
            return traits & ~(UNREAD | RAW_TEXT)
        return traits

    cdef int add_template(self, void *template, int depth) except -1:
        """Add the source of a template below it, since its content lies in no tree."""
        cdef Buffer source
        memset(&source, 0, sizeof(source))
        failed = lexbor.html_serialize_tree_cb(template, collect, &source)
        if not failed:
            self.tree.add_node(TEXT, depth + 1)
            first = self.tree.add_bytes(<unsigned char *> source.data, source.size)
            self.tree.nodes()[self.tree.count() - 1].first = first
            self.tree.nodes()[self.tree.count() - 1].last = self.tree.values.size
        free(source.data)
        return 0

    cdef int add_text(self, void *text, int depth) except -1:
        cdef size_t size = 0
        cdef unsigned char *content = lexbor.dom_node_text_content(text, &size)
        cdef Node *node = self.tree.add_node(TEXT, depth)
        if content == NULL:
            size = 0
        node.first = self.tree.values.size
        node.last = node.first + <Py_ssize_t> size
        if content != NULL:
            self.tree.add_bytes(content, size)
        return 0


cdef unsigned int collect(const unsigned char *data, size_t size, void *context) noexcept:
    cdef Buffer *to = <Buffer *> context
    try:
        reserve(to, size)
    except MemoryError:
        return 1
    memcpy(to.data + to.size, data, size)
    to.size += size
    return 0


cdef int NOSCRIPT_CODE = KNOWN_TAG_CODES[b"noscript"]
cdef bytes NOSCRIPT_END = b"</noscript"
missing = find_functions(selectolax.lexbor.__file__)
if missing is not None:
    warnings.warn(
        f"selectolax {selectolax.__version__} does not export {missing}: pages are read through "
        "its Python classes, which takes several times as long, and hostile ones without end",
        RuntimeWarning,
        stacklevel=2,
    )


def read_tree(
    bytes source,
    page,
    limits=DEFAULT_LIMITS,
    Py_ssize_t begin=0,
    bint everything=False,
    spent=None,
):
    """The tree of a page in UTF-8.

    Args:
        page: what an error calls it.
        limits: what it may cost before it is refused with `TooLarge`.
        begin: where in `source` the page begins, after a byte order mark.
        everything: keep all attributes, and what is in elements that a page has no rows for.
        spent: what other documents of the page took, to which this one's is added.
    """
    cdef Tree tree
    cdef Reader reader
    if missing is not None:
        return read_by_nodes(source[begin:], page, everything)
    tree = Tree(everything)
    reserve(&tree.values, PyBytes_GET_SIZE(source) // 4)
    reserve(&tree.node_buffer, PyBytes_GET_SIZE(source) // 2)
    reader = Reader(tree, limits, page, Spent() if spent is None else spent)
    if not reader.parse(source, begin):
        raise cannot_parse(page, "no memory")
    reader.copy()
    reader.spent.seconds = thread_time() - reader.started
    reader.spent.copied += tree.values.size
    return tree.finish()


def cannot_parse(page, reason):
    return PageError(f"{page}: lexbor cannot parse it: {reason}")


def read_by_nodes(bytes source, page, bint everything=False):
    """The same tree by selectolax's Python classes."""
    try:
        parser = selectolax.lexbor.LexborHTMLParser(source)
    except Exception as error:
        raise cannot_parse(page, error) from error
    cdef Tree tree = Tree(everything)
    cdef unsigned int traits
    node = parser.root
    above = []  # the open elements, and whether they are in a <noscript>
    in_fallback = False
    while node is not None:
        child = None
        if node.is_element_node:
            holds = tree.add_element(node.tag or "", len(above), node.attributes)
            traits = tree.traits()[tree.nodes()[tree.count() - 1].tag]
            if holds and traits & TEMPLATE:
                tree.add_text(node.html or "", len(above) + 1)
            if traits & FRAME and node.first_child is not None and node.first_child.is_text_node:
                tree.unclosed |= NOSCRIPT_END.decode() in node.first_child.text_content.lower()
            if not traits & (RAW_TEXT if in_fallback else UNREAD) or everything or tree.wanted:
                child = node.first_child
        elif node.is_text_node:
            tree.add_text(node.text_content or "", len(above))
        else:
            tree.add_other(len(above))
        if child is not None:
            above.append((node, in_fallback))
            in_fallback = in_fallback or traits & NOSCRIPT != 0
            node = child
            continue
        node = node.next if above else None
        while node is None and above:
            node, in_fallback = above.pop()
            node = node.next if above else None
    return tree.finish()
