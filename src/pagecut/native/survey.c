/* Whether a source can be parsed without looking closer: how deep its elements nest at most. */
#include "module.h"

#include "characters.h"
#include "names.h"

/* Above, the careful tracer of `open_elements.py` decides. */
enum { TALLEST = 500, MOST_REOPENED = 300000, LOOK_BACK = 16 };

/* As in `limits.py`: what lexbor needs quadratic time for. */
enum { MOST_NAMES_OF_TAGS = 50000, MOST_ATTRIBUTES_OF_TAG = 10000 };

enum { TOO_MANY_NAMES = -1, TOO_MANY_ATTRIBUTES = -2, UNSURE = 0, HARMLESS = 1 };

typedef struct {
    const unsigned char *name;
    size_t length;
    name_bits bits;
} stacked;

typedef struct {
    stacked open[TALLEST + 1];
    int height;
    int tallest;
    int formatting, foreign, integration, selects; /* of those on the stack */
    int64_t reopened; /* at most */
    uint64_t *hashes; /* of the names that are not known; 0 = a free place */
    size_t places; /* a power of two */
    size_t names;
} stack;

/* Remember a name that is not known; 0, or -1 where there is no memory. */
static int note_name(stack *self, const unsigned char *name, size_t length)
{
    uint64_t hash = 14695981039346656037u, *old = self->hashes;
    size_t place, places = self->places;

    for (place = 0; place < length; place++) {
        hash = (hash ^ lower(name[place])) * 1099511628211u;
    }
    hash = (hash ^ hash >> 29) | 1;
    if (self->names * 2 >= places) {
        self->places = places ? places * 2 : 256;
        self->hashes = calloc(self->places, sizeof *self->hashes);
        if (self->hashes == NULL) {
            self->hashes = old;
            self->places = places;
            return -1;
        }
        for (; places; places--) {
            uint64_t each = old[places - 1];
            if (each) {
                for (place = each & (self->places - 1); self->hashes[place];
                     place = (place + 1) & (self->places - 1)) {
                }
                self->hashes[place] = each;
            }
        }
        free(old);
    }
    for (place = hash & (self->places - 1); self->hashes[place];
         place = (place + 1) & (self->places - 1)) {
        if (self->hashes[place] == hash) {
            return 0;
        }
    }
    self->hashes[place] = hash;
    self->names++;
    return 0;
}

static int same_name(const stacked *entry, const unsigned char *name, size_t length)
{
    size_t i;

    if (entry->length != length) {
        return 0;
    }
    for (i = 0; i < length; i++) {
        if (lower(entry->name[i]) != lower(name[i])) {
            return 0;
        }
    }
    return 1;
}

static int is_paragraph(const stacked *entry)
{
    return entry->length == 1 && lower(entry->name[0]) == 'p';
}

static void count_entry(stack *self, name_bits bits, int by)
{
    self->formatting += bits & FORMATTING ? by : 0;
    self->foreign += bits & FOREIGN_ROOT ? by : 0;
    self->integration += bits & INTEGRATION ? by : 0;
    self->selects += bits & SELECT ? by : 0;
}

static void drop(stack *self, int height)
{
    while (self->height > height) {
        count_entry(self, self->open[--self->height].bits, -1);
    }
}

/* 0, or -1 where the stack is full. */
static int push(stack *self, const unsigned char *name, size_t length, name_bits bits)
{
    if (self->height == TALLEST) {
        return -1;
    }
    self->open[self->height].name = name;
    self->open[self->height].length = length;
    self->open[self->height].bits = bits;
    self->height++;
    count_entry(self, bits, 1);
    return 0;
}

/* An element is only taken off where every parser would have closed it: its end tag follows, and
 * above it are at most elements that need none. What is left on by mistake only counts too much. */
static void close_tag(stack *self, const unsigned char *name, size_t length, name_bits bits)
{
    int at;

    for (at = self->height - 1; at >= 0 && at >= self->height - LOOK_BACK; at--) {
        name_bits above = self->open[at].bits;
        if (same_name(&self->open[at], name, length)) {
            drop(self, at);
            return;
        }
        if (!((above & OPTIONAL_END) && (bits & CONTAINER))
            && !((bits & OPTIONAL_END) && (bits & LINE_BREAKING) && is_paragraph(&self->open[at]))
            && !((above & TABLE_PART) && (bits & (TABLE_PART | TABLE)))) {
            return;
        }
    }
}

