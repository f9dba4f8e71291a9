# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""One pass over a page's tree in document order: its text, its rows, its images.

White space is folded as CSS does for normal text. What parts two leaves (the border of a block or
of a word, white space around them) becomes one separator before the second.
"""

from bisect import bisect_right
from operator import attrgetter
from typing import NamedTuple

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.string cimport memchr, memcmp, memcpy, memset

from pagecut.page.attributes import AttributeTable
from pagecut.page.nodes import HIDDEN_BY_ATTRIBUTE, HIDDEN_BY_STYLE, HIDDEN_FROM_ARIA
from pagecut.page.nodes import ELEMENT as ELEMENT_KIND, IMAGE as IMAGE_KIND, TEXT as TEXT_KIND
from pagecut.page.nodes import MARKED_TAGS, PackedNodes
from pagecut.page.text.white_space import WIDE
from pagecut.parsing.addresses import base_of
from pagecut.parsing.lexbor import KNOWN_NAMES, KNOWN_TAGS
from pagecut.parsing.limits import LONGEST_TAG_NAME
from pagecut.parsing.image_sources cimport stands_in
from pagecut.parsing.images cimport declare_image
from pagecut.parsing.lexbor cimport (
    ARIA_HIDDEN,
    BREAKS_LINE,
    BREAKS_WORD,
    DIALOG,
    ENDS_FOREIGN,
    FOREIGN,
    FRAME,
    HIDDEN,
    IMG,
    IS_TYPE,
    KEPT,
    LINK,
    MAYBE_IMAGE,
    MOST_CHARACTERS,
    MUTE,
    MUTE_IF_FOREIGN,
    NOSCRIPT,
    OF_IMAGE,
    OPAQUE,
    OPEN,
    PICTURE,
    POSTER,
    PRESERVES,
    SOURCE,
    STYLE,
    TEXT,
    Attribute,
    Buffer,
    Node,
    Tree,
    attribute_traits,
    release,
    reserve,
    start,
)

# <source> elements of one <picture> that count, so that many images in one stay cheap.
cdef enum:
    MOST_SOURCES = 32
    MOST_PICTURED = 4  # <img> elements to which they belong; of 3,922 real pictures none has two
    MOST_WRAPPERS = 4  # around an <img> that is still beside a <noscript>
    IS_CODE_LINE = 1 << 30  # beside the traits of tags
    LINE_ENDS = 11

cdef int ELEMENT_ROW = ELEMENT_KIND, TEXT_ROW = TEXT_KIND, IMAGE_ROW = IMAGE_KIND
cdef int BY_ATTRIBUTE = HIDDEN_BY_ATTRIBUTE, BY_STYLE = HIDDEN_BY_STYLE
cdef int FROM_ARIA = HIDDEN_FROM_ARIA
cdef Py_ssize_t LONGEST_NAME = LONGEST_TAG_NAME
cdef int KNOWN = len(KNOWN_NAMES)
NAMES = tuple(KNOWN_NAMES)
cdef int CLASS = NAMES.index("class")

cdef enum:
    PLAIN
    WHITE
    LINE_END
    NOT_ASCII

cdef unsigned char byte_class[256]
memset(byte_class, PLAIN, 128)
memset(byte_class + 128, NOT_ASCII, 128)
byte_class[c" "] = byte_class[c"\t"] = WHITE
byte_class[c"\n"] = byte_class[c"\r"] = byte_class[c"\f"] = LINE_END

cdef unsigned int wide[16][2]
cdef int WIDE_RANGES = len(WIDE)
for _number, _range in enumerate(WIDE):
    wide[<int> _number][0] = _range[0]
    wide[<int> _number][1] = _range[1]

cdef unsigned long long WHITE_BITS = 1ULL << 32 | 1ULL << 9 | 1ULL << 10 | 1ULL << 12 | 1ULL << 13

cdef inline bint is_white(unsigned char byte) noexcept:
    return byte <= 32 and 1ULL << byte & WHITE_BITS != 0

cdef inline int point_size(unsigned char lead) noexcept:
    return 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4

cdef bint is_wide(const unsigned char *at, const unsigned char *end) noexcept:
    """Whether a wide East Asian character begins here."""
    cdef int size = point_size(at[0]), i
    cdef unsigned int point = at[0] & (0x1F if size == 2 else 0x0F if size == 3 else 0x07)
    if size < 3 or end - at < size:
        return False
    for i in range(1, size):
        point = point << 6 | (at[i] & 0x3F)
    for i in range(WIDE_RANGES):
        if wide[i][0] <= point <= wide[i][1]:
            return True
    return False


cdef bint is_one_of_code(const char *word, Py_ssize_t size) noexcept:
    """Whether a name that ends in `-line` is one of a part of a line."""
    return (
        size == 10 and memcmp(word, <const char *> b"multi", 5) == 0
        or size == 11 and memcmp(word, <const char *> b"single", 6) == 0
        or size == 7 and memcmp(word, <const char *> b"in", 2) == 0
        or size == 8 and memcmp(word, <const char *> b"new", 3) == 0
    )


cdef bint has_line(const char *at, const char *end) noexcept:
    """Whether a word of a class is `line` or ends so after a hyphen; comments of a single line, or
    of several, what is in a line and what ends one are none."""
    cdef const char *word
    while at < end:
        while at < end and is_white(at[0]):
            at += 1
        word = at
        while at < end and not is_white(at[0]):
            at += 1
        if at - word < 4 or memcmp(at - 4, <const char *> b"line", 4) != 0:
            continue
        if at - word == 4:
            return True
        if (at - 5)[0] == c"-" and not is_one_of_code(word, at - word):
            return True
    return False


# An element whose content is being walked.
cdef struct Open:
    int node
    int row
    int depth
    int texts  # text children so far, those without a row too
    int images  # children so far that are images
    int leaves  # before it
    Py_ssize_t saved  # length of `saved_counts` before it
    unsigned int traits
    unsigned char hidden
    unsigned char mute
    unsigned char preserves
    unsigned char foreign


# How many children with a tag another parent had, put back when this one closes.
cdef struct SavedCount:
    int code
    int parent
    int count


cdef enum:
    TAG
    PARENT
    SUBTREE_END
    DEPTH
    ORDINAL
    START
    END
    COLUMNS


@cython.final
cdef class Walk:
    cdef Tree tree
    cdef Node *nodes
    cdef Attribute *attributes
    cdef unsigned int *traits
    cdef object limits, page
    cdef bint scriptless

    cdef Buffer row_buffer  # the columns of `PackedNodes`, each as long as the tree
    cdef int *rows[COLUMNS]
    cdef unsigned char *kind
    cdef unsigned char *hidden
    cdef int count, leaves

    cdef Buffer text  # UTF-8
    cdef Py_ssize_t length  # of the text in characters
    # Before the next leaf: 0, a space or a newline; LINE_ENDS for one that the leaf itself may begin
    # with.
    cdef char separator
    cdef Py_ssize_t link_end  # where the last link ended
    cdef int last_end  # of the last leaf

    cdef Buffer codes  # by tag of the tree: 1 + the page's code, in order of appearance
    cdef list tag_names
    cdef Buffer counted_for, counted  # by code: the parent, and its children so far
    cdef Buffer saved_counts
    cdef Buffer opened

    cdef Buffer owners, keys, ends, values  # the attributes that the page keeps

    cdef list images  # row, tag, attributes, sources, node
    cdef dict sources  # by the node of a <picture>, the attributes of its <source> elements
    cdef dict fallbacks  # by the node of the image that they fill
    cdef int image_after  # the first <img> after what was searched; -1 = not searched

    def __cinit__(self, *_):
        start(&self.row_buffer)
        start(&self.text)
        start(&self.codes)
        start(&self.counted_for)
        start(&self.counted)
        start(&self.saved_counts)
        start(&self.opened)
        start(&self.owners)
        start(&self.keys)
        start(&self.ends)
        start(&self.values)

    def __dealloc__(self):
        release(&self.values)
        release(&self.ends)
        release(&self.keys)
        release(&self.owners)
        release(&self.opened)
        release(&self.saved_counts)
        release(&self.counted)
        release(&self.counted_for)
        release(&self.codes)
        release(&self.text)
        release(&self.row_buffer)

    def __init__(self, Tree tree, limits, page, bint scriptless):
        cdef Py_ssize_t most = tree.count(), column
        cdef Py_ssize_t attributes = tree.attribute_buffer.size // <Py_ssize_t> sizeof(Attribute)
        self.tree = tree
        self.nodes = tree.nodes()
        self.attributes = tree.attributes()
        self.traits = tree.traits()
        self.limits = limits
        self.page = page
        self.scriptless = scriptless
        # As much as there can be: a leaf for each node, with a separator or an image's character.
        reserve(&self.row_buffer, most * (4 * COLUMNS + 2))
        for column in range(COLUMNS):
            self.rows[column] = <int *> self.row_buffer.data + column * most
        self.kind = <unsigned char *> self.row_buffer.data + 4 * COLUMNS * most
        self.hidden = self.kind + most
        reserve(&self.text, tree.values.size + 4 * most)
        reserve(&self.values, tree.values.size)
        reserve(&self.owners, 4 * attributes)
        reserve(&self.keys, attributes)
        reserve(&self.ends, 8 * attributes)
        reserve(&self.codes, 4 * len(tree.tags))
        memset(self.codes.data, 0, 4 * len(tree.tags))
        self.tag_names = [tree.tags[0]]
        reserve(&self.counted_for, 4 * (len(tree.tags) + 1))
        reserve(&self.counted, 4 * (len(tree.tags) + 1))
        self.link_end = -1
        self.images = []
        self.sources = {}
        self.fallbacks = {}
        self.image_after = -1

    cdef int run(self) except -1:
        cdef long long most_depth = self.limits.depth
        cdef long long most_nodes = self.limits.nodes
        cdef Py_ssize_t count = self.tree.count()
        cdef int at = 0
        cdef Node *node
        cdef Open *inside
        reserve(&self.opened, sizeof(Open))
        inside = <Open *> self.opened.data
        memset(inside, 0, sizeof(Open))
        inside.row = inside.node = inside.depth = -1
        self.opened.size = sizeof(Open)
        while at < count:
            node = &self.nodes[at]
            inside = self.innermost()
            while inside.depth >= node.depth:
                self.close(inside.row, inside.leaves, inside.traits)
                self.restore_counts(inside.saved)
                self.opened.size -= sizeof(Open)
                inside -= 1
            if node.tag == TEXT:
                if not inside.mute and self.starts_leaf(node, inside):
                    if self.count >= most_nodes:
                        self.limits.check_nodes(most_nodes + 1, self.page)
                    self.add_text(node, inside)
                at += 1
            elif node.tag < 0:
                at += 1
            else:
                if node.depth > most_depth:
                    self.limits.check_depth(node.depth, self.page)
                if self.count >= most_nodes:
                    self.limits.check_nodes(most_nodes + 1, self.page)
                at = self.add_element(at, inside)
        while self.opened.size > <Py_ssize_t> sizeof(Open):
            inside = self.innermost()
            self.close(inside.row, inside.leaves, inside.traits)
            self.opened.size -= sizeof(Open)
        self.fill_ranges()
        return 0

    cdef inline Open *innermost(self) noexcept:
        return <Open *> (self.opened.data + self.opened.size - sizeof(Open))

    # Rows

    cdef inline void add_row(
        self, int kind, int code, Open *inside, int ordinal, int hidden
    ) noexcept:
        cdef int row = self.count
        self.rows[TAG][row] = code
        self.rows[PARENT][row] = inside.row
        self.rows[SUBTREE_END][row] = row + 1
        self.rows[DEPTH][row] = inside.depth + 1
        self.rows[ORDINAL][row] = ordinal
        self.rows[START][row] = self.rows[END][row] = -1
        self.kind[row] = kind
        self.hidden[row] = hidden
        self.count += 1

    cdef int add_element(self, int at, Open *inside) except -1:
        """Add a row for an element; the node to go on with."""
        cdef Node *node = &self.nodes[at]
        cdef unsigned int traits = self.traits[node.tag]
        cdef int row = self.count, leaves = self.leaves, code, hidden, found = 0
        cdef dict image = None
        if self.scriptless and traits & NOSCRIPT:
            traits &= ~(OPAQUE | MAYBE_IMAGE)
        if node.first < node.last:
            found = self.read_attributes(node)
        hidden = found & 7 | inside.hidden
        if traits & DIALOG and not found & IS_OPEN:
            hidden |= BY_ATTRIBUTE
        if traits & BREAKS_LINE:
            self.separator = c"\n"
        elif inside.preserves and self.is_code_line(node):
            traits |= IS_CODE_LINE
            self.separator = LINE_ENDS
        elif traits & BREAKS_WORD or (traits & LINK and self.link_end == self.length):
            self.need_space()
        if traits & IMG:
            image = self.image_attributes(node)
        elif traits & MAYBE_IMAGE:
            image = self.find_image(at, inside, found)
        code = self.code_of(node.tag)
        self.add_row(
            ELEMENT_ROW if image is None else IMAGE_ROW,
            code,
            inside,
            self.count_child(inside.row, code),
            hidden,
        )
        if image is not None:
            self.write_separator()
            memcpy(self.text.data + self.text.size, <const char *> b"\xef\xbf\xbc", 3)
            self.text.size += 3
            self.close_leaf(1)
            inside.images += 1
            self.images.append(
                (
                    row,
                    self.tree.tags[node.tag],
                    image,
                    self.sources.get(inside.node, ())
                    if inside.traits & PICTURE and inside.images <= MOST_PICTURED
                    else (),
                    at,
                )
            )
        if image is not None or traits & OPAQUE and not traits & FRAME or node.end == at + 1:
            self.close(row, leaves, traits)
            return node.end
        reserve(&self.opened, sizeof(Open))
        inside = self.innermost()  # which may have moved
        self.opened.size += sizeof(Open)
        cdef Open *opened = self.innermost()
        opened.node = at
        opened.row = row
        opened.depth = inside.depth + 1
        opened.texts = opened.images = 0
        opened.leaves = leaves
        opened.saved = self.saved_counts.size
        opened.traits = traits
        opened.hidden = hidden
        opened.mute = (
            inside.mute or traits & MUTE != 0 or (inside.foreign and traits & MUTE_IF_FOREIGN != 0)
        )
        opened.preserves = inside.preserves or traits & PRESERVES != 0
        opened.foreign = traits & FOREIGN != 0 or (inside.foreign and not traits & ENDS_FOREIGN)
        return at + 1

    cdef void close(self, int row, int leaves, unsigned int traits) noexcept:
        self.rows[SUBTREE_END][row] = self.count
        if self.leaves > leaves:
            self.rows[END][row] = self.last_end
        if traits & BREAKS_LINE:
            self.separator = c"\n"
        elif traits & IS_CODE_LINE:
            self.separator = LINE_ENDS
        elif traits & BREAKS_WORD:
            self.need_space()
        elif traits & LINK:
            self.link_end = self.length

    cdef void fill_ranges(self) noexcept:
        """An element starts where its first leaf does; without leaves it is an empty range."""
        cdef int following = <int> self.length, row
        for row in range(self.count - 1, -1, -1):
            if self.kind[row] != ELEMENT_ROW:
                following = self.rows[START][row]
            else:
                self.rows[START][row] = following
                if self.rows[END][row] < 0:
                    self.rows[END][row] = following

    cdef int code_of(self, int tag) except -1:
        """The page's code of a tag, in order of appearance."""
        cdef int *code = &(<int *> self.codes.data)[tag]
        if code[0] == 0:
            name = <str> self.tree.tags[tag]
            if len(name) > LONGEST_NAME:
                self.limits.check_tag_name(name, self.page)
            code[0] = len(self.tag_names) + 1
            self.tag_names.append(name)
            (<int *> self.counted_for.data)[code[0] - 1] = -2
        return code[0] - 1

    cdef int count_child(self, int parent, int code) except -1:
        """Count a child with a tag; its number among those."""
        cdef int *owner = &(<int *> self.counted_for.data)[code]
        cdef int *count = &(<int *> self.counted.data)[code]
        cdef SavedCount *saved
        if owner[0] != parent:
            reserve(&self.saved_counts, sizeof(SavedCount))
            saved = <SavedCount *> (self.saved_counts.data + self.saved_counts.size)
            self.saved_counts.size += sizeof(SavedCount)
            saved.code = code
            saved.parent = owner[0]
            saved.count = count[0]
            owner[0] = parent
            count[0] = 0
        count[0] += 1
        return count[0]

    cdef void restore_counts(self, Py_ssize_t size) noexcept:
        cdef SavedCount *saved
        while self.saved_counts.size > size:
            self.saved_counts.size -= sizeof(SavedCount)
            saved = <SavedCount *> (self.saved_counts.data + self.saved_counts.size)
            (<int *> self.counted_for.data)[saved.code] = saved.parent
            (<int *> self.counted.data)[saved.code] = saved.count

    # Text

    cdef inline void need_space(self) noexcept:
        if not self.separator:
            self.separator = c" "

    cdef inline void write_separator(self) noexcept:
        if self.separator and self.text.size and self.text.data[self.text.size - 1] != c"\n":
            self.text.data[self.text.size] = (
                c"\n" if self.separator == LINE_ENDS else self.separator
            )
            self.text.size += 1
            self.length += 1
        self.separator = 0

    cdef int close_leaf(self, Py_ssize_t characters) except -1:
        """Let the last row be the leaf of the characters that were written last."""
        if self.length + characters > MOST_CHARACTERS:
            raise OverflowError("the text is longer than offsets can say")
        self.rows[START][self.count - 1] = <int> self.length
        self.length += characters
        self.rows[END][self.count - 1] = self.last_end = <int> self.length
        self.leaves += 1
        return 0

    cdef bint starts_leaf(self, Node *node, Open *inside) noexcept:
        """Count a text; whether it has anything to show."""
        cdef const unsigned char *text = <const unsigned char *> self.tree.values.data
        cdef Py_ssize_t at = node.first
        inside.texts += 1
        if inside.preserves:
            return node.first < node.last
        if at < node.last and not is_white(text[at]):
            return True
        self.need_space()
        while at < node.last and is_white(text[at]):
            at += 1
        return at < node.last

    cdef int add_text(self, Node *node, Open *inside) except -1:
        cdef const unsigned char *text = <const unsigned char *> self.tree.values.data
        self.add_row(TEXT_ROW, 0, inside, inside.texts, inside.hidden)
        if self.separator == LINE_ENDS and byte_class[text[node.first]] == LINE_END:
            self.separator = 0
        self.write_separator()
        self.close_leaf(self.fold(text + node.first, text + node.last, not inside.preserves))
        if not inside.preserves and is_white(text[node.last - 1]):
            self.separator = c" "
        return 0

    cdef Py_ssize_t fold(
        self, const unsigned char *at, const unsigned char *end, bint folds
    ) noexcept:
        """Write a text, its white space folded unless it is kept; how many characters it has.

        The character that stands for images is replaced.
        """
        cdef const unsigned char *start
        cdef unsigned char *to
        cdef unsigned char kind
        cdef Py_ssize_t characters = 0
        cdef bint ends_line
        cdef int size
        if folds:
            while is_white(at[0]):  # something else is in it
                at += 1
            while is_white((end - 1)[0]):
                end -= 1
        to = <unsigned char *> self.text.data + self.text.size
        start = at
        while at < end:
            kind = byte_class[at[0]]
            if kind == PLAIN or (not folds and kind != NOT_ASCII):
                to[0] = at[0]
                to += 1
                at += 1
                characters += 1
            elif kind == NOT_ASCII:
                size = min(point_size(at[0]), <int> min(end - at, 4))
                memcpy(to, at, size)
                if size == 3 and at[0] == 0xEF and at[1] == 0xBF and at[2] == 0xBC:
                    to[2] = 0xBD
                to += size
                at += size
                characters += 1
            else:
                start = at
                ends_line = False
                while is_white(at[0]):
                    ends_line |= byte_class[at[0]] == LINE_END
                    at += 1
                if ends_line and at[0] >= 0x80 and (start - 1)[0] >= 0x80:
                    start -= 1
                    while start[0] & 0xC0 == 0x80:
                        start -= 1
                    if is_wide(start, end) and is_wide(at, end):
                        continue  # between wide characters a line end is no space
                to[0] = c" "
                to += 1
                characters += 1
        self.text.size = <char *> to - self.text.data
        return characters

    # Attributes

    cdef int read_attributes(self, Node *node) except -1:
        """Keep a row's attributes, the next one's; what they mean for it, as bits."""
        cdef Attribute *attribute
        cdef Py_ssize_t at, size
        cdef const char *value
        cdef int means, found = 0
        for at in range(node.first, node.last):
            attribute = &self.attributes[at]
            if attribute.name >= KNOWN:
                continue
            means = attribute_traits[attribute.name]
            value = self.tree.values.data + attribute.start
            size = attribute.end - attribute.start
            if means & KEPT:
                self.keep_attribute(attribute.name, value, size)
            if means & HIDDEN:
                if not (size == 11 and memcmp(value, <const char *> b"until-found", 11) == 0):
                    found |= BY_ATTRIBUTE
            elif means & ARIA_HIDDEN:
                if is_word(value, size, b"true"):
                    found |= FROM_ARIA
            elif means & STYLE:
                if hides(<const unsigned char *> value, size):
                    found |= BY_STYLE
            elif means & OPEN:
                found |= IS_OPEN
            elif means & POSTER:
                if size:
                    found |= HAS_POSTER
            elif means & IS_TYPE:
                if is_word(value, size, b"image"):
                    found |= IS_IMAGE_TYPE
        return found

    cdef bint is_code_line(self, Node *node) noexcept:
        """Whether an element is a line of a listing, by its class: `line`, `highlight-line`.

        Style sheets make lines of them, and some pages leave out the ends of lines between them.
        """
        cdef Attribute *attribute
        cdef Py_ssize_t at
        for at in range(node.first, node.last):
            attribute = &self.attributes[at]
            if attribute.name == CLASS:
                return has_line(
                    self.tree.values.data + attribute.start,
                    self.tree.values.data + attribute.end,
                )
        return False

    cdef inline void keep_attribute(self, int name, const char *value, Py_ssize_t size) noexcept:
        memcpy(self.values.data + self.values.size, value, size)
        self.values.size += size
        (<int *> (self.owners.data + self.owners.size))[0] = self.count
        self.owners.size += 4
        self.keys.data[self.keys.size] = <char> name
        self.keys.size += 1
        (<long long *> (self.ends.data + self.ends.size))[0] = self.values.size
        self.ends.size += 8

    cdef dict image_attributes(self, Node *node):
        """What the attributes of an element say of an image."""
        cdef Attribute *attribute
        cdef Py_ssize_t at
        cdef dict found = {}
        for at in range(node.first, node.last):
            attribute = &self.attributes[at]
            if attribute.name < KNOWN and attribute_traits[attribute.name] & OF_IMAGE:
                found[NAMES[attribute.name]] = self.tree.value_at(attribute.start, attribute.end)
        return found

    # Images

    cdef dict find_image(self, int at, Open *inside, int found):
        """The attributes that describe the image, where an element is one."""
        cdef Node *node = &self.nodes[at]
        cdef str tag = self.tree.tags[node.tag]
        cdef list sources
        if tag == "source":
            if inside.traits & PICTURE:
                sources = self.sources.setdefault(inside.node, [])
                if len(sources) < MOST_SOURCES:
                    sources.append(self.image_attributes(node))
        elif tag == "input":
            if found & IS_IMAGE_TYPE:
                return self.image_attributes(node)
        elif tag == "image":
            if inside.foreign:
                return self.image_attributes(node)
        elif tag == "amp-img":
            if not self.holds_image(at):  # else the <img> is the better witness
                return self.image_attributes(node)
        elif tag == "video":
            if found & HAS_POSTER and not self.holds_image(at):
                return self.image_attributes(node)
        else:
            return self.fallback_image(at)
        return None

    cdef bint holds_image(self, int at) noexcept:
        """Whether an <img> lies below that is no noscript fallback.

        The search goes on from the image that was found last, so that elements nested in each other
        are not searched again and again.
        """
        cdef int each = at + 1
        cdef Py_ssize_t count = self.tree.count()
        if self.image_after <= at:
            while each < count and not (self.nodes[each].tag > 0 and self.traits[self.nodes[each].tag] & IMG):
                each = (
                    self.nodes[each].end
                    if self.nodes[each].tag > 0 and self.traits[self.nodes[each].tag] & OPAQUE
                    else each + 1
                )
            self.image_after = each
        return self.image_after < self.nodes[at].end

    cdef dict fallback_image(self, int at):
        """The image in a <noscript>, unless it stands in for a lazy one beside it."""
        cdef int each, beside
        cdef dict attributes
        for each in range(at + 1, self.nodes[at].end):
            if self.nodes[each].tag > 0 and self.traits[self.nodes[each].tag] & IMG:
                attributes = self.image_attributes(&self.nodes[each])
                for beside in (self.image_before(at), self.image_behind(at)):
                    if beside >= 0 and stands_in(
                        attributes, self.image_attributes(&self.nodes[beside])
                    ):
                        self.fallbacks[beside] = attributes
                        return None
                return attributes
        return None

    cdef bint has_ink(self, int at):
        """Whether a node is a text of more than white space."""
        cdef Node *node = &self.nodes[at]
        return node.tag == TEXT and bool(self.tree.value_at(node.first, node.last).strip())

    cdef int image_before(self, int at) except -2:
        cdef int depth = self.nodes[at].depth
        at -= 1
        while self.nodes[at].depth == depth and self.nodes[at].tag <= TEXT:
            if self.has_ink(at):
                return -1
            at -= 1
        if self.nodes[at].depth < depth:
            return -1
        while self.nodes[at].depth > depth:
            at -= 1
        return self.image_in(at)

    cdef int image_behind(self, int at) except -2:
        cdef int depth = self.nodes[at].depth
        cdef Py_ssize_t count = self.tree.count()
        at = self.nodes[at].end
        while at < count and self.nodes[at].depth == depth and self.nodes[at].tag <= TEXT:
            if self.has_ink(at):
                return -1
            at += 1
        return self.image_in(at) if at < count and self.nodes[at].depth == depth else -1

    cdef int image_in(self, int at) except -2:
        """An element that is an <img>, or the one alone in up to three wrappers; else -1."""
        cdef int end, each
        cdef unsigned int traits
        for each in range(MOST_WRAPPERS):
            if self.nodes[at].tag <= TEXT:
                return -1
            traits = self.traits[self.nodes[at].tag]
            if traits & IMG:
                return at
            if traits & OPAQUE:
                return -1
            end = self.nodes[at].end
            at += 1
            while at < end and (self.nodes[at].tag == TEXT or (self.nodes[at].tag > 0 and self.traits[self.nodes[at].tag] & SOURCE)):
                at = self.nodes[at].end
            if at >= end:
                return -1
        return -1

    # What the page is made of

    cdef object packed_nodes(self):
        cdef Py_ssize_t column, size = 4 * <Py_ssize_t> self.count
        cdef bytes numbers = PyBytes_FromStringAndSize(NULL, COLUMNS * size)
        cdef bytes others = PyBytes_FromStringAndSize(NULL, 2 * <Py_ssize_t> self.count)
        for column in range(COLUMNS):
            memcpy(PyBytes_AS_STRING(numbers) + column * size, self.rows[column], size)
        memcpy(PyBytes_AS_STRING(others), self.kind, self.count)
        memcpy(PyBytes_AS_STRING(others) + self.count, self.hidden, self.count)
        return PackedNodes(
            memoryview(numbers).cast("i"),
            memoryview(others),
            self.count,
            self.leaves,
            tuple(self.tag_names),
            bytes([MARKS.get(name, 0) for name in self.tag_names]),
        )

    cdef object kept_attributes(self):
        return (
            self.owners.data[: self.owners.size],
            self.keys.data[: self.keys.size],
            self.ends.data[: self.ends.size],
            self.values.data[: self.values.size],
        )


