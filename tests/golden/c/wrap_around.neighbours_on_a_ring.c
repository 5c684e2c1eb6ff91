/* neighbours_on_a_ring, wrap_around.py:57 */

static int32_t neighbours_on_a_ring_i(const weft_runtime *runtime, double *restrict a, int64_t a_s0,
                                      double *restrict out, int64_t out_s0, int64_t t_15, int64_t t_16,
                                      int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = weft_trips(t_15, t_16);
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t i = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        for (int64_t j_first = t_15 + first, j_last = first_whole(&AT(double, out, i * out_s0)[t_15 + first], 8, t_15 + first, t_15 + last); j_first < t_15 + last; j_first = j_last, j_last = t_15 + last) {
            INDEPENDENT
            for (int64_t j = j_first; j < j_last; j++) {
                /* line 61 */
                AT(double, out, i * out_s0)[j] = AT(double, a, i * a_s0)[j] - AT(double, a, i * a_s0)[j - 1];
            }
        }
    }
    return WEFT_OK;
}

struct neighbours_on_a_ring_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
    int64_t t_15;
    int64_t t_16;
};

static int32_t neighbours_on_a_ring_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct neighbours_on_a_ring_i *c = context;
    (void)part;
    int32_t status = neighbours_on_a_ring_i(c->runtime, c->a, c->a_s0, c->out, c->out_s0, c->t_15, c->t_16, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t neighbours_on_a_ring_i_2(const weft_runtime *runtime, double *restrict a, int64_t a_s0,
                                        double *restrict out, int64_t out_s0, int64_t left, int64_t t_15,
                                        int64_t t_28, int64_t t_29, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width_2 = t_29;
    for (int64_t row_2 = begin / width_2; row_2 * width_2 < end; row_2++) {
        const int64_t i_1 = row_2;
        int64_t first_2 = max_int64(begin - row_2 * width_2, 0);
        int64_t last_2 = min_int64(end - row_2 * width_2, width_2);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        INDEPENDENT
        for (int64_t j_3 = first_2; j_3 < last_2; j_3++) {
            /* line 60 */
            int64_t j_4 = j_3 < t_15 ? j_3 : j_3 + t_28;
            /* line 61 */
            double t_35 = AT(double, a, i_1 * a_s0)[j_4] - AT(double, a, i_1 * a_s0)[j_4 <= 0 ? left : j_4 - 1];
            AT(double, out, i_1 * out_s0)[j_4] = t_35;
        }
    }
    return WEFT_OK;
}

struct neighbours_on_a_ring_i_2 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
    int64_t left;
    int64_t t_15;
    int64_t t_28;
    int64_t t_29;
};

static int32_t neighbours_on_a_ring_i_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct neighbours_on_a_ring_i_2 *c = context;
    (void)part;
    int32_t status = neighbours_on_a_ring_i_2(c->runtime, c->a, c->a_s0, c->out, c->out_s0, c->left, c->t_15, c->t_28, c->t_29, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t neighbours_on_a_ring_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0, int64_t a_n1,
                                         int64_t a_s0, double *restrict out, int64_t out_s0) {
    /* line 59 */
    int64_t left = a_n1 - 1;
    /* line 60 */
    int64_t t_15 = a_n1 < 1 ? a_n1 : 1;
    int64_t t_16 = t_15 > a_n1 ? t_15 : a_n1;
    /* line 58 */
    int64_t trips = weft_rectangle(weft_trips(0, a_n0), weft_trips(t_15, t_16));
    struct neighbours_on_a_ring_i i_loop = {WEFT_OK, runtime, a, a_s0, out, out_s0, t_15, t_16};
    runtime->parallel(neighbours_on_a_ring_i_piece, &i_loop, 0, trips, 0, (double)trips * 0.2);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    /* line 60 */
    int64_t t_28 = t_16 - t_15;
    int64_t t_29 = a_n1 - t_28;
    /* line 58 */
    int64_t trips_2 = weft_rectangle(weft_trips(0, a_n0), weft_trips(0, t_29));
    struct neighbours_on_a_ring_i_2 i_loop_2 = {WEFT_OK, runtime, a, a_s0, out, out_s0, left, t_15, t_28, t_29};
    runtime->parallel(neighbours_on_a_ring_i_2_piece, &i_loop_2, 0, trips_2, 0, (double)trips_2 * 0.4);
    if (UNLIKELY(i_loop_2.status)) {
        return i_loop_2.status;
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
