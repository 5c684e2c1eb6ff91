/* complex_products, dtypes.py:101 */

static int32_t complex_products_i(const weft_runtime *runtime, complex64 *restrict z, complex64 *restrict w,
                                  complex64 *restrict out, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_first = begin, i_last = first_whole(&out[begin], 8, begin, end); i_first < end; i_first = i_last, i_last = end) {
        INDEPENDENT
        for (int64_t i = i_first; i < i_last; i++) {
            /* line 103 */
            out[i] = mul_complex64(z[i], w[i]);
        }
    }
    return WEFT_OK;
}

struct complex_products_i {
    int32_t status;
    const weft_runtime *runtime;
    complex64 *z;
    complex64 *w;
    complex64 *out;
};

static int32_t complex_products_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct complex_products_i *c = context;
    (void)part;
    int32_t status = complex_products_i(c->runtime, c->z, c->w, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t complex_products_body(const weft_runtime *runtime, complex64 *restrict z, int64_t z_n0,
                                     complex64 *restrict w, complex64 *restrict out) {
    /* line 102 */
    struct complex_products_i i_loop = {WEFT_OK, runtime, z, w, out};
    runtime->parallel(complex_products_i_piece, &i_loop, 0, z_n0, 0, (double)z_n0 * 0.24);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_complex_products(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                               weft_fault *fault) {
    complex64 *z = (complex64 *)arguments[0].view->data;
    int64_t z_n0 = arguments[0].view->shape[0];
    complex64 *w = (complex64 *)arguments[1].view->data;
    int64_t w_n0 = arguments[1].view->shape[0];
    complex64 *out = (complex64 *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    /* line 101 */
    if (!((w_n0 >= z_n0) & (out_n0 >= z_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = complex_products_body(runtime, z, z_n0, w, out);
    return status > 0 ? fault->site : status;
}
