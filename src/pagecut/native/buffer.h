/* Growing memory that the walk fills without Python. */
#ifndef PAGECUT_BUFFER_H
#define PAGECUT_BUFFER_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *data;
    size_t length;
    size_t capacity;
} buffer;

/* Make room for `more` bytes; 0, or -1 where there is no memory. */
static inline int reserve(buffer *self, size_t more)
{
    size_t capacity;
    unsigned char *data;

    if (self->capacity - self->length >= more) {
        return 0;
    }
    if (more > SIZE_MAX / 4 || self->capacity > SIZE_MAX / 4) {
        return -1;
    }
    capacity = self->capacity + self->capacity / 2 + 256;
    if (capacity < self->length + more) {
        capacity = self->length + more;
    }
    data = realloc(self->data, capacity);
    if (data == NULL) {
        return -1;
    }
    self->data = data;
    self->capacity = capacity;
    return 0;
}

/* `memcpy` for what is mostly short. */
static inline void copy_bytes(unsigned char *to, const unsigned char *from, size_t length)
{
    uint64_t first, last, second, third;

    if (length > 32) {
        memcpy(to, from, length);
    } else if (length >= 16) {
        memcpy(&first, from, 8);
        memcpy(&second, from + 8, 8);
        memcpy(&third, from + length - 16, 8);
        memcpy(&last, from + length - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + 8, &second, 8);
        memcpy(to + length - 16, &third, 8);
        memcpy(to + length - 8, &last, 8);
    } else if (length >= 8) {
        memcpy(&first, from, 8);
        memcpy(&last, from + length - 8, 8);
        memcpy(to, &first, 8);
        memcpy(to + length - 8, &last, 8);
    } else {
        for (; length; length--) {
            *to++ = *from++;
        }
    }
}

static inline int append(buffer *self, const void *data, size_t length)
{
    if (reserve(self, length) < 0) {
        return -1;
    }
    if (length) {
        memcpy(self->data + self->length, data, length);
        self->length += length;
    }
    return 0;
}

static inline int append_int(buffer *self, int32_t value)
{
    return append(self, &value, sizeof value);
}

static inline int32_t *ints(const buffer *self)
{
    return (int32_t *) self->data;
}

static inline size_t count_ints(const buffer *self)
{
    return self->length / sizeof(int32_t);
}

static inline void release(buffer *self)
{
    free(self->data);
    memset(self, 0, sizeof *self);
}

#endif
