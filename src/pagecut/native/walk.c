#include "walk.h"

#include <limits.h>

#include "characters.h"
#include "folding.h"

enum { MOST_SOURCES = 32 }; /* of one <picture>, as in `tree_walk.py` */

/* Nodes lie scattered; waiting for them is most of the work. */
#if defined(__GNUC__)
#define PREFETCH(address) __builtin_prefetch(address)
#else
#define PREFETCH(address) ((void) 0)
#endif

#define OPEN_AT(self, i) (&((open_element *) (self)->open.data)[i])
#define LAST(self, column) ((self)->rows.column[(self)->rows.count - 1])

/* Count a child with a tag; its number among those. The parent's close puts back what was there. */
static int32_t count_child(walk *self, int32_t parent, int32_t code)
{
    int32_t *owner = &ints(&self->counted_for)[code], *count = &ints(&self->counted)[code];

    if (*owner != parent) {
        tag_count saved = {code, *owner, *count};
        if (append(&self->saved_counts, &saved, sizeof saved) < 0) {
            return -1;
        }
        *owner = parent;
        *count = 0;
    }
    return ++*count;
}

static void restore_counts(walk *self, size_t length)
{
    while (self->saved_counts.length > length) {
        const tag_count *saved;
        self->saved_counts.length -= sizeof(tag_count);
        saved = (const tag_count *) (self->saved_counts.data + self->saved_counts.length);
        ints(&self->counted_for)[saved->code] = saved->parent;
        ints(&self->counted)[saved->code] = saved->count;
    }
}

static inline outcome add_row(walk *self, int kind, int32_t code, const open_element *inside,
                              int32_t depth, int32_t ordinal, unsigned char hidden)
{
    row_columns *rows = &self->rows;
    int32_t row = rows->count;

    if (row >= self->most_nodes || row == INT32_MAX - 1) {
        return TOO_MANY_NODES;
    }
    if (row == rows->capacity && grow_rows(rows) < 0) {
        return NO_MEMORY;
    }
    rows->tag[row] = code;
    rows->parent[row] = inside->row;
    rows->subtree_end[row] = row + 1;
    rows->depth[row] = depth;
    rows->ordinal[row] = ordinal;
    rows->start[row] = rows->end[row] = -1;
    rows->kind[row] = (unsigned char) kind;
    rows->hidden[row] = hidden;
    rows->count++;
    return WALKED;
}

/* Write the separator that is owed before a leaf. */
static outcome settle_debt(walk *self)
{
    if (self->owed && self->text.length && self->text.data[self->text.length - 1] != '\n') {
        if (append(&self->text, &self->owed, 1) < 0) {
            return NO_MEMORY;
        }
        self->length++;
    }
    self->owed = 0;
    return WALKED;
}

/* Let the last row be the leaf whose `points` characters were appended last. */
static outcome close_leaf(walk *self, int64_t points)
{
    if (self->length + points > INT32_MAX) {
        return TEXT_TOO_LONG;
    }
    LAST(self, start) = (int32_t) self->length;
    self->length += points;
    LAST(self, end) = self->last_end = (int32_t) self->length;
    self->leaves++;
    return WALKED;
}

static void owe_space(walk *self)
{
    if (!self->owed) {
        self->owed = ' ';
    }
}

static outcome add_text(walk *self, const tree_node *node, open_element *inside, int32_t depth)
{
    tree_string content = text_data(node);
    ptrdiff_t points;
    size_t first = 0;
    outcome done;

    inside->texts++;
    if (inside->mute) {
        return WALKED;
    }
    if (inside->preserve) {
        if (content.length == 0) {
            return WALKED;
        }
    } else if (content.length == 0 || is_white(content.data[0])) {
        const unsigned char *end = content.data + content.length;
        owe_space(self);
        first = content.length ? (size_t) (skip_white(content.data, end) - content.data) : 0;
        if (first == content.length) {
            return WALKED;
        }
    }
    done = add_row(self, TEXT_ROW, 0, inside, depth, inside->texts, inside->hidden);
    if (done == WALKED) {
        done = settle_debt(self);
    }
    if (done != WALKED) {
        return done;
    }
    points = inside->preserve ? copy_into(&self->text, content.data, content.length)
                              : fold_into(&self->text, content.data + first, content.length - first);
    if (points < 0) {
        return NO_MEMORY;
    }
    done = close_leaf(self, points);
    if (!inside->preserve && is_white(content.data[content.length - 1])) {
        self->owed = ' ';
    }
    return done;
}

