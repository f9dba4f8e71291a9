/* Quick looks at the bytes of a page, before it is parsed. */
#include "module.h"

#include "characters.h"

/* As in `limits.py`: between these, lasting tags matter. */
enum { FEW_TAGS = 1000, DEEP_TAGS = 5000 };

/* The first byte that is not ASCII, or `end`. */
static const unsigned char *skip_ascii(const unsigned char *p, const unsigned char *end)
{
#if defined(HAS_VECTORS)
    while (end - p >= 64) {
        __m128i one = _mm_or_si128(load(p), load(p + 16));
        __m128i two = _mm_or_si128(load(p + 32), load(p + 48));
        if (_mm_movemask_epi8(_mm_or_si128(one, two))) {
            break;
        }
        p += 64;
    }
#endif
    while (end - p >= 8) {
        uint64_t eight;
        memcpy(&eight, p, 8);
        if (eight & 0x8080808080808080u) {
            break;
        }
        p += 8;
    }
    while (p < end && *p < 0x80) {
        p++;
    }
    return p;
}

/* Whether bytes are valid UTF-8 as Python's strict decoder sees it. */
static int valid_utf8(const unsigned char *p, size_t length)
{
    const unsigned char *end = p + length;

    while ((p = skip_ascii(p, end)) < end) {
        do {
            size_t size = point_size(*p), i;
            if (*p < 0xc2 || *p > 0xf4 || size > (size_t) (end - p)) {
                return 0;
            }
            for (i = 1; i < size; i++) {
                if ((p[i] & 0xc0) != 0x80) {
                    return 0;
                }
            }
            if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f)
                || (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f)) {
                return 0;
            }
            p += size;
        } while (p < end && *p >= 0x80);
    }
    return 1;
}

/* Formatting elements of which any number can be open (`tags.LASTING`), by their length. */
static int is_lasting(const unsigned char *name, size_t length)
{
    static const char *const words[][4] = {
        {"b", "i", "s", "u"}, {"em", "tt"}, {"big"}, {"code", "font"}, {"small"},
        {"strike", "strong"},
    };
    size_t word, at;

    for (word = 0; word < 4 && words[length - 1][word] != NULL; word++) {
        for (at = 0; at < length && lower(name[at]) == (unsigned char) words[length - 1][word][at];
             at++) {
        }
        if (at == length) {
            return 1;
        }
    }
    return 0;
}

/* Whether a tag of such an element begins at `p`, after its `<`. */
static int begins_lasting(const unsigned char *p)
{
    size_t size;

    for (size = 0; size < 7 && is_letter(p[size]); size++) { /* the bytes end with a zero */
    }
    return size > 0 && size < 7 && (is_white(p[size]) || p[size] == '/' || p[size] == '>')
           && is_lasting(p, size);
}

/* By the first two bytes of a name: whether it may be one of those, which tells nearly all other
 * tags apart without a jump that depends on them. */
enum { LETTER_BITS = 5, PAIRS = 1 << 2 * LETTER_BITS };
#define PAIR(first, second) (((first) & 31) << LETTER_BITS | ((second) & 31))
#define ALONE(letter) \
    [PAIR(letter, ' ')] = 1, [PAIR(letter, '\t')] = 1, [PAIR(letter, '\n')] = 1, \
    [PAIR(letter, '\f')] = 1, [PAIR(letter, '\r')] = 1, [PAIR(letter, '/')] = 1, \
    [PAIR(letter, '>')] = 1

static const unsigned char lasting_pairs[PAIRS] = {
    ALONE('b'), ALONE('i'), ALONE('s'), ALONE('u'),
    [PAIR('e', 'm')] = 1, [PAIR('t', 't')] = 1, [PAIR('c', 'o')] = 1, [PAIR('f', 'o')] = 1,
    [PAIR('s', 't')] = 1, /* "bi" and "sm" are in these bits as `b` or `s` and white space */
};

typedef struct {
    size_t opening; /* each `<` that begins no end tag */
    size_t lasting;
} tag_counts;

static inline void count_tag(const unsigned char *after, tag_counts *counts)
{
    counts->opening += *after != '/';
    if (lasting_pairs[PAIR(after[0], after[1])]) {
        counts->lasting += (size_t) begins_lasting(after);
    }
}

static tag_counts count_in(const unsigned char *p, size_t length)
{
    size_t last = length ? length - 1 : 0, i = 0;
    tag_counts counts = {length && p[last] == '<', 0}; /* after it, there are no two bytes */

#if defined(HAS_VECTORS)
    const __m128i opening = _mm_set1_epi8('<');
    for (; last - i >= 64; i += 64) { /* calling memchr for each costs more */
        __m128i a = _mm_cmpeq_epi8(load(p + i), opening);
        __m128i b = _mm_cmpeq_epi8(load(p + i + 16), opening);
        __m128i c = _mm_cmpeq_epi8(load(p + i + 32), opening);
        __m128i d = _mm_cmpeq_epi8(load(p + i + 48), opening);
        uint64_t found;
        if (!_mm_movemask_epi8(_mm_or_si128(_mm_or_si128(a, b), _mm_or_si128(c, d)))) {
            continue;
        }
        found = (uint64_t) _mm_movemask_epi8(a) | (uint64_t) _mm_movemask_epi8(b) << 16
                | (uint64_t) _mm_movemask_epi8(c) << 32 | (uint64_t) _mm_movemask_epi8(d) << 48;
        for (; found; found &= found - 1) {
            count_tag(p + i + __builtin_ctzll(found) + 1, &counts);
        }
    }
#endif
    for (; i < last; i++) {
        if (p[i] == '<') {
            count_tag(p + i + 1, &counts);
        }
    }
    return counts;
}

