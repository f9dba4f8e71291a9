#include "characters.h"
#include "folding.h"
#include "walk.h"

static int is_true(const tree_string *value, const char *word)
{
    size_t i, length = strlen(word);

    if (value == NULL || value->data == NULL || value->length != length) {
        return 0;
    }
    for (i = 0; i < length; i++) {
        if (lower(value->data[i]) != (unsigned char) word[i]) {
            return 0;
        }
    }
    return 1;
}

static int grow_table(attribute_table *table)
{
    size_t capacity = table->capacity * 2 + 64;
    int32_t *owner = realloc(table->owner, capacity * sizeof *owner);
    unsigned char *key = owner == NULL ? NULL : realloc(table->key, capacity);
    int64_t *end = key == NULL ? NULL : realloc(table->end, capacity * sizeof *end);

    table->owner = owner == NULL ? table->owner : owner;
    table->key = key == NULL ? table->key : key;
    if (end == NULL) {
        return -1;
    }
    table->end = end;
    table->capacity = capacity;
    return 0;
}

static inline outcome keep(attribute_table *table, int32_t owner, int key,
                           const tree_string *value)
{
    if (value != NULL && value->data != NULL) {
        if (reserve(&table->values, value->length) < 0) {
            return NO_MEMORY;
        }
        copy_bytes(table->values.data + table->values.length, value->data, value->length);
        table->values.length += value->length;
    }
    if (table->count == table->capacity && grow_table(table) < 0) {
        return NO_MEMORY;
    }
    table->owner[table->count] = owner;
    table->key[table->count] = (unsigned char) key;
    table->end[table->count] = (int64_t) table->values.length;
    table->count++;
    return WALKED;
}

void release_table(attribute_table *table)
{
    free(table->owner);
    free(table->key);
    free(table->end);
    release(&table->values);
}

outcome read_attributes(walk *self, const tree_node *node, traits *found)
{
    const tree_attribute *each;

    for (each = first_attribute(node); each != NULL; each = each->next) {
        int key = attribute_key(each);
        name_bits bits;
        const tree_string *value = each->value;
        if (key < 0) {
            continue;
        }
        bits = known_attributes.list[key].bits;
        if ((bits & KEPT) && keep(&self->kept, self->rows.count, key, value) != WALKED) {
            return NO_MEMORY;
        }
        if (bits & HIDDEN) {
            if (value == NULL || value->data == NULL || value->length != 11
                || memcmp(value->data, "until-found", 11) != 0) {
                found->hidden |= BY_ATTRIBUTE;
            }
        } else if (bits & ARIA_HIDDEN) {
            if (is_true(value, "true")) {
                found->hidden |= FROM_ARIA;
            }
        } else if (bits & STYLE) {
            if (value != NULL && value->data != NULL && style_hides(value->data, value->length)) {
                found->hidden |= BY_STYLE;
            }
        } else if (bits & OPEN) {
            found->open = 1;
        } else if (bits & TYPE) {
            found->typed_image = (unsigned char) is_true(value, "image");
        } else if (bits & POSTER) {
            found->has_poster = value != NULL && value->data != NULL && value->length;
        } else if (bits & COMPOSING) {
            found->composing = value != NULL && value->length;
        }
    }
    return WALKED;
}

int32_t describe(walk *self, const tree_node *node)
{
    const tree_attribute *each;

    for (each = first_attribute(node); each != NULL; each = each->next) {
        int key = attribute_key(each);
        if (key >= 0 && (known_attributes.list[key].bits & OF_IMAGES)
            && keep(&self->described, self->sets, key, each->value) != WALKED) {
            return -1;
        }
    }
    return self->sets++;
}
