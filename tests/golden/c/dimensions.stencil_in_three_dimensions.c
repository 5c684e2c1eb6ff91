/* stencil_in_three_dimensions, dimensions.py:81 */

static int32_t stencil_in_three_dimensions_i(const weft_runtime *runtime, double *restrict a, int64_t a_s0,
                                             int64_t a_s1, double *restrict out, int64_t out_s0, int64_t out_s1,
                                             int64_t t_1, int64_t t_2, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = weft_trips(1, t_1);
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t i = 1 + row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        /* line 85 */
        int64_t t_3 = i - 1;
        int64_t t_5 = i + 1;
        for (int64_t j = 1 + first; j < 1 + last; j++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t t_8 = j - 1;
            int64_t t_11 = j + 1;
            /* line 84 */
            for (int64_t k_first = 1, k_last = first_whole(&AT(double, out, i * out_s0 + j * out_s1)[1], 8, 1, t_2); k_first < t_2; k_first = k_last, k_last = t_2) {
                INDEPENDENT
                for (int64_t k = k_first; k < k_last; k++) {
                    /* line 85 */
                    double t_7 = AT(double, a, t_3 * a_s0 + j * a_s1)[k] + AT(double, a, t_5 * a_s0 + j * a_s1)[k];
                    double sides = t_7 + AT(double, a, i * a_s0 + t_8 * a_s1)[k] + AT(double, a, i * a_s0 + t_11 * a_s1)[k];
                    /* line 86 */
                    double t_19 = sides + AT(double, a, i * a_s0 + j * a_s1)[k - 1] + AT(double, a, i * a_s0 + j * a_s1)[k + 1];
                    AT(double, out, i * out_s0 + j * out_s1)[k] = t_19 / 6.0;
                }
            }
        }
    }
    return WEFT_OK;
}

struct stencil_in_three_dimensions_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    int64_t a_s1;
    double *out;
    int64_t out_s0;
    int64_t out_s1;
    int64_t t_1;
    int64_t t_2;
};

static int32_t stencil_in_three_dimensions_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct stencil_in_three_dimensions_i *c = context;
    (void)part;
    int32_t status = stencil_in_three_dimensions_i(c->runtime, c->a, c->a_s0, c->a_s1, c->out, c->out_s0, c->out_s1, c->t_1, c->t_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t stencil_in_three_dimensions_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0,
                                                int64_t a_n1, int64_t a_n2, int64_t a_s0, int64_t a_s1,
                                                double *restrict out, int64_t out_s0, int64_t out_s1) {
    /* line 83 */
    int64_t t_1 = a_n1 - 1;
    /* line 84 */
    int64_t t_2 = a_n2 - 1;
    /* line 82 */
    int64_t t = a_n0 - 1;
    int64_t trips = weft_rectangle(weft_trips(1, t), weft_trips(1, t_1));
    struct stencil_in_three_dimensions_i i_loop = {WEFT_OK, runtime, a, a_s0, a_s1, out, out_s0, out_s1, t_1, t_2};
    runtime->parallel(stencil_in_three_dimensions_i_piece, &i_loop, 0, trips, 0, (double)trips * (2.08 + weft_span(1.0, (double)t_2) * (1)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_stencil_in_three_dimensions(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                          weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_n2 = arguments[0].view->shape[2];
    int64_t a_s0 = arguments[0].view->strides[0];
    int64_t a_s1 = arguments[0].view->strides[1];
    double *out = (double *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    int64_t out_n1 = arguments[1].view->shape[1];
    int64_t out_n2 = arguments[1].view->shape[2];
    int64_t out_s0 = arguments[1].view->strides[0];
    int64_t out_s1 = arguments[1].view->strides[1];
    /* line 81 */
    bool t_24 = 2 >= a_n0;
    bool t_27 = 2 >= a_n1;
    bool t_30 = 2 >= a_n2;
    bool t_38 = ((1 + out_n0 >= a_n0) | t_24 | t_27 | t_30) & ((1 + out_n1 >= a_n1) | t_24 | t_27 | t_30);
    if (!(t_38 & ((1 + out_n2 >= a_n2) | t_24 | t_27 | t_30))) return WEFT_OTHER_VARIANT;
    int32_t status = stencil_in_three_dimensions_body(runtime, a, a_n0, a_n1, a_n2, a_s0, a_s1, out, out_s0, out_s1);
    return status > 0 ? fault->site : status;
}
