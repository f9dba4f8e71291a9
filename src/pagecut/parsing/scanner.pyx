# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Follow a page's tags without building its tree: what parsing it would cost.

lexbor needs quadratic time for deep nesting, for attributes of one tag and for names of tags; HTML5
itself for unclosed formatting elements, which every new block reopens. This is a rough form of
HTML's tree construction (§13.2.6) that sees all of that, linear in the source whatever the source
holds. It leaves out implied elements (tbody, tr), of which there are at most three for each one
seen, and errs on the side of counting too much. Where an end tag may close something further out
than it looks, it gives up and calls the page endlessly deep.
"""

import os
import re
from typing import NamedTuple

cimport cython
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from libc.string cimport memchr, memcmp, memcpy, memset

from selectolax.lexbor import LexborHTMLParser

from pagecut.page.tags import FORMATTING, HEADINGS, LINE_BREAKING, VOID
from pagecut.parsing.lexbor cimport Buffer, release, reserve, start

# §13.2.4.2: an end tag does not reach over these; formatting outside stays outside.
BARRIERS = frozenset("applet caption table td th marquee object template svg math".split())
# §13.2.6.4.7: a list item does not close another one over these; end tags and formatting pass.
SOFT_BARRIERS = (
    LINE_BREAKING
    - BARRIERS
    - frozenset(
        "html body frameset address div p li dt dd br hr tr td th thead tbody tfoot caption col "
        "colgroup".split()
    )
)
RAW_TEXT_TAGS = frozenset(
    "script style textarea title xmp iframe noembed noframes plaintext".split()
)
# §13.2.6.5: where HTML starts again inside of SVG and MathML, and the HTML tags that end them.
SVG_INTEGRATION = frozenset("foreignobject desc title".split())
MATH_INTEGRATION = frozenset("mi mo mn ms mtext".split())
BREAKOUT_TAGS = frozenset(
    "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li "
    "listing menu meta nobr ol p pre ruby s small span strong strike sub sup table tt u ul "
    "var".split()
)
FONT_ATTRIBUTE = re.compile(rb"[ \t\n\r\f/](?:color|face|size)(?=[ \t\n\r\f/=>])", re.IGNORECASE)
ANNOTATION = re.compile(rb"encoding[^>]*(?:text/html|application/xhtml\+xml)", re.IGNORECASE)

cdef enum:
    IS_VOID = 1
    IS_FORMATTING = 2
    IS_BARRIER = 4
    IS_SOFT_BARRIER = 8
    BREAKS_LINE = 16
    IS_BLOCK = 32  # §13.2.6.4.7: formatting that is closed over one leaves it open
    IS_FOREIGN = 64
    IS_SVG_INTEGRATION = 128
    IS_BREAKOUT = 256
    IS_RAW_TEXT = 512
    CLOSES_ITS_KIND = 1024  # a start tag closes an open element of the same name
    IS_CELL = 2048
    OF_TABLE = 4096  # means nothing outside of a table
    CLOSES_P = 8192
    BOUNDS_TABLE = 1 << 14  # what the end tag of a table's part does not look beyond
    IN_SELECT = 1 << 15  # raw text in a <select>, too
    ENDS_FOREIGN = 1 << 16  # as an end tag
    IS_PAGE = 1 << 17
    IS_LIST = 1 << 18
    IS_ITEM = 1 << 19
    STOPS_ITEM = 1 << 20
    IS_MATH_INTEGRATION = 1 << 21
    IS_HEADING = 1 << 22
    REOPENS = 1 << 23  # formatting, though it is empty, or nothing outside reaches into it

BLOCKS = LINE_BREAKING | {"button", "select", "noscript"}
CELLS = frozenset({"td", "th", "caption"})
TABLE_PARTS = frozenset("caption col colgroup tbody td tfoot th thead tr".split())
GROUPS = {
    IS_VOID: VOID,
    IS_FORMATTING: FORMATTING,
    IS_BARRIER: BARRIERS,
    IS_SOFT_BARRIER: SOFT_BARRIERS,
    BREAKS_LINE: LINE_BREAKING,
    IS_BLOCK: BLOCKS,
    IS_FOREIGN: {"svg", "math"},
    IS_SVG_INTEGRATION: SVG_INTEGRATION,
    IS_MATH_INTEGRATION: MATH_INTEGRATION,
    IS_BREAKOUT: BREAKOUT_TAGS,
    IS_RAW_TEXT: RAW_TEXT_TAGS,
    CLOSES_ITS_KIND: frozenset("tr thead tbody tfoot colgroup a button nobr".split()),
    IS_ITEM: {"li", "dt", "dd"},
    STOPS_ITEM: BLOCKS - {"address", "div", "p"} | {"option"},
    IS_CELL: CELLS,
    OF_TABLE: TABLE_PARTS,
    CLOSES_P: LINE_BREAKING - TABLE_PARTS - {"br"},
    BOUNDS_TABLE: CELLS | {"table"},
    IN_SELECT: {"script", "textarea"},
    ENDS_FOREIGN: {"p", "br"},
    IS_PAGE: {"html", "head", "body", "frameset"},
    IS_LIST: {"ul", "ol"},
    IS_HEADING: HEADINGS,
    REOPENS: frozenset("applet area br embed img input keygen marquee math object svg wbr xmp".split()),
}
KNOWN = ["", *sorted(set().union(*GROUPS.values(), {"annotation-xml", "form", "option", "optgroup"}))]
KNOWN_CODES = {name.encode(): code for code, name in enumerate(KNOWN) if name}

cdef enum:
    MOST_KNOWN = 256
    SLOTS = 1024  # a power of two
    LONGEST_KNOWN = 16
    LONGEST_FORMATTING = 6
    REOPENED = 0  # an entry for formatting elements that were reopened together
    CLOSED = -1  # one for a formatting element that was closed over a block

cdef unsigned int known_traits[MOST_KNOWN]
cdef short slots[SLOTS]  # by hash, the code of a known name
cdef unsigned char known_names[MOST_KNOWN][LONGEST_KNOWN + 1]
cdef int known_lengths[MOST_KNOWN]

# How many open blocks an end tag is looked for in; real pages nest far fewer.
cdef enum:
    REACH = 64
    ENDLESS = 1 << 30
    MOST_ALIKE = 3  # formatting elements, which the parser reopens at most (§13.2.4.3)


# Whether a <select> may hold any element, as HTML has it since 2025; before, most were ignored there.
cdef bint RAW_IN_SELECT = LexborHTMLParser("<select><xmp></select>").css_first("xmp") is not None

# Not to be guessed: a page could choose tags whose numbers meet in one slot.
cdef unsigned long long SEED = int.from_bytes(os.urandom(8), "little") | 1


cdef inline unsigned char lower(unsigned char byte) noexcept:
    return byte | 0x20 if 65 <= byte <= 90 else byte

cdef inline bint is_letter(unsigned char byte) noexcept:
    return 97 <= (byte | 0x20) <= 122

# What ends the name of a tag, of an attribute, and a value without quotes.
cdef enum:
    WHITE = 1
    ENDS_NAME = 2
    ENDS_ATTRIBUTE = 4
    ENDS_VALUE = 8

cdef unsigned char byte_class[256]
memset(byte_class, 0, 256)
byte_class[32] = byte_class[9] = byte_class[10] = byte_class[12] = byte_class[13] = (
    WHITE | ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE
)
byte_class[c"/"] = ENDS_NAME | ENDS_ATTRIBUTE
byte_class[c">"] = ENDS_NAME | ENDS_ATTRIBUTE | ENDS_VALUE
byte_class[c"="] = ENDS_ATTRIBUTE

cdef inline bint is_white(unsigned char byte) noexcept:
    return byte_class[byte] & WHITE

cdef inline bint ends_name(unsigned char byte) noexcept:
    return byte_class[byte] & ENDS_NAME

cdef inline unsigned int hash_step(unsigned int hashed, unsigned char byte) noexcept:
    return (hashed ^ byte) * 16777619u


cdef void add_known(bytes name, int code, unsigned int traits) noexcept:
    cdef unsigned int hashed = 2166136261u
    cdef int i
    known_traits[code] = traits
    known_lengths[code] = <int> PyBytes_GET_SIZE(name)
    for i in range(known_lengths[code]):
        known_names[code][i] = PyBytes_AS_STRING(name)[i]
        hashed = hash_step(hashed, known_names[code][i])
    while slots[hashed % SLOTS]:
        hashed += 1
    slots[hashed % SLOTS] = code


cdef int known_name(const unsigned char *name, Py_ssize_t size) noexcept:
    """The code of a name in letters of any case; 0 if it is not known."""
    cdef unsigned char folded[LONGEST_KNOWN]
    cdef unsigned int hashed = 2166136261u
    cdef Py_ssize_t i
    cdef int code
    if size > LONGEST_KNOWN:
        return 0
    for i in range(size):
        folded[i] = lower(name[i])
        hashed = hash_step(hashed, folded[i])
    while True:
        code = slots[hashed % SLOTS]
        if not code or (known_lengths[code] == size and memcmp(known_names[code], folded, size) == 0):
            return code
        hashed += 1


for _name, _code in KNOWN_CODES.items():
    add_known(_name, _code, sum(bit for bit, names in GROUPS.items() if _name.decode() in names))
cdef int TEMPLATE = KNOWN_CODES[b"template"], TABLE = KNOWN_CODES[b"table"]
cdef int SCRIPT = KNOWN_CODES[b"script"], SELECT = KNOWN_CODES[b"select"]
cdef int P = KNOWN_CODES[b"p"], LI = KNOWN_CODES[b"li"], DT = KNOWN_CODES[b"dt"], DD = KNOWN_CODES[b"dd"]
cdef int BUTTON = KNOWN_CODES[b"button"], FRAMESET = KNOWN_CODES[b"frameset"], H1 = KNOWN_CODES[b"h1"], SVG = KNOWN_CODES[b"svg"]
cdef int OPTION = KNOWN_CODES[b"option"], OPTGROUP = KNOWN_CODES[b"optgroup"]
cdef int FORM = KNOWN_CODES[b"form"], FONT = KNOWN_CODES[b"font"]
cdef int ANNOTATION_XML = KNOWN_CODES[b"annotation-xml"]

# An open element.
cdef struct Entry:
    int name
    int before  # the one of the same name that was opened before it, or -1
    int weight  # elements that it stands for
    int blocks  # since the last barrier, up to and with it
    int stops  # of these, those over which a list item does not close another one
    int returns  # how many of the elements are reopened after it was closed
    unsigned long long alike  # of formatting that is reopened, its scope and whole tag; else 0

# How many formatting elements of one kind there are.
cdef struct Alike:
    unsigned long long key
    int count

# What is open since a barrier.
cdef struct Scope:
    int barrier
    int first  # its first entry
    int pending  # formatting elements to reopen
    unsigned int number


@cython.final
cdef class Scanner:
    """The open elements of a page, tag by tag."""

    cdef const unsigned char *source
    cdef const unsigned char *end
    cdef Buffer entry_buffer, scope_buffer
    cdef Buffer last_buffer  # by name, the last entry; -1 if there is none
    cdef Buffer barrier_buffer  # by name, how many such barriers are open
    cdef dict other_names
    cdef dict tags  # of formatting elements, as they are written, with a number for each
    cdef Buffer alike_buffer  # how many formatting elements are alike, by scope and tag
    cdef Py_ssize_t alike_kinds
    cdef int alike_shift  # to the bits that are a place in it
    cdef unsigned int scopes_so_far
    cdef int waiting[MOST_KNOWN]  # by name, formatting elements that may be reopened
    cdef long long depth, reopened, framesets
    cdef readonly long long deepest, start_tags, attributes

    def __cinit__(self):
        start(&self.entry_buffer)
        start(&self.scope_buffer)
        start(&self.last_buffer)
        start(&self.barrier_buffer)
        start(&self.alike_buffer)
        self.other_names = {}
        self.tags = {}
        self.grow_names(len(KNOWN))
        self.enter(REOPENED, 0)
        self.depth = 0

    def __dealloc__(self):
        release(&self.alike_buffer)
        release(&self.barrier_buffer)
        release(&self.last_buffer)
        release(&self.scope_buffer)
        release(&self.entry_buffer)

    cdef int grow_names(self, Py_ssize_t count) except -1:
        while self.last_buffer.size < 4 * count:
            reserve(&self.last_buffer, 4)
            (<int *> (self.last_buffer.data + self.last_buffer.size))[0] = -1
            self.last_buffer.size += 4
            reserve(&self.barrier_buffer, 4)
            (<int *> (self.barrier_buffer.data + self.barrier_buffer.size))[0] = 0
            self.barrier_buffer.size += 4
        return 0

    cdef inline int *last_of(self, int name) noexcept:
        return &(<int *> self.last_buffer.data)[name]

    cdef inline int *barriers(self, int name) noexcept:
        return &(<int *> self.barrier_buffer.data)[name]

    cdef inline int entries(self) noexcept:
        return <int> (self.entry_buffer.size // <Py_ssize_t> sizeof(Entry))

    cdef inline Entry *entry(self, int at) noexcept:
        return &(<Entry *> self.entry_buffer.data)[at]

    cdef inline int scopes(self) noexcept:
        return <int> (self.scope_buffer.size // <Py_ssize_t> sizeof(Scope))

    cdef inline Scope *scope(self) noexcept:
        """The innermost one."""
        return <Scope *> (self.scope_buffer.data + self.scope_buffer.size) - 1

    cdef inline unsigned int traits(self, int name) noexcept:
        return known_traits[name] if name < MOST_KNOWN else 0

    cdef inline bint is_open(self, int name) noexcept:
        """Whether an element is open since the last barrier."""
        return self.last_of(name)[0] >= self.scope().first

    cdef inline bint is_foreign(self) noexcept:
        """Whether the next tag is read by the rules of SVG and MathML."""
        return self.traits(self.scope().barrier) & IS_FOREIGN != 0

    # Elements

    cdef int push(self, int name, int weight, unsigned long long alike) except -1:
        cdef Entry *entry
        cdef int at = self.entries()
        cdef unsigned int traits = self.traits(name)
        cdef int *count
        reserve(&self.entry_buffer, sizeof(Entry))
        self.entry_buffer.size += sizeof(Entry)
        entry = self.entry(at)
        entry.name = name
        entry.weight = weight
        entry.before = self.last_of(name)[0]
        entry.blocks = (traits & IS_BLOCK != 0 and not self.is_foreign()) + (
            self.entry(at - 1).blocks if at > self.scope().first else 0
        )
        entry.stops = (traits & STOPS_ITEM != 0 and not self.is_foreign()) + (
            self.entry(at - 1).stops if at > self.scope().first else 0
        )
        entry.alike = 0
        entry.returns = weight if name == REOPENED else 0
        if traits & IS_FORMATTING:
            alike |= <unsigned long long> self.scope().number << 32
            count = self.alike_count(alike)
            if count[0] < MOST_ALIKE:
                count[0] += 1
            else:
                self.forget_earliest(entry.before, alike)
            entry.alike = alike
            entry.returns = 1
        self.last_of(name)[0] = at
        self.depth += weight
        return 0

    cdef void forget_earliest(self, int at, unsigned long long alike) noexcept:
        """Of more than three formatting elements that are alike, the first is not reopened."""
        cdef int earliest = -1, i
        for i in range(2 * MOST_ALIKE):
            if at < self.scope().first:
                break
            if self.entry(at).alike == alike and self.entry(at).returns:
                earliest = at
            at = self.entry(at).before
        if earliest < 0 and self.is_open(REOPENED):
            earliest = self.last_of(REOPENED)[0]
        if earliest >= 0 and self.entry(earliest).returns:
            self.entry(earliest).returns -= 1
        elif self.scope().pending:
            self.scope().pending -= 1

    cdef int *alike_count(self, unsigned long long key) except NULL:
        """Where elements of one kind are counted: a table by their keys, never more than half full."""
        cdef Buffer old = self.alike_buffer
        cdef Alike *kind
        cdef Py_ssize_t i
        if 2 * <Py_ssize_t> sizeof(Alike) * self.alike_kinds >= old.size:
            start(&self.alike_buffer)
            reserve(&self.alike_buffer, 2 * old.size + 64 * sizeof(Alike))
            self.alike_buffer.size = 2 * old.size or 64 * sizeof(Alike)
            self.alike_shift = self.alike_shift - 1 if old.size else 58
            memset(self.alike_buffer.data, 0, self.alike_buffer.size)
            self.alike_kinds = 0
            for i in range(old.size // <Py_ssize_t> sizeof(Alike)):
                kind = &(<Alike *> old.data)[i]
                if kind.key:
                    self.alike_count(kind.key)[0] = kind.count
            release(&old)
        i = <Py_ssize_t> ((key * SEED) >> self.alike_shift)
        while True:
            i &= self.alike_buffer.size // <Py_ssize_t> sizeof(Alike) - 1
            kind = &(<Alike *> self.alike_buffer.data)[i]
            if kind.key == key:
                return &kind.count
            if not kind.key:
                kind.key = key
                self.alike_kinds += 1
                return &kind.count
            i += 1

    cdef int pop(self) noexcept:
        """Close the innermost element; its name."""
        cdef Entry *entry = self.entry(self.entries() - 1)
        self.entry_buffer.size -= sizeof(Entry)
        self.depth -= entry.weight
        if entry.name >= 0:
            self.last_of(entry.name)[0] = entry.before
        self.scope().pending += entry.returns
        if entry.alike and entry.returns:
            self.waiting[entry.name] += 1
        return entry.name

    cdef void pop_through(self, int name) noexcept:
        while self.pop() != name:
            pass
        self.pop_closed()

    cdef void pop_closed(self) noexcept:
        while self.entries() > self.scope().first and self.entry(self.entries() - 1).name == CLOSED:
            self.pop()

    cdef int close_formatting(self, Scope *scope, int name) except -1:
        """Close a formatting element, over blocks in place; else with all that is in it."""
        cdef int at = self.last_of(name)[0], pending
        cdef Entry *entry = self.entry(at)
        cdef bint is_alike = entry.returns != 0
        if is_alike:
            self.alike_count(entry.alike)[0] -= 1
        if scope == self.scope() and self.entry(self.entries() - 1).blocks == entry.blocks:
            pending = scope.pending
            self.pop_through(name)
            scope.pending = max(pending, scope.pending - is_alike)
        else:
            self.last_of(name)[0] = entry.before
            entry.name = CLOSED
            entry.alike = 0
            entry.returns = 0
        return 0

    cdef int enter(self, int barrier, int pending) except -1:
        cdef Scope *scope
        reserve(&self.scope_buffer, sizeof(Scope))
        self.scope_buffer.size += sizeof(Scope)
        scope = self.scope()
        scope.barrier = barrier
        scope.first = self.entries()
        scope.pending = pending
        self.scopes_so_far += 1
        scope.number = self.scopes_so_far
        self.barriers(barrier)[0] += 1
        self.depth += 1
        return 0

    cdef void leave(self) noexcept:
        cdef Scope *scope = self.scope()
        cdef Entry *entry
        cdef int left = scope.pending
        cdef int first = scope.first
        while self.entries() > first:
            entry = self.entry(self.entries() - 1)
            self.entry_buffer.size -= sizeof(Entry)
            self.depth -= entry.weight
            if entry.name >= 0:
                self.last_of(entry.name)[0] = entry.before
                if entry.name == REOPENED or self.traits(entry.name) & IS_FORMATTING:
                    left += entry.weight
                    self.waiting[entry.name] += 1
        self.depth -= 1
        self.barriers(scope.barrier)[0] -= 1
        self.scope_buffer.size -= sizeof(Scope)
        if self.traits(scope.barrier) & IS_SOFT_BARRIER:
            self.scope().pending = max(self.scope().pending, left)

    cdef void leave_through(self, int barrier) noexcept:
        while self.scope().barrier != barrier:
            self.leave()
        self.leave()
        self.pop_closed()

    cdef bint in_reach(self, int name) noexcept:
        """Whether an end tag closes an outer barrier."""
        cdef Scope *scope = self.scope()
        cdef unsigned int traits
        cdef int i
        for i in range(min(REACH, self.scopes())):
            traits = self.traits(scope.barrier)
            if scope.barrier == name:
                return True
            if scope.barrier == TEMPLATE or (
                not traits & (IS_SOFT_BARRIER | IS_FOREIGN)
                and (not self.traits(name) & BOUNDS_TABLE or scope.barrier == TABLE)
            ):
                return False
            scope -= 1
        self.give_up_beyond_reach()
        return False

    cdef void give_up_beyond_reach(self) noexcept:
        """Call the page endlessly deep if there are open blocks that were not looked at."""
        if self.scopes() > REACH:
            self.depth = ENDLESS

    cdef int reopen(self) except -1:
        cdef int pending = self.scope().pending
        if pending:
            self.scope().pending = 0
            self.push(REOPENED, pending, 0)
            self.reopened += pending
        return 0

    cdef void close_item(self, int name) noexcept:
        """Close the list item, or the part of a definition, that a new one follows."""
        cdef int at = self.last_of(name)[0]
        if name != LI:
            at = max(self.last_of(DT)[0], self.last_of(DD)[0])
        if at >= self.scope().first and self.entry(at).stops == self.entry(self.entries() - 1).stops:
            self.pop_through(self.entry(at).name)
        self.close_paragraph()

    cdef void close_paragraph(self) noexcept:
        """Close an open <p>, unless it lies outside of a <button>."""
        if self.is_open(P) and self.last_of(P)[0] > self.last_of(BUTTON)[0]:
            self.pop_through(P)

    cdef int start_tag(self, int name, unsigned int traits, unsigned long long alike) except -1:
        if traits & OF_TABLE and not self.barriers(TABLE)[0] and not self.barriers(TEMPLATE)[0]:
            return 0
        if traits & IS_CELL:
            while self.scopes() > 1 and self.traits(self.scope().barrier) & IS_CELL:
                self.leave()
        elif traits & IS_ITEM:
            self.close_item(name)
        elif traits & CLOSES_ITS_KIND and self.is_open(name):
            if traits & IS_FORMATTING:
                self.close_formatting(self.scope(), name)
            else:
                self.pop_through(name)
        elif name == OPTION or name == OPTGROUP:
            if self.entries() > self.scope().first and self.entry(self.entries() - 1).name == OPTION:
                self.pop()
        elif traits & CLOSES_P:
            self.close_paragraph()
        if traits & REOPENS:
            self.reopen()
        if traits & IS_VOID:
            return 0
        if traits & (IS_BARRIER | IS_SOFT_BARRIER):
            return self.enter(name, 0 if traits & IS_BARRIER else self.scope().pending)
        if not traits & BREAKS_LINE:
            self.reopen()
        return self.push(name, 1, alike)

    cdef bint start_foreign(
        self, int name, unsigned int traits, const unsigned char *tag, Py_ssize_t size
    ) except -1:
        """Open an element of SVG or MathML; False if the tag ends them instead."""
        if traits & IS_BREAKOUT or (name == FONT and FONT_ATTRIBUTE.search(tag[:size])):
            while self.is_foreign():
                self.leave()
            return False
        if traits & (IS_SVG_INTEGRATION if self.scope().barrier == SVG else IS_MATH_INTEGRATION) or (
            name == ANNOTATION_XML and ANNOTATION.search(tag[:size])
        ):
            self.enter(name, 0)
        else:
            self.push(name, 1, 0)
        return True

    cdef int end_tag(self, int name, unsigned int traits) except -1:
        cdef Scope *scope
        cdef bint blocked = False
        cdef int i, scopes
        if traits & ENDS_FOREIGN:
            while self.is_foreign():
                self.leave()
        scope = self.scope()
        if (
            traits & (IS_FOREIGN | IS_SVG_INTEGRATION | IS_MATH_INTEGRATION)
            or name == ANNOTATION_XML
        ):
            if traits & IS_FOREIGN and self.is_open(name):  # a drawing in a drawing
                self.pop_through(name)
                return 0
            if scope.barrier == name and (traits & IS_FOREIGN or self.entries() == scope.first):
                self.leave()
                return 0
        elif traits & IS_BARRIER:
            if self.barriers(name)[0] and self.in_reach(name):
                self.leave_through(name)
            return 0
        if not traits & (IS_SOFT_BARRIER | IS_FORMATTING) and self.last_of(name)[0] < 0:
            return 0
        if name == P and self.last_of(P)[0] < self.last_of(BUTTON)[0]:
            return 0
        if not traits & (IS_BLOCK | IS_FORMATTING):
            return self.end_other(name)
        scopes = self.scopes()
        for i in range(min(REACH, scopes)):
            if name == FORM and self.blocks_in(scopes - 1 - i):
                return 0  # a form ends, but what is open in it stays open
            if traits & IS_SOFT_BARRIER and scope.barrier == name:
                if name != FORM or not i:
                    self.leave_through(name)
                return 0
            if self.last_of(name)[0] >= scope.first:
                if traits & IS_FORMATTING and blocked:
                    return self.close_formatting(scope, name)
                while self.scope() != scope:
                    self.leave()
                break
            blocked = blocked or self.traits(scope.barrier) & IS_SOFT_BARRIER != 0
            if name == LI and self.traits(scope.barrier) & IS_LIST:
                return 0
            if not self.traits(scope.barrier) & (IS_SOFT_BARRIER | IS_FOREIGN):
                break
            scope -= 1
        else:
            if not traits & IS_FORMATTING and (
                self.last_of(name)[0] >= 0 or self.barriers(name)[0]
            ):
                self.give_up_beyond_reach()
        scope = self.scope()
        if self.is_open(name):
            if traits & IS_FORMATTING:
                self.close_formatting(scope, name)
            else:
                self.pop_through(name)
        elif traits & IS_FORMATTING and self.waiting[name]:
            self.waiting[name] -= 1
            if scope.pending:
                scope.pending -= 1
            elif self.is_open(REOPENED):
                self.pop_through(REOPENED)
                scope.pending -= 1
        return 0

    cdef int end_other(self, int name) except -1:
        """The end tag of an element without rules of its own closes it over no block."""
        cdef int number = self.scopes() - 1, after
        cdef Scope *scope
        while number >= 0:
            scope = &(<Scope *> self.scope_buffer.data)[number]
            if self.last_of(name)[0] >= scope.first:
                after = self.entries() if number == self.scopes() - 1 else (scope + 1).first
                if self.entry(after - 1).blocks == self.entry(self.last_of(name)[0]).blocks:
                    while self.scopes() - 1 > number:
                        self.leave()
                    self.pop_through(name)
                return 0
            if not self.traits(scope.barrier) & IS_FOREIGN:
                return 0
            number -= 1
            if self.scopes() - number > REACH:
                self.give_up_beyond_reach()
                return 0
        return 0

    cdef bint blocks_in(self, int number) noexcept:
        """Whether a block is open in a scope."""
        cdef Scope *scope = &(<Scope *> self.scope_buffer.data)[number]
        cdef int after = self.entries() if number == self.scopes() - 1 else (scope + 1).first
        return after > scope.first and self.entry(after - 1).blocks > 0

    # Tags

    cdef int name_at(self, const unsigned char *at, const unsigned char *after) except -1:
        """The number of a tag's name; those that are not known follow those that are."""
        cdef Py_ssize_t size = after - at
        cdef int code = known_name(at, size)
        if code:
            return code
        name = PyBytes_FromStringAndSize(<const char *> at, size).lower()
        code = self.other_names.setdefault(name, MOST_KNOWN + len(self.other_names))
        self.grow_names(code + 1)
        return code

    cdef unsigned long long tag_number(self, const unsigned char *at, const unsigned char *after) except 0:
        """The same for tags that are written alike, and for no others."""
        tag = PyBytes_FromStringAndSize(<const char *> at, after - at)
        return self.tags.setdefault(tag, len(self.tags) + 1)

    cdef const unsigned char *after_attributes(self, const unsigned char *at, bint *closed) noexcept:
        """The place after a tag's attributes and its bracket."""
        cdef const unsigned char *end = self.end
        cdef const unsigned char *value
        cdef long long count = 0
        closed[0] = False
        while at < end and at[0] != c">":
            if is_white(at[0]):
                at += 1
                continue
            if at[0] == c"/":
                at += 1
                closed[0] = at < end and at[0] == c">"
                continue
            count += 1
            at += 1
            while at < end and not byte_class[at[0]] & ENDS_ATTRIBUTE:
                at += 1
            value = at
            while value < end and is_white(value[0]):
                value += 1
            if value >= end or value[0] != c"=":
                continue
            at = value + 1
            while at < end and is_white(at[0]):
                at += 1
            if at < end and (at[0] == c'"' or at[0] == c"'"):
                value = <const unsigned char *> memchr(at + 1, at[0], end - at - 1)
                at = end if value == NULL else value + 1
            else:
                while at < end and not byte_class[at[0]] & ENDS_VALUE:
                    at += 1
        self.attributes = max(self.attributes, count)
        return at + 1 if at < end else end

    cdef const unsigned char *after_declaration(self, const unsigned char *at) noexcept:
        """The place after a comment, a doctype or the like, of which `at` is after the `<`."""
        cdef const unsigned char *end = self.end
        if end - at >= 3 and memcmp(at, b"!--", 3) == 0:
            at += 3
            if at < end and at[0] == c">":
                return at + 1
            if end - at >= 2 and at[0] == c"-" and at[1] == c">":
                return at + 2
            while True:
                at = <const unsigned char *> memchr(at, c"-", end - at)
                if at == NULL or end - at < 3:
                    return end
                if at[1] == c"-" and at[2] == c">":
                    return at + 3
                if at[1] == c"-" and at[2] == c"!" and end - at > 3 and at[3] == c">":
                    return at + 4
                at += 1
        if end - at >= 8 and memcmp(at, b"![CDATA[", 8) == 0 and self.is_foreign():
            at += 8
            while True:
                at = <const unsigned char *> memchr(at, c"]", end - at)
                if at == NULL or end - at < 3:
                    return end
                if at[1] == c"]" and at[2] == c">":
                    return at + 3
                at += 1
        at = <const unsigned char *> memchr(at, c">", end - at)
        return end if at == NULL else at + 1

    cdef bint stands(self, const unsigned char *at, const unsigned char *word, Py_ssize_t size) noexcept:
        """Whether a word stands here, in letters of any case, as a whole name."""
        cdef Py_ssize_t i
        if self.end - at <= size:
            return False
        for i in range(size):
            if lower(at[i]) != word[i]:
                return False
        return ends_name(at[size])

    cdef const unsigned char *end_of_raw_text(self, const unsigned char *at, int name) noexcept:
        """Where the end tag of an element begins whose content is no markup (§13.2.5.4)."""
        cdef const unsigned char *word = known_names[name]
        cdef int size = known_lengths[name]
        cdef bint in_comment = False, in_script = False
        cdef const unsigned char *dashes = at  # where a comment in a script may end
        while at < self.end:
            at = <const unsigned char *> memchr(at, c"<", self.end - at)
            if at == NULL:
                break
            if name == SCRIPT and in_comment and self.ends_comment(dashes, at):
                in_comment = in_script = False
            if at + 1 < self.end and at[1] == c"/" and self.stands(at + 2, word, size):
                if not in_script:
                    return at
                in_script = False
            elif name == SCRIPT:
                # Within a comment, a script inside the script hides its end tag.
                if self.end - at >= 4 and memcmp(at, b"<!--", 4) == 0 and not in_comment:
                    in_comment = True
                    dashes = at + 2  # which may end it again
                    at += 1
                    continue
                if in_comment and self.stands(at + 1, word, size):
                    in_script = True
            dashes = at if in_comment else dashes
            at += 1
        return self.end

    cdef bint ends_comment(self, const unsigned char *at, const unsigned char *until) noexcept:
        while True:
            at = <const unsigned char *> memchr(at, c">", until - at)
            if at == NULL:
                return False
            if (at - 1)[0] == c"-" and (at - 2)[0] == c"-":
                return True
            at += 1

    cdef int scan(self, long long most_depth, long long most_reopened, long long most_attributes, long long most_names) except -1:
        """Go through the tags until one is too many."""
        cdef const unsigned char *at = self.source
        cdef const unsigned char *position = at  # after the last tag
        cdef const unsigned char *name_start
        cdef const unsigned char *opening
        cdef bint is_end, closed = False, in_select = False
        cdef int name
        cdef unsigned int traits
        while at < self.end:
            at = <const unsigned char *> memchr(at, c"<", self.end - at)
            if at == NULL or self.end - at < 2:
                return 0
            opening = at
            at += 1
            is_end = at[0] == c"/"
            name_start = at + is_end
            if name_start >= self.end or not is_letter(name_start[0]):
                if is_end or at[0] == c"!" or at[0] == c"?":
                    self.note_text(position, opening)
                    position = at = self.after_declaration(at)
                continue
            self.note_text(position, opening)
            at = name_start
            while at < self.end and not ends_name(at[0]):
                at += 1
            name = self.name_at(name_start, at)
            traits = self.traits(name)
            if traits & IS_HEADING:  # the end tag of one closes any other
                name = H1
            at = self.after_attributes(at, &closed)
            position = at
            if name == SELECT:
                in_select = not is_end
            if is_end:
                if not traits & IS_PAGE:  # which the page's end closes
                    self.end_tag(name, traits)
            else:
                self.start_tags += 1
                if self.is_foreign():
                    if closed and not traits & IS_BREAKOUT:
                        continue
                    if self.start_foreign(name, traits, opening, at - opening):
                        self.deepest = max(self.deepest, self.depth)
                        continue
                if traits & IS_PAGE:
                    if name == FRAMESET and not self.framesets:  # the others are open already
                        # After one, nothing else may count, so that all of them are nested.
                        self.framesets = PyBytes_FromStringAndSize(
                            <const char *> opening, self.end - opening
                        ).lower().count(b"<frameset")
                        self.depth += self.framesets
                elif traits & IS_RAW_TEXT and (RAW_IN_SELECT or not in_select or traits & IN_SELECT):
                    if traits & REOPENS:
                        self.reopen()
                    position = at = self.end_of_raw_text(at, name)
                elif closed and traits & IS_FOREIGN:
                    self.reopen()
                else:
                    self.start_tag(name, traits, self.tag_number(opening, at) if traits & IS_FORMATTING else 0)
            self.deepest = max(self.deepest, self.depth)
            if (
                self.deepest > most_depth
                or self.reopened > most_reopened
                or self.attributes > most_attributes
                or len(self.other_names) > most_names
            ):
                return 0
        return 0

    cdef int note_text(self, const unsigned char *at, const unsigned char *end) except -1:
        """Text that is more than white space reopens formatting elements."""
        if self.scope().pending:
            while at < end:
                if not is_white(at[0]):
                    return self.reopen()
                at += 1
        return 0


