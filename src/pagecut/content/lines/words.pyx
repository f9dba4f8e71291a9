# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""What a line of text says by itself: its length and signs, its words, and what of the title and
of the page's own descriptions it has."""

import numpy as np

from cpython.unicode cimport PyUnicode_DATA, PyUnicode_KIND, PyUnicode_READ
from libc.math cimport log1p
from libc.stdint cimport uint64_t
from pagecut.content.lines.features cimport TITLE_PLACE
from pagecut.content.lines.lexicon cimport (
    FNV_PRIME, FNV_START, Codes, Lexicon, Word, pair_code, pairs_of, small_letter
)
from pagecut.content.lines.table cimport Lines
from pagecut.evidence.table cimport Evidence, LINE_END, LINE_LINKED, LINE_START, LINE_TOKENS
from pagecut.content.lines.lexicon import word_codes

cdef enum:
    TITLE = 24  # words of a title that are compared
    LONGEST = 60000  # characters of a declaration
    MOST_DECLARED = 8


def read_words(Lines lines, page, Lexicon words):
    """Fill in what each line says by itself, and the code of its text."""
    title = np.zeros(TITLE, dtype=np.uint64)
    codes = word_codes(page.title, 0, len(page.title))[:TITLE]
    title[: len(codes)] = codes
    descriptions, data = declared_texts(page)
    lines.texts = read_own(
        lines, words, title, len(codes), pairs_of(descriptions), pairs_of(data)
    )


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


cdef object read_own(
    Lines lines,
    Lexicon lexicon,
    const uint64_t[::1] title,
    Py_ssize_t titles,
    Codes descriptions,
    Codes data,
):
    """Fill in what each line says by itself; the code of its text."""
    cdef Evidence evidence = lines.evidence
    cdef int kind = PyUnicode_KIND(lines.text)
    cdef void *data_of_text = PyUnicode_DATA(lines.text)
    cdef Py_ssize_t line, at, known, words, said, other
    cdef Word *word
    cdef int tokens, start, end, commas, ends, digits, capitals, letters
    cdef uint64_t code, whole, letter
    cdef double total, least, most, heading, least_heading, value
    cdef Py_UCS4 ch
    cdef uint64_t of_title, previous, pair, in_title = 0
    cdef Py_ssize_t described, in_data
    cdef float *f
    same = np.empty(lines.count, dtype=np.uint64)
    cdef uint64_t[::1] codes = same
    for other in range(titles):
        in_title |= (<uint64_t> 1) << (title[other] & 63)
    for line in range(lines.count):
        f = &lines.rows[line, 0]
        start, end = evidence.lines[line, LINE_START], evidence.lines[line, LINE_END]
        tokens = evidence.lines[line, LINE_TOKENS]
        commas = ends = digits = capitals = letters = 0
        total = least = most = heading = least_heading = 0
        known = words = said = described = in_data = 0
        of_title = previous = 0
        whole = FNV_START
        at = start
        while at < end:
            ch = PyUnicode_READ(kind, data_of_text, at)
            letter = small_letter(ch)
            if not letter:
                if c'0' <= ch <= c'9':
                    digits += 1
                    whole = (whole ^ <uint64_t> ch) * FNV_PRIME
                elif ch == c',' or ch == c';' or ch == c':' or ch == 0x3001 or ch == 0xff0c:
                    commas += 1
                elif (
                    ch == c'.' or ch == c'!' or ch == c'?' or ch == 0x3002 or ch == 0xff01
                    or ch == 0xff1f or ch == 0x2026
                ):
                    ends += 1
                at += 1
                continue
            code = FNV_START
            letters -= at
            while letter:
                capitals += c'A' <= ch <= c'Z'
                code = (code ^ letter) * FNV_PRIME
                whole = (whole ^ letter) * FNV_PRIME
                at += 1
                if at == end:
                    break
                ch = PyUnicode_READ(kind, data_of_text, at)
                letter = small_letter(ch)
            letters += at
            words += 1
            if previous:
                pair = pair_code(previous, code)
                described += descriptions.has(pair)
                in_data += data.has(pair)
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
        f[10] = lines.tag_number[evidence.tag[lines.blocks[line]]]
        f[11] = total / (known + 2)
        f[12] = least
        f[13] = most
        f[14] = <double> described / (words - 1 if words > 1 else 1) if descriptions.count else -1
        f[15] = <double> in_data / (words - 1 if words > 1 else 1) if data.count else -1
        lines.headings[line, 0] = heading / (known + 1)
        lines.headings[line, 1] = least_heading
        # Kept where `read_places` wants them.
        at = TITLE_PLACE
        f[at] = <double> said / (words or 1)
        other = 0
        while of_title:
            other += of_title & 1
            of_title >>= 1
        f[at + 1] = <double> other / (titles or 1)
    return same
