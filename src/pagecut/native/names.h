/* What is known of tags and attributes, by name and by lexbor's number for the name.
 *
 * The tables are those of `tags.py`: `native_walk.py` hands them over once.
 */
#ifndef PAGECUT_NAMES_H
#define PAGECUT_NAMES_H

#include "lexbor_tree.h"

typedef uint64_t name_bits;

/* Bits of a tag, in the order in which `native_walk.TAG_GROUPS` gives the groups. */
enum {
    LINE_BREAKING = 1 << 0,
    WORD_BREAKING = 1 << 1,
    PRESERVING = 1 << 2,
    OPAQUE = 1 << 3,
    MUTE = 1 << 4,
    FOREIGN_MUTE = 1 << 5,
    FOREIGN_ROOT = 1 << 6,
    HTML_ISLAND = 1 << 7,
    LINK = 1 << 8,
    DIALOG = 1 << 9,
    IMG = 1 << 10,
    SOURCE = 1 << 11,
    PICTURE = 1 << 12,
    INPUT = 1 << 13,
    DRAWN_IMAGE = 1 << 14,
    AMP_IMG = 1 << 15,
    VIDEO = 1 << 16,
    NOSCRIPT = 1 << 17,
    TITLE = 1 << 18,
    BASE = 1 << 19,
    VOID_TAG = 1 << 20,
    RAW_TEXT = 1 << 21,
    FORMATTING = 1 << 22,
    BREAKOUT = 1 << 23,
    INTEGRATION = 1 << 24,
    SELECT = 1 << 25,
    SCRIPT = 1 << 26,
    OPTIONAL_END = 1 << 27,
    CELL = 1 << 28,
    TABLE_PART = 1 << 29,
    SELF_CLOSING = 1 << 30,
};
#define TABLE ((name_bits) 1 << 31)
#define CONTAINER ((name_bits) 1 << 32)

/* From here on the bits of `PackedNodes.tag_marks`. */
enum { FIRST_MARK = 33, MARKS = 7 };
#define CARRIER ((name_bits) 1 << 36)

/* Bits of an attribute, in the order of `native_walk.ATTRIBUTE_GROUPS`. */
enum {
    KEPT = 1 << 0,
    OF_IMAGES = 1 << 1,
    HIDDEN = 1 << 2,
    ARIA_HIDDEN = 1 << 3,
    STYLE = 1 << 4,
    OPEN = 1 << 5,
    TYPE = 1 << 6,
    POSTER = 1 << 7,
    HREF = 1 << 8,
    LAZY_SOURCE = 1 << 9,
    SRCSET = 1 << 10,
    COMPOSING = 1 << 11,
};

enum { MOST_NAMES = 1024, MOST_ATTRIBUTES = 128, NAME_SLOTS = 4096, LENGTHS = 32 };

typedef struct {
    const unsigned char *bytes;
    size_t length;
    name_bits bits;
} known_name;

typedef struct {
    known_name list[MOST_NAMES];
    int count;
    int16_t slots[NAME_SLOTS]; /* by hash, 1 + the position in `list` */
    int16_t by_number[KNOWN_NAMES]; /* by lexbor's number, 1 + the position */
    uint64_t last_letters[LENGTHS]; /* by length, a bit for each letter that a name ends with */
} name_table;

extern name_table known_tags;
extern name_table known_attributes;

/* Position in a table, or -1. */
int find_name(const name_table *table, const unsigned char *bytes, size_t length);

/* Add a name, or bits to one that is there; its position, or -1 where the table is full. */
int add_name(name_table *table, const unsigned char *bytes, size_t length, name_bits bits);

static inline uint64_t hash_bytes(const unsigned char *bytes, size_t length)
{
    uint64_t hash = 14695981039346656037u;
    size_t i;

    for (i = 0; i < length; i++) {
        hash = (hash ^ bytes[i]) * 1099511628211u;
    }
    return hash ^ (hash >> 29);
}

#endif