/* Elements that another start tag of their kind closes. */
static void close_before(stack *self, const unsigned char *name, size_t length, name_bits bits)
{
    const stacked *top = self->height ? &self->open[self->height - 1] : NULL;

    if (top != NULL && (bits & TABLE_PART) && (top->bits & CELL) && !(bits & CELL)) {
        drop(self, self->height - 1);
        top = self->height ? top - 1 : NULL;
    }
    if (top != NULL && (bits & SELF_CLOSING)
        && (same_name(top, name, length) || ((bits & CELL) && (top->bits & CELL)))) {
        drop(self, self->height - 1);
    }
}

/* Whether a tag surely closes no formatting element but its own: it is the end tag of what was opened
 * last, or starts a formatting element of which any number can be open. */
static int leaves_formatting(const stack *self, const unsigned char *name, size_t length,
                             name_bits bits, int closing)
{
    if (closing) {
        return self->height && same_name(&self->open[self->height - 1], name, length);
    }
    return (bits & FORMATTING) && !self->foreign && !(length == 1 && lower(name[0]) == 'a')
           && !(length == 4 && lower(name[0]) == 'n');
}

static const unsigned char *find(const unsigned char *p, const unsigned char *end,
                                 const char *word)
{
    size_t length = strlen(word), i;

    while ((size_t) (end - p) >= length
           && (p = memchr(p, word[0], (size_t) (end - p) - length + 1)) != NULL) {
        for (i = 1; i < length && lower(p[i]) == (unsigned char) word[i]; i++) {
        }
        if (i == length) {
            return p;
        }
        p++;
    }
    return NULL;
}

/* Where the end tag of an element begins whose content is no markup; NULL if it has none. */
static const unsigned char *end_of_raw_text(const unsigned char *p, const unsigned char *end,
                                            const unsigned char *name, size_t length)
{
    while ((p = find(p, end, "</")) != NULL) {
        stacked entry = {name, length, 0};
        const unsigned char *at = p + 2;
        if ((size_t) (end - at) > length && same_name(&entry, at, length)
            && (is_white(at[length]) || at[length] == '/' || at[length] == '>')) {
            return p;
        }
        p = at;
    }
    return NULL;
}

/* The place after a tag's attributes and its bracket; `*closed` where a slash ends it. */
static const unsigned char *after_attributes(const unsigned char *p, const unsigned char *end,
                                             int *closed, int *attributes)
{
    *closed = 0;
    *attributes = 0;
    while (p < end && *p != '>') {
        if (is_white(*p)) {
            p++;
            continue;
        }
        if (*p == '/') {
            *closed = p + 1 < end && p[1] == '>';
            p++;
            continue;
        }
        p++;
        ++*attributes;
        while (p < end && !is_white(*p) && *p != '/' && *p != '>' && *p != '=') {
            p++;
        }
        {
            const unsigned char *value = p;
            while (value < end && is_white(*value)) {
                value++;
            }
            if (value >= end || *value != '=') {
                continue;
            }
            p = value + 1;
        }
        while (p < end && is_white(*p)) {
            p++;
        }
        if (p < end && (*p == '"' || *p == '\'')) {
            const unsigned char *quote = memchr(p + 1, *p, (size_t) (end - p - 1));
            if (quote == NULL) {
                return NULL;
            }
            p = quote + 1;
        } else {
            while (p < end && !is_white(*p) && *p != '>') {
                p++;
            }
        }
    }
    return p < end ? p + 1 : end;
}

/* The place after a comment, a declaration or the like that begins after `<`. */
static const unsigned char *after_markup(const unsigned char *p, const unsigned char *end,
                                         int foreign)
{
    const unsigned char *at;

    if ((size_t) (end - p) >= 3 && memcmp(p, "!--", 3) == 0) {
        p += 3;
        if (p < end && *p == '>') {
            return p + 1;
        }
        if ((size_t) (end - p) >= 2 && p[0] == '-' && p[1] == '>') {
            return p + 2;
        }
        for (at = p; (at = find(at, end, "--")) != NULL; at++) {
            if (at + 2 < end && at[2] == '>') {
                return at + 3;
            }
            if (at + 3 < end && at[2] == '!' && at[3] == '>') {
                return at + 4;
            }
        }
        return end;
    }
    if (foreign) {
        return NULL; /* perhaps CDATA */
    }
    at = memchr(p, '>', (size_t) (end - p));
    return at == NULL ? end : at + 1;
}

