/* keeps_positives, packing.py:10 */

static int32_t keeps_positives_body(const weft_runtime *runtime, weft_fault *fault, weft_value *results,
                                    double *restrict x, int64_t x_n0, double *restrict out, int64_t out_n0) {
    volatile int *const stop = runtime->stop;
    /* line 12 */
    int64_t k = 0;
    for (int64_t i = 0; i < x_n0; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 13 */
        double t = x[i];
        int64_t k_2;
        if (t > 0.0) {
            /* line 14 */
            if (UNLIKELY((uint64_t)k >= (uint64_t)out_n0)) {
                return weft_raise(fault, 1, 0, 3, (weft_value[]){{.i = k}, {.i = out_n0}, {.i = i}});
            }
            out[k] = t;
            k_2 = k + 1;
        } else {
            k_2 = k;
        }
        k = k_2;
    }
    results[0].i = k;
    return WEFT_OK;
}

int32_t enter_keeps_positives(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                              weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    int32_t status = keeps_positives_body(runtime, fault, results, x, x_n0, out, out_n0);
    return status > 0 ? fault->site : status;
}
