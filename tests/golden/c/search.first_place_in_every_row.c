/* first_place_in_every_row, search.py:94 */

static int32_t first_place_in_every_row_i(const weft_runtime *runtime, double *restrict a, int64_t a_n1,
                                          int64_t a_s0, int64_t *restrict out, int64x8 v_2, int64_t begin,
                                          int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 95 */
        int64_t v_1 = 0 + i_1 * 8;
        int64x8 i = lanes_int64x8(v_1);
        /* line 96 */
        boolx8 active = lt_int64x8(i, v_2);
        bool any = true;
        for (int64_t j = 0; j < a_n1; j++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 97 */
            boolx8 t_1 = gt_float64x8(gather_masked_float64x8(&a[j], i * splat_int64x8(a_s0), active), splat_float64x8(0.8));
            /* line 98 */
            store_masked_int64x8(&out[v_1], splat_int64x8(j), active & t_1);
            /* line 97 */
            boolx8 mask_3 = active & select_boolx8(t_1, splat_boolx8(false), splat_boolx8(true));
            active = mask_3;
            any = any_boolx8(mask_3);
            if (!any) break;
        }
    }
    return WEFT_OK;
}

struct first_place_in_every_row_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    int64_t *out;
    int64x8 v_2;
};

static int32_t first_place_in_every_row_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct first_place_in_every_row_i *c = context;
    (void)part;
    int32_t status = first_place_in_every_row_i(c->runtime, c->a, c->a_n1, c->a_s0, c->out, c->v_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t first_place_in_every_row_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0,
                                             int64_t a_n1, int64_t a_s0, int64_t *restrict out) {
    /* line 95 */
    int64x8 v_2 = splat_int64x8(a_n0);
    int64_t tiles = floordiv_by_positive_int64(a_n0 - 0 + 7, 8);
    struct first_place_in_every_row_i i_loop = {WEFT_OK, runtime, a, a_n1, a_s0, out, v_2};
    runtime->parallel(first_place_in_every_row_i_piece, &i_loop, 0, tiles, 0, (double)tiles * (2.4 + (double)a_n1 * (2.28)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_first_place_in_every_row(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                       weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    int64_t *out = (int64_t *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    /* line 94 */
    if (!((out_n0 >= a_n0) | (0 >= a_n1))) return WEFT_OTHER_VARIANT;
    int32_t status = first_place_in_every_row_body(runtime, a, a_n0, a_n1, a_s0, out);
    return status > 0 ? fault->site : status;
}
