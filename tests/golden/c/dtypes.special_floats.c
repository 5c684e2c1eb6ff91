/* special_floats, dtypes.py:226 */

static int32_t special_floats_i(const weft_runtime *runtime, half_t *restrict x, int64_t x_n0, half_t *restrict out,
                                int64_t out_s0, int64_t out_s1, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = x_n0;
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t i = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        for (int64_t j_first = first, j_last = first_whole(&AT(half_t, out, i * out_s1)[first], 2, first, last); j_first < last; j_first = j_last, j_last = last) {
            INDEPENDENT
            for (int64_t j = j_first; j < j_last; j++) {
                /* line 229 */
                half_t t = x[i];
                half_t t_1 = x[j];
                AT(half_t, out, i * out_s1)[j] = half_from_float32(half_to_float32(t) + half_to_float32(t_1));
                /* line 230 */
                AT(half_t, out, 1 * out_s0 + i * out_s1)[j] = half_from_float32(half_to_float32(t) * half_to_float32(t_1));
                /* line 231 */
                AT(half_t, out, 2 * out_s0 + i * out_s1)[j] = half_from_float32(half_to_float32(t) / half_to_float32(t_1));
                /* line 232 */
                AT(half_t, out, 3 * out_s0 + i * out_s1)[j] = half_to_float32(t) < half_to_float32(t_1) ? t : t_1;
                /* line 233 */
                int64_t t_24 = (int64_t)(half_to_float32(t) == half_to_float32(t_1)) + 2 * (int64_t)(half_to_float32(t) <= half_to_float32(t_1));
                half_t t_31 = half_from_float32(t_24 + 4 * (int64_t)(half_to_float32(t) != half_to_float32(t_1)));
                AT(half_t, out, 4 * out_s0 + i * out_s1)[j] = t_31;
            }
        }
    }
    return WEFT_OK;
}

struct special_floats_i {
    int32_t status;
    const weft_runtime *runtime;
    half_t *x;
    int64_t x_n0;
    half_t *out;
    int64_t out_s0;
    int64_t out_s1;
};

static int32_t special_floats_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct special_floats_i *c = context;
    (void)part;
    int32_t status = special_floats_i(c->runtime, c->x, c->x_n0, c->out, c->out_s0, c->out_s1, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t special_floats_body(const weft_runtime *runtime, half_t *restrict x, int64_t x_n0,
                                   half_t *restrict out, int64_t out_s0, int64_t out_s1) {
    /* line 227 */
    int64_t trips = weft_rectangle(weft_trips(0, x_n0), weft_trips(0, x_n0));
    struct special_floats_i i_loop = {WEFT_OK, runtime, x, x_n0, out, out_s0, out_s1};
    runtime->parallel(special_floats_i_piece, &i_loop, 0, trips, 0, (double)trips * 1.28);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_special_floats(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                             weft_fault *fault) {
    half_t *x = (half_t *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    half_t *out = (half_t *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    int64_t out_n1 = arguments[1].view->shape[1];
    int64_t out_n2 = arguments[1].view->shape[2];
    int64_t out_s0 = arguments[1].view->strides[0];
    int64_t out_s1 = arguments[1].view->strides[1];
    /* line 226 */
    bool t_7 = 0 >= x_n0;
    if (!(((out_n0 >= 5) | t_7 | t_7) & (out_n1 >= x_n0) & (out_n2 >= x_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = special_floats_body(runtime, x, x_n0, out, out_s0, out_s1);
    return status > 0 ? fault->site : status;
}
