/* Quick looks at the bytes of a page, before it is parsed. */
#include "module.h"

#include "characters.h"

/* As in `limits.py`: between these, lasting tags are counted. */
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

/* How many `<` begin no end tag; the bytes end with a zero. */
static size_t count_opening(const unsigned char *p, size_t length)
{
    size_t count = 0, i = 0;

#if defined(HAS_VECTORS)
    const __m128i opening = _mm_set1_epi8('<'), slash = _mm_set1_epi8('/');
    while (length - i >= 16) { /* counted in bytes first, which hold up to 255 */
        size_t blocks = (length - i) / 16;
        __m128i some = _mm_setzero_si128();
        if (blocks > 255) {
            blocks = 255;
        }
        for (; blocks; blocks--, i += 16) {
            __m128i found = _mm_cmpeq_epi8(load(p + i), opening);
            some = _mm_sub_epi8(some,
                                _mm_andnot_si128(_mm_cmpeq_epi8(load(p + i + 1), slash), found));
        }
        some = _mm_sad_epu8(some, _mm_setzero_si128());
        count += (size_t) _mm_cvtsi128_si32(some)
                 + (size_t) _mm_cvtsi128_si32(_mm_srli_si128(some, 8));
    }
#endif
    for (; i < length; i++) {
        count += p[i] == '<' && p[i + 1] != '/';
    }
    return count;
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

static inline size_t count_if_lasting(const unsigned char *after)
{
    return lasting_pairs[PAIR(after[0], after[1])] ? (size_t) begins_lasting(after) : 0;
}

static size_t count_lasting(const unsigned char *p, size_t length)
{
    size_t last = length ? length - 1 : 0; /* after which there are no two bytes */
    size_t count = 0, i = 0;

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
            count += count_if_lasting(p + i + __builtin_ctzll(found) + 1);
        }
    }
#endif
    for (; i < last; i++) {
        count += p[i] == '<' ? count_if_lasting(p + i + 1) : 0;
    }
    return count;
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
    size_t length, opening, lasting = 0;

    if (!check_bytes(source)) {
        return NULL;
    }
    p = (const unsigned char *) PyBytes_AS_STRING(source); /* ends with a zero */
    length = (size_t) PyBytes_GET_SIZE(source);
    Py_BEGIN_ALLOW_THREADS
    opening = count_opening(p, length);
    if (opening >= FEW_TAGS && opening < DEEP_TAGS) {
        lasting = count_lasting(p, length);
    }
    Py_END_ALLOW_THREADS
    return Py_BuildValue("(nn)", (Py_ssize_t) opening, (Py_ssize_t) lasting);
}
