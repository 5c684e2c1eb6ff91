/* mandelbrot, realistic_science.py:65 */

static int32_t mandelbrot_i(const weft_runtime *runtime, weft_fault *fault, int32_t *restrict out, int64_t out_s0,
                            int64_t limit, double t_7, int64_t t_24, int64x8 v_9, float64x8 v_10, int64_t begin,
                            int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        int32_t over_2 = weft_is_over(fault, i);
        if (UNLIKELY(over_2)) {
            return over_2;
        }
        /* line 75 */
        float64x8 v_12 = splat_float64x8(2.0 * (double)i / t_7 - 1.0);
        /* line 68 */
        for (int64_t j_2 = 0; j_2 < t_24; j_2++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t t_25 = j_2 * 4;
            int64_t v_7 = 0 + (t_25 + 0) * 8;
            int64x8 j_3 = lanes_int64x8(v_7);
            int64_t v_15 = 0 + (t_25 + 1) * 8;
            int64x8 j_4 = lanes_int64x8(v_15);
            int64_t v_22 = 0 + (t_25 + 2) * 8;
            int64x8 j_5 = lanes_int64x8(v_22);
            int64_t v_29 = 0 + (t_25 + 3) * 8;
            int64x8 j_6 = lanes_int64x8(v_29);
            boolx8 mask_2 = lt_int64x8(j_3, v_9);
            boolx8 mask_4 = lt_int64x8(j_4, v_9);
            boolx8 mask_6 = lt_int64x8(j_5, v_9);
            boolx8 mask_8 = lt_int64x8(j_6, v_9);
            /* line 69 */
            float64x8 cx_1 = splat_float64x8(3.0) * __builtin_convertvector(j_3, float64x8) / v_10 - splat_float64x8(2.0);
            float64x8 cx_2 = splat_float64x8(3.0) * __builtin_convertvector(j_4, float64x8) / v_10 - splat_float64x8(2.0);
            float64x8 cx_3 = splat_float64x8(3.0) * __builtin_convertvector(j_5, float64x8) / v_10 - splat_float64x8(2.0);
            float64x8 cx_4 = splat_float64x8(3.0) * __builtin_convertvector(j_6, float64x8) / v_10 - splat_float64x8(2.0);
            /* line 74 */
            float64x8 x_3 = splat_float64x8(0.0);
            float64x8 y_3 = splat_float64x8(0.0);
            int64_t count_6 = 0;
            int64x8 count_7 = splat_int64x8(0L);
            boolx8 active_1 = mask_2;
            bool any_2 = true;
            float64x8 x_5 = splat_float64x8(0.0);
            float64x8 y_5 = splat_float64x8(0.0);
            int64x8 count_12 = splat_int64x8(0L);
            boolx8 active_2 = mask_4;
            float64x8 x_7 = splat_float64x8(0.0);
            float64x8 y_7 = splat_float64x8(0.0);
            int64x8 count_17 = splat_int64x8(0L);
            boolx8 active_3 = mask_6;
            float64x8 x_9 = splat_float64x8(0.0);
            float64x8 y_9 = splat_float64x8(0.0);
            int64x8 count_22 = splat_int64x8(0L);
            boolx8 active_4 = mask_8;
            while ((count_6 < limit) & any_2) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                float64x8 t_35 = x_3 * x_3;
                float64x8 t_53 = x_5 * x_5;
                float64x8 t_71 = x_7 * x_7;
                float64x8 t_89 = x_9 * x_9;
                float64x8 t_36 = y_3 * y_3;
                float64x8 t_54 = y_5 * y_5;
                float64x8 t_72 = y_7 * y_7;
                float64x8 t_90 = y_9 * y_9;
                boolx8 mask_3 = active_1 & le_float64x8(t_35 + t_36, splat_float64x8(4.0));
                boolx8 mask_5 = active_2 & le_float64x8(t_53 + t_54, splat_float64x8(4.0));
                boolx8 mask_7 = active_3 & le_float64x8(t_71 + t_72, splat_float64x8(4.0));
                boolx8 mask_9 = active_4 & le_float64x8(t_89 + t_90, splat_float64x8(4.0));
                /* line 74 */
                float64x8 next_x_3 = t_35 - t_36 + cx_1;
                y_3 = splat_float64x8(2.0) * x_3 * y_3 + v_12;
                count_6 += 1;
                count_7 = count_7 + -__builtin_convertvector(mask_3, int64x8);
                active_1 = mask_3;
                any_2 = any_boolx8(mask_3 | mask_5 | mask_7 | mask_9);
                float64x8 next_x_5 = t_53 - t_54 + cx_2;
                y_5 = splat_float64x8(2.0) * x_5 * y_5 + v_12;
                count_12 = count_12 + -__builtin_convertvector(mask_5, int64x8);
                active_2 = mask_5;
                float64x8 next_x_7 = t_71 - t_72 + cx_3;
                y_7 = splat_float64x8(2.0) * x_7 * y_7 + v_12;
                count_17 = count_17 + -__builtin_convertvector(mask_7, int64x8);
                active_3 = mask_7;
                float64x8 next_x_9 = t_89 - t_90 + cx_4;
                y_9 = splat_float64x8(2.0) * x_9 * y_9 + v_12;
                count_22 = count_22 + -__builtin_convertvector(mask_9, int64x8);
                active_4 = mask_9;
                x_3 = next_x_3;
                x_5 = next_x_5;
                x_7 = next_x_7;
                x_9 = next_x_9;
            }
            /* line 77 */
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_7], __builtin_convertvector(count_7, int32x8), mask_2);
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_15], __builtin_convertvector(count_12, int32x8), mask_4);
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_22], __builtin_convertvector(count_17, int32x8), mask_6);
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_29], __builtin_convertvector(count_22, int32x8), mask_8);
        }
    }
    return WEFT_OK;
}

