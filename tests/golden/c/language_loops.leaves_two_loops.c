/* leaves_two_loops, language_loops.py:163 */

static int32_t leaves_two_loops_body(const weft_runtime *runtime, weft_value *results, int64_t *restrict a,
                                     int64_t a_n0, int64_t a_n1, int64_t a_s0, int64_t target) {
    volatile int *const stop = runtime->stop;
    /* line 166 */
    bool found = false;
    int64_t count = 0;
    bool alive_4 = true;
    for (int64_t i = 0; i < a_n0; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 167 */
        bool found_1 = found;
        bool alive_1 = true;
        for (int64_t j = 0; j < a_n1; j++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 168 */
            bool t_2 = AT(int64_t, a, i * a_s0)[j] == target;
            found_1 = t_2 ? true : found_1;
            alive_1 = t_2 ? false : true;
            if (!alive_1) break;
        }
        /* line 171 */
        found = found_1;
        count = found_1 ? count : count + 1;
        alive_4 = found_1 ? false : true;
        if (!alive_4) break;
    }
    results[0].i = found;
    results[1].i = count;
    return WEFT_OK;
}

int32_t enter_leaves_two_loops(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                               weft_fault *fault) {
    int64_t *a = (int64_t *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    int64_t target = arguments[1].i;
    int32_t status = leaves_two_loops_body(runtime, results, a, a_n0, a_n1, a_s0, target);
    return status > 0 ? fault->site : status;
}
