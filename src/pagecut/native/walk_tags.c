#include "walk.h"

enum { OTHER_NAMES_FULL = 2 }; /* one slot in so many may be taken */

name_bits tag_bits(const tree_node *node)
{
    int position = is_element(node) ? known_tag(node) : -1;

    return position >= 0 ? known_tags.list[position].bits : 0;
}

int32_t new_code(walk *self, int32_t name)
{
    if (append_int(&self->tag_names, name) < 0 || append_int(&self->counted_for, -2) < 0
        || append_int(&self->counted, 0) < 0) {
        return -1;
    }
    return (int32_t) count_ints(&self->tag_names) - 1;
}

static const tree_name *other_name(const walk *self, int32_t code)
{
    return ((const tree_name **) self->other_names.data)[-1 - ints(&self->tag_names)[code]];
}

static size_t slot_of(const walk *self, const tree_name *name)
{
    size_t slots = count_ints(&self->other_slots);
    size_t slot = hash_bytes(name_bytes(name), name->length) & (slots - 1);
    int32_t code;

    while ((code = ints(&self->other_slots)[slot]) != 0) {
        const tree_name *other = other_name(self, code - 1);
        if (other->length == name->length
            && memcmp(name_bytes(other), name_bytes(name), name->length) == 0) {
            break;
        }
        slot = (slot + 1) & (slots - 1);
    }
    return slot;
}

static int grow_slots(walk *self)
{
    size_t slots = count_ints(&self->other_slots) ? count_ints(&self->other_slots) * 2 : 64;
    size_t left = self->other_names.length / sizeof(tree_name *) - 1, code; /* 0 is no name */

    release(&self->other_slots);
    if (reserve(&self->other_slots, slots * sizeof(int32_t)) < 0) {
        return -1;
    }
    self->other_slots.length = slots * sizeof(int32_t);
    memset(self->other_slots.data, 0, self->other_slots.length);
    for (code = 1; left; code++) {
        if (ints(&self->tag_names)[code] < 0) {
            size_t slot = slot_of(self, other_name(self, (int32_t) code));
            ints(&self->other_slots)[slot] = (int32_t) code + 1;
            left--;
        }
    }
    return 0;
}

outcome code_of(walk *self, const tree_node *node, int position, int32_t *code)
{
    size_t slot, count;
    const tree_name *name;

    if (position == -2) {
        return UNKNOWN_TAG;
    }
    if (position >= 0) {
        if (self->code_of_known[position] == 0) {
            int32_t fresh = new_code(self, position);
            if (fresh < 0) {
                return NO_MEMORY;
            }
            self->code_of_known[position] = fresh + 1;
        }
        *code = self->code_of_known[position] - 1;
        return WALKED;
    }
    name = (const tree_name *) element_name(node);
    count = self->other_names.length / sizeof(tree_name *);
    if ((count + 1) * OTHER_NAMES_FULL > count_ints(&self->other_slots) && grow_slots(self) < 0) {
        return NO_MEMORY;
    }
    slot = slot_of(self, name);
    if (ints(&self->other_slots)[slot] == 0) {
        int32_t fresh = new_code(self, -1 - (int32_t) count);
        if (fresh < 0 || append(&self->other_names, &name, sizeof name) < 0) {
            return NO_MEMORY;
        }
        ints(&self->other_slots)[slot] = fresh + 1;
    }
    *code = ints(&self->other_slots)[slot] - 1;
    return WALKED;
}