static void close_element(walk *self, int32_t row, size_t leaves, name_bits bits)
{
    self->rows.subtree_end[row] = self->rows.count;
    if (self->leaves > leaves) {
        self->rows.end[row] = self->last_end;
    }
    if (bits & LINE_BREAKING) {
        self->owed = '\n';
    } else if (bits & WORD_BREAKING) {
        owe_space(self);
    } else if (bits & LINK) {
        self->link_end = self->length;
    }
}

/* Note a <source> of a <picture>; the sources of one stay together, others may come between. */
static int note_source(walk *self, const tree_node *node, open_element *inside)
{
    int32_t set;

    if (inside->first_source < 0) {
        inside->first_source = (int32_t) count_ints(&self->source_sets);
        if (reserve(&self->source_sets, MOST_SOURCES * sizeof(int32_t)) < 0) {
            return -1;
        }
        memset(self->source_sets.data + self->source_sets.length, 0,
               MOST_SOURCES * sizeof(int32_t));
        self->source_sets.length += MOST_SOURCES * sizeof(int32_t);
    }
    if (inside->sources < MOST_SOURCES) {
        set = describe(self, node);
        if (set < 0) {
            return -1;
        }
        ints(&self->source_sets)[inside->first_source + inside->sources++] = set;
    }
    return 0;
}

/* Whether an element is an image row; `*described` is the element whose attributes describe it. */
static outcome judge_image(walk *self, const tree_node *node, name_bits bits, const traits *found,
                           open_element *inside, int *is_image, const tree_node **described)
{
    *is_image = 0;
    *described = node;
    if (bits & IMG) {
        *is_image = 1;
        if (node == self->searched_image) {
            self->searched = NULL; /* what follows may hold others */
        }
    } else if ((bits & SOURCE) && (inside->bits & PICTURE)) {
        if (note_source(self, node, inside) < 0) {
            return NO_MEMORY;
        }
    } else if (bits & INPUT) {
        *is_image = found->typed_image;
    } else if (bits & DRAWN_IMAGE) {
        *is_image = inside->foreign;
    } else if (bits & AMP_IMG) {
        *is_image = !holds_image(self, node);
    } else if (bits & VIDEO) {
        *is_image = found->has_poster && !holds_image(self, node);
    } else if (bits & NOSCRIPT) {
        return judge_noscript(self, node, is_image, described);
    }
    return WALKED;
}

/* Add a row for an element; `*entered` where its children count, who find it open then. */
static outcome add_element(walk *self, const tree_node *node, size_t level, int *entered)
{
    open_element *inside = OPEN_AT(self, level);
    const tree_node *described;
    traits found = {0, 0, 0, 0, 0};
    int position = known_tag(node), is_image;
    name_bits bits = position >= 0 ? known_tags.list[position].bits : 0;
    int32_t code, ordinal, row;
    size_t leaves = self->leaves;
    open_element opened;
    outcome done;

    *entered = 0;
    if ((int64_t) level > self->most_depth) {
        return TOO_DEEP;
    }
    if (first_attribute(node) != NULL && read_attributes(self, node, &found) != WALKED) {
        return NO_MEMORY;
    }
    if (found.composing && (bits & CARRIER)) {
        self->composed = 1;
    }
    found.hidden |= inside->hidden;
    if ((bits & DIALOG) && !found.open) {
        found.hidden |= BY_ATTRIBUTE;
    }
    if (bits & LINE_BREAKING) {
        self->owed = '\n';
    } else if ((bits & WORD_BREAKING) || ((bits & LINK) && self->link_end == self->length)) {
        owe_space(self);
    }
    done = judge_image(self, node, bits, &found, inside, &is_image, &described);
    if (done == WALKED) {
        done = code_of(self, node, position, &code);
    }
    if (done != WALKED) {
        return done;
    }
    ordinal = count_child(self, inside->row, code);
    if (ordinal < 0) {
        return NO_MEMORY;
    }
    row = self->rows.count;
    done = add_row(self, is_image ? IMAGE_ROW : ELEMENT_ROW, code, inside, (int32_t) level,
                   ordinal, found.hidden);
    if (done == WALKED && is_image) {
        done = settle_debt(self);
        if (done == WALKED && append(&self->text, "\xef\xbf\xbc", 3) < 0) {
            done = NO_MEMORY;
        }
        if (done == WALKED) {
            done = close_leaf(self, 1);
        }
        if (done == WALKED) {
            done = add_image(self, row, node, described, inside);
        }
    }
    if (done != WALKED) {
        return done;
    }
    if (is_image || (bits & OPAQUE) || node->first_child == NULL) {
        close_element(self, row, leaves, bits);
        return WALKED;
    }
    opened.node = node;
    opened.row = row;
    opened.texts = 0;
    opened.leaves = leaves;
    opened.counts = self->saved_counts.length;
    opened.first_source = -1;
    opened.sources = 0;
    opened.bits = bits;
    opened.code = code;
    opened.hidden = found.hidden;
    opened.mute = inside->mute || (bits & MUTE) || (inside->foreign && (bits & FOREIGN_MUTE));
    opened.preserve = inside->preserve || (bits & PRESERVING) != 0;
    opened.foreign = (bits & FOREIGN_ROOT) || (inside->foreign && !(bits & HTML_ISLAND));
    *entered = 1;
    return append(&self->open, &opened, sizeof opened) < 0 ? NO_MEMORY : WALKED;
}

