/* three_arguments, aliasing.py:50 */

static int32_t three_arguments_i(const weft_runtime *runtime, double *restrict x, double *restrict y,
                                 double *restrict z, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&z[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 52 */
            z[i] = x[i] - y[i];
        }
    }
    return WEFT_OK;
}

struct three_arguments_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *y;
    double *z;
};

static int32_t three_arguments_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct three_arguments_i *c = context;
    (void)part;
    int32_t status = three_arguments_i(c->runtime, c->x, c->y, c->z, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t three_arguments_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0,
                                    double *restrict y, double *restrict z) {
    /* line 51 */
    struct three_arguments_i i_loop = {WEFT_OK, runtime, x, y, z};
    runtime->parallel(three_arguments_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * 0.16);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_three_arguments(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                              weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *y = (double *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    double *z = (double *)arguments[2].view->data;
    int64_t z_n0 = arguments[2].view->shape[0];
    /* line 50 */
    if (!((y_n0 >= x_n0) & (z_n0 >= x_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = three_arguments_body(runtime, x, x_n0, y, z);
    return status > 0 ? fault->site : status;
}
