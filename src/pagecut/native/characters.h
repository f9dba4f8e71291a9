/* Characters in UTF-8 that is known to be valid. */
#ifndef PAGECUT_CHARACTERS_H
#define PAGECUT_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

/* Sixteen bytes at a time where every processor of the kind can; else one by one. */
#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#define HAS_VECTORS 1

static inline __m128i load(const unsigned char *at)
{
    return _mm_loadu_si128((const __m128i *) at);
}
#endif

static inline int is_white(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

static inline int breaks_line(unsigned char byte)
{
    return byte == '\n' || byte == '\r' || byte == '\f';
}

/* The first byte from `at` on that is no white space, or `end`. */
static inline const unsigned char *skip_white(const unsigned char *at, const unsigned char *end)
{
    if (at < end && !is_white(*at)) {
        return at;
    }
#if defined(HAS_VECTORS)
    while (end - at >= 16) {
        __m128i bytes = load(at);
        __m128i white = _mm_or_si128(
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(' ')),
                         _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\n'))),
            _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\t')),
                         _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')),
                                      _mm_cmpeq_epi8(bytes, _mm_set1_epi8('\f')))));
        unsigned int others = 0xffffu ^ (unsigned int) _mm_movemask_epi8(white);
        if (others) {
            return at + __builtin_ctz(others);
        }
        at += 16;
    }
#endif
    while (at < end && is_white(*at)) {
        at++;
    }
    return at;
}

static inline unsigned char lower(unsigned char byte)
{
    return byte >= 'A' && byte <= 'Z' ? (unsigned char) (byte | 0x20) : byte;
}

static inline int is_letter(unsigned char byte)
{
    byte |= 0x20;
    return byte >= 'a' && byte <= 'z';
}

static inline size_t point_size(unsigned char lead)
{
    return lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

/* The character at `at`, and the place after it; never reads beyond `end`. */
static inline uint32_t next_point(const unsigned char **at, const unsigned char *end)
{
    const unsigned char *p = *at;
    size_t size = point_size(*p);
    uint32_t point = size == 1 ? *p : size == 2 ? *p & 0x1f : size == 3 ? *p & 0x0f : *p & 0x07;
    size_t i;

    if (size > (size_t) (end - p)) {
        size = (size_t) (end - p);
    }
    for (i = 1; i < size; i++) {
        point = point << 6 | (p[i] & 0x3f);
    }
    *at = p + size;
    return point;
}

/* Whether a name stands at `p`, in letters of any case. */
static inline int stands(const unsigned char *p, const unsigned char *end, const char *name)
{
    for (; *name && p < end && lower(*p) == (unsigned char) *name; p++, name++) {
    }
    return *name == 0;
}

#endif
