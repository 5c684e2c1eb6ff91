/* integers_divide, dtypes.py:50 */

static int32_t integers_divide_i(const weft_runtime *runtime, int8_t *restrict a, int8_t *restrict b,
                                 int8_t *restrict out, int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 1, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 52 */
            int8_t t = a[i];
            int8_t t_1 = b[i];
            out[i] = floordiv_int8(t, t_1);
            /* line 53 */
            AT(int8_t, out, 1 * out_s0)[i] = mod_int8(t, t_1);
            /* line 54 */
            AT(int8_t, out, 2 * out_s0)[i] = (int8_t)(floordiv_by_positive_int8(t, 3) + mod_by_positive_int8(t, 7));
        }
    }
    return WEFT_OK;
}

struct integers_divide_i {
    int32_t status;
    const weft_runtime *runtime;
    int8_t *a;
    int8_t *b;
    int8_t *out;
    int64_t out_s0;
};

static int32_t integers_divide_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct integers_divide_i *c = context;
    (void)part;
    int32_t status = integers_divide_i(c->runtime, c->a, c->b, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t integers_divide_body(const weft_runtime *runtime, int8_t *restrict a, int64_t a_n0,
                                    int8_t *restrict b, int8_t *restrict out, int64_t out_s0) {
    /* line 51 */
    struct integers_divide_i i_loop = {WEFT_OK, runtime, a, b, out, out_s0};
    runtime->parallel(integers_divide_i_piece, &i_loop, 0, a_n0, 0, (double)a_n0 * 1.84);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_integers_divide(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                              weft_fault *fault) {
    int8_t *a = (int8_t *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int8_t *b = (int8_t *)arguments[1].view->data;
    int64_t b_n0 = arguments[1].view->shape[0];
    int8_t *out = (int8_t *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    int64_t out_n1 = arguments[2].view->shape[1];
    int64_t out_s0 = arguments[2].view->strides[0];
    /* line 50 */
    if (!((b_n0 >= a_n0) & ((out_n0 >= 3) | (0 >= a_n0)) & (out_n1 >= a_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = integers_divide_body(runtime, a, a_n0, b, out, out_s0);
    return status > 0 ? fault->site : status;
}
