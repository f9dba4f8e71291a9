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

static outcome keep(attribute_table *table, int32_t owner, int key, const tree_string *value)
{
    unsigned char key_byte = (unsigned char) key;
    int64_t end;

    if (value != NULL && value->data != NULL
        && append(&table->values, value->data, value->length) < 0) {
        return NO_MEMORY;
    }
    end = (int64_t) table->values.length;
    if (append_int(&table->owner, owner) < 0 || append(&table->key, &key_byte, 1) < 0
        || append(&table->end, &end, sizeof end) < 0) {
        return NO_MEMORY;
    }
    return WALKED;
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
        if ((bits & KEPT) && keep(&self->kept, self->rows, key, value) != WALKED) {
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
