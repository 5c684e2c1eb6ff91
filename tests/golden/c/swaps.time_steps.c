/* time_steps, swaps.py:13 */

static int32_t time_steps_i(const weft_runtime *runtime, double *u_1, double *v_1, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i = begin; i < end; i++) {
        /* line 16 */
        v_1[i] = 0.25 * u_1[i - 1] + 0.5 * u_1[i] + 0.25 * u_1[i + 1];
    }
    return WEFT_OK;
}

struct time_steps_i {
    int32_t status;
    const weft_runtime *runtime;
    double *u_1;
    double *v_1;
};

static void time_steps_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct time_steps_i *c = context;
    (void)part;
    int32_t status = time_steps_i(c->runtime, c->u_1, c->v_1, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t time_steps_i_2(const weft_runtime *runtime, weft_fault *fault, int64_t t, double *u_1, double *v_1,
                              int64_t v_1_n0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    int64_t i_next = begin;
    while (i_next < end) {
        if (end - i_next >= 32 && v_1_n0 > 0) {
            int bad = 0;
            double v_0_lanes[32];
            ONE_BY_ONE
            for (int lane = 0; lane < 32; lane++) {
                const int64_t i_1 = i_next + lane;
                /* line 16 */
                bool outside = i_1 >= v_1_n0;
                bad |= outside;
                v_0_lanes[lane] = 0.25 * u_1[i_1 - 1] + 0.5 * u_1[i_1] + 0.25 * u_1[i_1 + 1];
            }
            if (LIKELY(!bad)) {
                for (int lane = 0; lane < 32; lane++) {
                    const int64_t i_1 = i_next + lane;
                    v_1[i_1] = v_0_lanes[lane];
                }
                i_next += 32;
                continue;
            }
        }
        const int64_t i_end = min_int64(i_next + 32, end);
        for (int64_t i_1 = i_next; i_1 < i_end; i_1++) {
            /* line 16 */
            if (UNLIKELY(i_1 >= v_1_n0)) {
                return weft_raise(fault, 1, i_1, 4, (weft_value[]){{.i = i_1}, {.i = v_1_n0}, {.i = t}, {.i = i_1}});
            }
            v_1[i_1] = 0.25 * u_1[i_1 - 1] + 0.5 * u_1[i_1] + 0.25 * u_1[i_1 + 1];
        }
        i_next += 32;
    }
    return WEFT_OK;
}

struct time_steps_i_2 {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t t;
    double *u_1;
    double *v_1;
    int64_t v_1_n0;
};

static void time_steps_i_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct time_steps_i_2 *c = context;
    (void)part;
    int32_t status = time_steps_i_2(c->runtime, c->fault, c->t, c->u_1, c->v_1, c->v_1_n0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t time_steps_body(const weft_runtime *runtime, weft_fault *fault, weft_value *results,
                               double *restrict u, int64_t u_n0, double *restrict v, int64_t v_n0, int64_t steps) {
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
        if (1 + v_1_n0 >= u_1_n0) {
            struct time_steps_i i_loop = {WEFT_OK, runtime, u_1, v_1};
            runtime->parallel(time_steps_i_piece, &i_loop, 1, t_1, 0, (double)(t_1 - 1) * 1.85);
            if (UNLIKELY(i_loop.status)) {
                return i_loop.status;
            }
        } else {
            struct time_steps_i_2 i_loop_2 = {WEFT_OK, runtime, fault, t, u_1, v_1, v_1_n0};
            runtime->parallel(time_steps_i_2_piece, &i_loop_2, 1, t_1, 0, (double)(t_1 - 1) * 1.85);
            if (UNLIKELY(i_loop_2.status)) {
                return i_loop_2.status;
            }
        }
        double *next_u_1 = v_1;
        int64_t next_u_1_n0 = v_1_n0;
        v_1 = u_1;
        v_1_n0 = u_1_n0;
        u_1 = next_u_1;
        u_1_n0 = next_u_1_n0;
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
    if (!((steps <= 72057594037927936L) & (steps >= -72057594037927936L))) return WEFT_OTHER_VARIANT;
    int32_t status = time_steps_body(runtime, fault, results, u, u_n0, v, v_n0, steps);
    return status > 0 ? fault->site : status;
}
