#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "folding.h"
#include "module.h"
#include "walk.h"

/* Wrappers around an <img> that is still beside a <noscript>. */
enum { MOST_WRAPPERS = 4 };

static int is_below(const tree_node *node, const tree_node *above)
{
    for (node = node->parent; node != NULL; node = node->parent) {
        if (node == above) {
            return 1;
        }
    }
    return 0;
}

/* The first <img> below a node that is below no element with one of `closed` bits. */
static const tree_node *first_image(const tree_node *top, name_bits closed)
{
    const tree_node *node = top->first_child;

    while (node != NULL) {
        name_bits bits = tag_bits(node);
        if (bits & IMG) {
            return node;
        }
        if (node->first_child != NULL && !(bits & closed)) {
            node = node->first_child;
            continue;
        }
        while (node->next == NULL) {
            node = node->parent;
            if (node == top || node == NULL) {
                return NULL;
            }
        }
        node = node->next;
    }
    return NULL;
}

int holds_image(walk *self, const tree_node *node)
{
    /* Inside what was searched last, and before the image found there, nothing is left to search:
     * so that elements nested in each other are not searched again and again. */
    if (self->searched != NULL && is_below(node, self->searched)) {
        return self->searched_image != NULL && is_below(self->searched_image, node);
    }
    self->searched = node;
    self->searched_image = first_image(node, OPAQUE);
    return self->searched_image != NULL;
}

static const tree_node *sibling(const tree_node *node, int forward)
{
    return forward ? node->next : node->prev;
}

/* The <img> that is the next (or previous) sibling, alone in up to three wrappers. */
static const tree_node *image_beside(const tree_node *node, int forward)
{
    const tree_node *beside = sibling(node, forward);
    int i;

    while (beside != NULL && !is_element(beside)) {
        tree_string content = text_data(beside);
        if (has_ink(content.data, content.length)) {
            return NULL;
        }
        beside = sibling(beside, forward);
    }
    for (i = 0; i < MOST_WRAPPERS; i++) {
        name_bits bits = beside == NULL ? 0 : tag_bits(beside);
        if (beside == NULL || (bits & IMG)) {
            return beside;
        }
        if (bits & OPAQUE) {
            return NULL;
        }
        beside = beside->first_child;
        while (beside != NULL && (beside->type == NODE_TEXT || (tag_bits(beside) & SOURCE))) {
            beside = beside->next;
        }
    }
    return NULL;
}

static PyObject *attributes_of(const tree_node *node)
{
    const tree_attribute *each;
    PyObject *result = PyDict_New();

    for (each = first_attribute(node); result != NULL && each != NULL; each = each->next) {
        int key = attribute_key(each);
        PyObject *value;
        if (key < 0 || !(known_attributes.list[key].bits & OF_IMAGES)) {
            continue;
        }
        value = each->value == NULL || each->value->data == NULL
                    ? PyUnicode_New(0, 0)
                    : PyUnicode_DecodeUTF8((const char *) each->value->data,
                                           (Py_ssize_t) each->value->length, "replace");
        if (value == NULL
            || PyDict_SetItem(result, PyTuple_GET_ITEM(attribute_names, key), value) < 0) {
            Py_CLEAR(result);
        }
        Py_XDECREF(value);
    }
    return result;
}

/* As `images._looks_like_url` of a value without what surrounds it; sure of a yes only. */
static int looks_like_url(const tree_string *value)
{
    const unsigned char *at, *end;

    if (value == NULL || value->data == NULL) {
        return 0;
    }
    at = value->data;
    end = at + value->length;
    while (at < end && *at <= ' ') {
        at++;
    }
    while (end > at && end[-1] <= ' ') {
        end--;
    }
    return end - at > 4 * 3 && *at != '{' && *at != '[' && *at != '<'
           && memchr(at, ' ', (size_t) (end - at)) == NULL
           && (memchr(at, '/', (size_t) (end - at)) != NULL
               || memchr(at, '.', (size_t) (end - at)) != NULL);
}

/* Whether `noscript.is_lazy` surely says yes: a script loads the image, and no other source can be
 * better. This is what most fallbacks are for. */
