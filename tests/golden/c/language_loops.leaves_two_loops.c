/* leaves_two_loops, language_loops.py:163 */

static int32_t leaves_two_loops_i_tiles(const weft_runtime *runtime, int64_t *restrict a, int64_t a_n1, int64_t a_s0,
                                        int64_t target, int64_t size, int64_t *restrict partials,
                                        uint8_t *restrict partials_1, int64_t t_12, bool found_7, int64_t begin,
                                        int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t tile_1 = begin; tile_1 < end; tile_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 166 */
        int64_t t_21 = (t_12 + tile_1) * size;
        int64_t count_11 = 0;
        int64_t failed_4 = 0;
        for (int64_t step_1 = 0; step_1 < size; step_1++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t i_2 = t_21 + step_1;
            /* line 167 */
            bool found_12 = found_7;
            bool alive_14 = true;
            for (int64_t j_2 = 0; j_2 < a_n1; j_2++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 168 */
                bool t_23 = AT(int64_t, a, i_2 * a_s0)[j_2] == target;
                found_12 = t_23 | found_12;
                alive_14 = t_23 ? false : true;
                if (!alive_14) break;
            }
            /* line 166 */
            count_11 = count_11 + (int64_t)!found_12;
            failed_4 = failed_4 | (!(found_12 ? false : true) ? 1L : 0L);
        }
        partials[tile_1] = count_11;
        partials_1[tile_1] = failed_4 != 0;
    }
    return WEFT_OK;
}

struct leaves_two_loops_i_tiles {
    int32_t status;
    const weft_runtime *runtime;
    int64_t *a;
    int64_t a_n1;
    int64_t a_s0;
    int64_t target;
    int64_t size;
    int64_t *partials;
    uint8_t *partials_1;
    int64_t t_12;
    bool found_7;
};

static int32_t leaves_two_loops_i_tiles_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct leaves_two_loops_i_tiles *c = context;
    (void)part;
    int32_t status = leaves_two_loops_i_tiles(c->runtime, c->a, c->a_n1, c->a_s0, c->target, c->size, c->partials, c->partials_1, c->t_12, c->found_7, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t leaves_two_loops_body(const weft_runtime *runtime, weft_value *results, int64_t *restrict a,
                                     int64_t a_n0, int64_t a_n1, int64_t a_s0, int64_t target) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    int64_t *partials = NULL;
    int64_t partials_size = 0;
    uint8_t *partials_1 = NULL;
    int64_t partials_1_size = 0;
    /* line 166 */
    int64_t trips = 0 > a_n0 ? 0 : a_n0;
    int64_t tiles = trips / 202;
    int64_t size = python_floordiv(trips - 1, 1 > tiles ? 1 : tiles);
    int64_t done_2;
    bool found_15;
    int64_t count_19;
    bool alive_18;
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
        int64_t tile = 0;
        int64_t round = 4;
        int64_t back = 1;
        bool found_5 = false;
        int64_t count_4 = 0;
        bool alive_6 = true;
        while ((tile < tiles) & alive_6) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            int64_t t_11 = tile + back;
            int64_t t_12 = tiles < t_11 ? tiles : t_11;
            bool found_7 = found_5;
            int64_t count_6 = count_4;
            bool alive_8 = alive_6;
            for (int64_t i_1 = tile * size; i_1 < t_12 * size; i_1++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                /* line 167 */
                bool found_9 = found_7;
                bool alive_10 = true;
                for (int64_t j_1 = 0; j_1 < a_n1; j_1++) {
                    if (UNLIKELY(*stop)) {
                        status = WEFT_INTERRUPTED;
                        goto done;
                    }
                    /* line 168 */
                    bool t_16 = AT(int64_t, a, i_1 * a_s0)[j_1] == target;
                    found_9 = t_16 | found_9;
                    alive_10 = t_16 ? false : true;
                    if (!alive_10) break;
                }
                /* line 171 */
                found_7 = found_9;
                count_6 = count_6 + (int64_t)!found_9;
                alive_8 = found_9 ? false : true;
                if (!alive_8) break;
            }
            /* line 166 */
            int64_t t_17 = tiles - t_12;
            int64_t t_19 = alive_8 ? (round < t_17 ? round : t_17) : 0L;
            struct leaves_two_loops_i_tiles tile_loop = {WEFT_OK, runtime, a, a_n1, a_s0, target, size, partials, partials_1, t_12, found_7};
            runtime->parallel(leaves_two_loops_i_tiles_piece, &tile_loop, 0, t_19, 0, (double)t_19 * (2.32 + (double)size * (2.36 + (double)a_n1 * (1.2))));
            if (UNLIKELY(tile_loop.status)) {
                status = tile_loop.status;
                goto done;
            }
            int64_t count_14 = count_6;
            int64_t good = 0;
            bool fine = true;
            for (int64_t tile_2 = 0; tile_2 < t_19; tile_2++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                bool t_31 = !(partials_1[tile_2] != 0);
                count_14 = t_31 ? count_14 + partials[tile_2] : count_14;
                good = t_31 ? good + 1 : good;
                fine = t_31;
                if (!fine) break;
            }
            bool t_34 = good < t_19;
            int64_t t_37 = round * 2;
            int64_t t_39 = back * 2;
            int64_t t_40 = 1 > t_39 ? 1 : t_39;
            tile = t_12 + good;
            round = t_34 ? 4L : (256 < t_37 ? 256 : t_37);
            back = t_34 ? (tiles < t_40 ? tiles : t_40) : 0L;
            found_5 = found_7;
            count_4 = count_14;
            alive_6 = alive_8;
        }
        done_2 = tile * size;
        found_15 = found_5;
        count_19 = count_4;
        alive_18 = alive_6;
    } else {
        done_2 = 0L;
        found_15 = false;
        count_19 = 0L;
        alive_18 = true;
    }
    int64_t i_stop = alive_18 ? a_n0 : done_2;
    bool found_2 = found_15;
    int64_t count = count_19;
    bool alive_4 = alive_18;
    for (int64_t i = done_2; i < i_stop; i++) {
        if (UNLIKELY(*stop)) {
            status = WEFT_INTERRUPTED;
            goto done;
        }
        /* line 167 */
        bool found_1 = found_2;
        bool alive_1 = true;
        for (int64_t j = 0; j < a_n1; j++) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            /* line 168 */
            bool t_2 = AT(int64_t, a, i * a_s0)[j] == target;
            found_1 = t_2 | found_1;
            alive_1 = t_2 ? false : true;
            if (!alive_1) break;
        }
        /* line 171 */
        found_2 = found_1;
        count = count + (int64_t)!found_1;
        alive_4 = found_1 ? false : true;
        if (!alive_4) break;
    }
    results[0].i = found_2;
    results[1].i = count;
done:
    weft_release(runtime, partials);
    weft_release(runtime, partials_1);
    return status;
}

int32_t enter_leaves_two_loops(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                               weft_fault *fault) {
    int64_t *a = (int64_t *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    int64_t target = arguments[1].i;
    int32_t status = leaves_two_loops_body(runtime, results, a, a_n0, a_n1, a_s0, target);
    return status > 0 ? fault->site : status;
}
