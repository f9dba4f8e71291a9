#include "markup.h"

#include <string.h>

#include "characters.h"
#include "markup_names.h"

/* What ends a tag's name (1), or an attribute's (1, 2). */
static const unsigned char ends_name[256] = {
    [0] = 1, ['\t'] = 1, ['\n'] = 1, ['\f'] = 1, ['\r'] = 1, [' '] = 1, ['/'] = 1, ['>'] = 1, ['='] = 2,
};

/* The first from `at` on of this byte and of those that lexbor replaces, or `end`. */
static inline const unsigned char *find(const unsigned char *at, const unsigned char *end,
                                        unsigned char byte)
{
#if defined(HAS_VECTORS)
    const __m128i wanted = _mm_set1_epi8((char) byte);
    while (end - at >= 16) {
        __m128i bytes = load(at);
        __m128i found
            = _mm_or_si128(_mm_or_si128(_mm_cmpeq_epi8(bytes, wanted),
                                        _mm_cmpeq_epi8(bytes, _mm_set1_epi8('&'))),
                           _mm_or_si128(_mm_cmpeq_epi8(bytes, _mm_set1_epi8('\r')),
                                        _mm_cmpeq_epi8(bytes, _mm_setzero_si128())));
        unsigned int places = (unsigned int) _mm_movemask_epi8(found);
        if (places) {
            return at + __builtin_ctz(places);
        }
        at += 16;
    }
#endif
    while (at < end && *at != byte && *at != '&' && *at != '\r' && *at) {
        at++;
    }
    return at;
}

static inline int begin_token(tokenizer *self)
{
    if (self->read == NULL) {
        return 0;
    }
    memset(self->read, 0, sizeof *self->read);
    self->text_end = self->text;
    return 1;
}

/* Give a tag to lexbor, which may go on in another state; whether it goes on. */
static inline int give_tag(tokenizer *self)
{
    self->state = ((markup *) self->done_context)->lexbor->before_data;
    self->read = self->done(self, self->read, self->done_context);
    return begin_token(self);
}

/* Give a text or comment to lexbor, after which it reads on as before; whether it goes on. */
static inline int give(tokenizer *self, uintptr_t tag)
{
    const markup *own = self->done_context;

    self->state = read_markup;
    self->read->tag = tag;
    self->read = own->done(self, self->read, own->done_context);
    return begin_token(self);
}

/* Let lexbor read up to a place, and not beyond, from one of its states on. */
static inline void read_up_to(tokenizer *self, state_function state, const unsigned char *at,
                              const unsigned char *end)
{
    self->state = state;
    while (at < end) {
        at = self->state(self, at, end);
    }
}

static inline const unsigned char *leave(tokenizer *self, state_function state,
                                         const unsigned char *at)
{
    self->state = state;
    return at;
}

static inline void add_attribute(token *read, token_attribute *attribute)
{
    attribute->prev = read->last;
    if (read->last == NULL) {
        read->first = attribute;
    } else {
        read->last->next = attribute;
    }
    read->last = attribute;
}

/* The end of a value that begins at `at` and of which every byte is itself; NULL if it is not so. */
static inline const unsigned char *value_end(const unsigned char *at, const unsigned char *end,
                                             unsigned char quote, int needed)
{
    const unsigned char *last;

    if (quote && !needed) {
        return memchr(at, quote, (size_t) (end - at));
    }
    if (quote) {
        last = find(at, end, quote);
        return last < end && *last == quote ? last : NULL;
    }
    for (last = at; last < end && !is_white(*last) && *last != '>'; last++) {
        if (*last == 0 || *last == '&') {
            return NULL;
        }
    }
    return last < end ? last : NULL;
}

/* Read the attributes of a tag, and its end. */
static const unsigned char *read_attributes_of(tokenizer *self, int pictured,
                                               const unsigned char *at, const unsigned char *end)
{
    markup *own = self->done_context;
    token *read = self->read;
    int count = 0;

    for (;;) {
        const unsigned char *begin, *name_end, *value = NULL;
        remembered spare, *entry;
        unsigned char quote = 0;
        int needed;

        at += *at == ' '; /* the source ends with a zero */
        at = skip_white(at, end);
        if (at == end || *at == '=' || *at == 0) {
            return leave(self, own->lexbor->before_attribute, at);
        }
        if (*at == '>') {
            return give_tag(self) ? at + 1 : end;
        }
        if (*at == '/') {
            if (end - at < 2) {
                return leave(self, own->lexbor->before_attribute, at);
            }
            at++;
            if (*at == '>') {
                read->type |= CLOSES_ITSELF;
                return give_tag(self) ? at + 1 : end;
            }
            continue;
        }
        begin = at;
        while (at < end && !ends_name[*at]) {
            at++;
        }
        name_end = at;
        at = skip_white(at, end);
        if (at == end || *at == 0 || *name_end == 0) {
            return leave(self, own->lexbor->before_attribute, begin);
        }
        entry = attribute_of(own, self, begin, (size_t) (name_end - begin), end, &spare);
        if (entry == NULL || entry->whole || count == MOST_AT_ONCE) {
            return leave(self, own->lexbor->before_attribute, begin);
        }
        needed = entry->found != NULL && (pictured || !entry->pictured);
        if (*at == '=') {
            at = skip_white(at + 1, end);
            if (at == end || *at == '>') {
                return leave(self, own->lexbor->before_attribute, begin);
            }
            if (*at == '"' || *at == '\'') {
                quote = *at++;
            }
            value = at;
            at = value_end(value, end, quote, needed);
            if (at == NULL && quote && needed) {
                at = memchr(value, quote, (size_t) (end - value));
                if (at != NULL) {
                    read_up_to(self, own->lexbor->before_attribute, begin, ++at);
                    continue;
                }
            }
            if (at == NULL) {
                return leave(self, own->lexbor->before_attribute, begin);
            }
        }
        if (needed) { /* of two by one name, lexbor's tree takes the first */
            token_attribute *attribute = &own->written[count++];
            memset(attribute, 0, sizeof *attribute);
            attribute->name_begin = begin;
            attribute->name_end = name_end;
            attribute->name = entry->found;
            if (value != NULL) {
                attribute->value_begin = value;
                attribute->value_end = at;
                attribute->value = (unsigned char *) value;
                attribute->length = (size_t) (at - value);
            }
            add_attribute(read, attribute);
        }
        at += quote != 0;
    }
}

