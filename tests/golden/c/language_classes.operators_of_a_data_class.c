/* operators_of_a_data_class, language_classes.py:86 */

static int32_t operators_of_a_data_class_i(const weft_runtime *runtime, double *restrict x, double *restrict y,
                                           double *restrict out, int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 36, called from line 89 */
            double t_2 = x[i] - 0.5;
            double t_3 = y[i] - -0.5;
            /* line 33, called from line 90 */
            double t_8 = t_2 * -1.0 * 2.0 + 1.0;
            double t_9 = t_3 * -1.0 * 2.0 + 1.0;
            /* line 91 */
            out[i] = t_8 * t_2 + t_9 * t_3 + -2.0;
            /* line 92 */
            AT(double, out, 1 * out_s0)[i] = sqrt_float64(t_8 * t_8 + t_9 * t_9 + 4.0);
        }
    }
    return WEFT_OK;
}

struct operators_of_a_data_class_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *y;
    double *out;
    int64_t out_s0;
};

static int32_t operators_of_a_data_class_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct operators_of_a_data_class_i *c = context;
    (void)part;
    int32_t status = operators_of_a_data_class_i(c->runtime, c->x, c->y, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t operators_of_a_data_class_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0,
                                              double *restrict y, double *restrict out, int64_t out_s0) {
    /* line 88 */
    struct operators_of_a_data_class_i i_loop = {WEFT_OK, runtime, x, y, out, out_s0};
    runtime->parallel(operators_of_a_data_class_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * 1.2);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_operators_of_a_data_class(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                        weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *y = (double *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    double *out = (double *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    int64_t out_n1 = arguments[2].view->shape[1];
    int64_t out_s0 = arguments[2].view->strides[0];
    /* line 86 */
    if (!((y_n0 >= x_n0) & ((out_n0 >= 2) | (0 >= x_n0)) & (out_n1 >= x_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = operators_of_a_data_class_body(runtime, x, x_n0, y, out, out_s0);
    return status > 0 ? fault->site : status;
}
