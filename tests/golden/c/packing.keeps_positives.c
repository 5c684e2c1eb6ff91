/* keeps_positives, packing.py:10 */

static int32_t keeps_positives_i_tiles(const weft_runtime *runtime, double *restrict x, int64_t size,
                                       int64_t *restrict partials, uint8_t *restrict partials_1, int64_t t_11,
                                       int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile_1 = begin; tile_1 < end; tile_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 12 */
        int64_t t_19 = (t_11 + tile_1) * size;
        int64_t k_11 = 0;
        INDEPENDENT
        for (int64_t step_1 = 0; step_1 < size; step_1++) {
            /* line 13 */
            k_11 = x[t_19 + step_1] > 0.0 ? k_11 + 1 : k_11;
        }
        /* line 12 */
        partials[tile_1] = k_11;
        partials_1[tile_1] = false;
    }
    return WEFT_OK;
}

struct keeps_positives_i_tiles {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    int64_t size;
    int64_t *partials;
    uint8_t *partials_1;
    int64_t t_11;
};

static void keeps_positives_i_tiles_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct keeps_positives_i_tiles *c = context;
    (void)part;
    int32_t status = keeps_positives_i_tiles(c->runtime, c->x, c->size, c->partials, c->partials_1, c->t_11, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t keeps_positives_i_sweep(const weft_runtime *runtime, double *restrict x, double *restrict out,
                                       int64_t size, int64_t *restrict partials, int64_t *restrict partials_2,
                                       int64_t t_11, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile_3 = begin; tile_3 < end; tile_3++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 12 */
        int64_t t_33 = (t_11 + tile_3) * size;
        int64_t partial_7 = partials_2[tile_3];
        int64_t end_1 = partial_7 + partials[tile_3];
        int64_t k_20 = partial_7;
        for (int64_t step_3 = 0; step_3 < size; step_3++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 13 */
            double t_34 = x[t_33 + step_3];
            /* line 14 */
            if (k_20 < end_1) {
                out[k_20] = t_34;
            }
            /* line 13 */
            k_20 = t_34 > 0.0 ? k_20 + 1 : k_20;
        }
    }
    return WEFT_OK;
}

struct keeps_positives_i_sweep {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *out;
    int64_t size;
    int64_t *partials;
    int64_t *partials_2;
    int64_t t_11;
};