cdef enum:
    IS_OPEN = 8
    IS_IMAGE_TYPE = 16
    HAS_POSTER = 32

MARKS = {
    name: sum((name in tags) << bit for bit, tags in enumerate(MARKED_TAGS))
    for name in frozenset().union(*MARKED_TAGS)
}


cdef bint is_word(const char *value, Py_ssize_t size, bytes word):
    """Whether a value is a word in letters of any case."""
    return size == len(word) and value[:size].lower() == word


cdef const unsigned char *after_word(
    const unsigned char *at, const unsigned char *end, const char *word
) noexcept:
    """The place after a word in letters of any case, and the white space after it; else NULL."""
    while word[0]:
        if at == end or at[0] | 0x20 != <unsigned char> word[0]:
            return NULL
        at += 1
        word += 1
    while at < end and is_white(at[0]):
        at += 1
    return at


cdef bint declares(
    const unsigned char *at, const unsigned char *end, const char *name, const char *value
) noexcept:
    """Whether a style has this declaration here, whatever follows the value."""
    at = after_word(at, end, name)
    if at == NULL or at == end or at[0] != c":":
        return False
    at += 1
    while at < end and is_white(at[0]):
        at += 1
    while value[0]:
        if at == end or at[0] | 0x20 != <unsigned char> value[0]:
            return False
        at += 1
        value += 1
    return at == end or not (
        at[0] == c"_" or at[0] >= 0x80 or 48 <= at[0] <= 57 or 97 <= at[0] | 0x20 <= 122
    )


