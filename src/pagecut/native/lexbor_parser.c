#include "lexbor_parser.h"

#include <stdlib.h>
#include <string.h>

#include "characters.h"
#include "markup.h"

#if defined(__unix__) || defined(__APPLE__)
#include <dlfcn.h>
#define HAS_LOADER
#endif

enum { LEXBOR_OK = 0, WITHOUT_EVENTS = 1 };
enum { MOST_SPARE = 4 };
/* What a page made grow (its errors, its longest text) stays with its parser. */
enum { LARGE_SOURCE = 256 << 10 };
/* Memory comes in pieces of these sizes, of which a spare parser keeps one each. */
enum { NODE_MEMORY = 2 << 20, TEXT_MEMORY = 512 << 10 };

typedef struct {
    tree_node node;
    int quirks; /* lexbor leaves it as it was when a document is cleaned */
} document;

typedef struct {
    void *memory;
} allocator;

struct kept_parser {
    markup markup; /* first: its address is the tokenizer's context */
    document *page;
    void *parser;
    tokenizer *words;
    int used; /* since it was cleaned */
    int failed;
    int events;
};

static struct {
    document *(*create_document)(void);
    void (*clean_document)(document *);
    void *(*destroy_document)(document *);
    void (*set_options)(document *, int);
    allocator *(*node_allocator)(document *);
    allocator *(*text_allocator)(document *);
    tree_node *(*root)(document *);
    tree_node *(*head)(document *);
    void *(*create_parser)(void);
    unsigned (*start_parser)(void *);
    void (*clean_parser)(void *);
    void *(*destroy_parser)(void *);
    tokenizer *(*tokenizer_of)(void *);
    unsigned (*prepare)(void *, document *);
    unsigned (*process)(void *, const unsigned char *, size_t);
    unsigned (*finish)(void *);
    void (*call_when_done)(tokenizer *, token_function, void *);
    void *(*destroy_memory)(void *, _Bool);
    unsigned (*start_memory)(void *, size_t);
    state_function before_script;
    state_function before_raw_text;
    markup_functions for_markup;
} lexbor;

static kept_parser *spare[MOST_SPARE];
static int count_of_spare;

#if defined(HAS_LOADER)
int borrow_lexbor(const char *path)
{
    static const char *const names[] = {
        "lxb_html_document_create",
        "lxb_html_document_clean",
        "lxb_html_document_destroy",
        "lxb_html_document_dom_opt_set_noi",
        "lxb_html_document_mraw_noi",
        "lxb_html_document_mraw_text_noi",
        "lxb_dom_document_root",
        "lxb_html_document_head_element_noi",
        "lxb_html_parser_create",
        "lxb_html_parser_init",
        "lxb_html_parser_clean",
        "lxb_html_parser_destroy",
        "lxb_html_parser_tokenizer_noi",
        "lxb_html_parse_chunk_prepare",
        "lxb_html_parse_chunk_process",
        "lxb_html_parse_chunk_end",
        "lxb_html_tokenizer_callback_token_done_set_noi",
        "lexbor_mem_destroy",
        "lexbor_mem_init",
        "lxb_html_tokenizer_state_script_data_before",
        "lxb_html_tokenizer_state_rawtext_before",
        "lxb_html_tokenizer_state_data_before",
        "lxb_html_tokenizer_state_before_attribute_name",
        "lxb_tag_append_lower",
        "lxb_dom_attr_local_name_append",
    };
    void *functions[sizeof names / sizeof *names];
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    size_t i;

    _Static_assert(sizeof functions == sizeof lexbor, "a name for each function");
    if (library == NULL) {
        return 0;
    }
    for (i = 0; i < sizeof names / sizeof *names; i++) {
        functions[i] = dlsym(library, names[i]);
        if (functions[i] == NULL) {
            return 0;
        }
    }
    memcpy(&lexbor, functions, sizeof lexbor);
    return 1;
}
#else
int borrow_lexbor(const char *path)
{
    (void) path;
    return 0;
}
#endif

/* Where the end tag of a style begins, or `end`. */
static const unsigned char *find_style_end(const unsigned char *p, const unsigned char *end)
{
    while (p < end && (p = memchr(p, '<', (size_t) (end - p))) != NULL) {
        if (stands(p, end, "</style")) {
            return p;
        }
        p++;
    }
    return end;
}

/* The place after the end of a comment in a script that is open at `p`; NULL if there is none. */
static const unsigned char *after_script_comment(const unsigned char *p, const unsigned char *end)
{
    while (p < end && (p = memchr(p, '>', (size_t) (end - p))) != NULL) {
        if (p[-1] == '-' && p[-2] == '-') {
            return p + 1;
        }
        p++;
    }
    return NULL;
}

