/* c = a b: the plain nest with a good loop order, and a version tiled by hand. The type and the names are macros:
   REAL, FMA, PLAIN, TILED, and VECTOR_256, VECTOR_FMA_256, VECTOR_512, VECTOR_FMA_512 of the processor's. */
#include "pool.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#if defined(__FMA__)
#include <immintrin.h>
#endif

struct product {
    const REAL *a, *b;
    REAL *c;
    int64_t n, m, k;
};

/* A sum may be contracted, as Weft does in a proven reduction, hence FMA; all else is compiled without contraction. */
static void plain_rows(int64_t begin, int64_t end, void *context) {
    const struct product *p = context;
    for (int64_t i = begin; i < end; i++) {
        REAL *restrict c = p->c + i * p->m;
        memset(c, 0, (size_t)p->m * sizeof *c);
        for (int64_t l = 0; l < p->k; l++) {
            const REAL *restrict b = p->b + l * p->m;
            REAL a = p->a[i * p->k + l];
            for (int64_t j = 0; j < p->m; j++) c[j] = FMA(a, b[j], c[j]);
        }
    }
}

static int64_t rows_per_chunk(int64_t n, int64_t operations_per_row) {
    int64_t rows = (1 << 17) / (operations_per_row + 1) + 1;
    return rows < n ? rows : n;
}

void PLAIN(const REAL *a, const REAL *b, REAL *c, int64_t n, int64_t m, int64_t k) {
    KERNEL;
    parallel_for(n, rows_per_chunk(n, m * k), plain_rows, &(struct product){a, b, c, n, m, k});
}

/* Tiled, by the scheme of Goto and van de Geijn: blocks of b and a are packed, so that the kernel reads in order. */

#if defined(__AVX512F__)
enum { WIDTH = 64 / sizeof(REAL), TILE_ROWS = 12, VECTORS = 2 };
#else
enum { WIDTH = 32 / sizeof(REAL), TILE_ROWS = 6, VECTORS = 2 };
#endif
enum { TILE_COLUMNS = WIDTH * VECTORS, BLOCK_K = 384, BLOCK_ROWS = TILE_ROWS * 16, BLOCK_COLUMNS = TILE_COLUMNS * 64 };

typedef REAL vector __attribute__((vector_size(WIDTH * sizeof(REAL))));
typedef REAL vector_in_memory __attribute__((vector_size(WIDTH * sizeof(REAL)), aligned(sizeof(REAL)), may_alias));

static inline vector splat(REAL x) {
    vector v = {0};
    return v + x;
}

static inline vector multiply_add(vector a, vector b, vector c) {
#if defined(__AVX512F__)
    return (vector)VECTOR_FMA_512((VECTOR_512)a, (VECTOR_512)b, (VECTOR_512)c);
#elif defined(__FMA__)
    return (vector)VECTOR_FMA_256((VECTOR_256)a, (VECTOR_256)b, (VECTOR_256)c);
#else
    for (int lane = 0; lane < WIDTH; lane++) c[lane] = FMA(a[lane], b[lane], c[lane]);
    return c;
#endif
}

struct blocked {
    struct product whole;
    int64_t row, column, depth, rows, columns, length;
    REAL *packed_b;
};

static void pack_b(int64_t begin, int64_t end, void *context) {
    const struct blocked *s = context;
    for (int64_t tile = begin; tile < end; tile++) {
        REAL *target = s->packed_b + tile * TILE_COLUMNS * s->length;
        int64_t left = s->columns - tile * TILE_COLUMNS, width = left < TILE_COLUMNS ? left : TILE_COLUMNS;
        const REAL *source = s->whole.b + s->depth * s->whole.m + s->column + tile * TILE_COLUMNS;
        for (int64_t l = 0; l < s->length; l++, target += TILE_COLUMNS, source += s->whole.m) {
            memcpy(target, source, (size_t)width * sizeof *target);
            memset(target + width, 0, (size_t)(TILE_COLUMNS - width) * sizeof *target);
        }
    }
}

