/* reverses_in_place, crossing_thresholds.py:10 */

static int32_t reverses_in_place_i(const weft_runtime *runtime, double *restrict a, int64_t t_1, int64_t begin,
                                   int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&a[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 13 */
            int64_t t_2 = t_1 - i;
            double t_4 = a[i];
            a[i] = a[t_2];
            a[t_2] = t_4;
        }
    }
    return WEFT_OK;
}

struct reverses_in_place_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t t_1;
};

static int32_t reverses_in_place_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct reverses_in_place_i *c = context;
    (void)part;
    int32_t status = reverses_in_place_i(c->runtime, c->a, c->t_1, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t reverses_in_place_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0) {
    /* line 13 */
    int64_t t_1 = a_n0 - 1;
    /* line 12 */
    int64_t t = a_n0 / 2;
    struct reverses_in_place_i i_loop = {WEFT_OK, runtime, a, t_1};
    runtime->parallel(reverses_in_place_i_piece, &i_loop, 0, t, 0, (double)t * 0.2);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_reverses_in_place(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int32_t status = reverses_in_place_body(runtime, a, a_n0);
    return status > 0 ? fault->site : status;
}
