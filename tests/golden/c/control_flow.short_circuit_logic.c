/* short_circuit_logic, control_flow.py:140 */

static int32_t short_circuit_logic_i(const weft_runtime *runtime, double *restrict x, double *restrict y,
                                     uint8_t *restrict out, int64x8 v_2, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        /* line 141 */
        int64_t v_1 = 0 + i_1 * 8;
        int64x8 i = lanes_int64x8(v_1);
        boolx8 mask = lt_int64x8(i, v_2);
        /* line 142 */
        float64x8 t = load_masked_float64x8(&x[v_1], mask);
        boolx8 mask_1 = gt_float64x8(t, splat_float64x8(0.0));
        boolx8 mask_2 = mask & mask_1;
        boolx8 v_3;
        if (any_boolx8(mask_2)) {
            float64x8 t_2 = load_masked_float64x8(&y[v_1], mask_2);
            boolx8 decided = gt_float64x8(t, splat_float64x8(-0.5)) | gt_float64x8(t_2, splat_float64x8(-0.5));
            v_3 = gt_float64x8(t_2, splat_float64x8(0.0)) | ~decided;
        } else {
            v_3 = splat_boolx8(false);
        }
        boolx8 mask_4 = mask & ~mask_1;
        boolx8 v_4;
        if (any_boolx8(mask_4)) {
            boolx8 mask_5 = gt_float64x8(t, splat_float64x8(-0.5));
            boolx8 t_14 = gt_float64x8(load_masked_float64x8(&y[v_1], mask_4 & ~mask_5), splat_float64x8(-0.5));
            v_4 = ~select_boolx8(mask_5, splat_boolx8(true), t_14);
        } else {
            v_4 = splat_boolx8(false);
        }
        store_masked_boolx8(&out[v_1], select_boolx8(mask_1, v_3, v_4), mask);
    }
    return WEFT_OK;
}

struct short_circuit_logic_i {
    int32_t status;
    const weft_runtime *runtime;
    double *x;
    double *y;
    uint8_t *out;
    int64x8 v_2;
};

static int32_t short_circuit_logic_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct short_circuit_logic_i *c = context;
    (void)part;
    int32_t status = short_circuit_logic_i(c->runtime, c->x, c->y, c->out, c->v_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t short_circuit_logic_body(const weft_runtime *runtime, double *restrict x, int64_t x_n0,
                                        double *restrict y, uint8_t *restrict out) {
    /* line 141 */
    int64x8 v_2 = splat_int64x8(x_n0);
    int64_t tiles = floordiv_by_positive_int64(x_n0 - 0 + 7, 8);
    struct short_circuit_logic_i i_loop = {WEFT_OK, runtime, x, y, out, v_2};
    runtime->parallel(short_circuit_logic_i_piece, &i_loop, 0, tiles, 0, (double)tiles * 3.08);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_short_circuit_logic(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                  weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *y = (double *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    uint8_t *out = (uint8_t *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    /* line 140 */
    if (!((y_n0 >= x_n0) & (out_n0 >= x_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = short_circuit_logic_body(runtime, x, x_n0, y, out);
    return status > 0 ? fault->site : status;
}
