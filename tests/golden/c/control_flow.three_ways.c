/* three_ways, control_flow.py:17 */

static int32_t three_ways_i(const weft_runtime *runtime, double *restrict a, double *restrict b, double *restrict c,
                            int64x8 v_2, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        /* line 18 */
        int64_t v_1 = 0 + i_1 * 8;
        int64x8 i = lanes_int64x8(v_1);
        boolx8 mask = lt_int64x8(i, v_2);
        /* line 19 */
        float64x8 t = load_masked_float64x8(&b[v_1], mask);
        boolx8 mask_1 = gt_float64x8(t, splat_float64x8(0.5));
        /* line 19 */
        boolx8 mask_4 = mask & ~mask_1;
        /* line 21 */
        boolx8 mask_5 = gt_float64x8(t, splat_float64x8(-0.25));
        /* line 21 */
        float64x8 stored = select_float64x8(mask_5, t * load_masked_float64x8(&c[v_1], mask_4 & mask_5), load_masked_float64x8(&c[v_1], mask_4 & ~mask_5));
        /* line 19 */
        float64x8 stored_1 = select_float64x8(mask_1, t + load_masked_float64x8(&c[v_1], mask & mask_1), stored);
        /* line 20 */
        store_masked_float64x8(&a[v_1], stored_1, mask);
    }
    return WEFT_OK;
}

struct three_ways_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    double *b;
    double *c;
    int64x8 v_2;
};

static int32_t three_ways_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct three_ways_i *c = context;
    (void)part;
    int32_t status = three_ways_i(c->runtime, c->a, c->b, c->c, c->v_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t three_ways_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0, double *restrict b,
                               double *restrict c) {
    /* line 18 */
    int64x8 v_2 = splat_int64x8(a_n0);
    int64_t tiles = floordiv_by_positive_int64(a_n0 - 0 + 7, 8);
    struct three_ways_i i_loop = {WEFT_OK, runtime, a, b, c, v_2};
    runtime->parallel(three_ways_i_piece, &i_loop, 0, tiles, 0, (double)tiles * 3.32);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_three_ways(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                         weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    double *b = (double *)arguments[1].view->data;
    int64_t b_n0 = arguments[1].view->shape[0];
    double *c = (double *)arguments[2].view->data;
    int64_t c_n0 = arguments[2].view->shape[0];
    /* line 17 */
    if (!((b_n0 >= a_n0) & (c_n0 >= a_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = three_ways_body(runtime, a, a_n0, b, c);
    return status > 0 ? fault->site : status;
}
