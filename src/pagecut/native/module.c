/* The extension `pagecut._native`: lexbor's tree to columns, and quick looks at a page's source. */
#include "module.h"

#include "folding.h"
#include "lexbor_parser.h"
#include "walk.h"

enum { REVISION = 8 }; /* see `acceleration.py` */

PyObject *attribute_names;
static PyObject *tag_strings; /* tuple, by position in `known_tags` */
static int mirror; /* position of <selectedcontent>, which lexbor fills by events */

static int fill_table(name_table *table, PyObject *groups, PyObject *names)
{
    Py_ssize_t i, bit;

    memset(table, 0, sizeof *table);
    for (i = 0; i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        Py_ssize_t length;
        const char *bytes = PyUnicode_AsUTF8AndSize(name, &length);
        name_bits bits = 0;
        if (bytes == NULL) {
            return -1;
        }
        for (bit = 0; bit < PyTuple_GET_SIZE(groups); bit++) {
            int inside = PySequence_Contains(PyTuple_GET_ITEM(groups, bit), name);
            if (inside < 0) {
                return -1;
            }
            bits |= (name_bits) inside << bit;
        }
        if (add_name(table, (const unsigned char *) bytes, (size_t) length, bits) != i) {
            PyErr_Format(PyExc_ValueError, "%U is listed twice, or there are too many names", name);
            return -1;
        }
    }
    return 0;
}

static PyObject *configure(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *tags, *tag_groups, *tag_numbers, *attributes, *attribute_groups, *wide;
    Py_ssize_t i;

    if (!PyArg_ParseTuple(arguments, "O!O!O!O!O!O!", &PyTuple_Type, &tags, &PyTuple_Type,
                          &tag_groups, &PyTuple_Type, &tag_numbers, &PyTuple_Type, &attributes,
                          &PyTuple_Type, &attribute_groups, &PyTuple_Type, &wide)) {
        return NULL;
    }
    if (PyTuple_GET_SIZE(attributes) > MOST_ATTRIBUTES
        || PyTuple_GET_SIZE(wide) > MOST_WIDE_RANGES
        || PyTuple_GET_SIZE(tag_numbers) != PyTuple_GET_SIZE(tags)) {
        PyErr_SetString(PyExc_ValueError, "the tables do not fit");
        return NULL;
    }
    if (fill_table(&known_tags, tag_groups, tags) < 0
        || fill_table(&known_attributes, attribute_groups, attributes) < 0) {
        return NULL;
    }
    for (i = 0; i < PyTuple_GET_SIZE(tag_numbers); i++) {
        size_t number = PyLong_AsSize_t(PyTuple_GET_ITEM(tag_numbers, i));
        if (number == (size_t) -1 && PyErr_Occurred()) {
            return NULL;
        }
        if (number < KNOWN_NAMES) {
            known_tags.by_number[number] = (int16_t) (i + 1);
        }
    }
    mirror = find_name(&known_tags, (const unsigned char *) "selectedcontent", 15);
    if (mirror < 0) {
        PyErr_SetString(PyExc_ValueError, "selectedcontent is wanted among the tags");
        return NULL;
    }
    count_of_wide_ranges = 0;
    for (i = 0; i < PyTuple_GET_SIZE(wide); i++) {
        point_range *range = &wide_ranges[i];
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(wide, i), "II", &range->first, &range->last)) {
            return NULL;
        }
        count_of_wide_ranges++;
    }
    Py_INCREF(tags);
    Py_XSETREF(tag_strings, tags);
    Py_INCREF(attributes);
    Py_XSETREF(attribute_names, attributes);
    Py_RETURN_NONE;
}

/* Learn lexbor's numbers of attributes from an element that has all of them, each with its
 * position as its value; False where the tree is not laid out as expected. */
static PyObject *learn_attributes(PyObject *Py_UNUSED(module), PyObject *address)
{
    const tree_node *node = (const tree_node *) PyLong_AsVoidPtr(address);
    const tree_attribute *each;
    char expected[16];
    int position = 0, length;

    if (node == NULL) {
        return PyErr_Occurred() ? NULL : Py_NewRef(Py_False);
    }
    for (each = first_attribute(node); each != NULL; each = each->next, position++) {
        uintptr_t number = attribute_name(each);
        length = PyOS_snprintf(expected, sizeof expected, "%d", position);
        if (position >= known_attributes.count || each->value == NULL
            || each->value->length != (size_t) length
            || memcmp(each->value->data, expected, (size_t) length) != 0) {
            Py_RETURN_FALSE;
        }
        if (number < KNOWN_NAMES) {
            known_attributes.by_number[number] = (int16_t) (position + 1);
        } else if (attribute_key(each) != position) {
            Py_RETURN_FALSE;
        }
    }
    return PyBool_FromLong(position == known_attributes.count);
}

static PyObject *bytes_of(const buffer *data)
{
    return PyBytes_FromStringAndSize((const char *) data->data, (Py_ssize_t) data->length);
}