static int holds_charset(const unsigned char *p, const unsigned char *end)
{
    for (; p < end; p++) {
        if (lower(*p) == 'c' && stands(p, end, "charset")) {
            return 1;
        }
    }
    return 0;
}

/* The end of the comment at `p`; NULL if it is inside a tag, whose beginning is at `tag`. */
static const unsigned char *after_comment(const unsigned char *tag, const unsigned char *p,
                                          const unsigned char *end)
{
    if (tag != NULL && memchr(tag, '>', (size_t) (p - tag)) == NULL) {
        return NULL;
    }
    for (p += 4; end - p >= 3; p++) {
        if (memcmp(p, "-->", 3) == 0) {
            return p + 3;
        }
    }
    return end;
}

/* Whether a <meta> begins at `p`, as `decoding` sees it. */
static int is_meta(const unsigned char *p, const unsigned char *end)
{
    return stands(p, end, "<meta") && end - p > 5
           && (is_white(p[5]) || p[5] == '\v' || p[5] == '/');
}

/* What stands in the first <meta> with a charset outside of comments: `*inside` and `*after` are its
 * borders, equal if there is none; 0 where only `decoding.declared_codec` can tell. */
static int first_charset(const unsigned char *p, const unsigned char *end,
                         const unsigned char **inside, const unsigned char **after)
{
    const unsigned char *tag = NULL, *last = p;

    *inside = *after = end;
    while (last < end && (is_white(*last) || *last == '\v')) {
        last++;
    }
    if (stands(last, end, "<?xml")) {
        return 0;
    }
    while (p < end && (p = memchr(p, '<', (size_t) (end - p))) != NULL) {
        if (end - p >= 4 && memcmp(p, "<!--", 4) == 0) {
            p = after_comment(tag, p, end);
            if (p == NULL) {
                return 0;
            }
            tag = NULL;
            continue;
        }
        tag = p;
        if (is_meta(p, end)) {
            last = memchr(p, '>', (size_t) (end - p));
            last = last == NULL ? end : last;
            if (memchr(p + 1, '<', (size_t) (last - p - 1)) != NULL) {
                return 0;
            }
            if (holds_charset(p + 6, last)) {
                *inside = p + 6;
                *after = last;
                return 1;
            }
        }
        p++;
    }
    return 1;
}

PyObject *charset_meta(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *source;
    Py_ssize_t most;
    const unsigned char *p, *inside, *after;

    if (!PyArg_ParseTuple(arguments, "Sn", &source, &most)) {
        return NULL;
    }
    p = (const unsigned char *) PyBytes_AS_STRING(source);
    if (most > PyBytes_GET_SIZE(source)) {
        most = PyBytes_GET_SIZE(source);
    }
    if (!first_charset(p, p + most, &inside, &after)) {
        Py_RETURN_NONE;
    }
    return PyBytes_FromStringAndSize((const char *) inside, after - inside);
}

int check_bytes(PyObject *source)
{
    if (PyBytes_Check(source)) {
        return 1;
    }
    PyErr_Format(PyExc_TypeError, "bytes are wanted, got %s", Py_TYPE(source)->tp_name);
    return 0;
}

PyObject *is_utf8(PyObject *Py_UNUSED(module), PyObject *source)
{
    const unsigned char *p;
    int valid;

    if (!check_bytes(source)) {
        return NULL;
    }
    p = (const unsigned char *) PyBytes_AS_STRING(source);
    Py_BEGIN_ALLOW_THREADS
    valid = valid_utf8(p, (size_t) PyBytes_GET_SIZE(source));
    Py_END_ALLOW_THREADS
    return PyBool_FromLong(valid);
}

PyObject *count_tags(PyObject *Py_UNUSED(module), PyObject *source)
{
    const unsigned char *p;
    tag_counts counts;

    if (!check_bytes(source)) {
        return NULL;
    }
    p = (const unsigned char *) PyBytes_AS_STRING(source); /* ends with a zero */
    Py_BEGIN_ALLOW_THREADS
    counts = count_in(p, (size_t) PyBytes_GET_SIZE(source));
    Py_END_ALLOW_THREADS
    if (counts.opening < FEW_TAGS || counts.opening >= DEEP_TAGS) {
        counts.lasting = 0;
    }
    return Py_BuildValue("(nn)", (Py_ssize_t) counts.opening, (Py_ssize_t) counts.lasting);
}