static void keeps_positives_i_sweep_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct keeps_positives_i_sweep *c = context;
    (void)part;
    int32_t status = keeps_positives_i_sweep(c->runtime, c->x, c->out, c->size, c->partials, c->partials_2, c->t_11, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t keeps_positives_body(const weft_runtime *runtime, weft_fault *fault, weft_value *results,
                                    double *restrict x, int64_t x_n0, double *restrict out, int64_t out_n0) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    int64_t *partials = NULL;
    int64_t partials_size = 0;
    uint8_t *partials_1 = NULL;
    int64_t partials_1_size = 0;
    int64_t *partials_2 = NULL;
    int64_t partials_2_size = 0;
    /* line 12 */
    int64_t trips = 0 > x_n0 ? 0 : x_n0;
    int64_t tiles = trips / 2857;
    int64_t size = python_floordiv(trips - 1, 1 > tiles ? 1 : tiles);
    int64_t done_2;
    int64_t k_24;
    if (tiles >= 8) {
        int64_t t_8 = 256 < tiles ? 256 : tiles;
        int64_t partials_bytes = weft_bytes(1, (int64_t[]){t_8}, 8);
        if (UNLIKELY(partials_bytes < 0)) {
            status = WEFT_TOO_LARGE;
            goto done;
        }
        partials = weft_reserve(runtime, partials, &partials_size, partials_bytes);
        if (UNLIKELY(!partials)) {
            status = WEFT_NO_MEMORY;
            goto done;
        }
        int64_t partials_bytes_2 = weft_bytes(1, (int64_t[]){t_8}, 1);
        if (UNLIKELY(partials_bytes_2 < 0)) {
            status = WEFT_TOO_LARGE;
            goto done;
        }
        partials_1 = weft_reserve(runtime, partials_1, &partials_1_size, partials_bytes_2);
        if (UNLIKELY(!partials_1)) {
            status = WEFT_NO_MEMORY;
            goto done;
        }
        int64_t partials_bytes_3 = weft_bytes(1, (int64_t[]){t_8}, 8);
        if (UNLIKELY(partials_bytes_3 < 0)) {
            status = WEFT_TOO_LARGE;
            goto done;
        }
        partials_2 = weft_reserve(runtime, partials_2, &partials_2_size, partials_bytes_3);
        if (UNLIKELY(!partials_2)) {
            status = WEFT_NO_MEMORY;
            goto done;
        }
        int64_t tile = 0;
        int64_t round = 256;
        int64_t back = 0;
        int64_t k_4 = 0;
        while (tile < tiles) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            int64_t t_10 = tile + back;
            int64_t t_11 = tiles < t_10 ? tiles : t_10;
            int64_t k_6 = k_4;
            for (int64_t i_1 = tile * size; i_1 < t_11 * size; i_1++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                /* line 13 */
                double t_14 = x[i_1];
                int64_t k_7;
                if (t_14 > 0.0) {
                    /* line 14 */
                    if (UNLIKELY((uint64_t)k_6 >= (uint64_t)out_n0)) {
                        status = weft_raise(fault, 1, 0, 3, (weft_value[]){{.i = k_6}, {.i = out_n0}, {.i = i_1}});
                        goto done;
                    }
                    out[k_6] = t_14;
                    k_7 = k_6 + 1;
                } else {
                    k_7 = k_6;
                }
                k_6 = k_7;
            }
            /* line 12 */
            int64_t t_16 = tiles - t_11;
            int64_t t_17 = round < t_16 ? round : t_16;
            struct keeps_positives_i_tiles tile_loop = {WEFT_OK, runtime, x, size, partials, partials_1, t_11};
            runtime->parallel(keeps_positives_i_tiles_piece, &tile_loop, 0, t_17, 0, (double)t_17 * (2.24 + (double)size * (0.24)));
            if (UNLIKELY(tile_loop.status)) {
                status = tile_loop.status;
                goto done;
            }
            int64_t k_14 = k_6;
            int64_t good = 0;
            bool fine = true;
            for (int64_t tile_2 = 0; tile_2 < t_17; tile_2++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                bool t_30 = !(partials_1[tile_2] != 0) & ((k_14 >= 0) & (k_14 + partials[tile_2] <= out_n0));
                int64_t k_16;
                int64_t good_1;
                if (t_30) {
                    partials_2[tile_2] = k_14;
                    k_16 = k_14 + partials[tile_2];
                    good_1 = good + 1;
                } else {
                    k_16 = k_14;
                    good_1 = good;
                }
                k_14 = k_16;
                good = good_1;
                fine = t_30;
                if (!fine) break;
            }
            struct keeps_positives_i_sweep tile_loop_2 = {WEFT_OK, runtime, x, out, size, partials, partials_2, t_11};
            runtime->parallel(keeps_positives_i_sweep_piece, &tile_loop_2, 0, good, 0, (double)good * (2.28 + (double)size * (1.34)));
            if (UNLIKELY(tile_loop_2.status)) {
                status = tile_loop_2.status;
                goto done;
            }
            int64_t t_36 = t_11 + good;
            bool t_37 = good < t_17;
            int64_t t_40 = round * 2;
            int64_t t_42 = back * 2;
            int64_t t_43 = 1 > t_42 ? 1 : t_42;
            tile = t_36;
            round = t_37 ? 4L : (256 < t_40 ? 256 : t_40);
            back = t_37 ? (tiles < t_43 ? tiles : t_43) : 0L;
            k_4 = k_14;
        }
        done_2 = tile * size;
        k_24 = k_4;
    } else {
        done_2 = 0L;
        k_24 = 0L;
    }
    int64_t k = k_24;
    for (int64_t i = done_2; i < x_n0; i++) {
        if (UNLIKELY(*stop)) {
            status = WEFT_INTERRUPTED;
            goto done;
        }
        /* line 13 */
        double t = x[i];
        int64_t k_2;
        if (t > 0.0) {
            /* line 14 */
            if (UNLIKELY((uint64_t)k >= (uint64_t)out_n0)) {
                status = weft_raise(fault, 1, 0, 3, (weft_value[]){{.i = k}, {.i = out_n0}, {.i = i}});
                goto done;
            }
            out[k] = t;
            k_2 = k + 1;
        } else {
            k_2 = k;
        }
        k = k_2;
    }
    results[0].i = k;
done:
    weft_release(runtime, partials);
    weft_release(runtime, partials_1);
    weft_release(runtime, partials_2);
    return status;
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
