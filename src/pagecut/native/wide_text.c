/* UTF-8 to Python's strings of two bytes a character, which most texts with images are. Python's own
 * decoder starts with one byte a character and starts anew where that is too narrow. */
#include "module.h"

#include "characters.h"

/* Fill in `length` characters of two bytes; 0 where these bytes are others. */
static int widen(const unsigned char *p, const unsigned char *end, Py_UCS2 *out, size_t length)
{
    const Py_UCS2 *last = out + length;

    while (p < end && out < last) {
#if defined(HAS_VECTORS)
        while (end - p >= 16 && last - out >= 16) {
            __m128i bytes = load(p);
            if (_mm_movemask_epi8(bytes)) {
                break;
            }
            _mm_storeu_si128((__m128i *) out, _mm_unpacklo_epi8(bytes, _mm_setzero_si128()));
            _mm_storeu_si128((__m128i *) (out + 8), _mm_unpackhi_epi8(bytes, _mm_setzero_si128()));
            p += 16;
            out += 16;
        }
#endif
        while (p < end && out < last && *p < 0x80) {
            *out++ = *p++;
        }
        while (p < end && out < last && *p >= 0x80) {
            if (*p >= 0xc2 && *p < 0xe0 && end - p >= 2 && (p[1] & 0xc0) == 0x80) {
                *out++ = (Py_UCS2) ((p[0] & 0x1f) << 6 | (p[1] & 0x3f));
                p += 2;
            } else if (*p >= 0xe0 && *p < 0xf0 && end - p >= 3 && (p[1] & 0xc0) == 0x80
                       && (p[2] & 0xc0) == 0x80 && !(p[0] == 0xe0 && p[1] < 0xa0)
                       && !(p[0] == 0xed && p[1] > 0x9f)) {
                *out++ = (Py_UCS2) ((p[0] & 0x0f) << 12 | (p[1] & 0x3f) << 6 | (p[2] & 0x3f));
                p += 3;
            } else {
                return 0;
            }
        }
    }
    return p == end && out == last;
}

PyObject *wide_text(const unsigned char *bytes, size_t size, size_t length)
{
    PyObject *text = PyUnicode_New((Py_ssize_t) length, 0xffff);

    if (text != NULL && !widen(bytes, bytes + size, PyUnicode_2BYTE_DATA(text), length)) {
        Py_DECREF(text);
        text = PyUnicode_DecodeUTF8((const char *) bytes, (Py_ssize_t) size, "replace");
    }
    return text;
}
