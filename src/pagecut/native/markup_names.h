/* Names of tags and attributes that were met before, and what they mean to `read_markup`.
 *
 * Here, not in a file of their own that is compiled: they are asked for each name of a page.
 */
#ifndef PAGECUT_MARKUP_NAMES_H
#define PAGECUT_MARKUP_NAMES_H

#include <string.h>

#include "characters.h"
#include "markup.h"
#include "names.h"

/* Names that long are looked up each time. */
enum { LONGEST_REMEMBERED = 16 };

static inline uint64_t eight_bytes(const unsigned char *at)
{
    uint64_t bytes;

    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* A mask of the first bytes of eight, in the order of memory. */
static inline uint64_t first_bytes(size_t count)
{
    static const union {
        unsigned char bytes[8];
        uint64_t number;
    } one = {{1}};

    return one.number == 1 ? ((uint64_t) 1 << 8 * count) - 1 : ~(~(uint64_t) 0 >> 8 * count);
}

/* Where a short name is remembered, filled in but for what is known of it; NULL for a long name. */
static inline remembered *recall(remembered *list, const unsigned char *name, size_t length,
                                 const unsigned char *end, int *known)
{
    uint64_t head, tail = 0;
    remembered *entry;

    if (length > LONGEST_REMEMBERED || end - name < LONGEST_REMEMBERED) {
        return NULL;
    }
    head = eight_bytes(name);
    if (length > 8) {
        tail = eight_bytes(name + length - 8);
    } else if (length < 8) {
        head &= first_bytes(length);
    }
    entry = &list[((head ^ tail * 31) * 0x9e3779b97f4a7c15u) >> 57];
    *known = entry->length == length && entry->head == head && entry->tail == tail;
    if (!*known) {
        entry->head = head;
        entry->tail = tail;
        entry->length = length;
    }
    return entry;
}

/* A page's own names are forgotten with it. */
static inline void note(const markup *self, remembered *entry)
{
    entry->page = entry->found == NULL || entry->found->number < KNOWN_NAMES ? 0 : self->page;
}

static inline int holds(const markup *self, const remembered *entry)
{
    return !entry->page || entry->page == self->page;
}

/* Bits of the tags whose attributes describe images. */
#define OF_PICTURES (IMG | SOURCE | INPUT | DRAWN_IMAGE | AMP_IMG | VIDEO)

/* What is known of a tag; 0 where lexbor has no number for it. */
static inline name_bits bits_of(const named *tag)
{
    int position = tag->number < KNOWN_NAMES ? known_tags.by_number[tag->number] - 1 : -1;

    return position < 0 ? 0 : known_tags.list[position].bits;
}

/* Whether lexbor must have all attributes, in copies of its own: formatting elements are compared by
 * them, but never two links, since one ends the other; of <input> it reads the type, and wants a
 * zero behind it. */
static inline int needs_all(name_bits bits)
{
    return (bits & INPUT) || (bits & (FORMATTING | LINK)) == FORMATTING;
}

static inline remembered *tag_of(markup *self, tokenizer *words, const unsigned char *name,
                                 size_t length, const unsigned char *end, remembered *spare)
{
    int known = 0;
    remembered *entry = recall(self->tags, name, length, end, &known);

    if (known && holds(self, entry)) {
        return entry;
    }
    entry = entry == NULL ? spare : entry;
    entry->found = self->lexbor->tag(words->tags, name, length);
    if (entry->found == NULL) {
        entry->length = 0;
        return NULL;
    }
    entry->whole = needs_all(bits_of(entry->found));
    entry->pictured = entry->found->number >= KNOWN_NAMES || (bits_of(entry->found) & OF_PICTURES);
    note(self, entry);
    return entry;
}

/* What the walk reads an attribute for; 0 if it does not. */
static inline name_bits uses_of(const unsigned char *name, size_t length)
{
    unsigned char folded[LENGTHS];
    size_t i;
    int position;

    if (length >= LENGTHS) {
        return 0;
    }
    for (i = 0; i < length; i++) {
        folded[i] = lower(name[i]);
    }
    position = find_name(&known_attributes, folded, length);
    return position < 0 ? 0 : known_attributes.list[position].bits;
}

static inline remembered *attribute_of(markup *self, tokenizer *words,
                                       const unsigned char *name, size_t length,
                                       const unsigned char *end, remembered *spare)
{
    int known = 0;
    name_bits uses;
    remembered *entry = recall(self->attributes, name, length, end, &known);

    if (known && holds(self, entry)) {
        return entry;
    }
    entry = entry == NULL ? spare : entry;
    entry->found = NULL;
    entry->whole = length == 8 && stands(name, name + length, "encoding");
    uses = uses_of(name, length);
    entry->pictured = !(uses & ~(name_bits) (OF_IMAGES | LAZY_SOURCE | SRCSET));
    if (uses) {
        entry->found = self->lexbor->attribute(words->attributes, name, length);
        if (entry->found == NULL) {
            entry->length = 0;
            return NULL;
        }
    }
    note(self, entry);
    return entry;
}

#endif
