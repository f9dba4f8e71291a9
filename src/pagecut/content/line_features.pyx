# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What speaks for and against a line of text being main text, as rows of numbers.

A line is what stands between two elements that break lines; everything is read from the page's
evidence table, in linear time; what single words of the text say, and single words in the names of
elements, was learnt (`Lexicon`). `LINE_FEATURES` are known before any model has spoken. Those of
`CONTEXT_FEATURES` say what a first model thinks of the lines around, in the same block, of the same
look, in the same section.
"""

import os

import numpy as np

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport log1p
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from *:
    """
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int first_bit(unsigned long long word) {
        unsigned long place;
        _BitScanForward64(&place, word);
        return (int)place;
    }
    #else
    #define first_bit(word) __builtin_ctzll(word)
    #endif
    """
    int first_bit(uint64_t word) noexcept nogil
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 ch)

from pagecut.evidence.table cimport (
    ALIKE, BLOCK, CELLS, CHARACTERS, COMMAS, CONTROLS, DIGITS, ELEMENTS, Evidence,
    H1, H2, H3, H4, H5, H6, HEADING, IMAGES, LINES, LINE_END, LINE_LEAF, LINE_LINKED, LINE_START,
    LINE_TOKENS, LINK, LINKED_TOKENS, LINKS, LIST_ITEMS, LOOK, PARAGRAPHS, POSITION, PROSE_TOKENS,
    REPEATED, SENTENCE_ENDS, TIMES, TOKENS, TOKENS_BEFORE,
)
from pagecut.evidence.table import KINDS, NAMING, read_evidence
from pagecut.page.readable_text cimport DataTables
from pagecut.evidence.vocabulary import NAMES
from pagecut.page.attributes import packed_attributes

cdef enum:
    CHAIN = 4  # blocks around a line, each with more text than the one before
    LARGEST = 3  # blocks around a line that hold certain shares of the page's text
    REACH = 40  # elements that are looked at above a line
    NEAREST = 3  # elements around a line whose names say something else than those farther away
    SHORTEST = 3  # letters of a word in a name
    TITLE = 24  # words of a title that are compared
    FAR = 50
    LONGEST = 60000  # characters of a declaration
    MOST_DECLARED = 8

# How many features there are of each kind, and where they begin; `check_order` compares them with
# their names.
cdef enum:
    OWN = 16
    NEIGHBOURS = 4
    OF_NEIGHBOUR = 4
    OF_SAME = 4
    OF_PLACE = 8
    OF_HEADING = 5
    OF_TITLE = 2
    OF_TEXT = 8
    OF_CHAIN = 18
    OF_LARGE = 8
    OF_NAMES = 2
    OF_REPEATED = 5
    OF_PAGE = 14
    SAME_PARENT = OWN + NEIGHBOURS * OF_NEIGHBOUR
    LINE_PLACE = SAME_PARENT + OF_SAME
    HEADING_PLACE = LINE_PLACE + OF_PLACE
    TITLE_PLACE = HEADING_PLACE + OF_HEADING
    TEXT_PLACE = TITLE_PLACE + OF_TITLE
    CHAIN_PLACE = TEXT_PLACE + OF_TEXT
    LARGE_PLACE = CHAIN_PLACE + CHAIN * OF_CHAIN
    NAME_PLACE = LARGE_PLACE + LARGEST * OF_LARGE
    # Of what a first model thinks.
    NEAR_FIRST = 9
    BLOCKS_FIRST = 5
    OF_BLOCK_FIRST = 2
    OF_SECTION_FIRST = 5
    OF_PAGE_FIRST = 10

SHARES = (0.1, 0.3, 0.6)
NEAREST_NAMES = NEAREST
_SKIPPED_NAMES = frozenset({"wrapper", "box", "icon", "logo"})
_NAMES = tuple(name for name in NAMES if name not in _SKIPPED_NAMES)
_AROUND = (
    "main", "article", "aside", "nav", "header", "footer", "form", "section", "figure", "table",
    "list", "quote", "preformatted", "code", "details", "list item", "cell", "paragraph", "heading",
    "caption", "control", "dialog", "address", "link", "emphasis", "time",
)
# Tags in an order in which a number tells something: structure, lists, prose, headings.
_TAGS = (
    "html body nav footer header aside form button label select option fieldset legend ul ol menu "
    "li dl dt table thead tbody tfoot tr th td div center section main article details summary "
    "figure figcaption address span a br p dd blockquote pre h6 h5 h4 h3 h2 h1"
).split()
_TAG_NUMBER = {tag: number + 1 for number, tag in enumerate(_TAGS)}
_OWN = (
    "tokens", "characters", "linked", "commas", "sentence ends", "ends as a sentence",
    "starts with a capital", "digits", "capitals", "word length", "tag", "words", "words least",
    "words most", "of the description", "of linked data",
)
_OF_NEIGHBOUR = ("tokens", "linked", "tag", "words")
_OF_CHAIN = (
    "share", "linked", "line length", "paragraphs", "list items", "links", "commas",
    "sentence ends", "elements", "alike", "tag", "images", "headings", "controls", "digits",
    "prose", "position", "cells",
)
_OF_LARGE = ("share", "linked", "line length", "place", "depth", "tag", "paragraphs", "headings")
_OF_PAGE = (
    "tokens", "linked", "lines", "prose", "paragraphs", "images", "controls", "cells",
    "list items", "h1", "headings", "times", "links", "elements",
)
LINE_FEATURES = (
    *_OWN,
    *(f"{name} of the line before" for name in _OF_NEIGHBOUR),
    *(f"{name} of the line after" for name in _OF_NEIGHBOUR),
    *(f"{name} two lines before" for name in _OF_NEIGHBOUR),
    *(f"{name} two lines after" for name in _OF_NEIGHBOUR),
    "same parent before", "same parent after", "same look before", "same look after",
    "line", "place", "lines before", "lines after", "after h1", "depth", "hidden", "hidden by aria",
    "level of heading", "tokens since heading", "tokens to heading", "words of heading",
    "least words of heading", "says the title", "of the title",
    "same text before", "same text", "lines of the look", "tokens of the look", "linked of the look",
    "prose around", "linked around", "in one link",
    *(f"{name} of block {at}" for at in range(CHAIN) for name in _OF_CHAIN),
    *(f"{name} of the block of {share:.0%}" for share in SHARES for name in _OF_LARGE),
    *(f"named {name}" for name in _NAMES),
    "names", "names around",
    *(f"in {name}" for name in _AROUND),
    "most alike", "depth of most alike", "tokens of repeated", "lines of repeated",
    "siblings of repeated",
    *(f"{name} of the page" for name in _OF_PAGE),
)
CONTEXT_FEATURES = (
    "first", "first before", "first after", "first two before", "first two after",
    "first three before", "first three after", "first around", "first most around",
    *(f"{name} block {at}" for at in range(BLOCKS_FIRST) for name in ("first of", "lines of")),
    *(f"first of the block of {share:.0%}" for share in SHARES),
    "first of the look", "first of the look inside", "first of the section",
    "first of the heading", "first of repeated",
    "first up to here", "text up to here", "rank", "first over threshold", "first of the best",
    "threshold", "expected F", "first of the page", "first of the start", "first of the end",
)
FAR_AWAY = FAR  # elements up to a name: farther, but around the line

cdef uint64_t START = 14695981039346656037ULL, PRIME = 1099511628211ULL  # FNV-1a
# Not to be guessed: a page could choose words whose codes meet in one slot.
cdef uint64_t SEED = int.from_bytes(os.urandom(8), "little") | 1
cdef unsigned char[128] SMALL  # the small letter of each letter, 0 for other signs
for code in range(128):
    SMALL[code] = ord(chr(code).lower()) if chr(code).isalpha() else 0

cdef Py_ssize_t SAME_TEXT = LINE_FEATURES.index("same text")
cdef int[4] NEAR
NEAR[0], NEAR[1], NEAR[2], NEAR[3] = -1, 1, -2, 2
cdef int[64] NAME_PLACES  # of each bit of the names that are a feature, its place among them
cdef uint64_t FEATURED = 0  # these bits
for place, name in enumerate(_NAMES):
    NAME_PLACES[<int> NAMES.index(name)] = place
    FEATURED |= (<uint64_t> 1) << <int> NAMES.index(name)
cdef int[::1] AROUND_BITS = np.array([list(KINDS).index(name) for name in _AROUND], dtype=np.int32)


cdef class Codes:
    """A set of codes, none of them 0, each with a place."""

    cdef uint64_t[::1] keys
    cdef int shift
    cdef uint64_t mask
    cdef readonly Py_ssize_t count

    def __init__(self, Py_ssize_t most):
        size = 2
        self.shift = 63
        while size < 2 * most:
            size *= 2
            self.shift -= 1
        self.keys = np.zeros(size, dtype=np.uint64)
        self.mask = size - 1
        self.count = 0

    cdef inline Py_ssize_t find(self, uint64_t code) noexcept:
        """The place of a code; -1 if it is unknown."""
        cdef uint64_t at = (code * SEED) >> self.shift
        while self.keys[at]:
            if self.keys[at] == code:
                return at
            at = (at + 1) & self.mask
        return -1

    cdef Py_ssize_t add(self, uint64_t code) noexcept:
        """The place of a code, which may be new."""
        cdef uint64_t at = (code * SEED) >> self.shift
        while self.keys[at] and self.keys[at] != code:
            at = (at + 1) & self.mask
        if not self.keys[at]:
            self.keys[at] = code
            self.count += 1
        return at


cdef struct Word:
    uint64_t code
    float own
    float other


cdef class Lexicon:
    """What single words say, by their codes: those of the text by themselves, and as part of a
    heading; those of names of the nearest elements, and of elements farther away."""

    cdef Word[::1] words  # each at the place of its code: what it says is found with it
    cdef int shift
    cdef uint64_t mask

    def __init__(self, codes, values):
        cdef Codes places = Codes(len(codes))
        fields = [("code", np.uint64), ("own", np.float32), ("other", np.float32)]
        self.words = np.zeros(places.keys.shape[0], dtype=fields)
        self.shift, self.mask = places.shift, places.mask
        for code, (own, other) in zip(codes, values, strict=True):
            self.words[places.add(code)] = Word(code, own, other)

    cdef inline Word *find(self, uint64_t code) noexcept:
        """A word by its code; NULL if it is unknown."""
        cdef uint64_t at = (code * SEED) >> self.shift
        while self.words[at].code:
            if self.words[at].code == code:
                return &self.words[at]
            at = (at + 1) & self.mask
        return NULL


cdef Codes pairs_of(texts):
    """The pairs of neighbouring words of some texts, by their codes."""
    cdef uint64_t[::1] codes = np.empty(sum(map(len, texts)) // 2 + 1, dtype=np.uint64)
    cdef Py_ssize_t count = 0, at
    for text in texts:
        count = add_pairs(text, codes, count)
    cdef Codes found = Codes(count)
    for at in range(count):
        found.add(codes[at])
    return found


cdef Py_ssize_t add_pairs(str text, uint64_t[::1] codes, Py_ssize_t count) noexcept:
    cdef Py_ssize_t at = 0, length = len(text)
    cdef int kind = PyUnicode_KIND(text)
    cdef void *data = PyUnicode_DATA(text)
    cdef uint64_t code, letter, before = 0
    while at < length:
        letter = small_letter(PyUnicode_READ(kind, data, at))
        at += 1
        if not letter:
            continue
        code = START
        while letter:
            code = (code ^ letter) * PRIME
            letter = small_letter(PyUnicode_READ(kind, data, at)) if at < length else 0
            at += 1
        if before:
            codes[count] = pair_code(before, code)
            count += 1
        before = code
    return count


cdef inline uint64_t pair_code(uint64_t before, uint64_t code) noexcept:
    return (before * 0x9e3779b97f4a7c15ULL ^ (code >> 7) ^ (code << 57)) | 1


cdef inline uint64_t small_letter(Py_UCS4 ch) noexcept:
    """The small letter of a letter, 0 for what is none."""
    if ch < 128:
        return SMALL[ch]
    return <uint64_t> Py_UNICODE_TOLOWER(ch) if ch.isalpha() else 0


cdef Py_ssize_t number_alike(const uint64_t[::1] codes, int[::1] numbers) except -1:
    """Number codes from 0 on, the same for the same code; how many numbers there are."""
    cdef Py_ssize_t at, count = codes.shape[0], known = 0, size = 2, slot
    cdef int shift = 63
    while size < 2 * count:
        size *= 2
        shift -= 1
    cdef int[::1] slots = np.full(size, -1, dtype=np.int32)  # where a code comes first
    for at in range(count):
        slot = (codes[at] * SEED) >> shift
        while slots[slot] >= 0 and codes[slots[slot]] != codes[at]:
            slot = (slot + 1) & (size - 1)
        if slots[slot] < 0:
            slots[slot] = at
            numbers[at] = known
            known += 1
        else:
            numbers[at] = numbers[slots[slot]]
    return known


def declared_texts(page):
    """What the page says of itself in descriptions, and in linked data."""
    descriptions, data = [], []
    for tag, attrs in page.declarations:
        if tag == "script":
            if content := attrs.get("content"):
                data.append(content[:LONGEST].replace("\\n", " ").replace("\\r", " "))
        elif "description" in (attrs.get("name") or attrs.get("property") or "").lower():
            if content := attrs.get("content"):
                descriptions.append(content[:LONGEST])
    return descriptions[:MOST_DECLARED], data[:MOST_DECLARED]


def word_codes(str text, Py_ssize_t start, Py_ssize_t end):
    """The codes of the words in a range of text: runs of letters, in any case."""
    cdef uint64_t code = 0, letter
    cdef Py_ssize_t at
    found = []
    for at in range(start, end + 1):
        letter = small_letter(text[at]) if at < end else 0
        if letter:
            code = ((code or START) ^ letter) * PRIME
        elif code:
            found.append(code)
            code = 0
    return found


def name_codes(const unsigned char[::1] name):
    """The codes of the words in a name: runs of letters of ASCII, three or more, which also end
    where a capital follows a small letter."""
    cdef Py_ssize_t at = 0
    cdef uint64_t code
    found = []
    while at < name.shape[0]:
        code = next_word(name, &at, name.shape[0])
        if code:
            found.append(code)
    return found


cdef inline uint64_t next_word(const unsigned char[::1] name, Py_ssize_t *at, Py_ssize_t end) noexcept:
    """The code of the word that begins at a place, which moves behind it; 0 if none does."""
    cdef uint64_t code = START
    cdef Py_ssize_t first = at[0]
    cdef unsigned char ch
    cdef bint small = False
    while at[0] < end:
        ch = name[at[0]]
        if ch >= 128 or not SMALL[ch] or (small and SMALL[ch] != ch):
            break
        small = SMALL[ch] == ch
        code = (code ^ SMALL[ch]) * PRIME
        at[0] += 1
    if at[0] == first:
        at[0] += 1
    return code if at[0] - first >= SHORTEST else 0


cdef class Lines:
    """The lines of a page and what is known of each.

    Args:
        page: a `Page`.
        words: what words of the text say.
        names: what words in the names of elements say.

    Attributes:
        table: (lines, LINE_FEATURES).
        spans: (lines, 2) ranges of the page's text.
        tokens: (lines,).
        texts: (lines,) a code for the text of each.
        parents: (lines,) the row around the block of each.
    """

    cdef readonly Evidence evidence
    cdef readonly Py_ssize_t count
    cdef readonly object table
    cdef readonly object spans
    cdef readonly object tokens
    cdef readonly object texts
    cdef float[:, ::1] rows
    cdef int[::1] blocks
    cdef int[:, ::1] large
    cdef int[:, ::1] most_alike
    cdef float[:, ::1] headings  # words of each line, as part of a heading: mean, least
    cdef float[:, ::1] named  # what the names of each row say, and of it and all rows around it
    cdef str text
    cdef int[::1] tag_number
    cdef DataTables data_tables

    def __init__(self, page, Lexicon words, Lexicon names):
        evidence = read_evidence(page)
        self.evidence = evidence
        self.text = page.text
        self.data_tables = page.data_tables
        self.count = evidence.line_count
        cdef Py_ssize_t count = self.count
        lines = np.asarray(evidence.lines)
        self.spans, self.tokens = lines[:, :2], lines[:, 3]
        self.table = np.zeros((count, len(LINE_FEATURES)), dtype=np.float32)
        self.tag_number = np.array(
            [_TAG_NUMBER.get(name, 0) for name in page.packed.tag_names] or [0], dtype=np.int32
        )
        if not count:
            return
        self.rows = self.table
        self.blocks = np.empty(count, dtype=np.int32)
        self.headings = np.zeros((count, 2), dtype=np.float32)
        self.large = np.zeros((LARGEST, evidence.rows), dtype=np.int32)
        self.most_alike = np.zeros((2, evidence.rows), dtype=np.int32)
        self.find_blocks()
        title = np.zeros(TITLE, dtype=np.uint64)
        codes = word_codes(page.title, 0, len(page.title))[:TITLE]
        title[: len(codes)] = codes
        descriptions, data = declared_texts(page)
        self.texts = self.read_own(words, title, len(codes), pairs_of(descriptions), pairs_of(data))
        self.read_places(self.texts, np.zeros((evidence.rows + 1, 3), dtype=np.float32))
        self.named = np.zeros((2, evidence.rows), dtype=np.float32)
        owners, keys, ends, values, wanted = packed_attributes(page.attrs, NAMING)
        self.read_names(names, owners, keys, ends, values, wanted)
        self.read_blocks()

    @property
    def leaves(self):
        return np.asarray(self.evidence.lines)[:, 2]

    @property
    def tables(self):
        """(lines,) the data table that each is in; -1 for none."""
        cdef Py_ssize_t line
        found = np.full(self.count, -1, dtype=np.int32)
        cdef int[::1] table = found
        if self.data_tables.any:
            for line in range(self.count):
                table[line] = self.data_tables.table[self.evidence.lines[line, LINE_LEAF]]
        return found

    @property
    def parents(self):
        cdef Py_ssize_t line
        found = np.empty(self.count, dtype=np.int32)
        cdef int[::1] above = found
        for line in range(self.count):
            above[line] = self.evidence.parent[self.blocks[line]]
        return found

    cdef void find_blocks(self) noexcept:
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t row, line, at
        cdef int above, total = evidence.counts[0, TOKENS]
        cdef double[3] least
        least[0], least[1], least[2] = 0.1 * total, 0.3 * total, 0.6 * total
        for line in range(self.count):
            self.blocks[line] = evidence.places[BLOCK, evidence.lines[line, LINE_LEAF]]
        for row in range(evidence.rows):
            above = evidence.parent[row]
            for at in range(LARGEST):
                if above < 0 or evidence.counts[row, TOKENS] >= least[at]:
                    self.large[at, row] = row
                else:
                    self.large[at, row] = self.large[at, above]
            if above < 0 or evidence.places[ALIKE, row] > self.most_alike[0, above]:
                self.most_alike[0, row] = evidence.places[ALIKE, row]
                self.most_alike[1, row] = evidence.depth[row]
            else:
                self.most_alike[0, row] = self.most_alike[0, above]
                self.most_alike[1, row] = self.most_alike[1, above]

    cdef object read_names(
        self,
        Lexicon names,
        const int[::1] owners,
        const unsigned char[::1] keys,
        const long long[::1] ends,
        const unsigned char[::1] values,
        const unsigned char[::1] wanted,
    ):
        """Fill in what the names of rows say."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t at, place = 0, end
        cdef int row, look, above
        cdef unsigned char key
        cdef uint64_t code
        cdef float own, other
        cdef Word *word
        cdef float[:, ::1] known = np.zeros((2, evidence.rows), dtype=np.float32)  # by look
        cdef unsigned char[::1] is_known = np.zeros(evidence.rows, dtype=np.uint8)
        for at in range(owners.shape[0]):
            end = ends[at]
            row, key = owners[at], keys[at]
            if key != wanted[0] and key != wanted[1] and key != wanted[2] and key != wanted[3]:
                place = end
                continue
            look = evidence.places[LOOK, row] if key == wanted[0] else -1
            if look >= 0 and is_known[look]:  # rows of one look have the same class
                own, other = known[0, look], known[1, look]
                place = end
            else:
                own = other = 0
                while place < end:
                    code = next_word(values, &place, end)
                    word = names.find(code) if code else NULL
                    if word != NULL:
                        own += word.own
                        other += word.other
                if look >= 0:
                    known[0, look], known[1, look], is_known[look] = own, other, True
            self.named[0, row] += own
            self.named[1, row] += other
        for row in range(1, evidence.rows):
            above = evidence.parent[row]
            if above >= 0:
                self.named[1, row] += self.named[1, above]

    cdef void put_names(self, int row, float *f) noexcept:
        """Put down what the names of the elements around a leaf say: the nearest, the others."""
        cdef int step
        f[0] = f[1] = 0
        for step in range(NEAREST):
            row = self.evidence.parent[row]
            if row < 0:
                return
            f[0] += self.named[0, row]
        row = self.evidence.parent[row]
        if row >= 0:
            f[1] = self.named[1, row]

    cdef object read_own(
        self,
        Lexicon lexicon,
        const uint64_t[::1] title,
        Py_ssize_t titles,
        Codes descriptions,
        Codes data,
    ):
        """Fill in what each line says by itself; the code of its text."""
        cdef Evidence evidence = self.evidence
        cdef int kind = PyUnicode_KIND(self.text)
        cdef void *data_of_text = PyUnicode_DATA(self.text)
        cdef Py_ssize_t line, at, known, words, said, other
        cdef Word *word
        cdef int tokens, start, end, commas, ends, digits, capitals, letters
        cdef uint64_t code, whole, letter
        cdef double total, least, most, heading, least_heading, value
        cdef Py_UCS4 ch
        cdef uint64_t of_title, previous, pair, in_title = 0
        cdef Py_ssize_t described, in_data
        cdef float *f
        same = np.empty(self.count, dtype=np.uint64)
        cdef uint64_t[::1] codes = same
        for other in range(titles):
            in_title |= (<uint64_t> 1) << (title[other] & 63)
        for line in range(self.count):
            f = &self.rows[line, 0]
            start, end = evidence.lines[line, LINE_START], evidence.lines[line, LINE_END]
            tokens = evidence.lines[line, LINE_TOKENS]
            commas = ends = digits = capitals = letters = 0
            total = least = most = heading = least_heading = 0
            known = words = said = described = in_data = 0
            of_title = previous = 0
            whole = START
            at = start
            while at < end:
                ch = PyUnicode_READ(kind, data_of_text, at)
                letter = small_letter(ch)
                if not letter:
                    if c'0' <= ch <= c'9':
                        digits += 1
                        whole = (whole ^ <uint64_t> ch) * PRIME
                    elif ch == c',' or ch == c';' or ch == c':' or ch == 0x3001 or ch == 0xff0c:
                        commas += 1
                    elif (
                        ch == c'.' or ch == c'!' or ch == c'?' or ch == 0x3002 or ch == 0xff01
                        or ch == 0xff1f or ch == 0x2026
                    ):
                        ends += 1
                    at += 1
                    continue
                code = START
                letters -= at
                while letter:
                    capitals += c'A' <= ch <= c'Z'
                    code = (code ^ letter) * PRIME
                    whole = (whole ^ letter) * PRIME
                    at += 1
                    if at == end:
                        break
                    ch = PyUnicode_READ(kind, data_of_text, at)
                    letter = small_letter(ch)
                letters += at
                words += 1
                if previous:
                    pair = pair_code(previous, code)
                    described += descriptions.find(pair) >= 0
                    in_data += data.find(pair) >= 0
                previous = code
                if in_title >> (code & 63) & 1:
                    for other in range(titles):
                        if title[other] == code:
                            said += 1
                            of_title |= (<uint64_t> 1) << other
                            break
                word = lexicon.find(code)
                if word != NULL:
                    known += 1
                    value = word.own
                    total += value
                    if value < least:
                        least = value
                    if value > most:
                        most = value
                    value = word.other
                    heading += value
                    if value < least_heading:
                        least_heading = value
            codes[line] = whole
            f[0] = tokens
            f[1] = log1p(end - start)
            f[2] = <double> evidence.lines[line, LINE_LINKED] / tokens
            f[3] = <double> commas / tokens
            f[4] = ends
            ch = PyUnicode_READ(kind, data_of_text, end - 1)
            f[5] = (
                ch == c'.' or ch == c'!' or ch == c'?' or ch == c':' or ch == c';' or ch == 0x2026
                or ch == c'"' or ch == 0x201d or ch == 0x2019 or ch == c')' or ch == 0x3002
            )
            f[6] = (<Py_UCS4> PyUnicode_READ(kind, data_of_text, start)).isupper()
            f[7] = <double> digits / (end - start)
            f[8] = <double> capitals / (letters or 1)
            f[9] = <double> (end - start) / tokens
            f[10] = self.tag_number[evidence.tag[self.blocks[line]]]
            f[11] = total / (known + 2)
            f[12] = least
            f[13] = most
            f[14] = <double> described / (words - 1 if words > 1 else 1) if descriptions.count else -1
            f[15] = <double> in_data / (words - 1 if words > 1 else 1) if data.count else -1
            self.headings[line, 0] = heading / (known + 1)
            self.headings[line, 1] = least_heading
            # Kept where `read_places` wants them.
            at = TITLE_PLACE
            f[at] = <double> said / (words or 1)
            other = 0
            while of_title:
                other += of_title & 1
                of_title >>= 1
            f[at + 1] = <double> other / (titles or 1)
        return same

    cdef object read_places(self, same, float[:, ::1] looks):
        """Fill in what stands before and after, headings, texts and looks that come again."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line, at, other, count = self.count, row, first, last
        cdef int block, look, heading, total = evidence.counts[0, TOKENS]
        cdef int h1 = -1, before, next_heading
        cdef double prose, linked, all_tokens
        cdef float *f
        cdef int[::1] number = np.empty(count, dtype=np.int32), earlier = np.empty(count, dtype=np.int32)
        cdef int[::1] often = np.zeros(number_alike(same, number), dtype=np.int32)
        for line in range(count):
            earlier[line] = often[number[line]]
            often[number[line]] += 1
        cdef int[::1] heading_lines = np.full(evidence.rows, -1, dtype=np.int32)
        for row in range(evidence.rows):
            if evidence.kinds[row] >> 1 & 1 and evidence.counts[row, TOKENS]:
                h1 = evidence.places[TOKENS_BEFORE, row]
                break
        for line in range(count):
            block = self.blocks[line]
            look = evidence.places[LOOK, block] + 1
            looks[look, 0] += 1
            looks[look, 1] += evidence.lines[line, LINE_TOKENS]
            looks[look, 2] += evidence.lines[line, LINE_LINKED]
            heading = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]]
            if heading >= 0 and heading_lines[heading] < 0:
                heading_lines[heading] = line
        next_heading = -1
        for line in range(count - 1, -1, -1):
            f = &self.rows[line, 0]
            block = self.blocks[line]
            at = OWN
            for row in range(NEIGHBOURS):
                other = line + NEAR[row]
                if 0 <= other < count:
                    f[at] = self.rows[other, 0]
                    f[at + 1] = self.rows[other, 2]
                    f[at + 2] = self.rows[other, 10]
                    f[at + 3] = self.rows[other, 11]
                else:
                    f[at] = f[at + 1] = f[at + 2] = -1
                    f[at + 3] = 0
                at += OF_NEIGHBOUR
            look = evidence.places[LOOK, block]
            row = evidence.parent[block]
            f[at] = line > 0 and evidence.parent[self.blocks[line - 1]] == row
            f[at + 1] = line + 1 < count and evidence.parent[self.blocks[line + 1]] == row
            f[at + 2] = line > 0 and evidence.places[LOOK, self.blocks[line - 1]] == look
            f[at + 3] = line + 1 < count and evidence.places[LOOK, self.blocks[line + 1]] == look
            at += OF_SAME
            row = evidence.lines[line, LINE_LEAF]
            before = evidence.places[TOKENS_BEFORE, row]
            f[at] = <double> line / count
            f[at + 1] = <double> before / total
            f[at + 2] = log1p(line)
            f[at + 3] = log1p(count - line)
            f[at + 4] = <double> (before - h1) / total if h1 >= 0 else -2
            f[at + 5] = evidence.depth[block]
            f[at + 6] = evidence.hidden[row] & 3
            f[at + 7] = evidence.hidden[row] & 4
            at += OF_PLACE
            heading = evidence.places[HEADING, row]
            if heading >= 0:
                f[at] = level_of(evidence, heading)
                f[at + 1] = log1p(before - evidence.places[TOKENS_BEFORE, heading])
                other = heading_lines[heading]
                f[at + 3] = self.headings[other, 0]
                f[at + 4] = self.headings[other, 1]
            else:
                f[at + 1] = -1
            f[at + 2] = log1p(next_heading - before) if next_heading >= 0 else -1
            if heading >= 0 and heading_lines[heading] == line:
                next_heading = before
            at += OF_HEADING + OF_TITLE  # what says the title is there
            f[at] = earlier[line]
            f[at + 1] = often[number[line]]
            look += 1
            f[at + 2] = looks[look, 0] / count
            f[at + 3] = looks[look, 1] / looks[look, 0]
            f[at + 4] = looks[look, 2] / looks[look, 1]
            first = line - 6 if line > 6 else 0
            last = line + 7 if line + 7 < count else count
            prose = linked = all_tokens = 0
            for other in range(first, last):
                all_tokens += evidence.lines[other, LINE_TOKENS]
                linked += evidence.lines[other, LINE_LINKED]
                if evidence.lines[other, LINE_TOKENS] >= 15:
                    prose += evidence.lines[other, LINE_TOKENS]
            f[at + 5] = prose / all_tokens
            f[at + 6] = linked / all_tokens
            other = evidence.places[LINK, row]
            f[at + 7] = other >= 0 and evidence.end[other] >= evidence.lines[line, LINE_END]

    cdef object read_blocks(self):
        """Fill in what is around each line."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line, at, other, row, first = CHAIN_PLACE, width, step
        cdef Py_ssize_t names = len(_NAMES)
        cdef int block, total = evidence.counts[0, TOKENS], last
        cdef double size
        cdef uint64_t bits, left
        cdef float *f
        cdef float *before = NULL
        cdef Py_ssize_t[CHAIN] chain
        cdef Py_ssize_t[LARGEST] large
        for other in range(CHAIN):
            chain[other] = -1
        for other in range(LARGEST):
            large[other] = -1
        width = self.rows.shape[1]
        for line in range(self.count):
            f = &self.rows[line, 0]
            at = first
            block = self.blocks[line]
            if line:
                before = &self.rows[line - 1, 0]
            if line and self.blocks[line - 1] == block:
                memcpy(f + first, before + first, (width - first) * sizeof(float))
                # the place in the large blocks is the line's own
                for other in range(LARGEST):
                    row = self.large[other, block]
                    size = evidence.counts[row, TOKENS]
                    f[LARGE_PLACE + other * OF_LARGE + 3] = (
                        evidence.places[TOKENS_BEFORE, evidence.lines[line, LINE_LEAF]]
                        - evidence.places[TOKENS_BEFORE, row]
                    ) / size
                # and so are the names around it
                self.put_names(evidence.lines[line, LINE_LEAF], f + NAME_PLACE + names)
                continue
            row = block
            last = -1
            other = 0
            step = 0
            while other < CHAIN:
                if row < 0 or step > REACH:
                    row = 0
                elif evidence.counts[row, TOKENS] == last:
                    row = evidence.parent[row]
                    step += 1
                    continue
                last = evidence.counts[row, TOKENS]
                if row == chain[other]:  # as for the line before
                    memcpy(f + at, before + at, OF_CHAIN * sizeof(float))
                else:
                    chain[other] = row
                    size = last
                    f[at] = size / total
                    f[at + 1] = evidence.counts[row, LINKED_TOKENS] / size
                    f[at + 2] = size / (evidence.counts[row, LINES] or 1)
                    f[at + 3] = evidence.counts[row, PARAGRAPHS] / size
                    f[at + 4] = evidence.counts[row, LIST_ITEMS] / size
                    f[at + 5] = evidence.counts[row, LINKS] / size
                    f[at + 6] = evidence.counts[row, COMMAS] / size
                    f[at + 7] = evidence.counts[row, SENTENCE_ENDS] / size
                    f[at + 8] = evidence.counts[row, ELEMENTS] / size
                    f[at + 9] = evidence.places[ALIKE, row]
                    f[at + 10] = self.tag_number[evidence.tag[row]]
                    f[at + 11] = evidence.counts[row, IMAGES] / size
                    f[at + 12] = headings_in(evidence, row) / size
                    f[at + 13] = evidence.counts[row, CONTROLS] / size
                    f[at + 14] = <double> evidence.counts[row, DIGITS] / (
                        evidence.counts[row, CHARACTERS] or 1
                    )
                    f[at + 15] = evidence.counts[row, PROSE_TOKENS] / size
                    f[at + 16] = evidence.places[POSITION, row]
                    f[at + 17] = evidence.counts[row, CELLS] / size
                at += OF_CHAIN
                other += 1
                if row > 0:
                    row = evidence.parent[row]
                    step += 1
            for other in range(LARGEST):
                row = self.large[other, block]
                size = evidence.counts[row, TOKENS]
                if row == large[other]:  # as for the line before
                    memcpy(f + at, before + at, OF_LARGE * sizeof(float))
                else:
                    large[other] = row
                    f[at] = size / total
                    f[at + 1] = evidence.counts[row, LINKED_TOKENS] / size
                    f[at + 2] = size / (evidence.counts[row, LINES] or 1)
                    f[at + 5] = self.tag_number[evidence.tag[row]]
                    f[at + 6] = evidence.counts[row, PARAGRAPHS] / size
                    f[at + 7] = headings_in(evidence, row) / size
                f[at + 3] = (
                    evidence.places[TOKENS_BEFORE, evidence.lines[line, LINE_LEAF]]
                    - evidence.places[TOKENS_BEFORE, row]
                ) / size
                f[at + 4] = evidence.depth[block] - evidence.depth[row]
                at += OF_LARGE
            row = evidence.lines[line, LINE_LEAF]
            for other in range(names):
                f[at + other] = FAR + 1
            left = evidence.names_around[row] & FEATURED  # all of them stand above
            step = 0
            while left:
                bits = left if step == REACH else left & evidence.names[row]
                left ^= bits
                while bits:
                    f[at + NAME_PLACES[first_bit(bits)]] = FAR if step == REACH else step
                    bits &= bits - 1
                row = evidence.parent[row]
                step += 1
            at += names
            self.put_names(evidence.lines[line, LINE_LEAF], f + at)
            at += OF_NAMES
            bits = evidence.kinds_around[evidence.lines[line, LINE_LEAF]]
            for other in range(AROUND_BITS.shape[0]):
                f[at] = bits >> AROUND_BITS[other] & 1
                at += 1
            f[at] = self.most_alike[0, block]
            f[at + 1] = evidence.depth[block] - self.most_alike[1, block]
            row = evidence.places[REPEATED, evidence.lines[line, LINE_LEAF]]
            if row >= 0:
                f[at + 2] = <double> evidence.counts[row, TOKENS]
                f[at + 3] = <double> evidence.counts[row, LINES]
                f[at + 4] = evidence.places[ALIKE, row]
            else:
                f[at + 2] = f[at + 3] = f[at + 4] = -1
            at += OF_REPEATED
            if line:  # the page is the same for all
                memcpy(f + at, before + at, OF_PAGE * sizeof(float))
                continue
            size = total
            f[at] = log1p(total)
            f[at + 1] = evidence.counts[0, LINKED_TOKENS] / size
            f[at + 2] = self.count / size
            f[at + 3] = evidence.counts[0, PROSE_TOKENS] / size
            f[at + 4] = log1p(evidence.counts[0, PARAGRAPHS])
            f[at + 5] = log1p(evidence.counts[0, IMAGES])
            f[at + 6] = log1p(evidence.counts[0, CONTROLS])
            f[at + 7] = log1p(evidence.counts[0, CELLS])
            f[at + 8] = log1p(evidence.counts[0, LIST_ITEMS])
            f[at + 9] = evidence.counts[0, H1]
            f[at + 10] = log1p(headings_in(evidence, 0))
            f[at + 11] = log1p(evidence.counts[0, TIMES])
            f[at + 12] = log1p(evidence.counts[0, LINKS])
            f[at + 13] = evidence.counts[0, ELEMENTS] / size

    def above_zero(self, const int[::1] columns):
        """(columns, lines) where these columns of the table are above zero."""
        cdef Py_ssize_t line, at
        found = np.empty((columns.shape[0], self.count), dtype=bool)
        cdef unsigned char[:, ::1] out = found.view(np.uint8)
        for line in range(self.count):
            for at in range(columns.shape[0]):
                out[at, line] = self.rows[line, columns[at]] > 0
        return found

    def copied_texts(self, int least, const int[::1] exempt):
        """(lines,) a code for the text of each line that comes again; 0 for others.

        Args:
            least: tokens of such a line.
            exempt: columns of the table that are zero for it.
        """
        cdef Py_ssize_t line, at
        found = self.texts.copy()
        cdef uint64_t[::1] code = found
        for line in range(self.count):
            if self.evidence.lines[line, LINE_TOKENS] < least or self.rows[line, SAME_TEXT] <= 1:
                code[line] = 0
            for at in range(exempt.shape[0]):
                if self.rows[line, exempt[at]] > 0:
                    code[line] = 0
        return found

    def agreed(self, scores):
        """(lines,) the scores of lines (lines,), but one for all lines of the same look in the items
        of a list: their mean over words."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line
        cdef int row
        cdef uint64_t wide = evidence.rows + 1
        cdef uint64_t[::1] key = np.empty(self.count, dtype=np.uint64)
        found = scores.copy()
        cdef double[::1] score = found
        for line in range(self.count):
            row = evidence.places[REPEATED, evidence.lines[line, LINE_LEAF]]
            if row >= 0 and evidence.parent[row] >= 0:
                key[line] = (evidence.parent[row] + 1) * wide
                key[line] += evidence.places[LOOK, self.blocks[line]] + 1
            else:
                key[line] = 0
        cdef double[::1] means = self.means(key, score)
        for line in range(self.count):
            if key[line]:
                score[line] = means[line]
        return found

    cdef object means(self, const uint64_t[::1] keys, const double[::1] scores):
        """(lines,) the mean over words of the scores of all lines with the same key."""
        cdef Py_ssize_t line
        cdef int[::1] number = np.empty(self.count, dtype=np.int32)
        cdef double[:, ::1] sums = np.zeros((number_alike(keys, number), 2))
        cdef double tokens
        found = np.empty(self.count)
        cdef double[::1] out = found
        for line in range(self.count):
            tokens = self.evidence.lines[line, LINE_TOKENS]
            sums[number[line], 0] += tokens
            sums[number[line], 1] += tokens * scores[line]
        for line in range(self.count):
            out[line] = sums[number[line], 1] / sums[number[line], 0]
        return found

    def second_table(self, first, types, chosen):
        """What a second model reads of some lines: what is known of each, what a first model's scores
        (lines,) say of the lines around, and the probabilities of the page's types."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line, at, other, count = self.count, row, low, high, step, place_in, edge
        cdef Py_ssize_t own = len(LINE_FEATURES), around = len(CONTEXT_FEATURES)
        cdef double[::1] type_of = np.ascontiguousarray(types, dtype=np.float64)
        cdef const long long[::1] asked = np.ascontiguousarray(chosen, dtype=np.int64)
        cdef double[::1] p = first
        cdef double total = 0, said = 0, most = 0, mine, weight, best, threshold, value, best_near
        cdef double of_start, of_end
        cdef int block, last, heading
        cdef float *f
        table = np.empty((asked.shape[0], own + around + type_of.shape[0]), dtype=np.float32)
        if not asked.shape[0]:
            return table
        cdef float[:, ::1] out = table
        # Of lines: tokens, the score before and up to here, tokens up to here, the rank.
        cdef double[:, ::1] of_line = np.empty((4, count))
        cdef double[::1] w = of_line[0], so_far = of_line[1], text_so_far = of_line[2], rank = of_line[3]
        cdef double[:, ::1] held = np.zeros((3, evidence.rows))  # tokens, tokens times score, lines
        cdef double[:, ::1] looks = np.zeros((2, evidence.rows + 1))
        cdef double[:, ::1] sections = np.zeros((2, evidence.rows + 1))
        cdef int[::1] heading_lines = np.full(evidence.rows, -1, dtype=np.int32)
        cdef uint64_t[::1] inside = np.empty(count, dtype=np.uint64)  # a look, in a parent
        for line in range(count):
            block = self.blocks[line]
            w[line] = evidence.lines[line, LINE_TOKENS]
            held[0, block] += w[line]
            held[1, block] += w[line] * p[line]
            held[2, block] += 1
            other = evidence.places[LOOK, block] + 1
            looks[0, other] += w[line]
            looks[1, other] += w[line] * p[line]
            inside[line] = (evidence.parent[block] + 1) * <uint64_t> (evidence.rows + 1) + other
            heading = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]]
            if heading >= 0 and heading_lines[heading] < 0:
                heading_lines[heading] = line
            sections[0, heading + 1] += w[line]
            sections[1, heading + 1] += w[line] * p[line]
            total += w[line]
            said += w[line] * p[line]
            text_so_far[line] = total
            so_far[line] = said
            if p[line] > most:
                most = p[line]
        for row in range(evidence.rows - 1, 0, -1):
            other = evidence.parent[row]
            if other >= 0:
                held[0, other] += held[0, row]
                held[1, other] += held[1, row]
                held[2, other] += held[2, row]
        cdef long long[::1] order = np.argsort(-first, kind="stable")
        best = threshold = 0
        weight = value = 0
        for at in range(count):
            line = order[at]
            rank[line] = <double> at / count
            weight += w[line]
            value += w[line] * p[line]
            mine = 2 * value / (weight + said + 1e-9)
            if mine > best or not at:
                best = mine
                threshold = p[line]
        cdef double[::1] of_siblings = self.means(inside, p)
        edge = max(1, count // 10)
        of_start = so_far[edge - 1] / text_so_far[edge - 1]
        weight = value = 0
        for line in range(count - edge, count):
            weight += w[line]
            value += w[line] * p[line]
        of_end = value / weight
        for place_in in range(asked.shape[0]):
            line = asked[place_in]
            memcpy(&out[place_in, 0], &self.rows[line, 0], own * sizeof(float))
            for other in range(type_of.shape[0]):
                out[place_in, own + around + other] = type_of[other]
            f = &out[place_in, own]
            block = self.blocks[line]
            mine = p[line]
            f[0] = mine
            f[1] = p[line - 1] if line else 0
            f[2] = p[line + 1] if line + 1 < count else 0
            f[3] = p[line - 2] if line > 1 else 0
            f[4] = p[line + 2] if line + 2 < count else 0
            f[5] = p[line - 3] if line > 2 else 0
            f[6] = p[line + 3] if line + 3 < count else 0
            low = line - 8 if line > 8 else 0
            high = line + 9 if line + 9 < count else count
            weight = value = 0
            best_near = 0
            for other in range(low, high):
                weight += w[other]
                value += w[other] * p[other]
                if line - 3 <= other <= line + 3 and p[other] > best_near:
                    best_near = p[other]
            f[7] = value / weight
            f[8] = best_near
            at = NEAR_FIRST
            row = block
            last = -1
            other = 0
            step = 0
            while other < BLOCKS_FIRST:
                if row < 0 or step > REACH:
                    row = 0
                elif <int> held[2, row] == last:
                    row = evidence.parent[row]
                    step += 1
                    continue
                last = <int> held[2, row]
                f[at] = held[1, row] / held[0, row] if held[0, row] else 0
                f[at + 1] = held[0, row] / total
                at += OF_BLOCK_FIRST
                other += 1
                if row > 0:
                    row = evidence.parent[row]
                    step += 1
            for other in range(LARGEST):
                row = self.large[other, block]
                f[at] = held[1, row] / held[0, row] if held[0, row] else 0
                at += 1
            other = evidence.places[LOOK, block] + 1
            f[at] = looks[1, other] / looks[0, other]
            f[at + 1] = of_siblings[line]
            heading = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]]
            f[at + 2] = sections[1, heading + 1] / sections[0, heading + 1]
            if heading >= 0:
                f[at + 3] = p[heading_lines[heading]]
            else:
                f[at + 3] = -1
            row = evidence.places[REPEATED, evidence.lines[line, LINE_LEAF]]
            if row >= 0 and evidence.parent[row] >= 0:
                row = evidence.parent[row]
                f[at + 4] = held[1, row] / held[0, row] if held[0, row] else 0
            else:
                f[at + 4] = -1
            at += OF_SECTION_FIRST
            f[at] = so_far[line] / (said + 1e-9)
            f[at + 1] = text_so_far[line] / total
            f[at + 2] = rank[line]
            f[at + 3] = mine - threshold
            f[at + 4] = mine / (most + 1e-9)
            f[at + 5] = threshold
            f[at + 6] = best
            f[at + 7] = said / total
            f[at + 8] = of_start
            f[at + 9] = of_end
        return table


