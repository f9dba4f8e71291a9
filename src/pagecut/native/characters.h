/* Characters in UTF-8 that is known to be valid. */
#ifndef PAGECUT_CHARACTERS_H
#define PAGECUT_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

static inline int is_white(unsigned char byte)
{
    return byte == ' ' || byte == '\t' || byte == '\n' || byte == '\r' || byte == '\f';
}

static inline int breaks_line(unsigned char byte)
{
    return byte == '\n' || byte == '\r' || byte == '\f';
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

#endif
