/* raises_on_a_value, exceptions.py:30 */

static int32_t raises_on_a_value_i_tests(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                         int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    int64_t i_next_2 = begin;
    while (i_next_2 < end) {
        if (end - i_next_2 >= 32) {
            int bad = 0;
            ONE_BY_ONE
            for (int lane = 0; lane < 32; lane++) {
                const int64_t i_2 = i_next_2 + lane;
                /* line 32 */
                double t = x[i_2];
                bool t_1 = t < 0.0;
                bad |= t_1;
            }
            if (LIKELY(!bad)) {
                i_next_2 += 32;
                continue;
            }
        }
        const int64_t i_end_2 = min_int64(i_next_2 + 32, end);
        for (int64_t i_2 = i_next_2; i_2 < i_end_2; i_2++) {
            /* line 32 */
            double t = x[i_2];
            bool t_1 = t < 0.0;
            if (t_1) {
                /* line 33 */
                return weft_raise(fault, 1, i_2, 1, (weft_value[]){{.i = i_2}});
            }
        }
        i_next_2 += 32;
    }
    return WEFT_OK;
}

struct raises_on_a_value_i_tests {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    double *x;
};

static void raises_on_a_value_i_tests_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct raises_on_a_value_i_tests *c = context;
    (void)part;
    int32_t status = raises_on_a_value_i_tests(c->runtime, c->fault, c->x, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t raises_on_a_value_i(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                   double *restrict out, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    int64_t i_next = begin;
    while (i_next < end) {
        if (end - i_next >= 32) {
            int bad = 0;
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
        const int64_t i_end = min_int64(i_next + 32, end);
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
        i_next += 32;
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

static void raises_on_a_value_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct raises_on_a_value_i *c = context;
    (void)part;
    int32_t status = raises_on_a_value_i(c->runtime, c->fault, c->x, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t raises_on_a_value_body(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                      int64_t x_n0, double *restrict out) {
    /* line 31 */
    int64_t threads = runtime->is_shared((double)x_n0 * 10.85);
    int64_t rounds = threads ? x_n0 / (threads * 65536) + 1 : 1;
    int64_t each = x_n0 / rounds;
    for (int64_t round = 0; round < rounds; round++) {
        int64_t first = 0 + round * each;
        int64_t last = round + 1 < rounds ? first + each : x_n0;
        int32_t tested = WEFT_OK;
        if (runtime->is_shared((double)(last - first) * 10.85)) {
            struct raises_on_a_value_i_tests i_tests = {WEFT_OK, runtime, fault, x};
            runtime->parallel(raises_on_a_value_i_tests_piece, &i_tests, first, last, 0, (double)(last - first) * 10.85);
            tested = i_tests.status;
            if (UNLIKELY(tested < 0)) {
                return tested;
            }
            if (tested) last = fault->iteration + 1;
        }
        struct raises_on_a_value_i i_loop = {WEFT_OK, runtime, fault, x, out};
        runtime->parallel(raises_on_a_value_i_piece, &i_loop, first, last, 0, (double)(last - first) * 10.85);
        if (UNLIKELY(i_loop.status)) {
            return i_loop.status;
        }
        if (UNLIKELY(tested)) {
            return tested;
        }
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