cdef inline int headings_in(Evidence evidence, Py_ssize_t row) noexcept:
    return (
        evidence.counts[row, H1] + evidence.counts[row, H2] + evidence.counts[row, H3]
        + evidence.counts[row, H4] + evidence.counts[row, H5] + evidence.counts[row, H6]
    )


cdef inline int level_of(Evidence evidence, Py_ssize_t row) noexcept:
    """The level of a heading: the first that is counted in it is its own, or one inside it."""
    cdef int level
    for level in range(6):
        if evidence.counts[row, H1 + level]:
            return level + 1
    return 0


def check_order():
    """Refuse to start where the names of features and their places in compiled code differ."""
    line, around = list(LINE_FEATURES), list(CONTEXT_FEATURES)
    if not (
        len(_OWN) == OWN
        and len(_OF_NEIGHBOUR) == OF_NEIGHBOUR
        and len(_OF_CHAIN) == OF_CHAIN
        and len(_OF_LARGE) == OF_LARGE
        and len(_OF_PAGE) == OF_PAGE
        and len(SHARES) == LARGEST
        and line.index("same parent before") == SAME_PARENT
        and line.index("line") == LINE_PLACE
        and line.index("level of heading") == HEADING_PLACE
        and line.index("says the title") == TITLE_PLACE
        and line.index("same text before") == TEXT_PLACE
        and line.index("share of block 0") == CHAIN_PLACE
        and line.index("share of the block of 10%") == LARGE_PLACE
        and line.index(f"named {_NAMES[0]}") == NAME_PLACE
        and line.index("names") == NAME_PLACE + len(_NAMES)
        and line.index(f"in {_AROUND[0]}") == line.index("names") + OF_NAMES
        and line.index("most alike") == len(line) - OF_PAGE - OF_REPEATED
        and line.index("tokens of the page") == len(line) - OF_PAGE
        and around.index("first of block 0") == NEAR_FIRST
        and around.index("first of the look") == NEAR_FIRST + BLOCKS_FIRST * OF_BLOCK_FIRST + LARGEST
        and around.index("first up to here") == around.index("first of the look") + OF_SECTION_FIRST
        and len(around) == around.index("first up to here") + OF_PAGE_FIRST
    ):
        raise AssertionError(f"{len(line)} and {len(around)} features")


check_order()