static void pack_a(const struct blocked *s, int64_t row, int64_t rows, REAL *target) {
    for (int64_t first = 0; first < rows; first += TILE_ROWS)
        for (int64_t l = 0; l < s->length; l++)
            for (int64_t r = 0; r < TILE_ROWS; r++)
                *target++ = first + r < rows ? s->whole.a[(row + first + r) * s->whole.k + s->depth + l] : 0;
}

/* One tile of c in registers: TILE_ROWS x TILE_COLUMNS sums over `length`. */
static void tile(const REAL *a, const REAL *b, int64_t length, REAL *c, int64_t stride, int64_t rows,
                 int64_t columns, int first) {
    vector sum[TILE_ROWS][VECTORS];
    for (int r = 0; r < TILE_ROWS; r++)
        for (int v = 0; v < VECTORS; v++) sum[r][v] = splat(0);
    for (int64_t l = 0; l < length; l++, a += TILE_ROWS, b += TILE_COLUMNS) {
        vector right[VECTORS];
        for (int v = 0; v < VECTORS; v++) right[v] = ((const vector_in_memory *)b)[v];
#pragma GCC unroll 12
        for (int r = 0; r < TILE_ROWS; r++) {
            vector left = splat(a[r]);
            for (int v = 0; v < VECTORS; v++) sum[r][v] = multiply_add(left, right[v], sum[r][v]);
        }
    }
    for (int64_t r = 0; r < rows; r++) {
        REAL row[TILE_COLUMNS];
        memcpy(row, sum[r], sizeof row);
        for (int64_t j = 0; j < columns; j++) c[r * stride + j] = first ? row[j] : c[r * stride + j] + row[j];
    }
}

static void block_rows(int64_t begin, int64_t end, void *context) {
    const struct blocked *s = context;
    REAL *packed_a = aligned_alloc(64, sizeof(REAL) * BLOCK_ROWS * BLOCK_K);
    if (!packed_a) abort();
    for (int64_t block = begin; block < end; block++) {
        int64_t row = block * BLOCK_ROWS, left = s->whole.n - row, rows = left < BLOCK_ROWS ? left : BLOCK_ROWS;
        pack_a(s, row, rows, packed_a);
        for (int64_t j = 0; j < s->columns; j += TILE_COLUMNS)
            for (int64_t i = 0; i < rows; i += TILE_ROWS)
                tile(packed_a + i * s->length, s->packed_b + j * s->length, s->length,
                     s->whole.c + (row + i) * s->whole.m + s->column + j, s->whole.m,
                     rows - i < TILE_ROWS ? rows - i : TILE_ROWS,
                     s->columns - j < TILE_COLUMNS ? s->columns - j : TILE_COLUMNS, s->depth == 0);
    }
    free(packed_a);
}

void TILED(const REAL *a, const REAL *b, REAL *c, int64_t n, int64_t m, int64_t k) {
    KERNEL;
    struct blocked s = {.whole = {a, b, c, n, m, k}};
    s.packed_b = aligned_alloc(64, sizeof(REAL) * BLOCK_K * BLOCK_COLUMNS);
    if (!s.packed_b) abort();
    int64_t few = n * m * k < (1 << 17) ? INT64_MAX : 1;
    for (s.column = 0; s.column < m; s.column += BLOCK_COLUMNS) {
        s.columns = m - s.column < BLOCK_COLUMNS ? m - s.column : BLOCK_COLUMNS;
        for (s.depth = 0; s.depth < k; s.depth += BLOCK_K) {
            s.length = k - s.depth < BLOCK_K ? k - s.depth : BLOCK_K;
            int64_t tiles = (s.columns + TILE_COLUMNS - 1) / TILE_COLUMNS;
            parallel_for(tiles, few == 1 ? 8 : few, pack_b, &s);
            parallel_for((n + BLOCK_ROWS - 1) / BLOCK_ROWS, few, block_rows, &s);
        }
    }
    free(s.packed_b);
}