class Cost(NamedTuple):
    """What a page has that costs time; where one is beyond its limit, others may be too low."""

    depth: int
    reopened: int  # formatting elements
    attributes: int  # of the tag with most of them
    names: int  # of tags, those of HTML not counted
    start_tags: int


def scan(bytes source, most_depth, most_reopened, most_attributes, most_names):
    """Go through a page in UTF-8 until one of these is exceeded."""
    cdef Scanner self = Scanner()
    self.source = <const unsigned char *> PyBytes_AS_STRING(source)
    self.end = self.source + PyBytes_GET_SIZE(source)
    self.scan(most_depth, most_reopened, most_attributes, most_names)
    return Cost(self.deepest, self.reopened, self.attributes, len(self.other_names), self.start_tags)


cdef extern from *:
    """
    #define IS_SEPARATOR(b) \\
        ((b == ' ') | (b == 9) | (b == 10) | (b == 12) | (b == 13) | (b == '/'))
    #if defined(__GNUC__)
    #define ALWAYS_INLINE inline __attribute__((always_inline))
    #else
    #define ALWAYS_INLINE
    #endif
    #define STARTS_TAG(b, next) ((b == '<') & (next != '/'))
    #define STARTS_WORD(b, next) \\
        ((IS_SEPARATOR(b) | (b == '"') | (b == 39)) & (IS_SEPARATOR(next) == 0) & (next != '>'))

    /* How many tags may start; and attributes, which follow a separator or a quote. The bytes end
       with a zero. */
    static ALWAYS_INLINE void count_anywhere(const unsigned char *at, Py_ssize_t size,
                                             long long *tags, long long *words)
    {
        const unsigned char *end = at + size;
    #ifdef __GNUC__
        typedef unsigned char Bytes __attribute__((vector_size(32)));
        while (end - at >= 32) {
            Bytes found_tags = {0}, found_words = {0}, bytes, next;
            int i;
            for (i = 0; i < 255 && end - at >= 32; i++, at += 32) { /* what a byte can count */
                memcpy(&bytes, at, 32);
                memcpy(&next, at + 1, 32);
                found_tags -= (Bytes) STARTS_TAG(bytes, next); /* true is -1 */
                found_words -= (Bytes) STARTS_WORD(bytes, next);
            }
            for (i = 0; i < 32; i++) {
                *tags += found_tags[i];
                *words += found_words[i];
            }
        }
    #endif
        for (; at < end; at++) {
            *tags += STARTS_TAG(at[0], at[1]);
            *words += STARTS_WORD(at[0], at[1]);
        }
    }

    #if defined(__GNUC__) && defined(__x86_64__)
    __attribute__((target("avx2"))) static void count_by_avx2(
        const unsigned char *at, Py_ssize_t size, long long *tags, long long *words)
    {
        count_anywhere(at, size, tags, words);
    }
    #define HAS_AVX2 __builtin_cpu_supports("avx2")
    #else
    #define HAS_AVX2 0
    #define count_by_avx2 count_anywhere
    #endif

    static void count_tags_and_words(const unsigned char *at, Py_ssize_t size, long long *tags,
                                     long long *words)
    {
        if (HAS_AVX2)
            count_by_avx2(at, size, tags, words);
        else
            count_anywhere(at, size, tags, words);
    }
    """
    void count_tags_and_words(
        const unsigned char *source, Py_ssize_t size, long long *tags, long long *words
    ) noexcept nogil


