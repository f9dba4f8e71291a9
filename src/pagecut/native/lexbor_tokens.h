/* lexbor's tokenizer and tokens, as selectolax lays them out in memory: see lexbor_tree.h. */
#ifndef PAGECUT_LEXBOR_TOKENS_H
#define PAGECUT_LEXBOR_TOKENS_H

#include "lexbor_tree.h"

typedef struct tokenizer tokenizer;
typedef struct token token;
typedef struct token_attribute token_attribute;

/* Reads on from a place in the source, up to the place that it gives. */
typedef const unsigned char *(*state_function)(tokenizer *, const unsigned char *,
                                               const unsigned char *);
typedef token *(*token_function)(tokenizer *, token *, void *);

enum { END_TAG = 1, CLOSES_ITSELF = 2 };

/* Only the beginnings of this and the next: what follows is not read. */
struct tokenizer {
    state_function state;
    state_function state_return;
    token_function done;
    void *done_context;
    void *tags;
    void *attributes;
    void *values;
    void *memory;
    token *read;
    void *token_memory;
    void *attribute_memory;
    void *errors;
    void *tree;
    const unsigned char *markup;
    const unsigned char *temporary;
    uintptr_t temporary_tag;
    unsigned char *text; /* what is being collected */
    unsigned char *text_end;
};

typedef struct {
    tree_name name;
    void *next;
    uintptr_t number;
} named;

struct token {
    const unsigned char *begin; /* of a tag: its name in the source */
    const unsigned char *end;
    const unsigned char *text_begin;
    const unsigned char *text_end;
    token_attribute *first;
    token_attribute *last;
    void *base;
    size_t zeros;
    uintptr_t tag;
    int type;
};

struct token_attribute {
    const unsigned char *name_begin;
    const unsigned char *name_end;
    const unsigned char *value_begin; /* NULL where it has no value */
    const unsigned char *value_end;
    const named *name;
    unsigned char *value;
    size_t length;
    token_attribute *next;
    token_attribute *prev;
    int type;
};

#endif
