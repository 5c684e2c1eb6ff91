/* Sums of rows and of columns, a triangular product, a sparse product. Sums may be re-associated and contracted. */
#include "lanes.h"
#include "pool.h"

enum { ELEMENTS = 1 << 15, STRIP = 512 };

struct matrix {
    const double *a, *x;
    double *sums;
    int64_t height, width;
};

static inline double total(f64x8 v) { return ((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7])); }

static double sum(const double *a, int64_t n) {
    f64x8 s0 = splat(0.0), s1 = s0, s2 = s0, s3 = s0;
    int64_t j = 0;
    for (; j + 4 * LANES <= n; j += 4 * LANES) {
        s0 += load(a + j);
        s1 += load(a + j + LANES);
        s2 += load(a + j + 2 * LANES);
        s3 += load(a + j + 3 * LANES);
    }
    double rest = 0.0;
    for (; j < n; j++) rest += a[j];
    return total((s0 + s1) + (s2 + s3)) + rest;
}

static void sum_rows(int64_t begin, int64_t end, void *context) {
    const struct matrix *m = context;
    for (int64_t i = begin; i < end; i++) m->sums[i] = sum(m->a + i * m->width, m->width);
}

void row_sums(const double *a, double *sums, int64_t height, int64_t width) {
    KERNEL;
    parallel_for(height, 1 + ELEMENTS / (width + 1), sum_rows, &(struct matrix){a, 0, sums, height, width});
}

static void sum_columns(int64_t begin, int64_t end, void *context) {
    const struct matrix *m = context;
    double *restrict sums = m->sums;
    for (int64_t j = begin; j < end; j++) sums[j] = 0.0;
    for (int64_t i = 0; i < m->height; i++) {
        const double *restrict row = m->a + i * m->width;
        for (int64_t j = begin; j < end; j++) sums[j] += row[j];
    }
}

void column_sums(const double *a, double *sums, int64_t height, int64_t width) {
    KERNEL;
    int64_t grain = height * width <= ELEMENTS ? width : STRIP;
    parallel_for(width, grain, sum_columns, &(struct matrix){a, 0, sums, height, width});
}

static double product(const double *a, const double *x, int64_t n) {
    f64x8 s0 = splat(0.0), s1 = s0, s2 = s0, s3 = s0;
    int64_t j = 0;
    for (; j + 4 * LANES <= n; j += 4 * LANES) {
        s0 = multiply_add(load(a + j), load(x + j), s0);
        s1 = multiply_add(load(a + j + LANES), load(x + j + LANES), s1);
        s2 = multiply_add(load(a + j + 2 * LANES), load(x + j + 2 * LANES), s2);
        s3 = multiply_add(load(a + j + 3 * LANES), load(x + j + 3 * LANES), s3);
    }
    double rest = 0.0;
    for (; j < n; j++) rest = fma(a[j], x[j], rest);
    return total((s0 + s1) + (s2 + s3)) + rest;
}

static void triangle_rows(int64_t begin, int64_t end, void *context) {
    const struct matrix *m = context;
    for (int64_t i = begin; i < end; i++) m->sums[i] = product(m->a + i * m->width, m->x, i + 1);
}

void triangular(const double *a, const double *x, double *y, int64_t n) {
    KERNEL;
    parallel_for(n, 1 + 2 * ELEMENTS / (n + 1), triangle_rows, &(struct matrix){a, x, y, n, n});
}

struct sparse {
    const int64_t *first;
    const int32_t *column;
    const double *value, *x;
    double *y;
};

static void sparse_rows(int64_t begin, int64_t end, void *context) {
    const struct sparse *m = context;
    const int32_t *restrict column = m->column;
    const double *restrict value = m->value, *restrict x = m->x;
    double *restrict y = m->y;
    for (int64_t i = begin; i < end; i++) {
        double s0 = 0.0, s1 = 0.0, s2 = 0.0, s3 = 0.0;
        int64_t k = m->first[i], stop = m->first[i + 1];
        for (; k + 4 <= stop; k += 4) {
            s0 = fma(value[k], x[column[k]], s0);
            s1 = fma(value[k + 1], x[column[k + 1]], s1);
            s2 = fma(value[k + 2], x[column[k + 2]], s2);
            s3 = fma(value[k + 3], x[column[k + 3]], s3);
        }
        for (; k < stop; k++) s0 = fma(value[k], x[column[k]], s0);
        y[i] = (s0 + s1) + (s2 + s3);
    }
}

void sparse_product(const int64_t *first, const int32_t *column, const double *value, const double *x, double *y,
                    int64_t rows) {
    KERNEL;
    parallel_for(rows, 2048, sparse_rows, &(struct sparse){first, column, value, x, y});
}
