/* jacobi, realistic_science.py:17 */

static int32_t jacobi_i(const weft_runtime *runtime, double *u_1, int64_t u_1_s0, double *v_1, int64_t v_1_s0,
                        int64_t t_2, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width = weft_trips(1, t_2);
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t i = 1 + row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 21 */
        int64_t t_3 = i - 1;
        int64_t t_5 = i + 1;
        for (int64_t j_first = 1 + first, j_last = first_whole(&AT(double, v_1, i * v_1_s0)[1 + first], 8, 1 + first, 1 + last); j_first < 1 + last; j_first = j_last, j_last = 1 + last) {
            INDEPENDENT
            for (int64_t j = j_first; j < j_last; j++) {
                double t_10 = AT(double, u_1, t_3 * u_1_s0)[j] + AT(double, u_1, t_5 * u_1_s0)[j] + AT(double, u_1, i * u_1_s0)[j - 1];
                AT(double, v_1, i * v_1_s0)[j] = 0.25 * (t_10 + AT(double, u_1, i * u_1_s0)[j + 1]);
            }
        }
    }
    return WEFT_OK;
}

struct jacobi_i {
    int32_t status;
    const weft_runtime *runtime;
    double *u_1;
    int64_t u_1_s0;
    double *v_1;
    int64_t v_1_s0;
    int64_t t_2;
};

static int32_t jacobi_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct jacobi_i *c = context;
    (void)part;
    int32_t status = jacobi_i(c->runtime, c->u_1, c->u_1_s0, c->v_1, c->v_1_s0, c->t_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t jacobi_body(const weft_runtime *runtime, weft_value *results, double *restrict u, int64_t u_n0,
                           int64_t u_n1, int64_t u_s0, double *restrict v, int64_t v_n0, int64_t v_n1, int64_t v_s0,
                           int64_t steps) {
    volatile int *const stop = runtime->stop;
    /* line 18 */
    double *u_1 = u;
    int64_t u_1_n0 = u_n0;
    int64_t u_1_n1 = u_n1;
    int64_t u_1_s0 = u_s0;
    double *v_1 = v;
    int64_t v_1_n0 = v_n0;
    int64_t v_1_n1 = v_n1;
    int64_t v_1_s0 = v_s0;
    for (int64_t t = 0; t < steps; t++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 20 */
        int64_t t_2 = u_1_n1 - 1;
        /* line 19 */
        int64_t t_1 = u_1_n0 - 1;
        int64_t trips = weft_rectangle(weft_trips(1, t_1), weft_trips(1, t_2));
        struct jacobi_i i_loop = {WEFT_OK, runtime, u_1, u_1_s0, v_1, v_1_s0, t_2};
        runtime->parallel(jacobi_i_piece, &i_loop, 0, trips, 0, (double)trips * 0.44);
        if (UNLIKELY(i_loop.status)) {
            return i_loop.status;
        }
        double *next_u_1 = v_1;
        int64_t next_u_1_n0_ = v_1_n0;
        int64_t next_u_1_n1_ = v_1_n1;
        int64_t next_u_1_s0_ = v_1_s0;
        v_1 = u_1;
        v_1_n0 = u_1_n0;
        v_1_n1 = u_1_n1;
        v_1_s0 = u_1_s0;
        u_1 = next_u_1;
        u_1_n0 = next_u_1_n0_;
        u_1_n1 = next_u_1_n1_;
        u_1_s0 = next_u_1_s0_;
    }
    results[0].view->data = (char *)u_1;
    results[0].view->shape[0] = u_1_n0;
    results[0].view->shape[1] = u_1_n1;
    results[0].view->strides[0] = u_1_s0;
    results[0].view->strides[1] = 8;
    results[0].view->base = NULL;
    return WEFT_OK;
}

int32_t enter_jacobi(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                     weft_fault *fault) {
    double *u = (double *)arguments[0].view->data;
    int64_t u_n0 = arguments[0].view->shape[0];
    int64_t u_n1 = arguments[0].view->shape[1];
    int64_t u_s0 = arguments[0].view->strides[0];
    double *v = (double *)arguments[1].view->data;
    int64_t v_n0 = arguments[1].view->shape[0];
    int64_t v_n1 = arguments[1].view->shape[1];
    int64_t v_s0 = arguments[1].view->strides[0];
    int64_t steps = arguments[2].i;
    /* line 17 */
    bool holds = (u_n0 == v_n0) & u_n1 == v_n1 ? (steps <= 72057594037927936L) & (steps >= -72057594037927936L) : false;
    if (!(holds)) return WEFT_OTHER_VARIANT;
    int32_t status = jacobi_body(runtime, results, u, u_n0, u_n1, u_s0, v, v_n0, v_n1, v_s0, steps);
    return status > 0 ? fault->site : status;
}