/* Where the end tag of a script begins, or `end`.
 *
 * In a comment a <script> hides the next end tag: such a comment is lexbor's to read. */
static const unsigned char *find_script_end(const unsigned char *p, const unsigned char *end)
{
    const unsigned char *comment = NULL; /* the last one, which may have ended before `p` */

    while (p < end && (p = memchr(p, '<', (size_t) (end - p))) != NULL) {
        if (stands(p, end, "</script")) {
            int ends = is_white(p[8]) || p[8] == '/' || p[8] == '>';
            return ends || comment == NULL ? p : comment;
        }
        if (comment != NULL && (stands(p, end, "<script") || stands(p, end, "<!--"))) {
            const unsigned char *after = after_script_comment(comment + 4, p);
            if (after == NULL) {
                return comment;
            }
            comment = NULL;
        }
        if (comment == NULL && stands(p, end, "<!--")) {
            comment = p;
        }
        p++;
    }
    return end;
}

/* States of the tokenizer: what comes before the end tag is text, which nobody reads. The page's end,
 * a zero, is lexbor's. */

static const unsigned char *skip_script(tokenizer *self, const unsigned char *p,
                                        const unsigned char *end)
{
    self->state = lexbor.before_script;
    return *p == 0 ? p : find_script_end(p, end);
}

static const unsigned char *skip_style(tokenizer *self, const unsigned char *p,
                                       const unsigned char *end)
{
    self->state = lexbor.before_raw_text;
    return *p == 0 ? p : find_style_end(p, end);
}

/* Let lexbor have the token; then see what it wants to read next. */
static token *token_done(tokenizer *self, token *read, void *context)
{
    kept_parser *kept = context;
    const unsigned char *name = read->begin;
    token *next = kept->markup.done(self, read, kept->markup.done_context);

    if (self->state == lexbor.before_script) {
        self->state = skip_script;
    } else if (self->state == lexbor.before_raw_text && name != NULL
               && stands(name, name + 5, "style")) { /* the source ends with a zero */
        self->state = skip_style;
    } else if (self->state == lexbor.for_markup.before_data && !kept->events) {
        self->state = read_markup;
    }
    return next;
}

static int resize(allocator *memory, size_t size)
{
    lexbor.destroy_memory(memory->memory, 0);
    return lexbor.start_memory(memory->memory, size) == LEXBOR_OK ? 0 : -1;
}

static void destroy(kept_parser *self)
{
    if (self->page != NULL) {
        lexbor.destroy_document(self->page);
    }
    if (self->parser != NULL) {
        lexbor.destroy_parser(self->parser);
    }
    free(self);
}

kept_parser *take_parser(void)
{
    kept_parser *self;

    if (count_of_spare) {
        return spare[--count_of_spare];
    }
    self = calloc(1, sizeof *self);
    if (self == NULL) {
        return NULL;
    }
    self->page = lexbor.create_document();
    self->parser = lexbor.create_parser();
    if (self->page == NULL || self->parser == NULL
        || lexbor.start_parser(self->parser) != LEXBOR_OK
        || resize(lexbor.node_allocator(self->page), NODE_MEMORY) < 0
        || resize(lexbor.text_allocator(self->page), TEXT_MEMORY) < 0) {
        destroy(self);
        return NULL;
    }
    self->markup.lexbor = &lexbor.for_markup;
    self->words = lexbor.tokenizer_of(self->parser);
    self->markup.done = self->words->done;
    self->markup.done_context = self->words->done_context;
    lexbor.call_when_done(self->words, token_done, self);
    return self;
}

/* Forget the last page; of its memory, a piece of each kind stays. */
static void clean(kept_parser *self)
{
    lexbor.clean_document(self->page);
    lexbor.clean_parser(self->parser);
    self->page->quirks = 0;
    self->used = 0;
}

void give_parser(kept_parser *self, size_t size)
{
    if (size > LARGE_SOURCE || self->failed || count_of_spare == MOST_SPARE) {
        destroy(self);
        return;
    }
    clean(self);
    spare[count_of_spare++] = self;
}

int parse_source(kept_parser *self, const unsigned char *source, size_t size, int events)
{
    if (self->used) {
        clean(self);
    }
    self->used = 1;
    self->events = events; /* which copy attributes: lexbor must have made them all */
    self->markup.page++;
    lexbor.set_options(self->page, events ? 0 : WITHOUT_EVENTS);
    self->failed = lexbor.prepare(self->parser, self->page) != LEXBOR_OK
                   || lexbor.process(self->parser, source, size) != LEXBOR_OK
                   || lexbor.finish(self->parser) != LEXBOR_OK;
    return self->failed ? -1 : 0;
}

const tree_node *root_of(const kept_parser *self)
{
    return lexbor.root(self->page);
}

const tree_node *head_of(const kept_parser *self)
{
    return lexbor.head(self->page);
}