/* HARMLESS where elements surely nest no deeper than TALLEST and reopen few formatting elements. */
static int judge(stack *self, const unsigned char *p, const unsigned char *end)
{
    while (p < end && (p = memchr(p, '<', (size_t) (end - p))) != NULL) {
        const unsigned char *name;
        unsigned char folded[32];
        size_t length, i;
        int closing, closed, attributes, position = -1;
        name_bits bits;

        p++;
        closing = p < end && *p == '/';
        name = p + closing;
        if (name >= end || !is_letter(*name)) {
            if (closing || (p < end && (*p == '!' || *p == '?'))) {
                p = after_markup(p, end, self->foreign > 0);
                if (p == NULL) {
                    return 0;
                }
            }
            continue;
        }
        for (p = name; p < end && !is_white(*p) && *p != '/' && *p != '>'; p++) {
        }
        length = (size_t) (p - name);
        bits = 0;
        if (length <= sizeof folded) {
            for (i = 0; i < length; i++) {
                folded[i] = lower(name[i]);
            }
            position = find_name(&known_tags, folded, length);
            bits = position >= 0 ? known_tags.list[position].bits : 0;
        }
        if (position < 0 && note_name(self, name, length) < 0) {
            return UNSURE;
        }
        if (self->names > MOST_NAMES_OF_TAGS) {
            return TOO_MANY_NAMES;
        }
        p = after_attributes(p, end, &closed, &attributes);
        if (attributes > MOST_ATTRIBUTES_OF_TAG) {
            return TOO_MANY_ATTRIBUTES;
        }
        if (p == NULL) {
            return 0; /* a quote that does not end */
        }
        if (!leaves_formatting(self, name, length, bits, closing)) {
            self->reopened += self->formatting;
        }
        if (self->reopened > MOST_REOPENED) {
            return 0;
        }
        if (closing) {
            if (self->foreign && !same_name(&self->open[self->height - 1], name, length)) {
                return 0; /* it may end the drawing, and so the rules by which to read on */
            }
            close_tag(self, name, length, bits);
            continue;
        }
        if (self->foreign) {
            if ((bits & BREAKOUT) || (self->integration && (bits & RAW_TEXT))) {
                return 0;
            }
            bits &= ~(name_bits) FORMATTING;
            if (closed && !self->integration) {
                continue;
            }
        } else if (bits & RAW_TEXT) {
            const unsigned char *content = p, *nested;
            if (self->selects && !(bits & SCRIPT)) {
                return 0;
            }
            p = end_of_raw_text(p, end, name, length);
            if (p == NULL) {
                return 1;
            }
            if ((bits & SCRIPT) && (nested = find(content, p, "<!--")) != NULL
                && find(nested, p, "<script") != NULL) {
                return 0;
            }
            continue;
        } else if ((bits & VOID_TAG) || (closed && (bits & FOREIGN_ROOT))) {
            continue;
        }
        if (!self->foreign) {
            close_before(self, name, length, bits);
        }
        if (push(self, name, length, bits) < 0) {
            return 0;
        }
    }
    return 1;
}

PyObject *survey(PyObject *Py_UNUSED(module), PyObject *source)
{
    stack *self;
    const unsigned char *p;
    int judgement;
    PyObject *result;

    if (!check_bytes(source)) {
        return NULL;
    }
    self = calloc(1, sizeof *self);
    if (self == NULL) {
        return PyErr_NoMemory();
    }
    p = (const unsigned char *) PyBytes_AS_STRING(source);
    Py_BEGIN_ALLOW_THREADS
    judgement = judge(self, p, p + PyBytes_GET_SIZE(source));
    Py_END_ALLOW_THREADS
    result = Py_BuildValue("(iL)", judgement, (long long) self->reopened);
    free(self->hashes);
    free(self);
    return result;
}
