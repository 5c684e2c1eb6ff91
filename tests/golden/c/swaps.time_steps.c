/* time_steps, swaps.py:13 */

static int32_t time_steps_i(const weft_runtime *runtime, double *u_1, double *v_1, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&v_1[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 16 */
            v_1[i] = 0.25 * u_1[i - 1] + 0.5 * u_1[i] + 0.25 * u_1[i + 1];
        }
    }
    return WEFT_OK;
}

struct time_steps_i {
    int32_t status;
    const weft_runtime *runtime;
    double *u_1;
    double *v_1;
};

static int32_t time_steps_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct time_steps_i *c = context;
    (void)part;
    int32_t status = time_steps_i(c->runtime, c->u_1, c->v_1, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t time_steps_body(const weft_runtime *runtime, weft_value *results, double *restrict u, int64_t u_n0,
                               double *restrict v, int64_t v_n0, int64_t steps) {
    volatile int *const stop = runtime->stop;
    /* line 14 */
    double *u_1 = u;
    int64_t u_1_n0 = u_n0;
    double *v_1 = v;
    int64_t v_1_n0 = v_n0;
    for (int64_t t = 0; t < steps; t++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 15 */
        int64_t t_1 = u_1_n0 - 1;
        struct time_steps_i i_loop = {WEFT_OK, runtime, u_1, v_1};
        runtime->parallel(time_steps_i_piece, &i_loop, 1, t_1, 0, (double)weft_trips(1, t_1) * 0.44);
        if (UNLIKELY(i_loop.status)) {
            return i_loop.status;
        }
        double *next_u_1 = v_1;
        int64_t next_u_1_n0_ = v_1_n0;
        v_1 = u_1;
        v_1_n0 = u_1_n0;
        u_1 = next_u_1;
        u_1_n0 = next_u_1_n0_;
    }
    results[0].view->data = (char *)u_1;
    results[0].view->shape[0] = u_1_n0;
    results[0].view->strides[0] = 8;
    results[0].view->base = NULL;
    return WEFT_OK;
}

int32_t enter_time_steps(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                         weft_fault *fault) {
    double *u = (double *)arguments[0].view->data;
    int64_t u_n0 = arguments[0].view->shape[0];
    double *v = (double *)arguments[1].view->data;
    int64_t v_n0 = arguments[1].view->shape[0];
    int64_t steps = arguments[2].i;
    /* line 13 */
    bool holds = u_n0 == v_n0 ? (steps <= 72057594037927936L) & (steps >= -72057594037927936L) : false;
    if (!(holds)) return WEFT_OTHER_VARIANT;
    int32_t status = time_steps_body(runtime, results, u, u_n0, v, v_n0, steps);
    return status > 0 ? fault->site : status;
}
