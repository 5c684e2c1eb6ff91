/* columns_outermost, interchange.py:35 */

static int32_t columns_outermost_j_5(const weft_runtime *runtime, double *restrict a, int64_t a_n0, int64_t a_s0,
                                     double *restrict out, int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = a_n0;
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t j_2 = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        INDEPENDENT
        for (int64_t i_3 = first; i_3 < last; i_3++) {
            /* line 38 */
            AT(double, out, i_3 * out_s0)[j_2] = AT(double, a, i_3 * a_s0)[j_2] + 1.0;
        }
    }
    return WEFT_OK;
}

struct columns_outermost_j_5 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n0;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
};

static int32_t columns_outermost_j_5_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct columns_outermost_j_5 *c = context;
    (void)part;
    int32_t status = columns_outermost_j_5(c->runtime, c->a, c->a_n0, c->a_s0, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t columns_outermost_j_2(const weft_runtime *runtime, double *restrict a, int64_t a_n0, int64_t a_s0,
                                     double *restrict out, int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t j_1 = begin; j_1 < end; j_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 36 */
        int64_t t_20 = 0 + j_1 * 128;
        /* line 37 */
        for (int64_t i_1 = 0; i_1 < a_n0; i_1++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 36 */
            INDEPENDENT
            for (int64_t lane_2 = 0; lane_2 < 128; lane_2++) {
                int64_t t_21 = t_20 + lane_2;
                /* line 38 */
                AT(double, out, i_1 * out_s0)[t_21] = AT(double, a, i_1 * a_s0)[t_21] + 1.0;
            }
        }
    }
    return WEFT_OK;
}

struct columns_outermost_j_2 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n0;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
};

static int32_t columns_outermost_j_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct columns_outermost_j_2 *c = context;
    (void)part;
    int32_t status = columns_outermost_j_2(c->runtime, c->a, c->a_n0, c->a_s0, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t columns_outermost_j_4(const weft_runtime *runtime, double *restrict a, int64_t a_s0,
                                     double *restrict out, int64_t out_s0, int64_t t_17, int64_t i_2, int64_t begin,
                                     int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t lane_first = begin, lane_last = first_whole(&AT(double, out, i_2 * out_s0)[t_17 + begin], 8, begin, end); lane_first < end; lane_first = lane_last, lane_last = end) {
        INDEPENDENT
        for (int64_t lane_1 = lane_first; lane_1 < lane_last; lane_1++) {
            /* line 36 */
            int64_t t_24 = t_17 + lane_1;
            /* line 38 */
            AT(double, out, i_2 * out_s0)[t_24] = AT(double, a, i_2 * a_s0)[t_24] + 1.0;
        }
    }
    return WEFT_OK;
}

struct columns_outermost_j_4 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    double *out;
    int64_t out_s0;
    int64_t t_17;
    int64_t i_2;
};

static int32_t columns_outermost_j_4_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct columns_outermost_j_4 *c = context;
    (void)part;
    int32_t status = columns_outermost_j_4(c->runtime, c->a, c->a_s0, c->out, c->out_s0, c->t_17, c->i_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t columns_outermost_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0, int64_t a_n1,
                                      int64_t a_s0, double *restrict out, int64_t out_s0) {
    volatile int *const stop = runtime->stop;
    /* line 36 */
    int64_t t_28 = a_n1 - 0;
    if (t_28 < 8) {
        int64_t trips = weft_rectangle(weft_trips(0, a_n1), weft_trips(0, a_n0));
        struct columns_outermost_j_5 j_loop = {WEFT_OK, runtime, a, a_n0, a_s0, out, out_s0};
        runtime->parallel(columns_outermost_j_5_piece, &j_loop, 0, trips, 0, (double)trips * 0.12);
        if (UNLIKELY(j_loop.status)) {
            return j_loop.status;
        }
    } else {
        int64_t t_14 = 0 > t_28 ? 0 : t_28;
        int64_t t_15 = t_14 / 128;
        int64_t t_16 = t_15 * 128;
        int64_t t_17 = 0 + t_16;
        int64_t t_18 = t_14 - t_16;
        struct columns_outermost_j_2 j_loop_2 = {WEFT_OK, runtime, a, a_n0, a_s0, out, out_s0};
        runtime->parallel(columns_outermost_j_2_piece, &j_loop_2, 0, t_15, 0, (double)t_15 * (2.08 + (double)a_n0 * (2.04 + 128.0 * (0.2))));
        if (UNLIKELY(j_loop_2.status)) {
            return j_loop_2.status;
        }
        if (t_18 > 0) {
            /* line 37 */
            for (int64_t i_2 = 0; i_2 < a_n0; i_2++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 36 */
                struct columns_outermost_j_4 lane_loop = {WEFT_OK, runtime, a, a_s0, out, out_s0, t_17, i_2};
                runtime->parallel(columns_outermost_j_4_piece, &lane_loop, 0, t_18, 0, (double)t_18 * 0.16);
                if (UNLIKELY(lane_loop.status)) {
                    return lane_loop.status;
                }
            }
        }
    }
    return WEFT_OK;
}

int32_t enter_columns_outermost(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    int64_t out_n1 = arguments[1].view->shape[1];
    int64_t out_s0 = arguments[1].view->strides[0];
    /* line 35 */
    if (!(((out_n0 >= a_n0) | (0 >= a_n1)) & ((out_n1 >= a_n1) | (0 >= a_n0)))) return WEFT_OTHER_VARIANT;
    int32_t status = columns_outermost_body(runtime, a, a_n0, a_n1, a_s0, out, out_s0);
    return status > 0 ? fault->site : status;
}
