/* floats, dtypes.py:74 */

static int32_t floats_i(const weft_runtime *runtime, half_t *restrict x, half_t *restrict y, half_t *restrict out,
                        int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 2, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 76 */
            half_t t = x[i];
            half_t t_1 = y[i];
            half_t t_2 = half_from_float32(half_to_float32(t_1) * half_to_float32(half_from_float64(2.0)));
            out[i] = half_from_float32(half_to_float32(t) + half_to_float32(t_2));
            /* line 77 */
            half_t t_6 = half_from_float32(half_to_float32(t_1) * half_to_float32(half_from_float64(0.0999755859375)));
            AT(half_t, out, 1 * out_s0)[i] = half_from_float32(half_to_float32(t) - half_to_float32(t_6));
            /* line 78 */
            AT(half_t, out, 2 * out_s0)[i] = half_from_float32(half_to_float32(t) / half_to_float32(t_1));
            /* line 79 */
            AT(half_t, out, 3 * out_s0)[i] = half_from_float32(floordiv_float32(half_to_float32(t), half_to_float32(t_1)));
            /* line 80 */
            AT(half_t, out, 4 * out_s0)[i] = half_from_float32(mod_float32(half_to_float32(t), half_to_float32(t_1)));
            /* line 81 */
            half_t t_19 = half_from_float32(-half_to_float32(half_from_float32(fabs_float32(half_to_float32(t)))));
            AT(half_t, out, 5 * out_s0)[i] = t_19;
        }
    }
    return WEFT_OK;
}

struct floats_i {
    int32_t status;
    const weft_runtime *runtime;
    half_t *x;
    half_t *y;
    half_t *out;
    int64_t out_s0;
};

static int32_t floats_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct floats_i *c = context;
    (void)part;
    int32_t status = floats_i(c->runtime, c->x, c->y, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t floats_body(const weft_runtime *runtime, half_t *restrict x, int64_t x_n0, half_t *restrict y,
                           half_t *restrict out, int64_t out_s0) {
    /* line 75 */
    struct floats_i i_loop = {WEFT_OK, runtime, x, y, out, out_s0};
    runtime->parallel(floats_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * 1.76);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_floats(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                     weft_fault *fault) {
    half_t *x = (half_t *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    half_t *y = (half_t *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    half_t *out = (half_t *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    int64_t out_n1 = arguments[2].view->shape[1];
    int64_t out_s0 = arguments[2].view->strides[0];
    /* line 74 */
    if (!((y_n0 >= x_n0) & ((out_n0 >= 6) | (0 >= x_n0)) & (out_n1 >= x_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = floats_body(runtime, x, x_n0, y, out, out_s0);
    return status > 0 ? fault->site : status;
}
