/* lambdas, language_functions.py:83 */

static int32_t lambdas_i(const weft_runtime *runtime, double *restrict x, double *restrict out, double v_SCALE,
                         int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 86 */
            double t = x[i];
            /* line 86 */
            out[i] = (t + 1.0) * (t + v_SCALE);
        }
    }
    return WEFT_OK;
}

struct lambdas_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *out;
    double v_SCALE;
};

static int32_t lambdas_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct lambdas_i *c = context;
    (void)part;
    int32_t status = lambdas_i(c->runtime, c->x, c->out, c->v_SCALE, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t lambdas_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0, double *restrict out,
                            double v_SCALE) {
    /* line 85 */
    struct lambdas_i i_loop = {WEFT_OK, runtime, x, out, v_SCALE};
    runtime->parallel(lambdas_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * 0.2);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_lambdas(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                      weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    double v_SCALE = arguments[2].f;
    /* line 83 */
    if (!(out_n0 >= x_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = lambdas_body(runtime, x, x_n0, out, v_SCALE);
    return status > 0 ? fault->site : status;
}