cdef bint hides(const unsigned char *at, Py_ssize_t size) noexcept:
    """Whether an inline style says that the element is not shown."""
    cdef const unsigned char *end = at + size
    while at != NULL:
        while at < end and is_white(at[0]):
            at += 1
        if declares(at, end, b"display", b"none") or declares(at, end, b"visibility", b"hidden"):
            return True
        at = <const unsigned char *> memchr(at, c";", end - at)
        if at != NULL:
            at += 1
    return False


cdef tuple read_head(Tree tree):
    """The title, and what the first <base> with an address says."""
    cdef Node *nodes = tree.nodes()
    cdef Py_ssize_t at = 1, end = tree.count()
    cdef str title = ""
    base = None
    while at < end and nodes[at].tag != HEAD:  # the children of the root
        at = nodes[at].end
    if at < end:
        end = nodes[at].end
        at += 1
    while at < end:
        if nodes[at].tag == TITLE and not title:
            title = title_at(tree, at)
        elif nodes[at].tag == BASE and base is None:
            base = tree.attributes_of(at).get("href")
        at = nodes[at].end
    end = tree.count()
    while at < end and not title:  # pages that are sent in parts have it in the body
        if nodes[at].tag == TITLE:
            title = title_at(tree, at)
        apart = nodes[at].tag >= 0 and tree.traits()[nodes[at].tag] & (FOREIGN | FRAME)
        at = nodes[at].end if apart else at + 1
    return title, base


