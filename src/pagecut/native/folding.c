#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "characters.h"
#include "folding.h"

point_range wide_ranges[MOST_WIDE_RANGES];
int count_of_wide_ranges;

static int is_wide(uint32_t point)
{
    int i;

    for (i = 0; i < count_of_wide_ranges; i++) {
        if (point >= wide_ranges[i].first && point <= wide_ranges[i].last) {
            return 1;
        }
    }
    return 0;
}

/* The character that ends right before `at`. */
static uint32_t point_before(const unsigned char *start, const unsigned char *at)
{
    const unsigned char *p = at - 1;

    while (p > start && (*p & 0xc0) == 0x80) {
        p--;
    }
    return next_point(&p, at);
}

/* Write one character that is not ASCII, an image character as a replacement. */
static unsigned char *put_point(unsigned char *to, const unsigned char *from, size_t size)
{
    memcpy(to, from, size);
    if (size == 3 && from[0] == 0xef && from[1] == 0xbf && from[2] == 0xbc) {
        to[2] = 0xbd;
    }
    return to + size;
}

static size_t size_within(const unsigned char *at, const unsigned char *end)
{
    size_t size = point_size(*at);

    return size <= (size_t) (end - at) ? size : (size_t) (end - at);
}

/* Bytes that may be written beyond what is kept. */
enum { AT_ONCE = 16 };

/* Copy letters of ASCII and single spaces between them, many at a time; how many. What comes before
 * the first is no white space. It may stop anywhere. */
static inline size_t copy_plain(unsigned char *to, const unsigned char *from,
                                const unsigned char *end)
{
    size_t length = (size_t) (end - from), done = 0;

#if defined(HAS_VECTORS)
    const __m128i space = _mm_set1_epi8(' ');
    while (length - done >= AT_ONCE) {
        __m128i bytes = load(from + done);
        unsigned int ink = (unsigned int) _mm_movemask_epi8(_mm_cmpgt_epi8(bytes, space));
        unsigned int gaps = (unsigned int) _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, space));
        unsigned int others = 0x10000u | (0xffffu ^ (ink | (gaps & ink >> 1)));
        unsigned int kept = (unsigned int) __builtin_ctz(others);
        _mm_storeu_si128((__m128i *) (to + done), bytes);
        done += kept;
        if (kept < AT_ONCE - 1) {
            return done;
        }
    }
#endif
    for (; done < length && from[done] > ' ' && from[done] < 0x80; done++) {
        to[done] = from[done];
    }
    return done;
}

ptrdiff_t fold_into(buffer *out, const unsigned char *text, size_t length)
{
    const unsigned char *at = text, *end = text + length;
    unsigned char *to;
    ptrdiff_t points = 0;

    at = skip_white(at, end);
    while (end > at && is_white(end[-1])) {
        end--;
    }
    if (reserve(out, (size_t) (end - at) + AT_ONCE) < 0) {
        return -1;
    }
    text = at;
    to = out->data + out->length;
    while (at < end) {
        size_t plain = copy_plain(to, at, end);
        at += plain;
        to += plain;
        points += (ptrdiff_t) plain;
        if (at == end) {
            break;
        }
        if (is_white(*at)) {
            const unsigned char *run = at;
            int broken = 0;
            while (is_white(*at)) { /* the last byte is none */
                broken |= breaks_line(*at);
                at++;
            }
            if (broken && *at >= 0x80 && run[-1] >= 0x80) {
                const unsigned char *after = at;
                if (is_wide(point_before(text, run)) && is_wide(next_point(&after, end))) {
                    continue;
                }
            }
            *to++ = ' ';
            points++;
        } else if (*at < 0x80) {
            *to++ = *at++;
            points++;
        } else {
            size_t size = size_within(at, end);
            to = put_point(to, at, size);
            at += size;
            points++;
        }
    }
    out->length = (size_t) (to - out->data);
    return points;
}

ptrdiff_t copy_into(buffer *out, const unsigned char *text, size_t length)
{
    const unsigned char *at = text, *end = text + length;
    unsigned char *to;
    ptrdiff_t points = 0;

    if (reserve(out, length) < 0) {
        return -1;
    }
    to = out->data + out->length;
    while (at < end) {
        size_t size = size_within(at, end);
        to = put_point(to, at, size);
        at += size;
        points++;
    }
    out->length = (size_t) (to - out->data);
    return points;
}

static const unsigned char *skip_spaces(const unsigned char *at, const unsigned char *end)
{
    while (at < end) {
        const unsigned char *after = at;
        Py_UCS4 point = next_point(&after, end); /* the macro reads it more than once */
        if (!Py_UNICODE_ISSPACE(point)) {
            break;
        }
        at = after;
    }
    return at;
}

/* The place after a word in any case, as Python's `re.IGNORECASE` compares; NULL if it is none. */
static const unsigned char *
after_word(const unsigned char *at, const unsigned char *end, const char *word)
{
    for (; *word; word++) {
        uint32_t point;
        if (at >= end) {
            return NULL;
        }
        point = next_point(&at, end);
        if (point < 0x80) {
            point = lower((unsigned char) point);
        } else if (point == 0x130 || point == 0x131) {
            point = 'i';
        } else if (point == 0x17f) {
            point = 's';
        }
        if (point != (unsigned char) *word) {
            return NULL;
        }
    }
    return at;
}

static int declares(const unsigned char *at, const unsigned char *end, const char *name,
                    const char *value)
{
    uint32_t point;

    at = after_word(at, end, name);
    if (at == NULL) {
        return 0;
    }
    at = skip_spaces(at, end);
    if (at >= end || *at != ':') {
        return 0;
    }
    at = after_word(skip_spaces(at + 1, end), end, value);
    if (at == NULL) {
        return 0;
    }
    if (at >= end) {
        return 1;
    }
    point = next_point(&at, end);
    return point != '_' && !Py_UNICODE_ISALNUM(point);
}

int style_hides(const unsigned char *style, size_t length)
{
    const unsigned char *at = style, *end = style + length;

    while (at != NULL && at < end) {
        const unsigned char *start = skip_spaces(at, end);
        if (declares(start, end, "display", "none")
            || declares(start, end, "visibility", "hidden")) {
            return 1;
        }
        at = memchr(at, ';', (size_t) (end - at));
        if (at != NULL) {
            at++;
        }
    }
    return 0;
}

int has_ink(const unsigned char *text, size_t length)
{
    return skip_spaces(text, text + length) < text + length;
}
