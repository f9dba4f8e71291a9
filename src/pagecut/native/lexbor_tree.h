/* The parts of lexbor's tree that the walk reads, as selectolax lays them out in memory.
 *
 * The layout is lexbor's own and may change with any release: `native_walk.py` names the versions of
 * selectolax that have this one, and checks it on a small document before it is used.
 */
#ifndef PAGECUT_LEXBOR_TREE_H
#define PAGECUT_LEXBOR_TREE_H

#include <stddef.h>
#include <stdint.h>

enum { NODE_ELEMENT = 1, NODE_TEXT = 3 };

/* What `local_name` holds for a text and a comment; elements begin above. */
enum { NAME_OF_TEXT = 2, NAME_OF_COMMENT = 4 };

/* Names that lexbor knows are small numbers, all others addresses of a `tree_name`. */
enum { KNOWN_NAMES = 2048 };

/* Up to so many bytes, a name is stored in place. */
enum { SHORT_NAME = 16 };

typedef struct tree_node tree_node;
struct tree_node {
    void *events;
    uintptr_t local_name;
    uintptr_t prefix;
    uintptr_t name_space;
    void *document;
    tree_node *next;
    tree_node *prev;
    tree_node *parent;
    tree_node *first_child;
    tree_node *last_child;
    void *user;
    int type;
};

typedef struct {
    unsigned char *data;
    size_t length;
} tree_string;

typedef struct {
    tree_node node;
    tree_string data;
} tree_text;

typedef struct tree_attribute tree_attribute;

/* Only the beginning: what follows is not read. */
typedef struct {
    tree_node node;
    uintptr_t upper_name;
    uintptr_t qualified_name; /* 0 where it is the local name */
    tree_string *is_value;
    tree_attribute *first_attribute;
} tree_element;

struct tree_attribute {
    tree_node node;
    uintptr_t upper_name;
    uintptr_t qualified_name; /* 0 where it is the local name */
    tree_string *value; /* NULL where there is none */
    void *owner;
    tree_attribute *next;
    tree_attribute *prev;
};

typedef struct {
    union {
        unsigned char *far;
        unsigned char near[SHORT_NAME + 1];
    } at;
    size_t length;
} tree_name;

static inline const unsigned char *name_bytes(const tree_name *name)
{
    return name->length <= SHORT_NAME ? name->at.near : name->at.far;
}

static inline int is_element(const tree_node *node)
{
    return node->type == NODE_ELEMENT;
}

static inline uintptr_t element_name(const tree_node *node)
{
    const tree_element *element = (const tree_element *) node;
    return element->qualified_name ? element->qualified_name : node->local_name;
}

static inline uintptr_t attribute_name(const tree_attribute *attribute)
{
    return attribute->qualified_name ? attribute->qualified_name : attribute->node.local_name;
}

static inline tree_attribute *first_attribute(const tree_node *node)
{
    return ((const tree_element *) node)->first_attribute;
}

/* The data of a text node; nothing for any other. */
static inline tree_string text_data(const tree_node *node)
{
    tree_string nothing = {NULL, 0};
    if (node->type != NODE_TEXT || ((const tree_text *) node)->data.data == NULL) {
        return nothing;
    }
    return ((const tree_text *) node)->data;
}

#endif
