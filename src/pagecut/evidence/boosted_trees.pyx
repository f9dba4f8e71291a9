# cython: boundscheck=False, wraparound=False, cdivision=True, initializedcheck=False
"""Sums of boosted trees for many rows of a table, and what follows from the sums.

No tree is walked. Its leaves are numbered from the left, and a word for each row says which of them
can still be reached: a test that sends the row to the right rules out the leaves on its left, and in
the end the first leaf that is left is the one (QuickScorer: Lucchese et al., SIGIR 2015). The tests
of all trees are sorted by feature and threshold, so that those which send no row to the right are
never looked at. A test costs the same for a few rows at once as for one: their words and values lie
side by side (V-QuickScorer: Lucchese et al., SIGIR 2016).

The sum of a row does not depend on the rows beside it, nor on the machine.
"""

import numpy as np

from libc.math cimport exp
from libc.stdlib cimport free, malloc

LEAVES = 32  # at most, of each tree: the bits of a word
LANES = 8  # floats of a vector: the leaves of trees are rounded up to as many
LINKS = ("none", "logistic", "softmax")

cdef enum:
    LOGISTIC = 1
    SOFTMAX = 2

cdef extern from *:
    """
    #include <math.h>
    #include <string.h>
    #if defined(_MSC_VER)
    #include <intrin.h>
    static __forceinline int first_bit(unsigned int word) {
        unsigned long place;
        _BitScanForward(&place, word);
        return (int)place;
    }
    #define ALWAYS_INLINE __forceinline
    #else
    #define first_bit(word) __builtin_ctz(word)
    #define ALWAYS_INLINE inline __attribute__((always_inline))
    #endif

    #if defined(__GNUC__) && defined(__x86_64__)
    #include <immintrin.h>
    #endif
    #if defined(__GNUC__)
    #define AS_VECTORS _Pragma("GCC unroll 1")  /* unrolled loops are not made vector instructions */
    #else
    #define AS_VECTORS
    #endif
    #define HIGHER(one, two) ((one) > (two) ? (one) : (two))

    #define AT_ONCE 16  /* rows */
    #define LANES 8  /* floats of a vector */
    #define FEW 3  /* rows for which one at a time is faster */

    typedef struct {
        Py_ssize_t width, outputs, count, lists, leaves;
        const int *edges, *columns, *column_edges, *tested;
        const float *missing, *thresholds, *values;
        const unsigned int *kept;
    } Trees;

    static void sum_row(const Trees *trees, const float *row, unsigned int *left, double *out) {
        memset(left, 255, trees->count * sizeof(*left));
        for (Py_ssize_t list = 0; list < trees->lists; list++) {
            float value = row[trees->columns[list]];
            if (value != value) value = trees->missing[list];
            for (int at = trees->column_edges[list];
                 at < trees->column_edges[list + 1] && value > trees->thresholds[at]; at++)
                left[trees->tested[at]] &= trees->kept[at];
        }
        for (Py_ssize_t output = 0; output < trees->outputs; output++) {
            double sum = 0;
            for (int tree = trees->edges[output]; tree < trees->edges[output + 1]; tree++)
                sum += trees->values[tree * trees->leaves + first_bit(left[tree])];
            out[output] = sum;
        }
    }

    /* At most AT_ONCE rows; the compiler makes vector instructions of the loops over them. */
    static ALWAYS_INLINE void rule_out(
        const Trees *trees, const float *rows, Py_ssize_t count, unsigned int *left
    ) {
        /* Read once: of what is written below, the compiler cannot tell that it is something else. */
        const int *columns = trees->columns, *column_edges = trees->column_edges;
        const int *tested = trees->tested;
        const float *missing = trees->missing, *thresholds = trees->thresholds;
        const unsigned int *kept = trees->kept;
        const Py_ssize_t lists = trees->lists;
        const float *row[AT_ONCE];
        for (int i = 0; i < AT_ONCE; i++)  /* for rows that are not there, the first once more */
            row[i] = rows + (i < count ? i : 0) * trees->width;
        memset(left, 255, trees->count * AT_ONCE * sizeof(*left));
        for (Py_ssize_t list = 0; list < lists; list++) {
            float values[AT_ONCE], highest[AT_ONCE / 2];
            const int column = columns[list], end = column_edges[list + 1];
            const float if_missing = missing[list];
            for (int i = 0; i < AT_ONCE; i++) values[i] = row[i][column];
            AS_VECTORS for (int i = 0; i < AT_ONCE; i++)
                values[i] = values[i] == values[i] ? values[i] : if_missing;
            AS_VECTORS for (int i = 0; i < AT_ONCE / 2; i++)
                highest[i] = HIGHER(values[i], values[i + AT_ONCE / 2]);
            AS_VECTORS for (int i = 0; i < AT_ONCE / 4; i++)
                highest[i] = HIGHER(highest[i], highest[i + AT_ONCE / 4]);
            highest[0] = HIGHER(HIGHER(highest[0], highest[1]), HIGHER(highest[2], highest[3]));
            for (int at = column_edges[list]; at < end && highest[0] > thresholds[at]; at++) {
                const float threshold = thresholds[at];
                const unsigned int some = kept[at];
                unsigned int *words = left + (Py_ssize_t)tested[at] * AT_ONCE;
                AS_VECTORS for (int i = 0; i < AT_ONCE; i++)
                    words[i] &= some | -(unsigned int)(values[i] <= threshold);
            }
        }
    }

    static void sum_rows_anywhere(
        const Trees *trees, const float *rows, Py_ssize_t count, unsigned int *left, double *out
    ) {
        rule_out(trees, rows, count, left);
        for (Py_ssize_t output = 0; output < trees->outputs; output++) {
            double sums[AT_ONCE] = {0};
            for (Py_ssize_t tree = trees->edges[output]; tree < trees->edges[output + 1]; tree++) {
                const float *values = trees->values + tree * trees->leaves;
                for (int i = 0; i < AT_ONCE; i++)
                    sums[i] += values[first_bit(left[tree * AT_ONCE + i])];
            }
            for (Py_ssize_t i = 0; i < count; i++) out[i * trees->outputs + output] = sums[i];
        }
    }

    #if defined(__GNUC__) && defined(__x86_64__)
    /* The values of a tree's leaves for LANES rows. */
    __attribute__((target("avx2"))) static inline __m256 reached(
        const float *values, Py_ssize_t leaves, const unsigned int *words
    ) {
        const __m256i word = _mm256_loadu_si256((const __m256i *)words);
        const __m256i bit = _mm256_and_si256(word, _mm256_sub_epi32(_mm256_setzero_si256(), word));
        /* As a float, its exponent says which bit it is. */
        const __m256i exponent = _mm256_srli_epi32(_mm256_castps_si256(_mm256_cvtepi32_ps(bit)), 23);
        const __m256i leaf = _mm256_sub_epi32(exponent, _mm256_set1_epi32(127));
        __m256 found = _mm256_permutevar8x32_ps(_mm256_loadu_ps(values), leaf);
        for (int first = LANES; first < leaves; first += LANES) {
            const __m256 others = _mm256_permutevar8x32_ps(_mm256_loadu_ps(values + first), leaf);
            const __m256i is_other = _mm256_cmpgt_epi32(leaf, _mm256_set1_epi32(first - 1));
            found = _mm256_blendv_ps(found, others, _mm256_castsi256_ps(is_other));
        }
        return found;
    }

    __attribute__((target("avx2"))) static void sum_rows_avx2(
        const Trees *trees, const float *rows, Py_ssize_t count, unsigned int *left, double *out
    ) {
        rule_out(trees, rows, count, left);
        for (Py_ssize_t output = 0; output < trees->outputs; output++) {
            __m256d sums[AT_ONCE / 4];
            for (int i = 0; i < AT_ONCE / 4; i++) sums[i] = _mm256_setzero_pd();
            for (Py_ssize_t tree = trees->edges[output]; tree < trees->edges[output + 1]; tree++)
                for (int i = 0; i < AT_ONCE / LANES; i++) {
                    const __m256 found = reached(
                        trees->values + tree * trees->leaves, trees->leaves,
                        left + tree * AT_ONCE + i * LANES
                    );
                    sums[2 * i] += _mm256_cvtps_pd(_mm256_castps256_ps128(found));
                    sums[2 * i + 1] += _mm256_cvtps_pd(_mm256_extractf128_ps(found, 1));
                }
            for (Py_ssize_t i = 0; i < count; i++)
                out[i * trees->outputs + output] = sums[i / 4][i % 4];
        }
    }
    #define BEST_SUM_ROWS (__builtin_cpu_supports("avx2") ? sum_rows_avx2 : sum_rows_anywhere)
    #else
    #define BEST_SUM_ROWS sum_rows_anywhere
    #endif

    static void sum_all(
        const Trees *trees, const float *rows, Py_ssize_t count, unsigned int *left, double *out
    ) {
        void (*sum)(const Trees *, const float *, Py_ssize_t, unsigned int *, double *) =
            BEST_SUM_ROWS;
        Py_ssize_t row = 0;
        for (; row + FEW < count; row += AT_ONCE)
            sum(trees, rows + row * trees->width, count - row < AT_ONCE ? count - row : AT_ONCE,
                left, out + row * trees->outputs);
        for (; row < count; row++)
            sum_row(trees, rows + row * trees->width, left, out + row * trees->outputs);
    }
    """
    ctypedef struct Trees:
        Py_ssize_t width, outputs, count, lists, leaves
        const int *edges
        const int *columns
        const int *column_edges
        const int *tested
        const float *missing
        const float *thresholds
        const float *values
        const unsigned int *kept
    const Py_ssize_t AT_ONCE, FEW
    void sum_all(
        const Trees *trees, const float *rows, Py_ssize_t count, unsigned int *left, double *out
    ) noexcept nogil


