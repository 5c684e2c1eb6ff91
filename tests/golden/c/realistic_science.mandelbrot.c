/* mandelbrot, realistic_science.py:65 */

static int32_t mandelbrot_i(const weft_runtime *runtime, weft_fault *fault, int32_t *restrict out, int64_t out_s0,
                            double t_7, int64_t tiles, int64x8 v_10, float64x8 v_11, int64x8 v_12, boolx8 t_44,
                            int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 75 */
        float64x8 v_13 = splat_float64x8(2.0 * (double)i / t_7 - 1.0);
        /* line 68 */
        int64_t j_stop = floordiv_by_positive(tiles + 3, 4);
        for (int64_t j_2 = 0; j_2 < j_stop; j_2++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            int64_t t_12 = j_2 * 4;
            int64_t v_7 = 0 + (t_12 + 0) * 8;
            int64x8 j_3 = lanes_int64x8(v_7);
            int64_t v_17 = 0 + (t_12 + 1) * 8;
            int64x8 j_4 = lanes_int64x8(v_17);
            int64_t v_25 = 0 + (t_12 + 2) * 8;
            int64x8 j_5 = lanes_int64x8(v_25);
            int64_t v_33 = 0 + (t_12 + 3) * 8;
            int64x8 j_6 = lanes_int64x8(v_33);
            boolx8 mask_3 = mask_of_int64x8(j_3 < v_10);
            boolx8 mask_6 = mask_of_int64x8(j_4 < v_10);
            boolx8 mask_9 = mask_of_int64x8(j_5 < v_10);
            boolx8 mask_12 = mask_of_int64x8(j_6 < v_10);
            /* line 69 */
            float64x8 cx_1 = splat_float64x8(3.0) * __builtin_convertvector(j_3, float64x8) / v_11 - splat_float64x8(2.0);
            float64x8 cx_2 = splat_float64x8(3.0) * __builtin_convertvector(j_4, float64x8) / v_11 - splat_float64x8(2.0);
            float64x8 cx_3 = splat_float64x8(3.0) * __builtin_convertvector(j_5, float64x8) / v_11 - splat_float64x8(2.0);
            float64x8 cx_4 = splat_float64x8(3.0) * __builtin_convertvector(j_6, float64x8) / v_11 - splat_float64x8(2.0);
            /* line 74 */
            float64x8 x_3 = splat_float64x8(0.0);
            float64x8 y_3 = splat_float64x8(0.0);
            int64x8 count_4 = splat_int64x8(0L);
            boolx8 active_1 = mask_3 & t_44;
            float64x8 x_5 = splat_float64x8(0.0);
            float64x8 y_5 = splat_float64x8(0.0);
            int64x8 count_7 = splat_int64x8(0L);
            boolx8 active_2 = mask_6 & t_44;
            float64x8 x_7 = splat_float64x8(0.0);
            float64x8 y_7 = splat_float64x8(0.0);
            int64x8 count_10 = splat_int64x8(0L);
            boolx8 active_3 = mask_9 & t_44;
            float64x8 x_9 = splat_float64x8(0.0);
            float64x8 y_9 = splat_float64x8(0.0);
            int64x8 count_13 = splat_int64x8(0L);
            boolx8 active_4 = mask_12 & t_44;
            while (any_boolx8(active_1 | active_2 | active_3 | active_4)) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 75 */
                float64x8 t_48 = x_3 * x_3 - y_3 * y_3 + cx_1;
                float64x8 t_71 = x_5 * x_5 - y_5 * y_5 + cx_2;
                float64x8 t_94 = x_7 * x_7 - y_7 * y_7 + cx_3;
                float64x8 t_117 = x_9 * x_9 - y_9 * y_9 + cx_4;
                float64x8 t_51 = splat_float64x8(2.0) * x_3 * y_3 + v_13;
                float64x8 t_74 = splat_float64x8(2.0) * x_5 * y_5 + v_13;
                float64x8 t_97 = splat_float64x8(2.0) * x_7 * y_7 + v_13;
                float64x8 t_120 = splat_float64x8(2.0) * x_9 * y_9 + v_13;
                /* line 76 */
                int64x8 v_14 = select_int64x8(active_1, count_4 + splat_int64x8(1L), count_4);
                int64x8 v_22 = select_int64x8(active_2, count_7 + splat_int64x8(1L), count_7);
                int64x8 v_30 = select_int64x8(active_3, count_10 + splat_int64x8(1L), count_10);
                int64x8 v_38 = select_int64x8(active_4, count_13 + splat_int64x8(1L), count_13);
                /* line 74 */
                boolx8 t_57 = mask_of_float64x8(t_48 * t_48 + t_51 * t_51 <= splat_float64x8(4.0)) & mask_of_int64x8(v_14 < v_12);
                boolx8 t_80 = mask_of_float64x8(t_71 * t_71 + t_74 * t_74 <= splat_float64x8(4.0)) & mask_of_int64x8(v_22 < v_12);
                boolx8 t_103 = mask_of_float64x8(t_94 * t_94 + t_97 * t_97 <= splat_float64x8(4.0)) & mask_of_int64x8(v_30 < v_12);
                boolx8 t_126 = mask_of_float64x8(t_117 * t_117 + t_120 * t_120 <= splat_float64x8(4.0)) & mask_of_int64x8(v_38 < v_12);
                x_3 = t_48;
                y_3 = t_51;
                count_4 = v_14;
                active_1 = active_1 & t_57;
                x_5 = t_71;
                y_5 = t_74;
                count_7 = v_22;
                active_2 = active_2 & t_80;
                x_7 = t_94;
                y_7 = t_97;
                count_10 = v_30;
                active_3 = active_3 & t_103;
                x_9 = t_117;
                y_9 = t_120;
                count_13 = v_38;
                active_4 = active_4 & t_126;
            }
            /* line 77 */
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_7], __builtin_convertvector(count_4, int32x8), mask_3);
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_17], __builtin_convertvector(count_7, int32x8), mask_6);
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_25], __builtin_convertvector(count_10, int32x8), mask_9);
            store_masked_int32x8(&AT(int32_t, out, i * out_s0)[v_33], __builtin_convertvector(count_13, int32x8), mask_12);
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
    double t_7;
    int64_t tiles;
    int64x8 v_10;
    float64x8 v_11;
    int64x8 v_12;
    boolx8 t_44;
};

