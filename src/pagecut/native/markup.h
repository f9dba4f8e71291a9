/* Texts and tags in their common forms, read at once.
 *
 * lexbor's tokenizer copies every text, name and value, and looks each name up. Here texts and values
 * stay where they are in the source, names are remembered, and attributes that the walk never reads
 * are left out. Where anything uncommon is met, lexbor's own states go on from there.
 */
#ifndef PAGECUT_MARKUP_H
#define PAGECUT_MARKUP_H

#include "lexbor_tokens.h"

enum { REMEMBERED = 128, MOST_AT_ONCE = 32 };

/* lexbor's functions that are needed. */
typedef struct {
    state_function before_data;
    state_function before_attribute;
    const named *(*tag)(void *, const unsigned char *, size_t);
    const named *(*attribute)(void *, const unsigned char *, size_t);
} markup_functions;

typedef struct {
    uint64_t head;
    uint64_t tail;
    size_t length; /* 0: empty */
    const named *found; /* NULL for an attribute that nobody reads */
    uint64_t page; /* for which it holds; 0 for all */
    int whole; /* what lexbor itself reads: all attributes of a tag, or one attribute */
    int pictured; /* a tag that may be an image's; an attribute that is read of such tags only */
} remembered;

typedef struct {
    const markup_functions *lexbor;
    token_function done; /* lexbor's own, and its context */
    void *done_context;
    uint64_t page;
    remembered tags[REMEMBERED];
    remembered attributes[REMEMBERED];
    token_attribute written[MOST_AT_ONCE]; /* of the tag that is being read */
} markup;

/* A state of the tokenizer whose context, `done_context`, begins with a `markup`. */
const unsigned char *read_markup(tokenizer *self, const unsigned char *at,
                                 const unsigned char *end);

#endif
