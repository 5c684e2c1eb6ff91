/* matrix_product, realistic_science.py:127 */

static int32_t matrix_product_i_2(const weft_runtime *runtime, weft_fault *fault, double *restrict a, int64_t a_n1,
                                  int64_t a_s0, double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0,
                                  int64_t t_22, int64_t t_28, int64_t t_40, int64_t begin, int64_t end) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    double *b_1 = NULL;
    int64_t b_1_size = 0;
    if (UNLIKELY(*stop)) {
        status = WEFT_INTERRUPTED;
        goto done;
    }
    if (weft_is_over(fault, begin)) return WEFT_OK;
    int64_t width = t_22;
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t i_1 = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        for (int64_t j_1 = first; j_1 < last; j_1++) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            /* line 129 */
            int64_t t_35 = 0 + j_1 * 16;
            int64_t t_36 = i_1 * 16;
            int64_t t_37 = t_36 + 16;
            int64_t b_bytes = weft_bytes(2, (int64_t[]){t_40, 16}, 8);
            if (UNLIKELY(b_bytes < 0)) {
                status = WEFT_TOO_LARGE;
                goto done;
            }
            b_1 = weft_reserve(runtime, b_1, &b_1_size, b_bytes);
            if (UNLIKELY(!b_1)) {
                status = WEFT_NO_MEMORY;
                goto done;
            }
            for (int64_t k_1 = 0; k_1 < a_n1; k_1++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                int64_t t_41 = k_1 - 0;
                INDEPENDENT
                for (int64_t lane_2 = 0; lane_2 < 16; lane_2++) {
                    /* line 129 */
                    AT(double, b_1, t_41 * 128)[lane_2] = AT(double, b, k_1 * b_s0)[t_35 + lane_2];
                }
            }
            double s_3[16] __attribute__((aligned(64)));
            double s_4[16] __attribute__((aligned(64)));
            double s_5[16] __attribute__((aligned(64)));
            double s_6[16] __attribute__((aligned(64)));
            double s_7[16] __attribute__((aligned(64)));
            double s_8[16] __attribute__((aligned(64)));
            double s_9[16] __attribute__((aligned(64)));
            double s_10[16] __attribute__((aligned(64)));
            /* line 128 */
            int64_t i_stop = t_28 < t_37 ? t_28 : t_37;
            for (int64_t i_2 = t_36; i_2 < i_stop; i_2++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                /* line 129 */
                int64_t t_45 = 0 + i_2 * 8;
                int64_t t_46 = t_45 + 1;
                int64_t t_47 = t_45 + 2;
                int64_t t_48 = t_45 + 3;
                int64_t t_49 = t_45 + 4;
                int64_t t_50 = t_45 + 5;
                int64_t t_51 = t_45 + 6;
                int64_t t_52 = t_45 + 7;
                INDEPENDENT
                for (int64_t lane_1 = 0; lane_1 < 16; lane_1++) {
                    s_3[lane_1] = 0.0;
                    s_4[lane_1] = 0.0;
                    s_5[lane_1] = 0.0;
                    s_6[lane_1] = 0.0;
                    s_7[lane_1] = 0.0;
                    s_8[lane_1] = 0.0;
                    s_9[lane_1] = 0.0;
                    s_10[lane_1] = 0.0;
                }
                /* line 131 */
                for (int64_t k_2 = 0; k_2 < a_n1; k_2++) {
                    if (UNLIKELY(*stop)) {
                        status = WEFT_INTERRUPTED;
                        goto done;
                    }
                    int64_t t_53 = k_2 - 0;
                    /* line 132 */
                    double t_54 = AT(double, a, t_45 * a_s0)[k_2];
                    double t_55 = AT(double, a, t_46 * a_s0)[k_2];
                    double t_56 = AT(double, a, t_47 * a_s0)[k_2];
                    double t_57 = AT(double, a, t_48 * a_s0)[k_2];
                    double t_58 = AT(double, a, t_49 * a_s0)[k_2];
                    double t_59 = AT(double, a, t_50 * a_s0)[k_2];
                    double t_60 = AT(double, a, t_51 * a_s0)[k_2];
                    double t_61 = AT(double, a, t_52 * a_s0)[k_2];
                    /* line 129 */
                    INDEPENDENT
                    for (int64_t lane_2_2 = 0; lane_2_2 < 16; lane_2_2++) {
                        double t_71 = AT(double, b_1, t_53 * 128)[lane_2_2];
                        /* line 129 */
                        double s_12 = fma_float64(t_55, t_71, s_4[lane_2_2]);
                        double s_13 = fma_float64(t_56, t_71, s_5[lane_2_2]);
                        double s_14 = fma_float64(t_57, t_71, s_6[lane_2_2]);
                        double s_15 = fma_float64(t_58, t_71, s_7[lane_2_2]);
                        double s_16 = fma_float64(t_59, t_71, s_8[lane_2_2]);
                        double s_17 = fma_float64(t_60, t_71, s_9[lane_2_2]);
                        double s_18 = fma_float64(t_61, t_71, s_10[lane_2_2]);
                        s_3[lane_2_2] = fma_float64(t_54, t_71, s_3[lane_2_2]);
                        s_4[lane_2_2] = s_12;
                        s_5[lane_2_2] = s_13;
                        s_6[lane_2_2] = s_14;
                        s_7[lane_2_2] = s_15;
                        s_8[lane_2_2] = s_16;
                        s_9[lane_2_2] = s_17;
                        s_10[lane_2_2] = s_18;
                    }
                }
                INDEPENDENT
                for (int64_t lane_3 = 0; lane_3 < 16; lane_3++) {
                    int64_t t_80 = t_35 + lane_3;
                    /* line 133 */
                    double t_82 = s_4[lane_3];
                    double t_83 = s_5[lane_3];
                    double t_84 = s_6[lane_3];
                    double t_85 = s_7[lane_3];
                    double t_86 = s_8[lane_3];
                    double t_87 = s_9[lane_3];
                    double t_88 = s_10[lane_3];
                    AT(double, c, t_45 * c_s0)[t_80] = s_3[lane_3];
                    AT(double, c, t_46 * c_s0)[t_80] = t_82;
                    AT(double, c, t_47 * c_s0)[t_80] = t_83;
                    AT(double, c, t_48 * c_s0)[t_80] = t_84;
                    AT(double, c, t_49 * c_s0)[t_80] = t_85;
                    AT(double, c, t_50 * c_s0)[t_80] = t_86;
                    AT(double, c, t_51 * c_s0)[t_80] = t_87;
                    AT(double, c, t_52 * c_s0)[t_80] = t_88;
                }
            }
        }
    }