/* An element starts where its first leaf does; without leaves it is an empty range. */
static void settle_ranges(walk *self)
{
    int32_t *start = self->rows.start, *end = self->rows.end;
    int32_t following = (int32_t) self->length, row;

    for (row = self->rows.count - 1; row >= 0; row--) {
        if (self->rows.kind[row] != ELEMENT_ROW) {
            following = start[row];
        } else {
            start[row] = following;
            if (end[row] < 0) {
                end[row] = following;
            }
        }
    }
}

static void read_head(walk *self, const tree_node *head)
{
    const tree_node *child, *text;
    const tree_attribute *each;

    for (child = head->first_child; child != NULL; child = child->next) {
        name_bits bits = tag_bits(child);
        if ((bits & TITLE) && self->title == NULL) {
            text = child->first_child;
            if (text != NULL && has_ink(text_data(text).data, text_data(text).length)) {
                self->title = text_data(text).data;
                self->title_length = text_data(text).length;
            }
        } else if ((bits & BASE) && self->base == NULL) {
            for (each = first_attribute(child); each != NULL; each = each->next) {
                int key = attribute_key(each);
                if (key >= 0 && (known_attributes.list[key].bits & HREF)
                    && each->value != NULL && each->value->data != NULL) {
                    self->base = each->value;
                }
            }
        }
    }
}

outcome walk_tree(walk *self, const tree_node *root, const tree_node *head)
{
    open_element outside;
    const tree_node *node = root;
    size_t level = 0;
    outcome done = WALKED;

    memset(&outside, 0, sizeof outside);
    outside.row = -1;
    outside.first_source = -1;
    self->link_end = -1;
    /* Code 0 is that of texts. */
    if (new_code(self, -1) < 0 || append(&self->other_names, "\0\0\0\0\0\0\0", sizeof(void *)) < 0
        || append(&self->open, &outside, sizeof outside) < 0) {
        return NO_MEMORY;
    }
    while (node != NULL) {
        int entered = 0;
        PREFETCH(node->next);
        PREFETCH(node->first_child);
        if (node->local_name == NAME_OF_TEXT) {
            done = add_text(self, node, OPEN_AT(self, level), (int32_t) level);
        } else if (is_element(node)) {
            done = add_element(self, node, level, &entered);
        }
        if (done != WALKED) {
            return done;
        }
        if (entered) {
            level++;
            node = node->first_child;
            continue;
        }
        while (level > 0 && node->next == NULL) {
            open_element *closing = OPEN_AT(self, level);
            close_element(self, closing->row, closing->leaves, closing->bits);
            restore_counts(self, closing->counts);
            node = closing->node;
            self->open.length -= sizeof(open_element);
            level--;
        }
        node = level > 0 ? node->next : NULL;
    }
    settle_ranges(self);
    if (head != NULL) {
        read_head(self, head);
    }
    return settle_fallbacks(self);
}

void expect(walk *self, size_t source, size_t tags)
{
    size_t rows = 2 * tags + 64; /* a text for each element */
    size_t most = (size_t) (self->most_nodes < INT32_MAX - 1 ? self->most_nodes : INT32_MAX - 1);
    int missing = reserve(&self->text, source / 8) | reserve(&self->kept.values, source / 8)
                  | reserve_rows(&self->rows, (int32_t) (rows < most ? rows : most));

    (void) missing; /* the next append says so */
}

void release_walk(walk *self)
{
    buffer *all[] = {
        &self->text, &self->tag_names, &self->other_names, &self->other_slots, &self->counted_for,
        &self->counted, &self->saved_counts, &self->open, &self->image_row, &self->image_set,
        &self->image_fallback, &self->image_first_source, &self->image_sources,
        &self->image_node, &self->source_sets, &self->fallback_node, &self->fallback_set,
    };
    size_t i;

    for (i = 0; i < sizeof all / sizeof *all; i++) {
        release(all[i]);
    }
    free(self->rows.block);
    release_table(&self->kept);
    release_table(&self->described);
}
