/* counts_down, induction_variables.py:18 */

static int32_t counts_down_i(const weft_runtime *runtime, double *restrict a, int64_t a_n0, double *restrict b,
                             int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i = begin; i < end; i++) {
        /* line 22 */
        a[a_n0 + i * -1 - 1] = b[i] + 1.0;
    }
    return WEFT_OK;
}

struct counts_down_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n0;
    double *b;
};

static int32_t counts_down_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct counts_down_i *c = context;
    (void)part;
    int32_t status = counts_down_i(c->runtime, c->a, c->a_n0, c->b, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t counts_down_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0, double *restrict b,
                                int64_t b_n0) {
    /* line 20 */
    struct counts_down_i i_loop = {WEFT_OK, runtime, a, a_n0, b};
    runtime->parallel(counts_down_i_piece, &i_loop, 0, b_n0, 0, (double)b_n0 * 0.24);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_counts_down(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                          weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    double *b = (double *)arguments[1].view->data;
    int64_t b_n0 = arguments[1].view->shape[0];
    /* line 18 */
    if (!(a_n0 >= b_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = counts_down_body(runtime, a, a_n0, b, b_n0);
    return status > 0 ? fault->site : status;
}