def is_harmless(bytes source, few_tags, many_tags, many_formatting, many_attributes):
    """Whether so few bytes of a page look like tags and attributes that no scan is needed.

    Args:
        few_tags: start tags that are harmless, whatever they are.
        many_tags: start tags that nest too deep, if all of them do.
        many_formatting: tags of formatting elements that may be reopened too often.
        many_attributes: words that are too many, if all of them are attributes of one tag.
    """
    cdef const unsigned char *at = <const unsigned char *> PyBytes_AS_STRING(source)
    cdef Py_ssize_t size = PyBytes_GET_SIZE(source)
    cdef long long tags = 0, words = 0
    count_tags_and_words(at, size, &tags, &words)
    if words > many_attributes or tags >= many_tags:
        return False
    return tags < few_tags or count_formatting(at, at + size) < many_formatting


cdef long long count_formatting(const unsigned char *at, const unsigned char *end) noexcept:
    """Start tags of formatting elements of which any number can be open."""
    cdef const unsigned char *name
    cdef long long count = 0
    cdef int code
    while at < end:
        at = <const unsigned char *> memchr(at, c"<", end - at)
        if at == NULL:
            break
        at += 1
        name = at
        while at < end and is_letter(at[0]):
            at += 1
        if name < at <= name + LONGEST_FORMATTING:
            code = known_name(name, at - name)
            count += code > 0 and known_traits[code] & (IS_FORMATTING | CLOSES_ITS_KIND) == IS_FORMATTING
    return count