done:
    weft_release(runtime, b_1);
    return status;
}

struct matrix_product_i_2 {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    double *b;
    int64_t b_s0;
    double *c;
    int64_t c_s0;
    int64_t t_22;
    int64_t t_28;
    int64_t t_40;
};

static void matrix_product_i_2_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_2 *c = context;
    (void)part;
    int32_t status = matrix_product_i_2(c->runtime, c->fault, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_22, c->t_28, c->t_40, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t matrix_product_i_4(const weft_runtime *runtime, double *restrict a, int64_t a_n1, int64_t a_s0,
                                  double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0, int64_t t_22,
                                  int64_t t_30, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width_2 = t_22;
    for (int64_t row_2 = begin / width_2; row_2 * width_2 < end; row_2++) {
        const int64_t i_3 = t_30 + row_2;
        int64_t first_2 = max_int64(begin - row_2 * width_2, 0);
        int64_t last_2 = min_int64(end - row_2 * width_2, width_2);
        for (int64_t j_2 = first_2; j_2 < last_2; j_2++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 129 */
            int64_t t_90 = 0 + j_2 * 16;
            double s_19[16] __attribute__((aligned(64)));
            INDEPENDENT
            for (int64_t lane_4 = 0; lane_4 < 16; lane_4++) {
                s_19[lane_4] = 0.0;
            }
            /* line 131 */
            for (int64_t k_3 = 0; k_3 < a_n1; k_3++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 132 */
                double t_91 = AT(double, a, i_3 * a_s0)[k_3];
                /* line 129 */
                INDEPENDENT
                for (int64_t lane_5 = 0; lane_5 < 16; lane_5++) {
                    /* line 129 */
                    s_19[lane_5] = fma_float64(t_91, AT(double, b, k_3 * b_s0)[t_90 + lane_5], s_19[lane_5]);
                }
            }
            INDEPENDENT
            for (int64_t lane_6 = 0; lane_6 < 16; lane_6++) {
                /* line 133 */
                AT(double, c, i_3 * c_s0)[t_90 + lane_6] = s_19[lane_6];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_i_4 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    double *b;
    int64_t b_s0;
    double *c;
    int64_t c_s0;
    int64_t t_22;
    int64_t t_30;
};

static void matrix_product_i_4_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_4 *c = context;
    (void)part;
    int32_t status = matrix_product_i_4(c->runtime, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_22, c->t_30, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t matrix_product_i_5(const weft_runtime *runtime, double *restrict a, int64_t a_n1, int64_t a_s0,
                                  double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0, int64_t t_24,
                                  int64_t t_25, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_4 = begin; i_4 < end; i_4++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 129 */
        double s_21[16] __attribute__((aligned(64)));
        for (int64_t lane_first = 0, lane_last = first_whole(&s_21[0], 8, 0, t_25); lane_first < t_25; lane_first = lane_last, lane_last = t_25) {
            INDEPENDENT
            for (int64_t lane_7 = lane_first; lane_7 < lane_last; lane_7++) {
                s_21[lane_7] = 0.0;
            }
        }
        /* line 131 */
        for (int64_t k_4 = 0; k_4 < a_n1; k_4++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 132 */
            double t_98 = AT(double, a, i_4 * a_s0)[k_4];
            /* line 129 */
            for (int64_t lane_first_2 = 0, lane_last_2 = first_whole(&s_21[0], 8, 0, t_25); lane_first_2 < t_25; lane_first_2 = lane_last_2, lane_last_2 = t_25) {
                INDEPENDENT
                for (int64_t lane_8 = lane_first_2; lane_8 < lane_last_2; lane_8++) {
                    /* line 129 */
                    s_21[lane_8] = fma_float64(t_98, AT(double, b, k_4 * b_s0)[t_24 + lane_8], s_21[lane_8]);
                }
            }
        }
        for (int64_t lane_first_3 = 0, lane_last_3 = first_whole(&AT(double, c, i_4 * c_s0)[t_24 + 0], 8, 0, t_25); lane_first_3 < t_25; lane_first_3 = lane_last_3, lane_last_3 = t_25) {
            INDEPENDENT
            for (int64_t lane_9 = lane_first_3; lane_9 < lane_last_3; lane_9++) {
                /* line 133 */
                AT(double, c, i_4 * c_s0)[t_24 + lane_9] = s_21[lane_9];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_i_5 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    double *b;
    int64_t b_s0;
    double *c;
    int64_t c_s0;
    int64_t t_24;
    int64_t t_25;
};

static void matrix_product_i_5_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_5 *c = context;
    (void)part;
    int32_t status = matrix_product_i_5(c->runtime, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_24, c->t_25, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
}

static int32_t matrix_product_body(const weft_runtime *runtime, weft_fault *fault, double *restrict a, int64_t a_n0,
                                   int64_t a_n1, int64_t a_s0, double *restrict b, int64_t b_n1, int64_t b_s0,
                                   double *restrict c, int64_t c_s0) {
    int32_t status = WEFT_OK;
    /* line 129 */
    int64_t t_20 = b_n1 - 0;
    int64_t t_21 = 0 > t_20 ? 0 : t_20;
    int64_t t_22 = t_21 / 16;
    int64_t t_23 = t_22 * 16;
    int64_t t_24 = 0 + t_23;
    int64_t t_25 = t_21 - t_23;
    int64_t t_26 = a_n0 - 0;
    int64_t t_28 = (0 > t_26 ? 0 : t_26) / 8;
    int64_t t_39 = a_n1 - 0;
    int64_t t_40 = 0 > t_39 ? 0 : t_39;
    /* line 128 */
    int64_t t_33 = (t_28 + 15) / 16;
    int64_t trips = weft_trips(0, t_33) * weft_trips(0, t_22);
    struct matrix_product_i_2 i_loop = {WEFT_OK, runtime, fault, a, a_n1, a_s0, b, b_s0, c, c_s0, t_22, t_28, t_40};
    runtime->parallel(matrix_product_i_2_piece, &i_loop, 0, trips, 0, (double)trips * (613.8 + (double)(a_n1) * (1.3 + (double)(16) * (0.7)) + 16.0 * ((double)(16) * (1.75)) + 16.0 * ((double)(a_n1) * (2.9 + (double)(16) * (4.75))) + 16.0 * ((double)(16) * (3.5))));
    if (UNLIKELY(i_loop.status)) {
        status = i_loop.status;
        goto done;
    }
    int64_t t_30 = 0 + t_28 * 8;
    int64_t trips_2 = weft_trips(t_30, a_n0) * weft_trips(0, t_22);
    struct matrix_product_i_4 i_loop_2 = {WEFT_OK, runtime, a, a_n1, a_s0, b, b_s0, c, c_s0, t_22, t_30};
    runtime->parallel(matrix_product_i_4_piece, &i_loop_2, 0, trips_2, 0, (double)trips_2 * (63.3 + (double)(16) * (0.35) + (double)(a_n1) * (1.35 + (double)(16) * (1.05)) + (double)(16) * (0.7)));
    if (UNLIKELY(i_loop_2.status)) {
        status = i_loop_2.status;
        goto done;
    }
    /* line 129 */
    if (t_25 > 0) {
        /* line 128 */
        struct matrix_product_i_5 i_loop_3 = {WEFT_OK, runtime, a, a_n1, a_s0, b, b_s0, c, c_s0, t_24, t_25};
        runtime->parallel(matrix_product_i_5_piece, &i_loop_3, 0, a_n0, 0, (double)a_n0 * (63 + (double)(t_25) * (0.35) + (double)(a_n1) * (1.35 + (double)(t_25) * (1.05)) + (double)(t_25) * (0.7)));
        if (UNLIKELY(i_loop_3.status)) {
            status = i_loop_3.status;
            goto done;
        }
    }
done:
    return status;
}

int32_t enter_matrix_product(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                             weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    double *b = (double *)arguments[1].view->data;
    int64_t b_n0 = arguments[1].view->shape[0];
    int64_t b_n1 = arguments[1].view->shape[1];
    int64_t b_s0 = arguments[1].view->strides[0];
    double *c = (double *)arguments[2].view->data;
    int64_t c_n0 = arguments[2].view->shape[0];
    int64_t c_n1 = arguments[2].view->shape[1];
    int64_t c_s0 = arguments[2].view->strides[0];
    /* line 127 */
    bool t_7 = 0 >= a_n0;
    bool t_10 = 0 >= b_n1;
    bool t_19 = ((b_n0 >= a_n1) | t_7 | t_10) & ((c_n0 >= a_n0) | t_10) & ((c_n1 >= b_n1) | t_7);
    if (!(t_19)) return WEFT_OTHER_VARIANT;
    int32_t status = matrix_product_body(runtime, fault, a, a_n0, a_n1, a_s0, b, b_n1, b_s0, c, c_s0);
    return status > 0 ? fault->site : status;
}
