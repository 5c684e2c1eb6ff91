/* slices_with_steps, views.py:18 */

static int32_t slices_with_steps_i(const weft_runtime *runtime, double *restrict out, double *restrict backwards,
                                   int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i = begin; i < end; i++) {
        /* line 22 */
        *AT(double, out, i * 24) = *AT(double, backwards, i * -8);
    }
    return WEFT_OK;
}

struct slices_with_steps_i {
    int32_t status;
    const weft_runtime *runtime;
    double *out;
    double *backwards;
};

static int32_t slices_with_steps_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct slices_with_steps_i *c = context;
    (void)part;
    int32_t status = slices_with_steps_i(c->runtime, c->out, c->backwards, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t slices_with_steps_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0,
                                      double *restrict out, int64_t out_n0) {
    /* line 19 */
    double *backwards = AT(double, x, (x_n0 - 1) * 8);
    /* line 20 */
    int64_t t_7 = floordiv_by_positive_int64(out_n0 - 1, 3) + 1;
    int64_t t_8 = 0 > t_7 ? 0 : t_7;
    /* line 21 */
    struct slices_with_steps_i i_loop = {WEFT_OK, runtime, out, backwards};
    runtime->parallel(slices_with_steps_i_piece, &i_loop, 0, t_8, 0, (double)t_8 * 0.7);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_slices_with_steps(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    /* line 18 */
    if (!(x_n0 >= (2 + out_n0) / 3)) return WEFT_OTHER_VARIANT;
    int32_t status = slices_with_steps_body(runtime, x, x_n0, out, out_n0);
    return status > 0 ? fault->site : status;
}