cdef str title_at(Tree tree, Py_ssize_t at):
    return " ".join(tree.text(at + 1).split()) if tree.nodes()[at].end > at + 1 else ""


cdef int HEAD = KNOWN_TAGS.index("head"), TITLE = KNOWN_TAGS.index("title")
cdef int BASE = KNOWN_TAGS.index("base")


class Walked(NamedTuple):
    """What a walk found."""

    text: str
    packed: PackedNodes
    title: str
    base: str | None
    images: list  # for each its row, tag, attributes, those of its sources, and its node
    fallbacks: dict  # by the node of the image that they fill, attributes
    kept: tuple  # the attributes of rows, as in `AttributeTable`

    def declare_images(self, base, frames=(), address=None):
        """The images with their best sources.

        Args:
            base: what addresses are relative to.
            frames: for the documents in frames, the ranges of their nodes and their own bases.
            address: the page's own.
        """
        images = []
        own = None if address is None else address.partition("#")[0].rstrip("/") or None
        for row, tag, attributes, sources, node in self.images:
            if tag == "video":
                attributes = attributes | {"src": attributes["poster"]}
            images.append(
                declare_image(
                    len(images),
                    row,
                    tag,
                    attributes,
                    sources,
                    self.fallbacks.get(node),
                    base_at(node, base, frames) if frames else base,
                    own,
                )
            )
        return tuple(images)

    def attributes(self):
        """The attributes that a page keeps, by row."""
        return AttributeTable(self.kept, NAMES)


def base_at(node, base, frames):
    """What the addresses in a node are relative to."""
    at = bisect_right(frames, node, key=FIRST) - 1
    return base_of(frames[at].base, base) if at >= 0 and node < frames[at].last else base


FIRST = attrgetter("first")


def walk(Tree tree, limits, page, bint scriptless=False):
    """Walk a tree; `TooLarge` names what a page has too much of.

    Args:
        scriptless: read what is in `<noscript>`, too.
    """
    cdef Walk self = Walk(tree, limits, page, scriptless)
    self.run()
    title, base = read_head(tree)
    return Walked(
        PyUnicode_DecodeUTF8(self.text.data, self.text.size, "replace") if self.text.size else "",
        self.packed_nodes(),
        title,
        base,
        self.images,
        self.fallbacks,
        self.kept_attributes(),
    )
