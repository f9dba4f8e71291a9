/* White space as `white_space.fold` folds it, and what hides an element. */
#ifndef PAGECUT_FOLDING_H
#define PAGECUT_FOLDING_H

#include <stddef.h>
#include <stdint.h>

#include "buffer.h"

enum { MOST_WIDE_RANGES = 16 };

/* Ranges of wide characters, between which a line end is dropped; from `white_space.WIDE`. */
typedef struct {
    uint32_t first;
    uint32_t last;
} point_range;

extern point_range wide_ranges[MOST_WIDE_RANGES];
extern int count_of_wide_ranges;

/* Append a text with its white space folded, the ends stripped; its characters, or -1. */
ptrdiff_t fold_into(buffer *out, const unsigned char *text, size_t length);

/* Append a text as it is, but for the image character; its characters, or -1. */
ptrdiff_t copy_into(buffer *out, const unsigned char *text, size_t length);

/* Whether an inline style says that the element is not shown (`tree_walk._HIDING_STYLE`). */
int style_hides(const unsigned char *style, size_t length);

/* Whether a text has a character that Python's `str.strip` would leave. */
int has_ink(const unsigned char *text, size_t length);

#endif