/* Read the tag that begins at `open`. */
static const unsigned char *read_tag(tokenizer *self, const unsigned char *open,
                                     const unsigned char *end)
{
    markup *own = self->done_context;
    const unsigned char *name = open + 1 + (open[1] == '/'), *at = name;
    remembered spare, *tag;

    while (at < end && ends_name[*at] != 1) {
        at++;
    }
    if (at == end || *at == 0) {
        return leave(self, own->lexbor->before_data, open);
    }
    tag = tag_of(own, self, name, (size_t) (at - name), end, &spare);
    if (tag == NULL) {
        return leave(self, own->lexbor->before_data, open);
    }
    self->read->begin = name;
    self->read->end = at;
    self->read->tag = tag->found->number;
    self->read->type = name - open == 2 ? END_TAG : 0;
    if (*at != '>' && (self->read->type || tag->whole)) {
        return leave(self, own->lexbor->before_attribute, at);
    }
    return read_attributes_of(self, tag->pictured, at, end);
}

static inline int begins_tag(const unsigned char *open, const unsigned char *end)
{
    return end - open > 2 && (is_letter(open[1]) || (open[1] == '/' && is_letter(open[2])));
}

/* The place after the comment that begins at `open`; NULL if it is none, or an odd one. */
static const unsigned char *after_comment(const unsigned char *open, const unsigned char *end)
{
    const unsigned char *p = open + 4;

    if (end - open < 7 || memcmp(open, "<!--", 4) != 0 || *p == '>' || (*p == '-' && p[1] == '>')) {
        return NULL;
    }
    while ((p = memchr(p, '-', (size_t) (end - p))) != NULL && end - p >= 3) {
        if (p[1] == '-' && p[2] == '>') {
            return p + 3;
        }
        if (p[1] == '-' && p[2] == '!') {
            return NULL;
        }
        p++;
    }
    return NULL;
}

static inline int give_text(tokenizer *self, const unsigned char *begin, const unsigned char *end)
{
    if (begin == end) {
        return 1;
    }
    self->read->begin = self->read->text_begin = begin;
    self->read->end = self->read->text_end = end;
    return give(self, NAME_OF_TEXT);
}

/* Let lexbor collect a text in which it replaces something, up to the tag or comment at `end`;
 * whether it was whole there. Without memory for it, lexbor has said so. */
static int collect_text(tokenizer *self, const unsigned char *begin, const unsigned char *end)
{
    state_function in_text;

    self->state = ((markup *) self->done_context)->lexbor->before_data;
    begin = self->state(self, begin, end);
    in_text = self->state;
    read_up_to(self, in_text, begin, end);
    return self->state == in_text && self->text != NULL && self->text_end > self->text;
}

static inline int give_collected_text(tokenizer *self, const unsigned char *end)
{
    self->read->end = end;
    self->read->text_begin = self->text;
    self->read->text_end = self->text_end;
    return give(self, NAME_OF_TEXT);
}

/* Comments only part texts: nobody reads what they say. */
static inline int give_comment(tokenizer *self, const unsigned char *begin,
                               const unsigned char *end)
{
    self->read->begin = begin;
    self->read->end = end;
    return give(self, NAME_OF_COMMENT);
}

const unsigned char *read_markup(tokenizer *self, const unsigned char *at,
                                 const unsigned char *end)
{
    do {
        const unsigned char *open = find(at, end, '<'), *after = NULL;
        int is_tag, replaces = open < end && *open != '<';
        if (replaces) {
            open = memchr(open, '<', (size_t) (end - open));
            open = open == NULL ? end : open;
        }
        is_tag = open < end && begins_tag(open, end);
        if (!is_tag && (open == end || (after = after_comment(open, end)) == NULL)) {
            return leave(self, ((markup *) self->done_context)->lexbor->before_data, at);
        }
        if (replaces) {
            if (!collect_text(self, at, open)) {
                return self->text == NULL ? end : open;
            }
            if (!give_collected_text(self, open)) {
                return end;
            }
        } else if (!give_text(self, at, open)) {
            return end;
        }
        if (is_tag) {
            at = read_tag(self, open, end);
        } else {
            at = give_comment(self, open, after) ? after : end;
        }
    } while (at < end && self->state == read_markup);
    return at;
}
