/* One pass over lexbor's tree in document order: every node becomes a row (see `tree_walk.py`). */
#ifndef PAGECUT_WALK_H
#define PAGECUT_WALK_H

#include "buffer.h"
#include "names.h"
#include "rows.h"

typedef enum {
    WALKED,
    NO_MEMORY,
    TOO_MANY_NODES,
    TOO_DEEP,
    TEXT_TOO_LONG,
    UNKNOWN_TAG, /* a number of lexbor's without a name here */
    FAILED, /* a Python error is set */
} outcome;

/* Attributes of rows, or of images: for each its owner, its key and where its value ends. */
typedef struct {
    int32_t *owner;
    unsigned char *key; /* position in `known_attributes` */
    int64_t *end; /* into values */
    size_t count;
    size_t capacity;
    buffer values; /* UTF-8 */
} attribute_table;

typedef struct {
    const tree_node *node;
    int32_t row;
    int32_t texts; /* text children so far, those without a row too */
    size_t leaves; /* before it */
    size_t counts; /* length of `saved_counts` before it */
    int32_t first_source; /* in `source_sets`, of the <source> children so far; -1 = none */
    int32_t sources;
    name_bits bits; /* of its tag */
    int32_t code; /* of its tag */
    unsigned char hidden;
    unsigned char mute;
    unsigned char preserve;
    unsigned char foreign;
} open_element;

/* The number of children with a tag, to be put back when their parent closes. */
typedef struct {
    int32_t code;
    int32_t parent;
    int32_t count;
} tag_count;

typedef struct walk walk;
struct walk {
    int64_t most_nodes;
    int64_t most_depth;

    row_columns rows; /* `start` and `end` of elements are settled at the end */

    buffer text; /* UTF-8 */
    int64_t length; /* of the text in characters */
    size_t leaves;
    int32_t last_end; /* of the last leaf */
    char owed; /* before the next leaf: 0, a space or a newline */
    int64_t link_end; /* where the last link ended */

    /* Tags by code: position in `known_tags`, or -1 - position in `other_names`. */
    buffer tag_names; /* int32 */
    buffer other_names; /* tree_name pointers */
    buffer other_slots; /* int32 by hash of the name, 1 + code */
    int32_t code_of_known[MOST_NAMES]; /* 1 + code */
    buffer counted_for; /* int32 by code, the parent that `counted` is for */
    buffer counted; /* int32 by code */
    buffer saved_counts; /* tag_count */
    buffer open; /* open_element */

    attribute_table kept; /* owned by rows */
    attribute_table described; /* owned by sets, of which an image has several */
    int32_t sets;
    buffer image_row, image_set, image_fallback, image_first_source, image_sources; /* int32 */
    buffer image_node; /* tree_node pointers */
    buffer source_sets; /* int32 */
    buffer fallback_node; /* tree_node pointers of the images to fill */
    buffer fallback_set; /* int32 */

    /* The last search for an <img> below an element, from which others inside it follow. */
    const tree_node *searched;
    const tree_node *searched_image;

    const unsigned char *title;
    size_t title_length;
    const tree_string *base;
    unsigned char composed; /* whether a frame or a template holds content of its own */

    void *is_lazy; /* Python function: whether one image's attributes want another's */
    void *thread;
};

outcome walk_tree(walk *self, const tree_node *root, const tree_node *head);

/* Make room for what a source of so many bytes and start tags mostly gives; it grows where that is
 * too little. */
void expect(walk *self, size_t source, size_t tags);

void release_walk(walk *self);

/* walk_tags.c: names to numbers. */

/* Position of an attribute in `known_attributes`, or -1. */
static inline int attribute_key(const tree_attribute *attribute)
{
    uintptr_t number = attribute_name(attribute);

    if (number < KNOWN_NAMES) {
        return known_attributes.by_number[number] - 1;
    }
    return find_name(&known_attributes, name_bytes((const tree_name *) number),
                     ((const tree_name *) number)->length);
}

/* Position of an element's tag in `known_tags`; -1 if it has none, -2 if lexbor alone knows it. */
static inline int known_tag(const tree_node *node)
{
    uintptr_t number = element_name(node);

    if (number < KNOWN_NAMES) {
        return known_tags.by_number[number] ? known_tags.by_number[number] - 1 : -2;
    }
    return find_name(&known_tags, name_bytes((const tree_name *) number),
                     ((const tree_name *) number)->length);
}

/* Bits of an element's tag. */
name_bits tag_bits(const tree_node *node);

/* A new code for a tag; -1 where there is no memory. */
int32_t new_code(walk *self, int32_t name);

/* The code of a tag, in order of appearance. */
outcome code_of(walk *self, const tree_node *node, int position, int32_t *code);

/* walk_attributes.c: what is read of attributes, and what is kept of them. */

/* Bits of the column `hidden`. */
enum { BY_ATTRIBUTE = 1, BY_STYLE = 2, FROM_ARIA = 4 };

/* What the walk needs of an element's attributes, read in one pass. */
typedef struct {
    unsigned char hidden;
    unsigned char open;
    unsigned char typed_image;
    unsigned char has_poster;
    unsigned char composing;
} traits;

/* Keep a row's attributes, the next one's, and say what they mean for it. */
outcome read_attributes(walk *self, const tree_node *node, traits *found);

void release_table(attribute_table *table);

/* Note the attributes of an element that describe an image; the number of the set, or -1. */
int32_t describe(walk *self, const tree_node *node);

/* walk_images.c: what of a page's images only the tree can tell. */

/* Whether an <img> lies below that is no noscript fallback. */
int holds_image(walk *self, const tree_node *node);

/* Whether a <noscript> is an image of its own; its <img> is then `*fallback`. */
outcome judge_noscript(walk *self, const tree_node *node, int *is_image,
                       const tree_node **fallback);

outcome add_image(walk *self, int32_t row, const tree_node *node, const tree_node *described,
                  const open_element *inside);

/* Give each image the set of the fallback that fills it. */
outcome settle_fallbacks(walk *self);

#endif
