/* swaps_through_a_scalar, expansion.py:10 */

static int32_t swaps_through_a_scalar_i(const weft_runtime *runtime, double *restrict a, double *restrict b,
                                        int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&a[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 13 */
            double t_1 = a[i];
            a[i] = b[i];
            /* line 14 */
            b[i] = t_1;
        }
    }
    return WEFT_OK;
}

struct swaps_through_a_scalar_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    double *b;
};

static int32_t swaps_through_a_scalar_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct swaps_through_a_scalar_i *c = context;
    (void)part;
    int32_t status = swaps_through_a_scalar_i(c->runtime, c->a, c->b, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t swaps_through_a_scalar_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0,
                                           double *restrict b) {
    /* line 11 */
    struct swaps_through_a_scalar_i i_loop = {WEFT_OK, runtime, a, b};
    runtime->parallel(swaps_through_a_scalar_i_piece, &i_loop, 0, a_n0, 0, (double)a_n0 * 0.16);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_swaps_through_a_scalar(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                     weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    double *b = (double *)arguments[1].view->data;
    int64_t b_n0 = arguments[1].view->shape[0];
    /* line 10 */
    if (!(b_n0 >= a_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = swaps_through_a_scalar_body(runtime, a, a_n0, b);
    return status > 0 ? fault->site : status;
}
