/* prefix_sum, recurrences.py:16 */

static int32_t prefix_sum_i_turns(const weft_runtime *runtime, double *restrict x, double *restrict out,
                                  int64_t size, int64_t groups, int64_t t_12, int64_t begin, int64_t end,
                                  const int32_t *ended, int64_t *turn, double *carried_0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile = begin; tile < end; tile++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 18 */
        int64_t t_6 = tile * size;
        double s_6 = -0.0;
        int64_t step_next = 0;
        if (size - step_next >= 32) {
            int64_t step_last = size - 32;
            double s_6_lanes[32];
            for (int lane = 0; lane < 32; lane++) s_6_lanes[lane] = -0.0;
            for (; step_next <= step_last; step_next += 32) {
                for (int lane = 0; lane < 32; lane++) {
                    const int64_t step_1 = step_next + lane;
                    /* line 19 */
                    s_6_lanes[lane] += x[t_6 + step_1];
                }
            }
            for (int half = 16; half > 0; half /= 2) {
                for (int lane = 0; lane < half; lane++) {
                    s_6_lanes[lane] = s_6_lanes[lane] + s_6_lanes[lane + half];
                }
            }
            s_6 = s_6 + s_6_lanes[0];
        }
        if (size - step_next >= 4) {
            int64_t step_last_2 = size - 4;
            double s_6_lanes[4];
            for (int lane = 0; lane < 4; lane++) s_6_lanes[lane] = -0.0;
            for (; step_next <= step_last_2; step_next += 4) {
                for (int lane = 0; lane < 4; lane++) {
                    const int64_t step_1 = step_next + lane;
                    /* line 19 */
                    s_6_lanes[lane] += x[t_6 + step_1];
                }
            }
            s_6_lanes[0] = s_6_lanes[0] + s_6_lanes[2];
            s_6_lanes[1] = s_6_lanes[1] + s_6_lanes[3];
            s_6_lanes[0] = s_6_lanes[0] + s_6_lanes[1];
            s_6 = s_6 + s_6_lanes[0];
        }
        INDEPENDENT
        for (int64_t step_1 = step_next; step_1 < size; step_1++) {
            /* line 19 */
            s_6 += x[t_6 + step_1];
        }
        if (UNLIKELY(!runtime->await_turn(turn, tile, ended))) {
            return WEFT_OK;
        }
        double s_3 = *carried_0;
        /* line 18 */
        *carried_0 = s_3 + s_6;
        __atomic_store_n(turn, tile + 1, __ATOMIC_RELEASE);
        double s_16 = s_3;
        for (int64_t step_2 = 0; step_2 < groups; step_2++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t v_2 = 0 + step_2 * 8 + t_6;
            int64x8 i_3 = lanes_int64x8(v_2);
            /* line 19 */
            float64x8 s_17 = running_add_float64x8(load_float64x8(&x[v_2]));
            /* line 20 */
            store_float64x8(&out[v_2], splat_float64x8(s_16) + s_17);
            s_16 += s_17[7];
        }
        /* line 18 */
        double s_11 = s_16;
        for (int64_t step_3 = t_12; step_3 < size; step_3++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t i_2 = t_6 + step_3;
            /* line 19 */
            double s_12 = s_11 + x[i_2];
            /* line 20 */
            out[i_2] = s_12;
            s_11 = s_12;
        }
    }
    return WEFT_OK;
}

struct prefix_sum_i_turns {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *out;
    int64_t size;
    int64_t groups;
    int64_t t_12;
    _Alignas(64) int64_t turn;
    double carried_0;
};

static int32_t prefix_sum_i_turns_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct prefix_sum_i_turns *c = context;
    (void)part;
    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);
    if (status) return status;
    status = prefix_sum_i_turns(c->runtime, c->x, c->out, c->size, c->groups, c->t_12, begin, end, &c->status, &c->turn, &c->carried_0);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t prefix_sum_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0, double *restrict out) {
    volatile int *const stop = runtime->stop;
    /* line 18 */
    int64_t trips = 0 > x_n0 ? 0 : x_n0;
    int64_t tiles = trips / 8000;
    int64_t size = python_floordiv(trips - 1, 1 > tiles ? 1 : tiles);
    int64_t done_2;
    double s_14;
    if (tiles >= 8) {
        int64_t groups = (0 > size ? 0 : size) / 8;
        int64_t t_12 = groups * 8;
        int64_t tile_start = 0;
        int64_t tile_stop = tiles;
        struct prefix_sum_i_turns tile_loop = {WEFT_OK, runtime, x, out, size, groups, t_12, tile_start, 0.0};
        runtime->in_order(prefix_sum_i_turns_piece, &tile_loop, tile_start, tile_stop, weft_trips(tile_start, tile_stop), 0, (double)weft_trips(tile_start, tile_stop) * (6.08 + (double)size * (0.16) + (double)groups * (2.08) + weft_span((double)t_12, (double)size) * (1.2)));
        if (UNLIKELY(tile_loop.status)) {
            return tile_loop.status;
        }
        double s_13 = tile_loop.carried_0;
        done_2 = tiles * size;
        s_14 = s_13;
    } else {
        done_2 = 0L;
        s_14 = 0.0;
    }
    double s = s_14;
    for (int64_t i = done_2; i < x_n0; i++) {
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
