/* trace, diagonals.py:28 */

static int32_t trace_i(const weft_runtime *runtime, double *restrict a, int64_t a_s0, int64_t begin, int64_t end,
                       int64_t part, double *parts_0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    double s = -0.0;
    int64_t i_next = begin;
    if (end - i_next >= 32) {
        int64_t i_last = end - 32;
        double s_lanes[32];
        for (int lane = 0; lane < 32; lane++) s_lanes[lane] = -0.0;
        for (; i_next <= i_last; i_next += 32) {
            for (int lane = 0; lane < 32; lane++) {
                const int64_t i = i_next + lane;
                /* line 31 */
                s_lanes[lane] = s_lanes[lane] + AT(double, a, i * a_s0)[i];
            }
        }
        for (int half = 16; half > 0; half /= 2) {
            for (int lane = 0; lane < half; lane++) {
                s_lanes[lane] = s_lanes[lane] + s_lanes[lane + half];
            }
        }
        s = s + s_lanes[0];
    }
    if (end - i_next >= 4) {
        int64_t i_last_2 = end - 4;
        double s_lanes[4];
        for (int lane = 0; lane < 4; lane++) s_lanes[lane] = -0.0;
        for (; i_next <= i_last_2; i_next += 4) {
            for (int lane = 0; lane < 4; lane++) {
                const int64_t i = i_next + lane;
                s_lanes[lane] = s_lanes[lane] + AT(double, a, i * a_s0)[i];
            }
        }
        s_lanes[0] = s_lanes[0] + s_lanes[2];
        s_lanes[1] = s_lanes[1] + s_lanes[3];
        s_lanes[0] = s_lanes[0] + s_lanes[1];
        s = s + s_lanes[0];
    }
    INDEPENDENT
    for (int64_t i = i_next; i < end; i++) {
        s = s + AT(double, a, i * a_s0)[i];
    }
    parts_0[part] = s;
    return WEFT_OK;
}

struct trace_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    double *parts_0;
};

static int32_t trace_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct trace_i *c = context;
    int32_t status = trace_i(c->runtime, c->a, c->a_s0, begin, end, part, c->parts_0);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t trace_body(const weft_runtime *runtime, weft_value *results, double *restrict a, int64_t a_n0,
                          int64_t a_s0) {
    /* line 30 */
    double work = (double)a_n0 * 0.08;
    int64_t pieces_2 = weft_pieces(work, a_n0);
    double i_parts_0[64];
    struct trace_i i_loop = {WEFT_OK, runtime, a, a_s0, i_parts_0};
    runtime->parallel(trace_i_piece, &i_loop, 0, a_n0, pieces_2, work);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    double s_2 = 0.0;
    for (int64_t k = 0; k < pieces_2; k++) {
        s_2 = s_2 + i_parts_0[k];
    }
    results[0].f = s_2;
    bool ran = 0 < a_n0;
    results[1].i = ran;
    return WEFT_OK;
}

int32_t enter_trace(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                    weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    /* line 28 */
    if (!(a_n1 >= a_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = trace_body(runtime, results, a, a_n0, a_s0);
    return status > 0 ? fault->site : status;
}
