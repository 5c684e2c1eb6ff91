/* raises_on_a_value, exceptions.py:30 */

static int32_t raises_on_a_value_i(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                   double *restrict out, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    int64_t i_next = begin;
    while (i_next < end) {
        if (end - i_next >= 32) {
            int64_t bad = 0;
            double out_0_lanes[32];
            ONE_BY_ONE
            for (int lane = 0; lane < 32; lane++) {
                const int64_t i = i_next + lane;
                /* line 32 */
                double t = x[i];
                bad |= t < 0.0;
                /* line 34 */
                out_0_lanes[lane] = t * 2.0;
            }
            if (LIKELY(!bad)) {
                for (int lane = 0; lane < 32; lane++) {
                    const int64_t i = i_next + lane;
                    out[i] = out_0_lanes[lane];
                }
                i_next += 32;
                continue;
            }
        }
        const int64_t i_end = i_next + weft_left(i_next, end, 32);
        for (int64_t i = i_next; i < i_end; i++) {
            /* line 32 */
            double t = x[i];
            if (t < 0.0) {
                /* line 33 */
                return weft_raise(fault, 1, i, 1, (weft_value[]){{.i = i}});
            }
            /* line 34 */
            out[i] = t * 2.0;
        }
        i_next = i_end;
    }
    return WEFT_OK;
}

static int32_t raises_on_a_value_i_ahead(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                         double *restrict out, int64_t begin, int64_t end, double *restrict out_old0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t i_next_2 = begin;
    while (i_next_2 < end) {
        if (end - i_next_2 >= 32) {
            int64_t bad = 0;
            double out_0_2_lanes[32];
            ONE_BY_ONE
            for (int lane = 0; lane < 32; lane++) {
                const int64_t i_2 = i_next_2 + lane;
                /* line 32 */
                double t = x[i_2];
                bad |= t < 0.0;
                /* line 34 */
                out_0_2_lanes[lane] = t * 2.0;
            }
            if (LIKELY(!bad)) {
                for (int lane = 0; lane < 32; lane++) {
                    const int64_t i_2 = i_next_2 + lane;
                    out_old0[i_2 - begin] = out[i_2];
                    out[i_2] = out_0_2_lanes[lane];
                }
                i_next_2 += 32;
                continue;
            }
        }
        const int64_t i_end_2 = i_next_2 + weft_left(i_next_2, end, 32);
        for (int64_t i_2 = i_next_2; i_2 < i_end_2; i_2++) {
            /* line 32 */
            double t = x[i_2];
            if (t < 0.0) {
                /* line 33 */
                return weft_raise(fault, 1, i_2, 1, (weft_value[]){{.i = i_2}});
            }
            /* line 34 */
            out_old0[i_2 - begin] = out[i_2];
            out[i_2] = t * 2.0;
        }
        i_next_2 = i_end_2;
    }
    return WEFT_OK;
}

static int32_t raises_on_a_value_i_undo(double *restrict out, int64_t begin, int64_t end, double *restrict out_old0) {
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i_3 = i_first; i_3 < i_last; i_3++) {
            /* line 34 */
            out[i_3] = out_old0[i_3 - begin];
        }
    }
    return WEFT_OK;
}

struct raises_on_a_value_i {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    double *x;
    double *out;
};

static int32_t raises_on_a_value_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct raises_on_a_value_i *c = context;
    (void)part;
    int32_t status = raises_on_a_value_i(c->runtime, c->fault, c->x, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

struct raises_on_a_value_i_saved {
    double out_old0[4088];
};

static int32_t raises_on_a_value_i_tentative(void *context, int64_t begin, int64_t end, int64_t part, void *memory,
                                             weft_fault *fault) {
    struct raises_on_a_value_i *c = context;
    (void)part;
    struct raises_on_a_value_i_saved *saved = memory;
    return raises_on_a_value_i_ahead(c->runtime, fault, c->x, c->out, begin, end, saved->out_old0);
}

static void raises_on_a_value_i_undone(void *context, int64_t begin, int64_t end, void *memory) {
    struct raises_on_a_value_i *c = context;
    struct raises_on_a_value_i_saved *saved = memory;
    raises_on_a_value_i_undo(c->out, begin, end, saved->out_old0);
}

static int32_t raises_on_a_value_body(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                      int64_t x_n0, double *restrict out) {
    /* line 31 */
    struct raises_on_a_value_i i_loop = {WEFT_OK, runtime, fault, x, out};
    double work = (double)x_n0 * 5.2;
    if (runtime->is_shared(work)) {
        i_loop.status = runtime->undoing(raises_on_a_value_i_tentative, raises_on_a_value_i_undone, NULL, &i_loop, 0, x_n0, 0, 4088, work, fault);
    } else {
        runtime->parallel(raises_on_a_value_i_piece, &i_loop, 0, x_n0, 0, work);
    }
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_raises_on_a_value(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    /* line 30 */
    if (!(out_n0 >= x_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = raises_on_a_value_body(runtime, fault, x, x_n0, out);
    return status > 0 ? fault->site : status;
}