cdef class BoostedTrees:
    """Sums of boosted trees, made by `pagecut.evidence.models`.

    It is never changed after it was made and has no buffers, so threads may share it.

    Args:
        width: the number of features.
        edges: (k + 1,) where the trees of each output begin.
        columns: (c,) of the table, in the order in which they are looked at; a feature is there
            twice if some tests send what is missing to the left and others to the right.
        missing: (c,) what stands for NaN: an infinity.
        column_edges: (c + 1,) where the tests of each column begin.
        thresholds: (s,) ascending within a column; what is above one goes to the right.
        kept: (s,) the leaves that are left then, the leftmost one being the lowest bit.
        tested: (s,) the tree.
        values: (t, l) of the leaves; l is a multiple of `LANES`.
        scales, biases: (k,) sums are multiplied by the first, then the second is added.
        link: what turns sums into scores, as a place in `LINKS`.
        step_edges: (k + 1,) where the steps of each output's calibration begin.
        step_places, step_scores: what scores are mapped to, linear between steps, level outside.
    """

    def __init__(
        self,
        *,
        width,
        edges,
        columns,
        missing,
        column_edges,
        thresholds,
        kept,
        tested,
        values,
        scales,
        biases,
        link,
        step_edges,
        step_places,
        step_scores,
    ):
        self.width = width
        self.edges = edges
        self.columns = columns
        self.missing = missing
        self.column_edges = column_edges
        self.thresholds = thresholds
        self.kept = kept
        self.tested = tested
        self.values = values
        self.scales = scales
        self.biases = biases
        self.link = link
        self.step_edges = step_edges
        self.step_places = step_places
        self.step_scores = step_scores
        self.outputs = self.biases.shape[0]
        self.count = self.values.shape[0]

    def sums(self, table):
        """(n, k) the sums of each row of a table (n, f), before they become scores."""
        cdef const float[:, ::1] rows = self.checked(table)
        found = np.empty((rows.shape[0], self.outputs))
        cdef double[:, ::1] out = found
        if rows.shape[0]:
            with nogil:
                self.fill_sums(&rows[0, 0] if self.width else NULL, rows.shape[0], &out[0, 0])
        return found

    def scores(self, table):
        """(n, k) the scores of each row of a table (n, f)."""
        cdef const float[:, ::1] rows = self.checked(table)
        found = np.empty((rows.shape[0], self.outputs))
        cdef double[:, ::1] out = found
        if rows.shape[0]:
            with nogil:
                self.fill_scores(&rows[0, 0] if self.width else NULL, rows.shape[0], &out[0, 0])
        return found

    def checked(self, table):
        if table.ndim != 2 or table.shape[1] != self.width:
            raise ValueError(f"a table of (n, {self.width}) is needed, got {table.shape}")
        if table.dtype == np.float32:
            return np.ascontiguousarray(table)
        with np.errstate(over="ignore"):  # what is too large for float32 is infinite
            return np.ascontiguousarray(table, dtype=np.float32)

    cdef int fill_sums(self, const float *rows, Py_ssize_t count, double *out) except -1 nogil:
        cdef Trees trees
        cdef Py_ssize_t row, output
        cdef double *sums
        cdef Py_ssize_t at_once = AT_ONCE if count > FEW else 1
        cdef unsigned int *left = <unsigned int *>malloc(
            (self.count * at_once + 1) * sizeof(unsigned int)
        )
        if left == NULL:
            with gil:
                raise MemoryError
        trees.width = self.width
        trees.outputs = self.outputs
        trees.count = self.count
        trees.lists = self.columns.shape[0]
        trees.leaves = self.values.shape[1]
        trees.edges = &self.edges[0]
        trees.columns = &self.columns[0]
        trees.column_edges = &self.column_edges[0]
        trees.tested = &self.tested[0]
        trees.missing = &self.missing[0]
        trees.thresholds = &self.thresholds[0]
        trees.values = &self.values[0, 0]
        trees.kept = &self.kept[0]
        sum_all(&trees, rows, count, left, out)
        free(left)
        for row in range(count):
            sums = out + row * self.outputs
            for output in range(self.outputs):
                sums[output] = sums[output] * self.scales[output] + self.biases[output]
        return 0

    cdef int fill_scores(self, const float *rows, Py_ssize_t count, double *out) except -1 nogil:
        cdef Py_ssize_t row
        self.fill_sums(rows, count, out)
        for row in range(count):
            self.finish(out + row * self.outputs)
        return 0

    cdef void finish(self, double *sums) noexcept nogil:
        """Turn the sums of a row into scores."""
        cdef Py_ssize_t output
        cdef double highest, total
        if self.link == LOGISTIC:
            for output in range(self.outputs):
                sums[output] = 1.0 / (1.0 + exp(-sums[output]))
        elif self.link == SOFTMAX:
            highest = sums[0]
            for output in range(self.outputs):
                if sums[output] > highest:
                    highest = sums[output]
            total = 0.0
            for output in range(self.outputs):
                sums[output] = exp(sums[output] - highest)
                total += sums[output]
            for output in range(self.outputs):
                sums[output] /= total
        for output in range(self.outputs):
            if self.step_edges[output + 1] > self.step_edges[output]:
                sums[output] = self.stepped(output, sums[output])

    cdef double stepped(self, Py_ssize_t output, double score) noexcept nogil:
        """A score as calibrated, linear between the steps on both sides of it."""
        cdef Py_ssize_t low = self.step_edges[output], high = self.step_edges[output + 1] - 1, middle
        cdef double share
        if score <= self.step_places[low]:
            return self.step_scores[low]
        if score >= self.step_places[high]:
            return self.step_scores[high]
        while high - low > 1:
            middle = (low + high) // 2
            if score < self.step_places[middle]:
                high = middle
            else:
                low = middle
        share = (score - self.step_places[low]) / (self.step_places[high] - self.step_places[low])
        return self.step_scores[low] + share * (self.step_scores[high] - self.step_scores[low])