struct mandelbrot_i {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int32_t *out;
    int64_t out_s0;
    int64_t limit;
    double t_7;
    int64_t t_24;
    int64x8 v_9;
    float64x8 v_10;
};

static int32_t mandelbrot_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct mandelbrot_i *c = context;
    (void)part;
    int32_t status = mandelbrot_i(c->runtime, c->fault, c->out, c->out_s0, c->limit, c->t_7, c->t_24, c->v_9, c->v_10, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t mandelbrot_body(const weft_runtime *runtime, weft_fault *fault, int32_t *restrict out, int64_t out_n0,
                               int64_t out_n1, int64_t out_s0, int64_t limit) {
    /* line 70 */
    double t_7 = (double)out_n0;
    /* line 68 */
    int64_t t_24 = floordiv_by_positive_int64(floordiv_by_positive_int64(out_n1 - 0 + 7, 8) + 3, 4);
    int64x8 v_9 = splat_int64x8(out_n1);
    /* line 69 */
    float64x8 v_10 = splat_float64x8((double)out_n1);
    /* line 67 */
    struct mandelbrot_i i_loop = {WEFT_OK, runtime, fault, out, out_s0, limit, t_7, t_24, v_9, v_10};
    runtime->parallel(mandelbrot_i_piece, &i_loop, 0, out_n0, 0, (double)out_n0 * (2.68 + (double)t_24 * (158.8)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_mandelbrot(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                         weft_fault *fault) {
    int32_t *out = (int32_t *)arguments[0].view->data;
    int64_t out_n0 = arguments[0].view->shape[0];
    int64_t out_n1 = arguments[0].view->shape[1];
    int64_t out_s0 = arguments[0].view->strides[0];
    int64_t limit = arguments[1].i;
    /* line 65 */
    if (!(2147483647 >= limit)) return WEFT_OTHER_VARIANT;
    int32_t status = mandelbrot_body(runtime, fault, out, out_n0, out_n1, out_s0, limit);
    return status > 0 ? fault->site : status;
}
