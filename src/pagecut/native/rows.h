/* The columns of a page's nodes: one block of memory, which Python's arrays read in the end. */
#ifndef PAGECUT_ROWS_H
#define PAGECUT_ROWS_H

#include <stddef.h>
#include <stdint.h>

enum { ELEMENT_ROW, TEXT_ROW, IMAGE_ROW };

typedef struct {
    void *block;
    int32_t count;
    int32_t capacity;
    /* In the order in which they lie in the block. */
    int32_t *tag, *parent, *subtree_end, *depth, *ordinal, *start, *end;
    unsigned char *kind, *hidden;
} row_columns;

enum { NUMBER_COLUMNS = 7, BYTE_COLUMNS = 2 };

/* Bytes of the block for each row. */
enum { ROW_SIZE = NUMBER_COLUMNS * sizeof(int32_t) + BYTE_COLUMNS };

/* Let there be room for so many rows; 0, or -1 where there is no memory. */
int reserve_rows(row_columns *self, int32_t capacity);

/* Room for more than there are. */
int grow_rows(row_columns *self);

/* Leave no room between the columns, so that each has as many values as there are rows. */
void close_ranks(row_columns *self);

#endif
