/* lower_triangle, domains.py:13 */

static int32_t lower_triangle_i(const weft_runtime *runtime, double *restrict a, int64_t a_s0, double *restrict out,
                                int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 15 */
        for (int64_t j_first = 0, j_last = first_whole(&AT(double, out, i * out_s0)[0], 8, 0, i + 1); j_first < i + 1; j_first = j_last, j_last = i + 1) {
            INDEPENDENT
            for (int64_t j = j_first; j < j_last; j++) {
                /* line 16 */
                AT(double, out, i * out_s0)[j] = AT(double, a, i * a_s0)[j] * 2.0;
            }
        }
    }
    return WEFT_OK;
}

struct lower_triangle_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
};

static int32_t lower_triangle_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct lower_triangle_i *c = context;
    (void)part;
    int32_t status = lower_triangle_i(c->runtime, c->a, c->a_s0, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t lower_triangle_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0, int64_t a_s0,
                                   double *restrict out, int64_t out_s0) {
    /* line 14 */
    struct lower_triangle_i i_loop = {WEFT_OK, runtime, a, a_s0, out, out_s0};
    runtime->parallel(lower_triangle_i_piece, &i_loop, 0, a_n0, 0, (double)a_n0 * (2.04 + (0.5 * (double)a_n0 + 1.0) * (0.16)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_lower_triangle(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                             weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    int64_t out_n1 = arguments[1].view->shape[1];
    int64_t out_s0 = arguments[1].view->strides[0];
    /* line 13 */
    if (!((a_n1 >= a_n0) & (out_n0 >= a_n0) & (out_n1 >= a_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = lower_triangle_body(runtime, a, a_n0, a_s0, out, out_s0);
    return status > 0 ? fault->site : status;
}
