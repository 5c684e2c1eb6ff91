/* sum_of_small_floats, reductions.py:28 */

static int32_t sum_of_small_floats_i(const weft_runtime *runtime, float *restrict x, int64_t begin, int64_t end,
                                     int64_t part, float *parts_0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    float s = -0.0f;
    int64_t i_next = begin;
    if (end - i_next >= 64) {
        int64_t i_last = end - 64;
        float s_lanes[64];
        for (int lane = 0; lane < 64; lane++) s_lanes[lane] = -0.0f;
        for (; i_next <= i_last; i_next += 64) {
            for (int lane = 0; lane < 64; lane++) {
                const int64_t i = i_next + lane;
                /* line 31 */
                s_lanes[lane] += x[i];
            }
        }
        for (int half = 32; half > 0; half /= 2) {
            for (int lane = 0; lane < half; lane++) {
                s_lanes[lane] = s_lanes[lane] + s_lanes[lane + half];
            }
        }
        s = s + s_lanes[0];
    }
    if (end - i_next >= 8) {
        int64_t i_last_2 = end - 8;
        float s_lanes[8];
        for (int lane = 0; lane < 8; lane++) s_lanes[lane] = -0.0f;
        for (; i_next <= i_last_2; i_next += 8) {
            for (int lane = 0; lane < 8; lane++) {
                const int64_t i = i_next + lane;
                s_lanes[lane] += x[i];
            }
        }
        for (int half = 4; half > 0; half /= 2) {
            for (int lane = 0; lane < half; lane++) {
                s_lanes[lane] = s_lanes[lane] + s_lanes[lane + half];
            }
        }
        s = s + s_lanes[0];
    }
    INDEPENDENT
    for (int64_t i = i_next; i < end; i++) {
        s += x[i];
    }
    parts_0[part] = s;
    return WEFT_OK;
}

struct sum_of_small_floats_i {
    int32_t status;
    const weft_runtime *runtime;
    float *x;
    float *parts_0;
};

static int32_t sum_of_small_floats_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct sum_of_small_floats_i *c = context;
    int32_t status = sum_of_small_floats_i(c->runtime, c->x, begin, end, part, c->parts_0);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t sum_of_small_floats_body(const weft_runtime *runtime, weft_value *results, float *restrict x,
                                        int64_t x_n0) {
    /* line 30 */
    double work = (double)x_n0 * 0.08;
    int64_t pieces_2 = weft_pieces(work, x_n0);
    float i_parts_0[64];
    struct sum_of_small_floats_i i_loop = {WEFT_OK, runtime, x, i_parts_0};
    runtime->parallel(sum_of_small_floats_i_piece, &i_loop, 0, x_n0, pieces_2, work);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    float s_2 = 0.0f;
    for (int64_t k = 0; k < pieces_2; k++) {
        s_2 = s_2 + i_parts_0[k];
    }
    results[0].f = s_2;
    return WEFT_OK;
}

int32_t enter_sum_of_small_floats(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                  weft_fault *fault) {
    float *x = (float *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    int32_t status = sum_of_small_floats_body(runtime, results, x, x_n0);
    return status > 0 ? fault->site : status;
}