def is_utf8(bytes source):
    """Whether bytes are valid UTF-8 (Unicode, table 3-7)."""
    cdef const unsigned char *at = <const unsigned char *> PyBytes_AS_STRING(source)
    cdef const unsigned char *end = at + PyBytes_GET_SIZE(source)
    cdef unsigned char lead, lowest, highest
    cdef unsigned long long eights[4]
    cdef int following
    while at < end:
        lead = at[0]
        at += 1
        if lead < 0x80:
            while end - at >= 32:
                memcpy(eights, at, 32)
                if (eights[0] | eights[1] | eights[2] | eights[3]) & 0x8080808080808080ULL:
                    break
                at += 32
            while end - at >= 8:
                memcpy(eights, at, 8)
                if eights[0] & 0x8080808080808080ULL:
                    break
                at += 8
            continue
        if not 0xC2 <= lead <= 0xF4:
            return False
        following = 1 + (lead >= 0xE0) + (lead >= 0xF0)
        lowest = 0xA0 if lead == 0xE0 else 0x90 if lead == 0xF0 else 0x80
        highest = 0x9F if lead == 0xED else 0x8F if lead == 0xF4 else 0xBF
        while following:  # the zero after the bytes is none of these
            if not lowest <= at[0] <= highest:
                return False
            lowest, highest = 0x80, 0xBF
            at += 1
            following -= 1
    return True