static PyObject *names_of(const walk *self)
{
    size_t count = count_ints(&self->tag_names), code;
    PyObject *result = PyTuple_New((Py_ssize_t) count);

    for (code = 0; result != NULL && code < count; code++) {
        int32_t position = ints(&self->tag_names)[code];
        PyObject *name;
        if (position >= 0) {
            name = Py_NewRef(PyTuple_GET_ITEM(tag_strings, position));
        } else if (position == -1) {
            name = PyUnicode_FromString("#text");
        } else {
            const tree_name *other = ((const tree_name **) self->other_names.data)[-1 - position];
            name = PyUnicode_DecodeUTF8((const char *) name_bytes(other),
                                        (Py_ssize_t) other->length, "replace");
        }
        if (name == NULL) {
            Py_CLEAR(result);
            break;
        }
        PyTuple_SET_ITEM(result, (Py_ssize_t) code, name);
    }
    return result;
}

/* For each tag what `packed_nodes.MARKED_TAGS` say of it. */
static PyObject *marks_of(const walk *self)
{
    size_t count = count_ints(&self->tag_names), code;
    PyObject *result = PyBytes_FromStringAndSize(NULL, (Py_ssize_t) count);

    for (code = 0; result != NULL && code < count; code++) {
        int32_t position = ints(&self->tag_names)[code];
        name_bits bits = position >= 0 ? known_tags.list[position].bits : 0;
        PyBytes_AS_STRING(result)[code] = (char) (bits >> FIRST_MARK & MARKS);
    }
    return result;
}

static PyObject *table_of(const attribute_table *table)
{
    Py_ssize_t count = (Py_ssize_t) table->count;

    return Py_BuildValue("(NNNN)",
                         PyBytes_FromStringAndSize((const char *) table->owner,
                                                   count * (Py_ssize_t) sizeof *table->owner),
                         PyBytes_FromStringAndSize((const char *) table->key, count),
                         PyBytes_FromStringAndSize((const char *) table->end,
                                                   count * (Py_ssize_t) sizeof *table->end),
                         bytes_of(&table->values));
}

static PyObject *string_of(const unsigned char *bytes, size_t length)
{
    if (bytes == NULL) {
        Py_RETURN_NONE;
    }
    return PyUnicode_DecodeUTF8((const char *) bytes, (Py_ssize_t) length, "replace");
}

/* The columns of a walked page. What the tree still owns is read first: then its parser, if there is
 * one, is given back, so that the tree and Python's copies need no memory at the same time. */
static PyObject *result_of(walk *self, kept_parser **parser, size_t size)
{
    size_t rows = (size_t) self->rows.count;
    PyObject *names = names_of(self), *title = string_of(self->title, self->title_length), *base;
    PyObject *text, *numbers, *bytes, *images;

    base = self->base == NULL ? Py_NewRef(Py_None)
                              : string_of(self->base->data, self->base->length);
    if (*parser != NULL) {
        give_parser(*parser, size);
        *parser = NULL;
    }
    close_ranks(&self->rows);
    numbers = own_numbers(self->rows.block, rows * NUMBER_COLUMNS);
    bytes = share_bytes(numbers, self->rows.kind, rows * BYTE_COLUMNS);
    self->rows.block = NULL; /* no longer the walk's */
    text = self->image_row.length /* each is a U+FFFC */
               ? wide_text(self->text.data, self->text.length, (size_t) self->length)
               : string_of(self->text.length ? self->text.data : (unsigned char *) "",
                           self->text.length);
    release(&self->text);
    images = Py_BuildValue(
        "(NNNNNNN)", bytes_of(&self->image_row), bytes_of(&self->image_set),
        bytes_of(&self->image_fallback), bytes_of(&self->image_first_source),
        bytes_of(&self->image_sources), bytes_of(&self->source_sets), table_of(&self->described));
    return Py_BuildValue("(N(NNnnNN)NNNNN)", text, numbers, bytes, (Py_ssize_t) rows,
                         (Py_ssize_t) self->leaves, names, marks_of(self), title, base,
                         table_of(&self->kept), images, PyBool_FromLong(self->composed));
}

static outcome walk_freely(walk *self, const tree_node *root, const tree_node *head)
{
    outcome done;

    self->thread = PyEval_SaveThread();
    done = walk_tree(self, root, head);
    PyEval_RestoreThread(self->thread);
    return done;
}

/* What a walk that did not end well means: a word for what forbids the page, or an error. */
static PyObject *refusal(outcome done)
{
    switch (done) {
    case NO_MEMORY:
        return PyErr_NoMemory();
    case TEXT_TOO_LONG:
        PyErr_SetString(PyExc_OverflowError, "the text is longer than offsets can say");
        return NULL;
    case FAILED:
        return NULL;
    default:
        return PyUnicode_FromString(done == TOO_MANY_NODES ? "nodes"
                                    : done == TOO_DEEP     ? "depth"
                                                           : "unknown");
    }
}

