/* prefix_sum, recurrences.py:16 */

static int32_t prefix_sum_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0, double *restrict out) {
    volatile int *const stop = runtime->stop;
    /* line 18 */
    double s = 0.0;
    for (int64_t i = 0; i < x_n0; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 19 */
        double s_1 = s + x[i];
        /* line 20 */
        out[i] = s_1;
        s = s_1;
    }
    return WEFT_OK;
}

int32_t enter_prefix_sum(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                         weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    /* line 16 */
    if (!(out_n0 >= x_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = prefix_sum_body(runtime, x, x_n0, out);
    return status > 0 ? fault->site : status;
}
