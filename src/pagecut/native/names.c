#include "names.h"

#include <string.h>

name_table known_tags;
name_table known_attributes;

static uint64_t last_letter(const unsigned char *bytes, size_t length)
{
    return length ? (uint64_t) 1 << (bytes[length - 1] & 63) : 1;
}

int find_name(const name_table *table, const unsigned char *bytes, size_t length)
{
    size_t slot;

    if (!(table->last_letters[length % LENGTHS] & last_letter(bytes, length))) {
        return -1;
    }
    slot = hash_bytes(bytes, length) % NAME_SLOTS;
    while (table->slots[slot]) {
        int position = table->slots[slot] - 1;
        const known_name *name = &table->list[position];
        if (name->length == length && memcmp(name->bytes, bytes, length) == 0) {
            return position;
        }
        slot = (slot + 1) % NAME_SLOTS;
    }
    return -1;
}

int add_name(name_table *table, const unsigned char *bytes, size_t length, name_bits bits)
{
    int position = find_name(table, bytes, length);
    size_t slot;

    if (position >= 0) {
        table->list[position].bits |= bits;
        return position;
    }
    if (table->count == MOST_NAMES) {
        return -1;
    }
    position = table->count++;
    table->list[position].bytes = bytes;
    table->list[position].length = length;
    table->list[position].bits = bits;
    table->last_letters[length % LENGTHS] |= last_letter(bytes, length);
    slot = hash_bytes(bytes, length) % NAME_SLOTS;
    while (table->slots[slot]) {
        slot = (slot + 1) % NAME_SLOTS;
    }
    table->slots[slot] = (int16_t) (position + 1);
    return position;
}
