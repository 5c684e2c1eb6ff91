/* Vectors of eight doubles in GNU C, with the few operations that the language has no sign for. */
#ifndef BENCHMARKS_LANES_H
#define BENCHMARKS_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX512F__) || defined(__AVX__)
#include <immintrin.h>
#endif

enum { LANES = 8 };

typedef double f64x8 __attribute__((vector_size(64)));
typedef int64_t i64x8 __attribute__((vector_size(64)));
typedef double f64x8_in_memory __attribute__((vector_size(64), aligned(8), may_alias));

static inline f64x8 load(const double *source) { return *(const f64x8_in_memory *)source; }

static inline void store(double *target, f64x8 v) { *(f64x8_in_memory *)target = v; }

static inline f64x8 splat(double x) { return (f64x8){x, x, x, x, x, x, x, x}; }

static inline f64x8 choose(i64x8 mask, f64x8 yes, f64x8 no) {
    return (f64x8)((mask & (i64x8)yes) | (~mask & (i64x8)no));
}

static inline int any(i64x8 mask) {
#if defined(__AVX512F__)
    return _mm512_test_epi64_mask((__m512i)mask, (__m512i)mask) != 0;
#else
    return (mask[0] | mask[1] | mask[2] | mask[3] | mask[4] | mask[5] | mask[6] | mask[7]) != 0;
#endif
}

static inline f64x8 square_root(f64x8 x) {
#if defined(__AVX512F__)
    return (f64x8)_mm512_sqrt_pd((__m512d)x);
#else
    for (int lane = 0; lane < LANES; lane++) x[lane] = sqrt(x[lane]);
    return x;
#endif
}

static inline f64x8 multiply_add(f64x8 a, f64x8 b, f64x8 c) {
#if defined(__AVX512F__)
    return (f64x8)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#else
    for (int lane = 0; lane < LANES; lane++) c[lane] = fma(a[lane], b[lane], c[lane]);
    return c;
#endif
}

/* The first `count` lanes from memory, zero in the others. */
static inline f64x8 load_lanes(const double *source, int64_t stride, int64_t count) {
    f64x8 v = splat(0.0);
    for (int64_t lane = 0; lane < count; lane++) v[lane] = source[lane * stride];
    return v;
}

static inline void store_lanes(double *target, int64_t stride, int64_t count, f64x8 v) {
    for (int64_t lane = 0; lane < count; lane++) target[lane * stride] = v[lane];
}

#endif
