/* all_hold, reductions.py:192 */

static int32_t all_hold_i(const weft_runtime *runtime, double *restrict x, double *restrict y, int64x8 v_2,
                          boolx8 mask_1, int64_t begin, int64_t end, int64_t part, bool *parts_0) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    bool ok = true;
    INDEPENDENT
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        /* line 194 */
        int64_t v_1 = 0 + i_1 * 8;
        int64x8 i = lanes_int64x8(v_1);
        boolx8 mask = lt_int64x8(i, v_2);
        /* line 195 */
        boolx8 mask_2 = mask & mask_1;
        boolx8 t_3 = gt_float64x8(load_masked_float64x8(&x[v_1], mask_2) + splat_float64x8(1.5), load_masked_float64x8(&y[v_1], mask_2));
        boolx8 v_3 = select_boolx8(mask, select_boolx8(mask_1, t_3, splat_boolx8(false)), splat_boolx8(true));
        ok = ok & all_boolx8(v_3);
    }
    parts_0[part] = ok;
    return WEFT_OK;
}

struct all_hold_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *y;
    int64x8 v_2;
    boolx8 mask_1;
    bool *parts_0;
};

static int32_t all_hold_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct all_hold_i *c = context;
    int32_t status = all_hold_i(c->runtime, c->x, c->y, c->v_2, c->mask_1, begin, end, part, c->parts_0);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t all_hold_body(const weft_runtime *runtime, weft_value *results, double *restrict x, int64_t x_n0,
                             double *restrict y) {
    /* line 194 */
    int64x8 v_2 = splat_int64x8(x_n0);
    /* line 195 */
    boolx8 mask_1 = splat_boolx8(true);
    /* line 194 */
    int64_t tiles = floordiv_by_positive_int64(x_n0 - 0 + 7, 8);
    double work = (double)tiles * 1.6;
    int64_t pieces_2 = weft_pieces(work, tiles);
    bool i_parts_0[64];
    struct all_hold_i i_loop = {WEFT_OK, runtime, x, y, v_2, mask_1, i_parts_0};
    runtime->parallel(all_hold_i_piece, &i_loop, 0, tiles, pieces_2, work);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    bool ok_1 = true;
    for (int64_t k = 0; k < pieces_2; k++) {
        ok_1 = ok_1 & i_parts_0[k];
    }
    results[0].i = ok_1;
    bool ran = 0 < x_n0;
    results[1].i = ran;
    return WEFT_OK;
}

int32_t enter_all_hold(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                       weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *y = (double *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    /* line 192 */
    if (!(y_n0 >= x_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = all_hold_body(runtime, results, x, x_n0, y);
    return status > 0 ? fault->site : status;
}
