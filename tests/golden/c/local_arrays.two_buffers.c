/* two_buffers, local_arrays.py:117 */

static int32_t two_buffers_i(const weft_runtime *runtime, double *restrict x, double *restrict old, int64_t begin,
                             int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&old[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 121 */
            old[i] = x[i];
        }
    }
    return WEFT_OK;
}

struct two_buffers_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *old;
};

static int32_t two_buffers_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct two_buffers_i *c = context;
    (void)part;
    int32_t status = two_buffers_i(c->runtime, c->x, c->old, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t two_buffers_i_2(const weft_runtime *runtime, double *old_1, double *new_1, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first_2 = begin, i_last_2 = first_whole(&new_1[begin], 8, begin, end); i_first_2 < end; i_first_2 = i_last_2, i_last_2 = end) {
        INDEPENDENT
        for (int64_t i_1 = i_first_2; i_1 < i_last_2; i_1++) {
            /* line 124 */
            new_1[i_1] = 0.5 * (old_1[i_1 - 1] + old_1[i_1 + 1]);
        }
    }
    return WEFT_OK;
}

struct two_buffers_i_2 {
    int32_t status;
    const weft_runtime *runtime;
    double *old_1;
    double *new_1;
};

static int32_t two_buffers_i_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct two_buffers_i_2 *c = context;
    (void)part;
    int32_t status = two_buffers_i_2(c->runtime, c->old_1, c->new_1, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t two_buffers_body(const weft_runtime *runtime, weft_value *results, double *restrict x, int64_t x_n0,
                                int64_t steps) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    weft_owned owned = {0};
    /* line 118 */
    int64_t old_bytes = weft_bytes(1, (int64_t[]){x_n0}, 8);
    if (UNLIKELY(old_bytes < 0)) {
        status = WEFT_TOO_LARGE;
        goto done;
    }
    double *old = weft_allocate(runtime, old_bytes);
    if (UNLIKELY(!old || !weft_keep(runtime, &owned, old))) {
        status = WEFT_NO_MEMORY;
        goto done;
    }
    /* line 119 */
    int64_t new_bytes = weft_bytes(1, (int64_t[]){x_n0}, 8);
    if (UNLIKELY(new_bytes < 0)) {
        status = WEFT_TOO_LARGE;
        goto done;
    }
    double *new_2 = weft_allocate(runtime, new_bytes);
    if (UNLIKELY(!new_2 || !weft_keep(runtime, &owned, new_2))) {
        status = WEFT_NO_MEMORY;
        goto done;
    }
    __builtin_memset(new_2, 0, new_bytes);
    /* line 120 */
    struct two_buffers_i i_loop = {WEFT_OK, runtime, x, old};
    runtime->parallel(two_buffers_i_piece, &i_loop, 0, x_n0, 0, (double)x_n0 * 0.08);
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
        struct two_buffers_i_2 i_loop_2 = {WEFT_OK, runtime, old_1, new_1};
        runtime->parallel(two_buffers_i_2_piece, &i_loop_2, 1, t_4, 0, (double)weft_trips(1, t_4) * 0.28);
        if (UNLIKELY(i_loop_2.status)) {
            status = i_loop_2.status;
            goto done;
        }
        double *next_old_1 = new_1;
        int64_t next_old_1_n0_ = new_1_n0;
        void *next_old_1_base_ = new_1_base;
        new_1 = old_1;
        new_1_n0 = old_1_n0;
        new_1_base = old_1_base;
        old_1 = next_old_1;
        old_1_n0 = next_old_1_n0_;
        old_1_base = next_old_1_base_;
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
    int32_t status = two_buffers_body(runtime, results, x, x_n0, steps);
    return status > 0 ? fault->site : status;
}
