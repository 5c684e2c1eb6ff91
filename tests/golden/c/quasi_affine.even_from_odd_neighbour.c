/* even_from_odd_neighbour, quasi_affine.py:42 */

static int32_t even_from_odd_neighbour_i(const weft_runtime *runtime, double *restrict a, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        /* line 43 */
        int64_t t_9 = i_1 * 2;
        /* line 45 */
        a[t_9] = a[t_9 + 1] * 2.0;
    }
    return WEFT_OK;
}

struct even_from_odd_neighbour_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
};

static int32_t even_from_odd_neighbour_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct even_from_odd_neighbour_i *c = context;
    (void)part;
    int32_t status = even_from_odd_neighbour_i(c->runtime, c->a, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t even_from_odd_neighbour_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0) {
    /* line 43 */
    int64_t t = a_n0 - 1;
    int64_t t_8 = ((0 > t ? 0 : t) + 1) / 2;
    struct even_from_odd_neighbour_i i_loop = {WEFT_OK, runtime, a};
    runtime->parallel(even_from_odd_neighbour_i_piece, &i_loop, 0, t_8, 0, (double)t_8 * 0.2);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_even_from_odd_neighbour(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                      weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int32_t status = even_from_odd_neighbour_body(runtime, a, a_n0);
    return status > 0 ? fault->site : status;
}
