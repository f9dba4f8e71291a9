/* lexbor's own functions, borrowed from selectolax's extension.
 *
 * A parser of selectolax makes and frees all its memory for each page. One that is kept from page to
 * page does without, and can leave out what the walk never reads: the text of scripts and styles, and
 * most attributes (markup.h).
 */
#ifndef PAGECUT_LEXBOR_PARSER_H
#define PAGECUT_LEXBOR_PARSER_H

#include "lexbor_tree.h"

typedef struct kept_parser kept_parser;

/* Find the functions in the extension at a path, which must be loaded; whether all are there. */
int borrow_lexbor(const char *path);

/* A parser, a spare one if there is; NULL where there is no memory. Needs the GIL. */
kept_parser *take_parser(void);

/* Let a parser be spare again, unless the page was so large that it holds much. Needs the GIL. */
void give_parser(kept_parser *self, size_t size);

/* Parse a page; 0, or -1 where lexbor fails. What the parser made before is gone.
 *
 * Events are what fills <selectedcontent>. */
int parse_source(kept_parser *self, const unsigned char *source, size_t size, int events);

const tree_node *root_of(const kept_parser *self);
const tree_node *head_of(const kept_parser *self);

#endif
