# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What speaks for and against a line of text being main text, as rows of numbers.

A line is what stands between two elements that break lines; everything is read from the page's
evidence table, in linear time. `LINE_FEATURES` are known before any model has spoken. Those of
`CONTEXT_FEATURES` say what a first model thinks of the lines around, in the same block, of the same
look, in the same section.
"""

import numpy as np

from libc.math cimport log1p
from libc.stdint cimport uint64_t
from libc.string cimport memcpy

cdef extern from *:
    Py_UCS4 Py_UNICODE_TOLOWER(Py_UCS4 ch)

from pagecut.evidence.table cimport (
    ALIKE, BLOCK, CAPITALS, CELLS, CHARACTERS, COMMAS, CONTROLS, DIGITS, ELEMENTS, Evidence,
    H1, H2, H3, H4, H5, H6, HEADING, IMAGES, LINES, LINE_END, LINE_LEAF, LINE_LINKED, LINE_START,
    LINE_TOKENS, LINK, LINKED_TOKENS, LINKS, LIST_ITEMS, LOOK, PARAGRAPHS, POSITION, PROSE_TOKENS,
    REPEATED, SENTENCE_ENDS, TABLES, TIMES, TOKENS, TOKENS_BEFORE, FORMS,
)
from pagecut.evidence.table import KINDS, read_evidence
from pagecut.evidence.vocabulary import NAMES

cdef enum:
    CHAIN = 4  # blocks around a line, each with more text than the one before
    LARGEST = 3  # blocks around a line that hold certain shares of the page's text
    REACH = 40  # elements that are looked at above a line
    TITLE = 24  # words of a title that are compared
    FAR = 50
    OWN = 16
    LONGEST = 60000  # characters of a declaration
    MOST_DECLARED = 8

SHARES = (0.1, 0.3, 0.6)
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
    *(f"in {name}" for name in _AROUND),
    "most alike", "depth of most alike", "tokens of repeated", "lines of repeated",
    "siblings of repeated",
    *(f"{name} of the page" for name in _OF_PAGE),
)
CONTEXT_FEATURES = (
    "first", "first before", "first after", "first two before", "first two after",
    "first three before", "first three after", "first around", "first most around",
    *(f"{name} block {at}" for at in range(5) for name in ("first of", "lines of")),
    *(f"first of the block of {share:.0%}" for share in SHARES),
    "first of the look", "first of the look inside", "first of the section",
    "first of the heading", "first of repeated",
    "first up to here", "text up to here", "rank", "first over threshold", "first of the best",
    "threshold", "expected F", "first of the page", "first of the start", "first of the end",
)
FAR_AWAY = FAR  # elements up to a name: farther, but around the line
WORD_VALUES = 2  # of a word itself, of a word in the heading above

cdef int[4] NEAR
NEAR[0], NEAR[1], NEAR[2], NEAR[3] = -1, 1, -2, 2
cdef int[::1] NAME_BITS = np.array([NAMES.index(name) for name in _NAMES], dtype=np.int32)
cdef int[::1] AROUND_BITS = np.array([list(KINDS).index(name) for name in _AROUND], dtype=np.int32)


cdef class Lexicon:
    """What single words say: for each its code, what it says itself, and as part of a heading."""

    cdef uint64_t[::1] keys
    cdef float[:, ::1] values
    cdef uint64_t *slots
    cdef uint64_t mask

    def __init__(self, codes, values):
        size = 16
        while size < 3 * len(codes):
            size *= 2
        keys = np.zeros(size, dtype=np.uint64)
        table = np.zeros((size, WORD_VALUES), dtype=np.float32)
        self.mask = size - 1
        for code, value in zip(codes, values, strict=True):
            at = code & (size - 1)
            while keys[at]:
                at = (at + 1) & (size - 1)
            keys[at] = code
            table[at] = value
        self.keys, self.values = keys, table
        self.slots = &self.keys[0]


cdef inline Py_ssize_t find_code(const uint64_t *slots, uint64_t mask, uint64_t code) noexcept:
    """The place of a word; -1 if it is unknown."""
    cdef uint64_t at = code & mask
    while slots[at]:
        if slots[at] == code:
            return at
        at = (at + 1) & mask
    return -1


cdef class Pairs:
    """The pairs of neighbouring words of some texts, by their codes."""

    cdef uint64_t[::1] keys
    cdef uint64_t mask
    cdef readonly Py_ssize_t count

    def __init__(self, texts):
        cdef Py_ssize_t at, length = sum(map(len, texts))
        cdef uint64_t size = 64
        while size < <uint64_t> length:  # no more than a pair for three characters
            size *= 2
        self.keys = np.zeros(size if length else 1, dtype=np.uint64)
        self.mask = size - 1 if length else 0
        self.count = 0
        for text in texts:
            self.add(text)

    cdef void add(self, str text) noexcept:
        cdef Py_ssize_t at, length = len(text)
        cdef uint64_t code = 0, before = 0, place, pair
        for at in range(length + 1):
            if at < length and in_word(text[at]):
                code = add_letter(code or 14695981039346656037ULL, text[at])
            elif code:
                if before:
                    pair = pair_code(before, code)
                    place = pair & self.mask
                    while self.keys[place] and self.keys[place] != pair:
                        place = (place + 1) & self.mask
                    if not self.keys[place]:
                        self.keys[place] = pair
                        self.count += 1
                before = code
                code = 0

    cdef bint has(self, uint64_t pair) noexcept:
        cdef uint64_t place = pair & self.mask
        while self.keys[place]:
            if self.keys[place] == pair:
                return True
            place = (place + 1) & self.mask
        return False


cdef inline uint64_t pair_code(uint64_t before, uint64_t code) noexcept:
    return (before * 0x9e3779b97f4a7c15ULL ^ (code >> 7) ^ (code << 57)) | 1


def declared_texts(page):
    """What the page says of itself in descriptions, and in linked data."""
    descriptions, data = [], []
    for tag, attrs in page.declarations:
        content = attrs.get("content")
        if not content:
            continue
        if tag == "script":
            data.append(content[:LONGEST].replace("\\n", " ").replace("\\r", " "))
        elif "description" in (attrs.get("name") or attrs.get("property") or "").lower():
            descriptions.append(content[:LONGEST])
    return descriptions[:MOST_DECLARED], data[:MOST_DECLARED]


cdef inline bint in_word(Py_UCS4 ch) noexcept:
    return c'a' <= ch <= c'z' or c'A' <= ch <= c'Z' or (ch >= 128 and ch.isalpha())


cdef inline uint64_t add_letter(uint64_t code, Py_UCS4 ch) noexcept:
    cdef uint64_t letter = <uint64_t> ch
    if 65 <= letter <= 90:
        letter += 32
    elif letter >= 128:
        letter = <uint64_t> Py_UNICODE_TOLOWER(ch)
    return (code ^ letter) * 1099511628211ULL


def word_codes(str text, Py_ssize_t start, Py_ssize_t end):
    """The codes of the words in a range of text: runs of letters, in any case."""
    cdef uint64_t code = 0
    cdef Py_ssize_t at
    found = []
    for at in range(start, end + 1):
        if at < end and in_word(text[at]):
            code = add_letter(code or 14695981039346656037ULL, text[at])
        elif code:
            found.append(code)
            code = 0
    return found


cdef class Lines:
    """The lines of a page and what is known of each.

    Args:
        page: a `Page`.
        lexicon: what words say.

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
    cdef str text
    cdef int[::1] tag_number

    def __init__(self, page, Lexicon lexicon):
        evidence = read_evidence(page)
        self.evidence = evidence
        self.text = page.text
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
        self.texts = self.read_own(lexicon, title, len(codes), Pairs(descriptions), Pairs(data))
        self.read_places(self.texts, np.zeros((evidence.rows + 1, 3), dtype=np.float32))
        self.read_blocks()

    @property
    def leaves(self):
        return np.asarray(self.evidence.lines)[:, 2]

    @property
    def parents(self):
        return np.asarray(self.evidence.parent)[np.asarray(self.blocks)]

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

    cdef object read_own(
        self,
        Lexicon lexicon,
        const uint64_t[::1] title,
        Py_ssize_t titles,
        Pairs descriptions,
        Pairs data,
    ):
        """Fill in what each line says by itself; the code of its text."""
        cdef Evidence evidence = self.evidence
        cdef str text = self.text
        cdef Py_ssize_t line, at, place, known, words, said, other
        cdef int tokens, start, end, commas, ends, digits, capitals, letters
        cdef uint64_t code, whole
        cdef double total, least, most, heading, least_heading, value
        cdef Py_UCS4 ch = 0
        cdef uint64_t of_title, previous, pair
        cdef Py_ssize_t described, in_data
        cdef float *f
        same = np.empty(self.count, dtype=np.uint64)
        cdef uint64_t[::1] codes = same
        cdef const uint64_t *slots = lexicon.slots
        cdef uint64_t mask = lexicon.mask
        for line in range(self.count):
            f = &self.rows[line, 0]
            start, end = evidence.lines[line, LINE_START], evidence.lines[line, LINE_END]
            tokens = evidence.lines[line, LINE_TOKENS]
            commas = ends = digits = capitals = letters = 0
            total = least = most = heading = least_heading = 0
            known = words = said = described = in_data = 0
            of_title = previous = 0
            code = 0
            whole = 14695981039346656037ULL
            for at in range(start, end + 1):
                if at < end:
                    ch = text[at]
                    if in_word(ch):
                        letters += 1
                        if c'A' <= ch <= c'Z':
                            capitals += 1
                        code = add_letter(code or 14695981039346656037ULL, ch)
                        whole = add_letter(whole, ch)
                        continue
                    if c'0' <= ch <= c'9':
                        digits += 1
                        whole = add_letter(whole, ch)
                    elif ch == c',' or ch == c';' or ch == c':' or ch == 0x3001 or ch == 0xff0c:
                        commas += 1
                    elif (
                        ch == c'.' or ch == c'!' or ch == c'?' or ch == 0x3002 or ch == 0xff01
                        or ch == 0xff1f or ch == 0x2026
                    ):
                        ends += 1
                if code:
                    words += 1
                    if previous:
                        pair = pair_code(previous, code)
                        described += descriptions.has(pair)
                        in_data += data.has(pair)
                    previous = code
                    for other in range(titles):
                        if title[other] == code:
                            said += 1
                            of_title |= (<uint64_t> 1) << other
                            break
                    place = find_code(slots, mask, code)
                    if place >= 0:
                        known += 1
                        value = lexicon.values[place, 0]
                        total += value
                        if value < least:
                            least = value
                        if value > most:
                            most = value
                        value = lexicon.values[place, 1]
                        heading += value
                        if value < least_heading:
                            least_heading = value
                    code = 0
            codes[line] = whole
            f[0] = tokens
            f[1] = log1p(end - start)
            f[2] = <double> evidence.lines[line, LINE_LINKED] / tokens
            f[3] = <double> commas / tokens
            f[4] = ends
            ch = text[end - 1]
            f[5] = (
                ch == c'.' or ch == c'!' or ch == c'?' or ch == c':' or ch == c';' or ch == 0x2026
                or ch == c'"' or ch == 0x201d or ch == 0x2019 or ch == c')' or ch == 0x3002
            )
            f[6] = text[start].isupper()
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
            at = OWN + 16 + 4 + 8 + 5
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
        order = np.argsort(same, kind="stable")
        starts = np.flatnonzero(np.append(True, same[order][1:] != same[order][: count - 1]))
        sizes = np.diff(np.append(starts, count))
        seen_before = np.empty(count, dtype=np.int32)
        seen_before[order] = np.arange(count) - np.repeat(starts, sizes)
        seen = np.empty(count, dtype=np.int32)
        seen[order] = np.repeat(sizes, sizes)
        cdef int[::1] earlier = seen_before, often = seen
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
            for row in range(4):
                other = line + NEAR[row]
                if 0 <= other < count:
                    f[at] = self.rows[other, 0]
                    f[at + 1] = self.rows[other, 2]
                    f[at + 2] = self.rows[other, 10]
                    f[at + 3] = self.rows[other, 11]
                else:
                    f[at] = f[at + 1] = f[at + 2] = -1
                    f[at + 3] = 0
                at += 4
            look = evidence.places[LOOK, block]
            row = evidence.parent[block]
            f[at] = line > 0 and evidence.parent[self.blocks[line - 1]] == row
            f[at + 1] = line + 1 < count and evidence.parent[self.blocks[line + 1]] == row
            f[at + 2] = line > 0 and evidence.places[LOOK, self.blocks[line - 1]] == look
            f[at + 3] = line + 1 < count and evidence.places[LOOK, self.blocks[line + 1]] == look
            at += 4
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
            at += 8
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
            at += 7  # with what says the title
            f[at] = earlier[line]
            f[at + 1] = often[line]
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
        cdef Py_ssize_t line, at, other, row, first = OWN + 16 + 4 + 8 + 7 + 8, width, step
        cdef Py_ssize_t names = NAME_BITS.shape[0]
        cdef int block, total = evidence.counts[0, TOKENS], last
        cdef double size
        cdef long long bits
        cdef float *f
        cdef float *before = NULL
        cdef Py_ssize_t[CHAIN] chain
        for other in range(CHAIN):
            chain[other] = -1
        width = self.rows.shape[1]
        for line in range(self.count):
            f = &self.rows[line, 0]
            at = first
            block = self.blocks[line]
            if line:
                before = &self.rows[line - 1, 0]
            if line and self.blocks[line - 1] == block:
                for other in range(first, width):
                    f[other] = before[other]
                # the place in the large blocks is the line's own
                for other in range(LARGEST):
                    row = self.large[other, block]
                    size = evidence.counts[row, TOKENS]
                    f[first + CHAIN * 18 + other * 8 + 3] = (
                        evidence.places[TOKENS_BEFORE, evidence.lines[line, LINE_LEAF]]
                        - evidence.places[TOKENS_BEFORE, row]
                    ) / size
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
                    memcpy(f + at, before + at, 18 * sizeof(float))
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
                at += 18
                other += 1
                if row > 0:
                    row = evidence.parent[row]
                    step += 1
            for other in range(LARGEST):
                row = self.large[other, block]
                size = evidence.counts[row, TOKENS]
                f[at] = size / total
                f[at + 1] = evidence.counts[row, LINKED_TOKENS] / size
                f[at + 2] = size / (evidence.counts[row, LINES] or 1)
                f[at + 3] = (
                    evidence.places[TOKENS_BEFORE, evidence.lines[line, LINE_LEAF]]
                    - evidence.places[TOKENS_BEFORE, row]
                ) / size
                f[at + 4] = evidence.depth[block] - evidence.depth[row]
                f[at + 5] = self.tag_number[evidence.tag[row]]
                f[at + 6] = evidence.counts[row, PARAGRAPHS] / size
                f[at + 7] = headings_in(evidence, row) / size
                at += 8
            row = evidence.lines[line, LINE_LEAF]
            bits = evidence.names_around[row]
            for other in range(names):
                f[at + other] = FAR + 1 if not bits >> NAME_BITS[other] & 1 else FAR
            step = 0
            while row >= 0 and step < REACH:
                if evidence.names[row]:
                    bits = evidence.names[row]
                    for other in range(names):
                        if bits >> NAME_BITS[other] & 1 and f[at + other] >= FAR:
                            f[at + other] = step
                row = evidence.parent[row]
                step += 1
            at += names
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
            at += 5
            if line:  # the page is the same for all
                memcpy(f + at, before + at, 14 * sizeof(float))
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

    def agreed(self, scores):
        """(lines,) the scores of lines (lines,), but one for all lines of the same look in the items
        of a list: their mean over words."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line
        cdef long long row, wide = evidence.rows + 1
        keys = np.empty(self.count, dtype=np.int64)
        cdef long long[::1] key = keys
        found = scores.copy()
        cdef double[::1] score = found
        for line in range(self.count):
            row = evidence.places[REPEATED, evidence.lines[line, LINE_LEAF]]
            if row >= 0 and evidence.parent[row] >= 0:
                key[line] = evidence.parent[row] * wide + evidence.places[LOOK, self.blocks[line]] + 1
            else:
                key[line] = -1
        cdef double[::1] means = self.means(key, score)
        for line in range(self.count):
            if key[line] >= 0:
                score[line] = means[line]
        return found

    cdef object means(self, const long long[::1] keys, const double[::1] scores):
        """(lines,) the mean over words of the scores of all lines with the same key."""
        cdef Py_ssize_t line, group
        cdef dict groups = {}
        cdef double tokens
        cdef int[::1] group_of = np.empty(self.count, dtype=np.int32)
        cdef double[:, ::1] sums = np.zeros((2, self.count))
        found = np.empty(self.count)
        cdef double[::1] out = found
        for line in range(self.count):
            group = groups.setdefault(keys[line], len(groups))
            tokens = self.evidence.lines[line, LINE_TOKENS]
            group_of[line] = group
            sums[0, group] += tokens
            sums[1, group] += tokens * scores[line]
        for line in range(self.count):
            out[line] = sums[1, group_of[line]] / sums[0, group_of[line]]
        return found

    def second_table(self, first, types, chosen):
        """What a second model reads of some lines: what is known of each, what a first model's scores
        (lines,) say of the lines around, and the probabilities of the page's types."""
        cdef Evidence evidence = self.evidence
        cdef Py_ssize_t line, at, other, count = self.count, row, low, high, step, place_in
        cdef Py_ssize_t own = len(LINE_FEATURES), around = len(CONTEXT_FEATURES)
        cdef double[::1] type_of = np.ascontiguousarray(types, dtype=np.float64)
        cdef const long long[::1] asked = np.ascontiguousarray(chosen, dtype=np.int64)
        cdef double[::1] p = first
        cdef double total = 0, said = 0, most = 0, mine, weight, best, threshold, value, best_near
        cdef int block, last, heading
        cdef float *f
        table = np.empty((asked.shape[0], own + around + type_of.shape[0]), dtype=np.float32)
        if not asked.shape[0]:
            return table
        cdef float[:, ::1] out = table
        sums = np.zeros((3, evidence.rows))
        cdef double[:, ::1] held = sums  # tokens, tokens times score, lines
        cdef double[:, ::1] looks = np.zeros((2, evidence.rows + 1))
        cdef double[:, ::1] sections = np.zeros((2, evidence.rows + 1))
        tokens = self.tokens.astype(np.float64)
        cdef double[::1] w = tokens
        for line in range(count):
            block = self.blocks[line]
            held[0, block] += w[line]
            held[1, block] += w[line] * p[line]
            held[2, block] += 1
            other = evidence.places[LOOK, block] + 1
            looks[0, other] += w[line]
            looks[1, other] += w[line] * p[line]
            other = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]] + 1
            sections[0, other] += w[line]
            sections[1, other] += w[line] * p[line]
            total += w[line]
            said += w[line] * p[line]
            if p[line] > most:
                most = p[line]
        for row in range(evidence.rows - 1, 0, -1):
            other = evidence.parent[row]
            if other >= 0:
                held[0, other] += held[0, row]
                held[1, other] += held[1, row]
                held[2, other] += held[2, row]
        order = np.argsort(-np.asarray(first), kind="stable")
        weighted = tokens * first
        cdef double[::1] so_far = np.cumsum(weighted), text_so_far = np.cumsum(tokens)
        kept = np.cumsum(weighted[order])
        expected = 2 * kept / (np.cumsum(tokens[order]) + kept[count - 1] + 1e-9)
        place = int(np.argmax(expected))
        best = expected[place]
        threshold = first[order[place]]
        ranks = np.empty(count)
        ranks[order] = np.arange(count) / count
        cdef double[::1] rank = ranks
        cdef long long[::1] inside = np.empty(count, dtype=np.int64)  # a look, in a parent
        for line in range(count):
            block = self.blocks[line]
            inside[line] = <long long> evidence.parent[block] * (evidence.rows + 1)
            inside[line] += evidence.places[LOOK, block]
        cdef double[::1] of_siblings = self.means(inside, p)
        edges = max(1, count // 10)
        start = float(weighted[:edges].sum() / tokens[:edges].sum())
        end = float(weighted[count - edges :].sum() / tokens[count - edges :].sum())
        cdef double of_start = start, of_end = end
        cdef int[::1] heading_lines = np.full(evidence.rows, -1, dtype=np.int32)
        for line in range(count):
            heading = evidence.places[HEADING, evidence.lines[line, LINE_LEAF]]
            if heading >= 0 and heading_lines[heading] < 0:
                heading_lines[heading] = line
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
            at = 9
            row = block
            last = -1
            other = 0
            step = 0
            while other < 5:
                if row < 0 or step > REACH:
                    row = 0
                elif <int> held[2, row] == last:
                    row = evidence.parent[row]
                    step += 1
                    continue
                last = <int> held[2, row]
                f[at] = held[1, row] / held[0, row] if held[0, row] else 0
                f[at + 1] = held[0, row] / total
                at += 2
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
            at += 5
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