static void mandelbrot_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct mandelbrot_i *c = context;
    (void)part;
    int32_t status = mandelbrot_i(c->runtime, c->fault, c->out, c->out_s0, c->t_7, c->tiles, c->v_10, c->v_11, c->v_12, c->t_44, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t mandelbrot_body(const weft_runtime *runtime, weft_fault *fault, int32_t *restrict out, int64_t out_n0,
                               int64_t out_n1, int64_t out_s0, int64_t limit) {
    /* line 70 */
    double t_7 = (double)out_n0;
    /* line 68 */
    int64_t tiles = floordiv_by_positive(out_n1 - 0 + 7, 8);
    int64x8 v_10 = splat_int64x8(out_n1);
    /* line 69 */
    float64x8 v_11 = splat_float64x8((double)out_n1);
    /* line 74 */
    float64x8 t_39 = splat_float64x8(0.0) * splat_float64x8(0.0);
    int64x8 v_12 = splat_int64x8(limit);
    boolx8 t_44 = mask_of_float64x8(t_39 + t_39 <= splat_float64x8(4.0)) & mask_of_int64x8(splat_int64x8(0L) < v_12);
    /* line 67 */
    struct mandelbrot_i i_loop = {WEFT_OK, runtime, fault, out, out_s0, t_7, tiles, v_10, v_11, v_12, t_44};
    runtime->parallel(mandelbrot_i_piece, &i_loop, 0, out_n0, 0, (double)out_n0 * 1.066e+04);
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