static walk *new_walk(long long most_nodes, long long most_depth, PyObject *is_lazy,
                      Py_ssize_t size, Py_ssize_t tags)
{
    walk *self = calloc(1, sizeof *self);

    if (self == NULL) {
        PyErr_NoMemory();
        return NULL;
    }
    self->most_nodes = most_nodes;
    self->most_depth = most_depth;
    self->is_lazy = is_lazy;
    expect(self, size > 0 ? (size_t) size : 0, tags > 0 ? (size_t) tags : 0);
    return self;
}

static void free_walk(walk *self)
{
    release_walk(self);
    free(self);
}

static PyObject *walk_page(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *root, *head, *is_lazy, *result;
    long long most_nodes, most_depth;
    Py_ssize_t size, tags;
    const tree_node *root_node, *head_node;
    kept_parser *parser = NULL; /* the caller has one of selectolax's */
    outcome done;
    walk *self;

    if (!PyArg_ParseTuple(arguments, "OOnnLLO", &root, &head, &size, &tags, &most_nodes,
                          &most_depth, &is_lazy)) {
        return NULL;
    }
    root_node = (const tree_node *) PyLong_AsVoidPtr(root);
    head_node = (const tree_node *) PyLong_AsVoidPtr(head);
    if (PyErr_Occurred()) {
        return NULL;
    }
    self = new_walk(most_nodes, most_depth, is_lazy, size, tags);
    if (self == NULL) {
        return NULL;
    }
    done = walk_freely(self, root_node, head_node);
    result = done == WALKED ? result_of(self, &parser, 0) : refusal(done);
    free_walk(self);
    return result;
}

static PyObject *parse_page(PyObject *Py_UNUSED(module), PyObject *arguments)
{
    PyObject *source, *is_lazy, *result = NULL;
    long long most_nodes, most_depth;
    Py_ssize_t begin, size, tags;
    const unsigned char *bytes;
    kept_parser *parser;
    int failed, events;
    outcome done;
    walk *self = NULL;

    if (!PyArg_ParseTuple(arguments, "SnnLLO", &source, &begin, &tags, &most_nodes, &most_depth,
                          &is_lazy)) {
        return NULL;
    }
    if (begin < 0 || begin > PyBytes_GET_SIZE(source)) {
        PyErr_SetString(PyExc_ValueError, "the page must begin within its source");
        return NULL;
    }
    bytes = (const unsigned char *) PyBytes_AS_STRING(source) + begin;
    size = PyBytes_GET_SIZE(source) - begin;
    parser = take_parser();
    if (parser == NULL) {
        return PyErr_NoMemory();
    }
    for (events = 0; events < 2; events++) {
        Py_BEGIN_ALLOW_THREADS
        failed = parse_source(parser, bytes, (size_t) size, events);
        Py_END_ALLOW_THREADS
        if (failed) {
            result = PyUnicode_FromString("failed");
            break;
        }
        self = new_walk(most_nodes, most_depth, is_lazy, size, tags);
        if (self == NULL) {
            break;
        }
        done = walk_freely(self, root_of(parser), head_of(parser));
        if (done != WALKED || events || self->code_of_known[mirror] == 0) {
            result = done == WALKED ? result_of(self, &parser, (size_t) size) : refusal(done);
            break;
        }
        free_walk(self);
        self = NULL;
    }
    if (self != NULL) {
        free_walk(self);
    }
    if (parser != NULL) {
        give_parser(parser, (size_t) size);
    }
    return result;
}

static PyObject *borrow_parser(PyObject *Py_UNUSED(module), PyObject *path)
{
    const char *name = PyUnicode_AsUTF8(path);

    return name == NULL ? NULL : PyBool_FromLong(borrow_lexbor(name));
}

static PyMethodDef methods[] = {
    {"configure", configure, METH_VARARGS, "Hand over the tables of tags and attributes."},
    {"learn_attributes", learn_attributes, METH_O, "Learn lexbor's numbers from an element."},
    {"borrow_parser", borrow_parser, METH_O, "Find lexbor's functions in a loaded extension."},
    {"parse_page", parse_page, METH_VARARGS, "Parse a source with them, and turn it into columns."},
    {"walk_page", walk_page, METH_VARARGS, "Turn the tree at an address into columns."},
    {"count_tags", count_tags, METH_O, "Count the start tags of a source, and lasting ones."},
    {"charset_meta", charset_meta, METH_VARARGS, "The first <meta> with a charset, if that is plain."},
    {"is_utf8", is_utf8, METH_O, "Whether bytes are valid UTF-8."},
    {"survey", survey, METH_O, "Judge a source, and bound what it makes the parser reopen."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT, "_native", NULL, -1, methods, NULL, NULL, NULL, NULL,
};

PyMODINIT_FUNC PyInit__native(void)
{
    PyObject *module = PyModule_Create(&definition);

    if (module != NULL && PyType_Ready(&memory_type) < 0) {
        Py_CLEAR(module);
    }
    if (module != NULL && PyModule_AddIntConstant(module, "REVISION", REVISION) < 0) {
        Py_CLEAR(module);
    }
    return module;
}
