/* keeps_positives, packing.py:10 */

static int32_t keeps_positives_i_turns(const weft_runtime *runtime, weft_fault *fault, double *restrict x,
                                       double *restrict out, int64_t out_n0, int64_t size, int64_t begin,
                                       int64_t end, const int32_t *ended, int64_t *turn, int64_t *carried_0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile = begin; tile < end; tile++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 12 */
        int64_t t_8 = tile * size;
        int64_t k_7 = 0;
        INDEPENDENT
        for (int64_t step_1 = 0; step_1 < size; step_1++) {
            /* line 13 */
            k_7 = k_7 + (int64_t)(x[t_8 + step_1] > 0.0);
        }
        if (UNLIKELY(!runtime->await_turn(turn, tile, ended))) {
            return WEFT_OK;
        }
        int64_t k_4 = *carried_0;
        /* line 12 */
        int64_t t_11 = k_4 + k_7;
        bool t_14 = (k_4 >= 0) & (t_11 <= out_n0);
        int64_t k_15;
        if (t_14) {
            k_15 = t_11;
        } else {
            int64_t i_stop = (tile + 1) * size;
            int64_t k_12 = k_4;
            for (int64_t i_2 = t_8; i_2 < i_stop; i_2++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 13 */
                double t_18 = x[i_2];
                int64_t k_13;
                if (t_18 > 0.0) {
                    /* line 14 */
                    if (UNLIKELY((uint64_t)k_12 >= (uint64_t)out_n0)) {
                        return weft_raise(fault, 1, tile, 3, (weft_value[]){{.i = k_12}, {.i = out_n0}, {.i = i_2}});
                    }
                    out[k_12] = t_18;
                    k_13 = k_12 + 1;
                } else {
                    k_13 = k_12;
                }
                k_12 = k_13;
            }
            k_15 = k_12;
        }
        *carried_0 = k_15;
        __atomic_store_n(turn, tile + 1, __ATOMIC_RELEASE);
        if (t_14) {
            int64_t k_18 = k_4;
            for (int64_t step_3 = 0; step_3 < size; step_3++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 13 */
                double t_21 = x[t_8 + step_3];
                /* line 14 */
                if (k_18 < t_11) {
                    out[k_18] = t_21;
                }
                /* line 13 */
                k_18 = k_18 + (int64_t)(t_21 > 0.0);
            }
        }
    }
    return WEFT_OK;
}

struct keeps_positives_i_turns {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    double *x;
    double *out;
    int64_t out_n0;
    int64_t size;
    _Alignas(64) int64_t turn;
    int64_t carried_0;
};

static int32_t keeps_positives_i_turns_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct keeps_positives_i_turns *c = context;
    (void)part;
    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);
    if (status) return status;
    status = keeps_positives_i_turns(c->runtime, c->fault, c->x, c->out, c->out_n0, c->size, begin, end, &c->status, &c->turn, &c->carried_0);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t keeps_positives_body(const weft_runtime *runtime, weft_fault *fault, weft_value *results,
                                    double *restrict x, int64_t x_n0, double *restrict out, int64_t out_n0) {
    volatile int *const stop = runtime->stop;
    /* line 12 */
    int64_t trips = 0 > x_n0 ? 0 : x_n0;
    int64_t tiles = trips / 5714;
    int64_t size = python_floordiv(trips - 1, 1 > tiles ? 1 : tiles);
    int64_t done_2;
    int64_t k_22;
    if (tiles >= 8) {
        int64_t tile_start = 0;
        int64_t tile_stop = tiles;
        struct keeps_positives_i_turns tile_loop = {WEFT_OK, runtime, fault, x, out, out_n0, size, tile_start, 0L};
        runtime->in_order(keeps_positives_i_turns_piece, &tile_loop, tile_start, tile_stop, weft_trips(tile_start, tile_stop), 0, (double)weft_trips(tile_start, tile_stop) * (13.92 + (double)size * (0.28) + 0.5 * ((double)size * (1.38))));
        if (UNLIKELY(tile_loop.status)) {
            return tile_loop.status;
        }
        int64_t k_21 = tile_loop.carried_0;
        done_2 = tiles * size;
        k_22 = k_21;
    } else {
        done_2 = 0L;
        k_22 = 0L;
    }
    int64_t k = k_22;
    for (int64_t i = done_2; i < x_n0; i++) {
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
