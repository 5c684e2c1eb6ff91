/* fold_by_a_helper, reductions.py:303 */

static int32_t function_greatest_common_divisor(const weft_runtime *runtime, weft_fault *fault, int64_t iteration, int64_t a, int64_t b, int64_t *result_0) {
    volatile int *const stop = runtime->stop;
    /* line 297, called from line 306 */
    int64_t a_1 = a;
    int64_t b_1 = b;
    while (b_1 != 0) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 298, called from line 306 */
        int64_t next_a_1 = b_1;
        b_1 = mod_int64(a_1, b_1);
        a_1 = next_a_1;
    }
    *result_0 = a_1;
    return WEFT_OK;
}

static int32_t fold_by_a_helper_i(const weft_runtime *runtime, weft_fault *fault, int64_t *restrict x, int64_t begin,
                                  int64_t end, int64_t part, int64_t *parts_0, bool *started_0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    bool started = false;
    int64_t divisor_1 = 0L;
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        int32_t over_2 = weft_is_over(fault, i);
        if (UNLIKELY(over_2)) {
            return over_2;
        }
        /* line 306 */
        int64_t t_1 = x[i];
        int64_t t_5 = t_1;
        if (started) {
            int32_t outcome = function_greatest_common_divisor(runtime, fault, i, divisor_1, t_1, &t_5);
            if (UNLIKELY(outcome)) {
                return outcome;
            }
        }
        started = true;
        divisor_1 = t_5;
    }
    parts_0[part] = divisor_1;
    started_0[part] = started;
    return WEFT_OK;
}

struct fold_by_a_helper_i {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t *x;
    int64_t *parts_0;
    bool *started_0;
};

static int32_t fold_by_a_helper_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct fold_by_a_helper_i *c = context;
    int32_t status = fold_by_a_helper_i(c->runtime, c->fault, c->x, begin, end, part, c->parts_0, c->started_0);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t fold_by_a_helper_body(const weft_runtime *runtime, weft_fault *fault, weft_value *results,
                                     int64_t *restrict x, int64_t x_n0) {
    /* line 305 */
    int64_t divisor = x[0];
    double work = (double)weft_trips(1, x_n0) * 10.04;
    int64_t pieces_2 = weft_pieces(work, weft_trips(1, x_n0));
    int64_t i_parts_0[64];
    bool i_started_0[64];
    struct fold_by_a_helper_i i_loop = {WEFT_OK, runtime, fault, x, i_parts_0, i_started_0};
    runtime->parallel(fold_by_a_helper_i_piece, &i_loop, 1, x_n0, pieces_2, work);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    int64_t divisor_2 = divisor;
    for (int64_t k = 0; k < pieces_2; k++) {
        if (i_started_0[k]) {
            int32_t outcome_2 = function_greatest_common_divisor(runtime, fault, 0, divisor_2, i_parts_0[k], &divisor_2);
            if (UNLIKELY(outcome_2)) {
                return outcome_2;
            }
        }
    }
    results[0].i = divisor_2;
    return WEFT_OK;
}

int32_t enter_fold_by_a_helper(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                               weft_fault *fault) {
    int64_t *x = (int64_t *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    /* line 303 */
    if (!(x_n0 >= 1)) return WEFT_OTHER_VARIANT;
    int32_t status = fold_by_a_helper_body(runtime, fault, results, x, x_n0);
    return status > 0 ? fault->site : status;
}
