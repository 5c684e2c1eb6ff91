/* neighbours_on_a_ring, wrap_around.py:57 */

static int32_t neighbours_on_a_ring_i(const weft_runtime *runtime, double *restrict a, int64_t a_n1, int64_t a_s0,
                                      double *restrict out, int64_t out_s0, int64_t left, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = a_n1;
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t i = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        for (int64_t j_first = first, j_last = first_whole(&AT(double, out, i * out_s0)[first], 8, first, last); j_first < last; j_first = j_last, j_last = last) {
            INDEPENDENT
            for (int64_t j = j_first; j < j_last; j++) {
                /* line 61 */
                AT(double, out, i * out_s0)[j] = AT(double, a, i * a_s0)[j] - AT(double, a, i * a_s0)[j <= 0 ? left : j - 1];
            }
        }
    }
    return WEFT_OK;
}

struct neighbours_on_a_ring_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
    int64_t left;
};

static void neighbours_on_a_ring_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct neighbours_on_a_ring_i *c = context;
    (void)part;
    int32_t status = neighbours_on_a_ring_i(c->runtime, c->a, c->a_n1, c->a_s0, c->out, c->out_s0, c->left, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t neighbours_on_a_ring_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0, int64_t a_n1,
                                         int64_t a_s0, double *restrict out, int64_t out_s0) {
    /* line 59 */
    int64_t left = a_n1 - 1;
    /* line 58 */
    int64_t trips = weft_trips(0, a_n0) * weft_trips(0, a_n1);
    struct neighbours_on_a_ring_i i_loop = {WEFT_OK, runtime, a, a_n1, a_s0, out, out_s0, left};
    runtime->parallel(neighbours_on_a_ring_i_piece, &i_loop, 0, trips, 0, (double)trips * 1.2);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_neighbours_on_a_ring(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                   weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    int64_t out_n1 = arguments[1].view->shape[1];
    int64_t out_s0 = arguments[1].view->strides[0];
    /* line 57 */
    if (!(((out_n0 >= a_n0) | (0 >= a_n1)) & ((out_n1 >= a_n1) | (0 >= a_n0)))) return WEFT_OTHER_VARIANT;
    int32_t status = neighbours_on_a_ring_body(runtime, a, a_n0, a_n1, a_s0, out, out_s0);
    return status > 0 ? fault->site : status;
}