static int is_surely_lazy(const tree_node *image)
{
    const tree_attribute *each;
    int lazy = 0;

    for (each = first_attribute(image); each != NULL; each = each->next) {
        int key = attribute_key(each);
        name_bits bits = key < 0 ? 0 : known_attributes.list[key].bits;
        if (bits & SRCSET) {
            return 0;
        }
        lazy = lazy || ((bits & LAZY_SOURCE) && looks_like_url(each->value));
    }
    return lazy;
}

/* Whether a fallback stands in for an image: 1, 0, or -1 for a Python error. */
static int stands_in(walk *self, const tree_node *image, const tree_node *fallback)
{
    PyObject *own, *other, *answer = NULL;
    int result = -1;

    if (is_surely_lazy(image)) {
        return 1;
    }
    PyEval_RestoreThread(self->thread);
    own = attributes_of(image);
    other = attributes_of(fallback);
    if (own != NULL && other != NULL) {
        answer = PyObject_CallFunctionObjArgs((PyObject *) self->is_lazy, own, other, NULL);
    }
    if (answer != NULL) {
        result = PyObject_IsTrue(answer);
    }
    Py_XDECREF(own);
    Py_XDECREF(other);
    Py_XDECREF(answer);
    self->thread = PyEval_SaveThread();
    return result;
}

outcome judge_noscript(walk *self, const tree_node *node, int *is_image,
                       const tree_node **fallback)
{
    int forward;

    *fallback = first_image(node, 0);
    *is_image = 0;
    if (*fallback == NULL) {
        return WALKED;
    }
    for (forward = 0; forward < 2; forward++) {
        const tree_node *beside = image_beside(node, forward);
        int lazy = beside == NULL ? 0 : stands_in(self, beside, *fallback);
        if (lazy < 0) {
            return FAILED;
        }
        if (lazy) {
            int32_t set = describe(self, *fallback);
            if (set < 0 || append(&self->fallback_node, &beside, sizeof beside) < 0
                || append_int(&self->fallback_set, set) < 0) {
                return NO_MEMORY;
            }
            return WALKED;
        }
    }
    *is_image = 1;
    return WALKED;
}

outcome add_image(walk *self, int32_t row, const tree_node *node, const tree_node *described,
                  const open_element *inside)
{
    int32_t set = describe(self, described);
    int in_picture = (inside->bits & PICTURE) && inside->sources;

    if (set < 0 || append_int(&self->image_row, row) < 0 || append_int(&self->image_set, set) < 0
        || append_int(&self->image_fallback, -1) < 0
        || append_int(&self->image_first_source, in_picture ? inside->first_source : 0) < 0
        || append_int(&self->image_sources, in_picture ? inside->sources : 0) < 0
        || append(&self->image_node, &node, sizeof node) < 0) {
        return NO_MEMORY;
    }
    return WALKED;
}

outcome settle_fallbacks(walk *self)
{
    const tree_node **images = (const tree_node **) self->image_node.data;
    const tree_node **wanted = (const tree_node **) self->fallback_node.data;
    size_t count = count_ints(&self->image_row), fallbacks = count_ints(&self->fallback_set);
    size_t slots = 64, i, slot;
    int32_t *table;

    if (fallbacks == 0) {
        return WALKED;
    }
    while (slots < 2 * count) {
        slots *= 2;
    }
    table = calloc(slots, sizeof *table);
    if (table == NULL) {
        return NO_MEMORY;
    }
    for (i = 0; i < count; i++) {
        slot = ((uintptr_t) images[i] >> 4) * 0x9e3779b97f4a7c15u >> 20 & (slots - 1);
        while (table[slot]) {
            slot = (slot + 1) & (slots - 1);
        }
        table[slot] = (int32_t) i + 1;
    }
    for (i = 0; i < fallbacks; i++) {
        slot = ((uintptr_t) wanted[i] >> 4) * 0x9e3779b97f4a7c15u >> 20 & (slots - 1);
        while (table[slot] && images[table[slot] - 1] != wanted[i]) {
            slot = (slot + 1) & (slots - 1);
        }
        if (table[slot]) {
            ints(&self->image_fallback)[table[slot] - 1] = ints(&self->fallback_set)[i];
        }
    }
    free(table);
    return WALKED;
}
