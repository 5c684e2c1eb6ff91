/* Radix-2 Stockham transform of complex numbers: no bit reversal, two buffers that change roles after each stage. */
#include "pool.h"

#include <string.h>

typedef struct {
    double re, im;
} complex_number;

struct stage {
    const complex_number *from, *twiddle;
    complex_number *to;
    int64_t half, stride;
};

static inline complex_number add(complex_number a, complex_number b) {
    return (complex_number){a.re + b.re, a.im + b.im};
}

static inline complex_number turn(complex_number a, complex_number b, complex_number w) {
    double re = a.re - b.re, im = a.im - b.im;
    return (complex_number){re * w.re - im * w.im, re * w.im + im * w.re};
}

/* Butterfly p * stride + q reads elements q + stride * p and q + stride * (p + half). */
static void butterflies(int64_t begin, int64_t end, void *context) {
    const struct stage *s = context;
    int64_t stride = s->stride, apart = stride * s->half;
    for (int64_t first = begin; first < end;) {
        int64_t p = first / stride, stop = (p + 1) * stride < end ? (p + 1) * stride : end;
        complex_number w = s->twiddle[p * stride];
        const complex_number *restrict from = s->from;
        complex_number *restrict low = s->to + p * stride, *restrict high = low + stride;
        for (int64_t k = first; k < stop; k++) {
            complex_number a = from[k], b = from[k + apart];
            low[k] = add(a, b);
            high[k] = turn(a, b, w);
        }
        first = stop;
    }
}

/* With stride 1 each butterfly has a factor of its own and writes two neighbours. */
static void first_stage(int64_t begin, int64_t end, void *context) {
    const struct stage *s = context;
    const complex_number *restrict from = s->from, *restrict twiddle = s->twiddle;
    complex_number *restrict to = s->to;
    for (int64_t p = begin; p < end; p++) {
        complex_number a = from[p], b = from[p + s->half];
        to[2 * p] = add(a, b);
        to[2 * p + 1] = turn(a, b, twiddle[p]);
    }
}

struct copy {
    const complex_number *from;
    complex_number *to;
};

static void copy_chunk(int64_t begin, int64_t end, void *context) {
    const struct copy *c = context;
    memcpy(c->to + begin, c->from + begin, (size_t)(end - begin) * sizeof *c->to);
}

/* n is a power of two; twiddle has n / 2 factors; the result is in `result`. */
void fft(const complex_number *signal, const complex_number *twiddle, complex_number *result, complex_number *work,
         int64_t n) {
    KERNEL;
    int stages = 0;
    for (int64_t m = n; m > 1; m /= 2) stages++;
    /* The number of stages decides which buffer is filled first, so that the last stage ends in `result`. */
    complex_number *x = stages % 2 ? work : result, *y = stages % 2 ? result : work;
    parallel_for(n, 1 << 15, copy_chunk, &(struct copy){signal, x});
    for (int64_t half = n / 2, stride = 1; half >= 1; half /= 2, stride *= 2) {
        struct stage s = {x, twiddle, y, half, stride};
        parallel_for(n / 2, 1 << 14, stride == 1 ? first_stage : butterflies, &s);
        complex_number *t = x;
        x = y;
        y = t;
    }
}
