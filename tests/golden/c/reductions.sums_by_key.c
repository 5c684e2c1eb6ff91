/* sums_by_key, reductions.py:233 */

static int32_t sums_by_key_i(const weft_runtime *runtime, weft_fault *fault, int64_t *restrict key,
                             double *restrict value, double *total, int64_t total_n0, int64_t begin, int64_t end,
                             int64_t part, int64_t pieces, double *total_2_parts) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    double *total_own = total;
    int64_t total_step = 0;
    if (pieces > 1) {
        int64_t total_room = weft_room(total_n0);
        total_step = weft_turns(total_n0) > 1 ? total_n0 : 0;
        total_own = total_2_parts + part * total_room;
        for (int64_t k = 0; k < total_room; k++) total_own[k] = -0.0;
    }
    int64_t i_next = begin;
    while (end - i_next >= 4) {
        if (end - i_next >= 256) {
            int64_t keys[256];
            uint64_t most = 0;
            for (int lane = 0; lane < 256; lane++) {
                const int64_t i = i_next + lane;
                /* line 235 */
                int64_t t = key[i];
                keys[lane] = t;
                most = most > (uint64_t)keys[lane] ? most : keys[lane];
            }
            if (LIKELY(most < (uint64_t)total_n0)) {
                int64_t strip_begin = i_next;
                int64_t strip_end = i_next + 256;
                for (; i_next < strip_end; i_next += 4) {
                    __builtin_prefetch(&key[i_next + 512]);
#pragma GCC unroll 4
                    for (int lane = 0; lane < 4; lane++) {
                        const int64_t i = i_next + lane;
                        double *total_turn = total_own + lane * total_step;
                        int64_t t_1 = keys[i - strip_begin];
                        double t_3 = value[i];
                        total_turn[t_1] = total_turn[t_1] + t_3;
                    }
                }
                continue;
            }
        }
        int64_t strip_end_2 = min_int64(i_next + 256, end);
        for (; strip_end_2 - i_next >= 4; i_next += 4) {
#pragma GCC unroll 4
            for (int lane = 0; lane < 4; lane++) {
                const int64_t i = i_next + lane;
                double *total_turn_2 = total_own + lane * total_step;
                int64_t t_1 = key[i];
                int64_t place = rarely_from_end(t_1, total_n0);
                if (UNLIKELY((uint64_t)place >= (uint64_t)total_n0)) {
                    return weft_raise(fault, 1, i, 3, (weft_value[]){{.i = t_1}, {.i = total_n0}, {.i = i}});
                }
                double t_3 = value[i];
                total_turn_2[place] = total_turn_2[place] + t_3;
            }
        }
    }
    for (int64_t k_2 = 0; k_2 < total_step; k_2++) {
        total_own[k_2] = total_own[k_2] + total_own[k_2 + total_step];
        total_own[k_2 + total_step] = -0.0;
        total_own[k_2] = total_own[k_2] + total_own[k_2 + 2 * total_step];
        total_own[k_2 + 2 * total_step] = -0.0;
        total_own[k_2] = total_own[k_2] + total_own[k_2 + 3 * total_step];
        total_own[k_2 + 3 * total_step] = -0.0;
    }
    for (int64_t i = i_next; i < end; i++) {
        int64_t t_1 = key[i];
        int64_t place_2 = rarely_from_end(t_1, total_n0);
        if (UNLIKELY((uint64_t)place_2 >= (uint64_t)total_n0)) {
            return weft_raise(fault, 1, i, 3, (weft_value[]){{.i = t_1}, {.i = total_n0}, {.i = i}});
        }
        double t_3 = value[i];
        total_own[place_2] = total_own[place_2] + t_3;
    }
    return WEFT_OK;
}

struct sums_by_key_i {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t *key;
    double *value;
    double *total;
    int64_t total_n0;
    int64_t pieces;
    double *total_2_parts;
};

static int32_t sums_by_key_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct sums_by_key_i *c = context;
    int32_t status = sums_by_key_i(c->runtime, c->fault, c->key, c->value, c->total, c->total_n0, begin, end, part, c->pieces, c->total_2_parts);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t sums_by_key_body(const weft_runtime *runtime, weft_fault *fault, int64_t *restrict key,
                                int64_t key_n0, double *restrict value, double *restrict total, int64_t total_n0) {
    /* line 234 */
    double work = (double)key_n0 * 0.47;
    int64_t pieces_2 = weft_pieces_by_key(work, key_n0, total_n0);
    double *total_2_parts = pieces_2 > 1 ? weft_allocate(runtime, pieces_2 * weft_room(total_n0) * 8) : NULL;
    if (UNLIKELY(pieces_2 > 1 && !total_2_parts)) {
        return WEFT_NO_MEMORY;
    }
    struct sums_by_key_i i_loop = {WEFT_OK, runtime, fault, key, value, total, total_n0, pieces_2, total_2_parts};
    runtime->parallel(sums_by_key_i_piece, &i_loop, 0, key_n0, pieces_2, work);
    if (pieces_2 > 1) {
        int64_t good = weft_piece_of(0, key_n0, pieces_2, i_loop.status > 0 ? fault->iteration : key_n0 - 1) + 1;
        if (i_loop.status < 0) good = 0;
        int64_t total_room_2 = weft_room(total_n0);
        for (int64_t piece = 0; piece < (good > 0 ? good + weft_turns(total_n0) - 1 : 0); piece++) {
            const double *copy = total_2_parts + (piece < good ? piece * total_room_2 : (good - 1) * total_room_2 + (piece - good + 1) * (total_n0));
            int64_t cell = 0;
            for (int64_t k_3 = 0; k_3 < total_n0; k_3++) {
                total[k_3] = total[k_3] + copy[cell];
                cell++;
            }
        }
        weft_release(runtime, total_2_parts);
    }
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_sums_by_key(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                          weft_fault *fault) {
    int64_t *key = (int64_t *)arguments[0].view->data;
    int64_t key_n0 = arguments[0].view->shape[0];
    double *value = (double *)arguments[1].view->data;
    int64_t value_n0 = arguments[1].view->shape[0];
    double *total = (double *)arguments[2].view->data;
    int64_t total_n0 = arguments[2].view->shape[0];
    /* line 233 */
    if (!(value_n0 >= key_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = sums_by_key_body(runtime, fault, key, key_n0, value, total, total_n0);
    return status > 0 ? fault->site : status;
}
