#include "rows.h"

#include <stdlib.h>
#include <string.h>

enum { FEWEST_ROWS = 64 };

static void place_columns(row_columns *self, void *block, int32_t capacity)
{
    int32_t **columns[] = {
        &self->tag, &self->parent, &self->subtree_end, &self->depth,
        &self->ordinal, &self->start, &self->end,
    };
    int32_t *ints = block;
    size_t i;

    for (i = 0; i < sizeof columns / sizeof *columns; i++) {
        *columns[i] = ints + i * (size_t) capacity;
    }
    self->kind = (unsigned char *) (ints + i * (size_t) capacity);
    self->hidden = self->kind + capacity;
    self->block = block;
    self->capacity = capacity;
}

/* Columns move towards the front one after the other, so that none is written over unread. */
static void move_columns(row_columns *to, const row_columns *from)
{
    size_t bytes = (size_t) from->count, ints = bytes * sizeof(int32_t);

    memmove(to->tag, from->tag, ints);
    memmove(to->parent, from->parent, ints);
    memmove(to->subtree_end, from->subtree_end, ints);
    memmove(to->depth, from->depth, ints);
    memmove(to->ordinal, from->ordinal, ints);
    memmove(to->start, from->start, ints);
    memmove(to->end, from->end, ints);
    memmove(to->kind, from->kind, bytes);
    memmove(to->hidden, from->hidden, bytes);
}

int reserve_rows(row_columns *self, int32_t capacity)
{
    row_columns old = *self;
    void *block;

    if (capacity <= self->capacity) {
        return 0;
    }
    block = malloc((size_t) capacity * ROW_SIZE);
    if (block == NULL) {
        return -1;
    }
    place_columns(self, block, capacity);
    if (old.block != NULL) {
        move_columns(self, &old);
        free(old.block);
    }
    return 0;
}

int grow_rows(row_columns *self)
{
    int64_t capacity = (int64_t) self->capacity + self->capacity / 2 + FEWEST_ROWS;

    return reserve_rows(self, capacity > INT32_MAX ? INT32_MAX : (int32_t) capacity);
}

void close_ranks(row_columns *self)
{
    row_columns old = *self;
    void *block;

    place_columns(self, self->block, self->count);
    move_columns(self, &old);
    block = realloc(self->block, (size_t) self->count * ROW_SIZE + 1);
    if (block != NULL) {
        place_columns(self, block, self->count);
    }
}
