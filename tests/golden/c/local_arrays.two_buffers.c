/* two_buffers, local_arrays.py:117 */

static int32_t two_buffers_i(const weft_runtime *runtime, double *restrict x, double *restrict old, int64_t begin,
                             int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i = begin; i < end; i++) {
        /* line 121 */
        old[i] = x[i];
    }
    return WEFT_OK;
}

struct two_buffers_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *old;
};

static void two_buffers_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct two_buffers_i *c = context;
    (void)part;
    int32_t status = two_buffers_i(c->runtime, c->x, c->old, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t two_buffers_i_2(const weft_runtime *runtime, double *old_1, double *new_1, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        /* line 124 */
        new_1[i_1] = 0.5 * (old_1[i_1 - 1] + old_1[i_1 + 1]);
    }
    return WEFT_OK;
}

struct two_buffers_i_2 {
    int32_t status;
    const weft_runtime *runtime;
    double *old_1;
    double *new_1;
};

static void two_buffers_i_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct two_buffers_i_2 *c = context;
    (void)part;
    int32_t status = two_buffers_i_2(c->runtime, c->old_1, c->new_1, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t two_buffers_i_3(const weft_runtime *runtime, weft_fault *fault, int64_t t_3, double *old_1,
                               int64_t old_1_n0, double *new_1, int64_t new_1_n0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    int64_t i_next = begin;
    while (i_next < end) {
        if (end - i_next >= 32 && new_1_n0 > 0 && old_1_n0 > 0) {
            int bad = 0;
            double new_0_lanes[32];
            ONE_BY_ONE
            for (int lane = 0; lane < 32; lane++) {
                const int64_t i_2 = i_next + lane;
                /* line 124 */
                int64_t t_22 = i_2 - 1;
                bool outside = (uint64_t)t_22 >= (uint64_t)old_1_n0;
                bad |= outside;
                int64_t t_24 = i_2 + 1;
                bool outside_2 = t_24 >= old_1_n0;
                bad |= outside_2;
                bool outside_3 = i_2 >= new_1_n0;
                bad |= outside_3;
                new_0_lanes[lane] = 0.5 * (old_1[(outside ? 0 : t_22)] + old_1[(outside_2 ? 0 : t_24)]);
            }
            if (LIKELY(!bad)) {
                for (int lane = 0; lane < 32; lane++) {
                    const int64_t i_2 = i_next + lane;
                    new_1[i_2] = new_0_lanes[lane];
                }
                i_next += 32;
                continue;
            }
        }
        const int64_t i_end = min_int64(i_next + 32, end);
        for (int64_t i_2 = i_next; i_2 < i_end; i_2++) {
            /* line 124 */
            int64_t t_22 = i_2 - 1;
            if (UNLIKELY((uint64_t)t_22 >= (uint64_t)old_1_n0)) {
                return weft_raise(fault, 1, i_2, 4, (weft_value[]){{.i = t_22}, {.i = old_1_n0}, {.i = t_3}, {.i = i_2}});
            }
            int64_t t_24 = i_2 + 1;
            if (UNLIKELY(t_24 >= old_1_n0)) {
                return weft_raise(fault, 2, i_2, 4, (weft_value[]){{.i = t_24}, {.i = old_1_n0}, {.i = t_3}, {.i = i_2}});
            }
            if (UNLIKELY(i_2 >= new_1_n0)) {
                return weft_raise(fault, 3, i_2, 4, (weft_value[]){{.i = i_2}, {.i = new_1_n0}, {.i = t_3}, {.i = i_2}});
            }
            new_1[i_2] = 0.5 * (old_1[t_22] + old_1[t_24]);
        }
        i_next += 32;
    }
    return WEFT_OK;
}

struct two_buffers_i_3 {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t t_3;
    double *old_1;
    int64_t old_1_n0;
    double *new_1;
    int64_t new_1_n0;
};

static void two_buffers_i_3_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct two_buffers_i_3 *c = context;
    (void)part;
    int32_t status = two_buffers_i_3(c->runtime, c->fault, c->t_3, c->old_1, c->old_1_n0, c->new_1, c->new_1_n0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t two_buffers_body(const weft_runtime *runtime, weft_fault *fault, weft_value *results,
                                double *restrict x, int64_t x_n0, int64_t steps) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    weft_owned owned = {0};
    /* line 118 */
    int64_t old_bytes = weft_bytes(1, (int64_t[]){x_n0}, 8);
    double *old = old_bytes < 0 ? NULL : weft_allocate(runtime, old_bytes);
    if (UNLIKELY(!old || !weft_keep(runtime, &owned, old))) {
        status = WEFT_NO_MEMORY;
        goto done;
    }
    /* line 119 */
    int64_t new_bytes = weft_bytes(1, (int64_t[]){x_n0}, 8);
    double *new_2 = new_bytes < 0 ? NULL : weft_allocate(runtime, new_bytes);
    if (UNLIKELY(!new_2 || !weft_keep(runtime, &owned, new_2))) {
        status = WEFT_NO_MEMORY;
        goto done;
    }
    __builtin_memset(new_2, 0, new_bytes);
    /* line 120 */
    struct two_buffers_i i_loop = {WEFT_OK, runtime, x, old};
    runtime->parallel(two_buffers_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * 0.4);
    if (UNLIKELY(i_loop.status)) {
        status = i_loop.status;
        goto done;
    }
    /* line 123 */
    int64_t t_4 = x_n0 - 1;
    /* line 122 */
    double *old_1 = old;
    int64_t old_1_n0 = x_n0;
    void *old_1_base = old;
    double *new_1 = new_2;
    int64_t new_1_n0 = x_n0;
    void *new_1_base = new_2;
    for (int64_t t_3 = 0; t_3 < steps; t_3++) {
        if (UNLIKELY(*stop)) {
            status = WEFT_INTERRUPTED;
            goto done;
        }
        /* line 123 */
        if ((2 + old_1_n0 >= x_n0) & (old_1_n0 >= x_n0) & (1 + new_1_n0 >= x_n0)) {
            struct two_buffers_i_2 i_loop_2 = {WEFT_OK, runtime, old_1, new_1};
            runtime->parallel(two_buffers_i_2_piece, &i_loop_2, 1, t_4, 0, (double)(t_4 - 1) * 1.2);
            if (UNLIKELY(i_loop_2.status)) {
                status = i_loop_2.status;
                goto done;
            }
        } else {
            struct two_buffers_i_3 i_loop_3 = {WEFT_OK, runtime, fault, t_3, old_1, old_1_n0, new_1, new_1_n0};
            runtime->parallel(two_buffers_i_3_piece, &i_loop_3, 1, t_4, 0, (double)(t_4 - 1) * 1.2);
            if (UNLIKELY(i_loop_3.status)) {
                status = i_loop_3.status;
                goto done;
            }
        }
        double *next_old_1 = new_1;
        int64_t next_old_1_n0 = new_1_n0;
        void *next_old_1_base = new_1_base;
        new_1 = old_1;
        new_1_n0 = old_1_n0;
        new_1_base = old_1_base;
        old_1 = next_old_1;
        old_1_n0 = next_old_1_n0;
        old_1_base = next_old_1_base;
    }
    results[0].view->data = (char *)old_1;
    results[0].view->shape[0] = old_1_n0;
    results[0].view->strides[0] = 8;
    results[0].view->base = old_1_base;
    weft_disown(&owned, old_1_base);
done:
    weft_release_all(runtime, &owned, 1, (void *[]){NULL});
    return status;
}

int32_t enter_two_buffers(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                          weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    int64_t steps = arguments[1].i;
    /* line 117 */
    if (!((steps <= 72057594037927936L) & (steps >= -72057594037927936L))) return WEFT_OTHER_VARIANT;
    int32_t status = two_buffers_body(runtime, fault, results, x, x_n0, steps);
    return status > 0 ? fault->site : status;
}
