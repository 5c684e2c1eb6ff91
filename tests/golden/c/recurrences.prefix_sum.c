/* prefix_sum, recurrences.py:16 */

static int32_t prefix_sum_i_tiles(const weft_runtime *runtime, double *restrict x, int64_t size,
                                  double *restrict partials, int64_t tile, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile_1 = begin; tile_1 < end; tile_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 18 */
        int64_t t_11 = (tile + tile_1) * size;
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
                    s_6_lanes[lane] += x[t_11 + step_1];
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
                    s_6_lanes[lane] += x[t_11 + step_1];
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
            s_6 += x[t_11 + step_1];
        }
        /* line 18 */
        partials[tile_1] = s_6;
    }
    return WEFT_OK;
}

struct prefix_sum_i_tiles {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    int64_t size;
    double *partials;
    int64_t tile;
};

static void prefix_sum_i_tiles_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct prefix_sum_i_tiles *c = context;
    (void)part;
    int32_t status = prefix_sum_i_tiles(c->runtime, c->x, c->size, c->partials, c->tile, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t prefix_sum_i_sweep(const weft_runtime *runtime, double *restrict x, double *restrict out,
                                  int64_t size, double *restrict partials_1, int64_t tile, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile_3 = begin; tile_3 < end; tile_3++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 18 */
        int64_t t_14 = (tile + tile_3) * size;
        double s_13 = partials_1[tile_3];
        for (int64_t step_3 = 0; step_3 < size; step_3++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t i_2 = t_14 + step_3;
            /* line 19 */
            double s_14 = s_13 + x[i_2];
            /* line 20 */
            out[i_2] = s_14;
            s_13 = s_14;
        }
    }
    return WEFT_OK;
}

struct prefix_sum_i_sweep {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *out;
    int64_t size;
    double *partials_1;
    int64_t tile;
};

static void prefix_sum_i_sweep_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct prefix_sum_i_sweep *c = context;
    (void)part;
    int32_t status = prefix_sum_i_sweep(c->runtime, c->x, c->out, c->size, c->partials_1, c->tile, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t prefix_sum_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0, double *restrict out) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    double *partials = NULL;
    int64_t partials_size = 0;
    double *partials_1 = NULL;
    int64_t partials_1_size = 0;
    /* line 18 */
    int64_t trips = 0 > x_n0 ? 0 : x_n0;
    int64_t tiles = trips / 4000;
    int64_t size = python_floordiv(trips - 1, 1 > tiles ? 1 : tiles);
    int64_t done_2;
    double s_16;
    if (tiles >= 8) {
        int64_t t_6 = 256 < tiles ? 256 : tiles;
        int64_t partials_bytes = weft_bytes(1, (int64_t[]){t_6}, 8);
        if (UNLIKELY(partials_bytes < 0)) {
            status = WEFT_TOO_LARGE;
            goto done;
        }
        partials = weft_reserve(runtime, partials, &partials_size, partials_bytes);
        if (UNLIKELY(!partials)) {
            status = WEFT_NO_MEMORY;
            goto done;
        }
        int64_t partials_bytes_2 = weft_bytes(1, (int64_t[]){t_6}, 8);
        if (UNLIKELY(partials_bytes_2 < 0)) {
            status = WEFT_TOO_LARGE;
            goto done;
        }
        partials_1 = weft_reserve(runtime, partials_1, &partials_1_size, partials_bytes_2);
        if (UNLIKELY(!partials_1)) {
            status = WEFT_NO_MEMORY;
            goto done;
        }
        int64_t tile = 0;
        double s_3 = 0.0;
        while (tile < tiles) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            int64_t t_8 = tiles - tile;
            int64_t t_9 = 256 < t_8 ? 256 : t_8;
            struct prefix_sum_i_tiles tile_loop = {WEFT_OK, runtime, x, size, partials, tile};
            runtime->parallel(prefix_sum_i_tiles_piece, &tile_loop, 0, t_9, 0, (double)t_9 * (2.12 + (double)size * (0.16)));
            if (UNLIKELY(tile_loop.status)) {
                status = tile_loop.status;
                goto done;
            }
            double s_8 = s_3;
            for (int64_t tile_2 = 0; tile_2 < t_9; tile_2++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                partials_1[tile_2] = s_8;
                s_8 += partials[tile_2];
            }
            struct prefix_sum_i_sweep tile_loop_2 = {WEFT_OK, runtime, x, out, size, partials_1, tile};
            runtime->parallel(prefix_sum_i_sweep_piece, &tile_loop_2, 0, t_9, 0, (double)t_9 * (2.12 + (double)size * (1.2)));
            if (UNLIKELY(tile_loop_2.status)) {
                status = tile_loop_2.status;
                goto done;
            }
            int64_t t_16 = tile + t_9;
            tile = t_16;
            s_3 = s_8;
        }
        done_2 = tile * size;
        s_16 = s_3;
    } else {
        done_2 = 0L;
        s_16 = 0.0;
    }
    double s = s_16;
    for (int64_t i = done_2; i < x_n0; i++) {
        if (UNLIKELY(*stop)) {
            status = WEFT_INTERRUPTED;
            goto done;
        }
        /* line 19 */
        double s_1 = s + x[i];
        /* line 20 */
        out[i] = s_1;
        s = s_1;
    }
done:
    weft_release(runtime, partials);
    weft_release(runtime, partials_1);
    return status;
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
