/* matrix_product, realistic_science.py:127 */

static int32_t matrix_product_j_3(const weft_runtime *runtime, double *restrict b, int64_t b_s0, int64_t t_22,
                                  int64_t t_49, double *restrict packed, int64_t packed_s0_, int64_t begin,
                                  int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t panel = begin; panel < end; panel++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 128 */
        int64_t t_58 = t_49 + panel * 24;
        for (int64_t k_1 = 0; k_1 < t_22; k_1++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            INDEPENDENT
            for (int64_t lane_2 = 0; lane_2 < 24; lane_2++) {
                /* line 132 */
                AT(double, packed, panel * packed_s0_ + k_1 * 192)[lane_2] = AT(double, b, k_1 * b_s0)[t_58 + lane_2];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_j_3 {
    int32_t status;
    const weft_runtime *runtime;
    double *b;
    int64_t b_s0;
    int64_t t_22;
    int64_t t_49;
    double *packed;
    int64_t packed_s0_;
};

static int32_t matrix_product_j_3_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_j_3 *c = context;
    (void)part;
    int32_t status = matrix_product_j_3(c->runtime, c->b, c->b_s0, c->t_22, c->t_49, c->packed, c->packed_s0_, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_j_4(const weft_runtime *runtime, double *restrict b, int64_t b_s0, int64_t t_22,
                                  int64_t t_56, int64_t t_49, double *restrict packed, int64_t packed_s0_,
                                  int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t panel_1 = begin; panel_1 < end; panel_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 128 */
        int64_t t_62 = t_49 + panel_1 * 24;
        for (int64_t k_2 = 0; k_2 < t_22; k_2++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            INDEPENDENT
            for (int64_t lane_1 = 0; lane_1 < 24; lane_1++) {
                int64_t t_63 = t_62 + lane_1;
                /* line 132 */
                AT(double, packed, panel_1 * packed_s0_ + k_2 * 192)[lane_1] = AT(double, b, k_2 * b_s0)[t_56 < t_63 ? t_56 : t_63];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_j_4 {
    int32_t status;
    const weft_runtime *runtime;
    double *b;
    int64_t b_s0;
    int64_t t_22;
    int64_t t_56;
    int64_t t_49;
    double *packed;
    int64_t packed_s0_;
};

static int32_t matrix_product_j_4_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_j_4 *c = context;
    (void)part;
    int32_t status = matrix_product_j_4(c->runtime, c->b, c->b_s0, c->t_22, c->t_56, c->t_49, c->packed, c->packed_s0_, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_3(const weft_runtime *runtime, double *restrict a, int64_t a_s0, int64_t t_22,
                                  int64_t t_74, double *restrict packed_1, int64_t packed_s0__2, int64_t begin,
                                  int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t panel_2 = begin; panel_2 < end; panel_2++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 128 */
        int64_t t_83 = t_74 + panel_2 * 8;
        for (int64_t k_3 = 0; k_3 < t_22; k_3++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            INDEPENDENT
            for (int64_t lane_2_2 = 0; lane_2_2 < 8; lane_2_2++) {
                /* line 132 */
                AT(double, packed_1, panel_2 * packed_s0__2 + k_3 * 64)[lane_2_2] = AT(double, a, (t_83 + lane_2_2) * a_s0)[k_3];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_i_3 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    int64_t t_22;
    int64_t t_74;
    double *packed_1;
    int64_t packed_s0__2;
};

static int32_t matrix_product_i_3_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_3 *c = context;
    (void)part;
    int32_t status = matrix_product_i_3(c->runtime, c->a, c->a_s0, c->t_22, c->t_74, c->packed_1, c->packed_s0__2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_4(const weft_runtime *runtime, double *restrict a, int64_t a_s0, int64_t t_22,
                                  int64_t t_81, int64_t t_74, double *restrict packed_1, int64_t packed_s0__2,
                                  int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t panel_3 = begin; panel_3 < end; panel_3++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 128 */
        int64_t t_87 = t_74 + panel_3 * 8;
        for (int64_t k_4 = 0; k_4 < t_22; k_4++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            INDEPENDENT
            for (int64_t lane_3 = 0; lane_3 < 8; lane_3++) {
                int64_t t_88 = t_87 + lane_3;
                /* line 132 */
                AT(double, packed_1, panel_3 * packed_s0__2 + k_4 * 64)[lane_3] = AT(double, a, (t_81 < t_88 ? t_81 : t_88) * a_s0)[k_4];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_i_4 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_s0;
    int64_t t_22;
    int64_t t_81;
    int64_t t_74;
    double *packed_1;
    int64_t packed_s0__2;
};

static int32_t matrix_product_i_4_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_4 *c = context;
    (void)part;
    int32_t status = matrix_product_i_4(c->runtime, c->a, c->a_s0, c->t_22, c->t_81, c->t_74, c->packed_1, c->packed_s0__2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_7(const weft_runtime *runtime, weft_fault *fault, int64_t a_n0, int64_t b_n1,
                                  double *restrict c, int64_t c_s0, int64_t t_22, int64_t t_170, int64_t t_48,
                                  int64_t t_49, double *restrict packed, int64_t packed_s0_, int64_t t_96,
                                  int64_t t_73, int64_t t_74, double *restrict packed_1, int64_t packed_s0__2,
                                  int64_t t_95, int64_t t_102, int64_t begin, int64_t end) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    double *sums = NULL;
    int64_t sums_size = 0;
    if (UNLIKELY(*stop)) {
        status = WEFT_INTERRUPTED;
        goto done;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        status = over;
        goto done;
    }
    int64_t width = t_102;
    for (int64_t row = begin / width; row * width < end; row++) {
        const int64_t piece = row;
        int64_t first = max_int64(begin - row * width, 0);
        int64_t last = min_int64(end - row * width, width);
        for (int64_t piece_1 = first; piece_1 < last; piece_1++) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            /* line 128 */
            int64_t sums_bytes = weft_bytes(4, (int64_t[]){t_95, t_96, 8, 24}, 8);
            if (UNLIKELY(sums_bytes < 0)) {
                status = WEFT_TOO_LARGE;
                goto done;
            }
            sums = weft_reserve(runtime, sums, &sums_size, sums_bytes);
            if (UNLIKELY(!sums)) {
                status = WEFT_NO_MEMORY;
                goto done;
            }
            for (int64_t k = 0; k < sums_bytes / 8; k++) {
                sums[k] = -0.0;
            }
            int64_t sums_s0_ = t_96 * 1536;
            for (int64_t turn_2 = 0; turn_2 < t_170; turn_2++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                int64_t t_103 = turn_2 * 128;
                int64_t t_104 = t_103 + 128;
                int64_t t_105 = t_22 < t_104 ? t_22 : t_104;
                for (int64_t tile_1 = 0; tile_1 < t_96; tile_1++) {
                    if (UNLIKELY(*stop)) {
                        status = WEFT_INTERRUPTED;
                        goto done;
                    }
                    int64_t t_109 = piece_1 * t_96 + tile_1;
                    if (t_109 < t_48) {
                        bool t_151 = tile_1 + 1 >= t_96;
                        int64_t t_154 = t_103 + (t_151 ? 128L : 0L);
                        int64_t t_158 = t_109 - (t_151 ? tile_1 : -1L);
                        for (int64_t tile = 0; tile < t_95; tile++) {
                            if (UNLIKELY(*stop)) {
                                status = WEFT_INTERRUPTED;
                                goto done;
                            }
                            int64_t t_107 = piece * t_95 + tile;
                            if (t_107 < t_73) {
                                double sum[24] __attribute__((aligned(64)));
                                double sum_1[24] __attribute__((aligned(64)));
                                double sum_2[24] __attribute__((aligned(64)));
                                double sum_3[24] __attribute__((aligned(64)));
                                double sum_4[24] __attribute__((aligned(64)));
                                double sum_5[24] __attribute__((aligned(64)));
                                double sum_6[24] __attribute__((aligned(64)));
                                double sum_7[24] __attribute__((aligned(64)));
                                INDEPENDENT
                                for (int64_t lane_4 = 0; lane_4 < 24; lane_4++) {
                                    sum[lane_4] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536)[lane_4];
                                }
                                INDEPENDENT
                                for (int64_t lane_5 = 0; lane_5 < 24; lane_5++) {
                                    sum_1[lane_5] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 1 * 192)[lane_5];
                                }
                                INDEPENDENT
                                for (int64_t lane_6 = 0; lane_6 < 24; lane_6++) {
                                    sum_2[lane_6] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 2 * 192)[lane_6];
                                }
                                INDEPENDENT
                                for (int64_t lane_7 = 0; lane_7 < 24; lane_7++) {
                                    sum_3[lane_7] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 3 * 192)[lane_7];
                                }
                                INDEPENDENT
                                for (int64_t lane_8 = 0; lane_8 < 24; lane_8++) {
                                    sum_4[lane_8] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 4 * 192)[lane_8];
                                }
                                INDEPENDENT
                                for (int64_t lane_9 = 0; lane_9 < 24; lane_9++) {
                                    sum_5[lane_9] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 5 * 192)[lane_9];
                                }
                                INDEPENDENT
                                for (int64_t lane_10 = 0; lane_10 < 24; lane_10++) {
                                    sum_6[lane_10] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 6 * 192)[lane_10];
                                }
                                INDEPENDENT
                                for (int64_t lane_11 = 0; lane_11 < 24; lane_11++) {
                                    sum_7[lane_11] = AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 7 * 192)[lane_11];
                                }
                                int64_t t_157 = t_154 + tile % 3 * 42;
                                uintptr_t fetched = (uintptr_t)&AT(double, packed, t_158 * packed_s0_ + t_157 * 192)[0];
                                for (int64_t k_5 = t_103; k_5 < t_105; k_5++) {
                                    if (UNLIKELY(*stop)) {
                                        status = WEFT_INTERRUPTED;
                                        goto done;
                                    }
                                    __builtin_prefetch(&AT(double, packed_1, t_107 * packed_s0__2 + (k_5 + 16) * 64)[0]);
                                    __builtin_prefetch((const void *)(fetched + (k_5 - t_103) * 64), 0, 2);
                                    double t_118 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[0];
                                    INDEPENDENT
                                    for (int64_t lane_12 = 0; lane_12 < 24; lane_12++) {
                                        double t_121 = fma_float64(t_118, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_12], sum[lane_12]);
                                        sum[lane_12] = t_121;
                                    }
                                    double t_122 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[1];
                                    INDEPENDENT
                                    for (int64_t lane_13 = 0; lane_13 < 24; lane_13++) {
                                        double t_125 = fma_float64(t_122, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_13], sum_1[lane_13]);
                                        sum_1[lane_13] = t_125;
                                    }
                                    double t_126 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[2];
                                    INDEPENDENT
                                    for (int64_t lane_14 = 0; lane_14 < 24; lane_14++) {
                                        double t_129 = fma_float64(t_126, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_14], sum_2[lane_14]);
                                        sum_2[lane_14] = t_129;
                                    }
                                    double t_130 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[3];
                                    INDEPENDENT
                                    for (int64_t lane_15 = 0; lane_15 < 24; lane_15++) {
                                        double t_133 = fma_float64(t_130, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_15], sum_3[lane_15]);
                                        sum_3[lane_15] = t_133;
                                    }
                                    double t_134 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[4];
                                    INDEPENDENT
                                    for (int64_t lane_16 = 0; lane_16 < 24; lane_16++) {
                                        double t_137 = fma_float64(t_134, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_16], sum_4[lane_16]);
                                        sum_4[lane_16] = t_137;
                                    }
                                    double t_138 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[5];
                                    INDEPENDENT
                                    for (int64_t lane_17 = 0; lane_17 < 24; lane_17++) {
                                        double t_141 = fma_float64(t_138, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_17], sum_5[lane_17]);
                                        sum_5[lane_17] = t_141;
                                    }
                                    double t_142 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[6];
                                    INDEPENDENT
                                    for (int64_t lane_18 = 0; lane_18 < 24; lane_18++) {
                                        double t_145 = fma_float64(t_142, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_18], sum_6[lane_18]);
                                        sum_6[lane_18] = t_145;
                                    }
                                    double t_146 = AT(double, packed_1, t_107 * packed_s0__2 + k_5 * 64)[7];
                                    INDEPENDENT
                                    for (int64_t lane_19 = 0; lane_19 < 24; lane_19++) {
                                        double t_149 = fma_float64(t_146, AT(double, packed, t_109 * packed_s0_ + k_5 * 192)[lane_19], sum_7[lane_19]);
                                        sum_7[lane_19] = t_149;
                                    }
                                }
                                INDEPENDENT
                                for (int64_t lane_20 = 0; lane_20 < 24; lane_20++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536)[lane_20] = sum[lane_20];
                                }
                                INDEPENDENT
                                for (int64_t lane_21 = 0; lane_21 < 24; lane_21++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 1 * 192)[lane_21] = sum_1[lane_21];
                                }
                                INDEPENDENT
                                for (int64_t lane_22 = 0; lane_22 < 24; lane_22++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 2 * 192)[lane_22] = sum_2[lane_22];
                                }
                                INDEPENDENT
                                for (int64_t lane_23 = 0; lane_23 < 24; lane_23++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 3 * 192)[lane_23] = sum_3[lane_23];
                                }
                                INDEPENDENT
                                for (int64_t lane_24 = 0; lane_24 < 24; lane_24++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 4 * 192)[lane_24] = sum_4[lane_24];
                                }
                                INDEPENDENT
                                for (int64_t lane_25 = 0; lane_25 < 24; lane_25++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 5 * 192)[lane_25] = sum_5[lane_25];
                                }
                                INDEPENDENT
                                for (int64_t lane_26 = 0; lane_26 < 24; lane_26++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 6 * 192)[lane_26] = sum_6[lane_26];
                                }
                                INDEPENDENT
                                for (int64_t lane_27 = 0; lane_27 < 24; lane_27++) {
                                    AT(double, sums, tile * sums_s0_ + tile_1 * 1536 + 7 * 192)[lane_27] = sum_7[lane_27];
                                }
                            }
                        }
                    }
                }
            }
            for (int64_t tile_3 = 0; tile_3 < t_96; tile_3++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                int64_t t_174 = piece_1 * t_96 + tile_3;
                if (t_174 < t_48) {
                    int64_t t_181 = t_49 + t_174 * 24;
                    int64_t t_182 = b_n1 - t_181;
                    int64_t t_183 = 24 < t_182 ? 24 : t_182;
                    bool t_184 = t_182 >= 24;
                    for (int64_t tile_2 = 0; tile_2 < t_95; tile_2++) {
                        if (UNLIKELY(*stop)) {
                            status = WEFT_INTERRUPTED;
                            goto done;
                        }
                        int64_t t_172 = piece * t_95 + tile_2;
                        if (t_172 < t_73) {
                            int64_t t_176 = t_74 + t_172 * 8;
                            int64_t t_177 = a_n0 - t_176;
                            int64_t t_178 = 8 < t_177 ? 8 : t_177;
                            if ((t_177 >= 8) & t_184) {
                                for (int64_t i_3 = 0; i_3 < 8; i_3++) {
                                    int64_t i_4 = t_176 + i_3;
                                    /* line 129 */
                                    INDEPENDENT
                                    for (int64_t j_3 = 0; j_3 < 24; j_3++) {
                                        /* line 133 */
                                        AT(double, c, i_4 * c_s0)[t_181 + j_3] = 0.0 + AT(double, sums, tile_2 * sums_s0_ + tile_3 * 1536 + i_3 * 192)[j_3];
                                    }
                                }
                            } else {
                                for (int64_t i_6 = 0; i_6 < t_178; i_6++) {
                                    if (UNLIKELY(*stop)) {
                                        status = WEFT_INTERRUPTED;
                                        goto done;
                                    }
                                    int64_t i_7 = t_176 + i_6;
                                    /* line 129 */
                                    for (int64_t j_first = 0, j_last = first_whole(&AT(double, c, i_7 * c_s0)[t_181 + 0], 8, 0, t_183); j_first < t_183; j_first = j_last, j_last = t_183) {
                                        INDEPENDENT
                                        for (int64_t j_6 = j_first; j_6 < j_last; j_6++) {
                                            /* line 133 */
                                            AT(double, c, i_7 * c_s0)[t_181 + j_6] = 0.0 + AT(double, sums, tile_2 * sums_s0_ + tile_3 * 1536 + i_6 * 192)[j_6];
                                        }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
done:
    weft_release(runtime, sums);
    return status;
}

struct matrix_product_i_7 {
    int32_t status;
    const weft_runtime *runtime;
    weft_fault *fault;
    int64_t a_n0;
    int64_t b_n1;
    double *c;
    int64_t c_s0;
    int64_t t_22;
    int64_t t_170;
    int64_t t_48;
    int64_t t_49;
    double *packed;
    int64_t packed_s0_;
    int64_t t_96;
    int64_t t_73;
    int64_t t_74;
    double *packed_1;
    int64_t packed_s0__2;
    int64_t t_95;
    int64_t t_102;
};

static int32_t matrix_product_i_7_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_7 *c = context;
    (void)part;
    int32_t status = matrix_product_i_7(c->runtime, c->fault, c->a_n0, c->b_n1, c->c, c->c_s0, c->t_22, c->t_170, c->t_48, c->t_49, c->packed, c->packed_s0_, c->t_96, c->t_73, c->t_74, c->packed_1, c->packed_s0__2, c->t_95, c->t_102, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_9(const weft_runtime *runtime, weft_fault *fault, double *restrict a, int64_t a_n1,
                                  int64_t a_s0, double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0,
                                  int64_t t_2, int64_t t_198, int64_t t_210, int64_t begin, int64_t end) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    double *b_1 = NULL;
    int64_t b_1_size = 0;
    if (UNLIKELY(*stop)) {
        status = WEFT_INTERRUPTED;
        goto done;
    }
    int32_t over_2 = weft_is_over(fault, begin);
    if (UNLIKELY(over_2)) {
        status = over_2;
        goto done;
    }
    int64_t width_2 = t_198;
    for (int64_t row_2 = begin / width_2; row_2 * width_2 < end; row_2++) {
        const int64_t i = row_2;
        int64_t first_2 = max_int64(begin - row_2 * width_2, 0);
        int64_t last_2 = min_int64(end - row_2 * width_2, width_2);
        for (int64_t j = first_2; j < last_2; j++) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            /* line 129 */
            int64_t t_205 = 0 + j * 16;
            int64_t t_206 = i * 16;
            int64_t t_207 = t_206 + 16;
            int64_t b_bytes = weft_bytes(2, (int64_t[]){t_210, 16}, 8);
            if (UNLIKELY(b_bytes < 0)) {
                status = WEFT_TOO_LARGE;
                goto done;
            }
            b_1 = weft_reserve(runtime, b_1, &b_1_size, b_bytes);
            if (UNLIKELY(!b_1)) {
                status = WEFT_NO_MEMORY;
                goto done;
            }
            for (int64_t k_6 = 0; k_6 < a_n1; k_6++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                int64_t t_211 = k_6 - 0;
                INDEPENDENT
                for (int64_t lane_28 = 0; lane_28 < 16; lane_28++) {
                    /* line 129 */
                    AT(double, b_1, t_211 * 128)[lane_28] = AT(double, b, k_6 * b_s0)[t_205 + lane_28];
                }
            }
            double s[16] __attribute__((aligned(64)));
            double s_1[16] __attribute__((aligned(64)));
            double s_2[16] __attribute__((aligned(64)));
            double s_8[16] __attribute__((aligned(64)));
            double s_9[16] __attribute__((aligned(64)));
            double s_10[16] __attribute__((aligned(64)));
            double s_11[16] __attribute__((aligned(64)));
            double s_12[16] __attribute__((aligned(64)));
            /* line 128 */
            int64_t i_stop_2 = t_2 < t_207 ? t_2 : t_207;
            for (int64_t i_2 = t_206; i_2 < i_stop_2; i_2++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                /* line 129 */
                int64_t t_215 = 0 + i_2 * 8;
                int64_t t_216 = t_215 + 1;
                int64_t t_217 = t_215 + 2;
                int64_t t_218 = t_215 + 3;
                int64_t t_219 = t_215 + 4;
                int64_t t_220 = t_215 + 5;
                int64_t t_221 = t_215 + 6;
                int64_t t_222 = t_215 + 7;
                INDEPENDENT
                for (int64_t lane_29 = 0; lane_29 < 16; lane_29++) {
                    s[lane_29] = 0.0;
                    s_1[lane_29] = 0.0;
                    s_2[lane_29] = 0.0;
                    s_8[lane_29] = 0.0;
                    s_9[lane_29] = 0.0;
                    s_10[lane_29] = 0.0;
                    s_11[lane_29] = 0.0;
                    s_12[lane_29] = 0.0;
                }
                /* line 131 */
                for (int64_t k_7 = 0; k_7 < a_n1; k_7++) {
                    if (UNLIKELY(*stop)) {
                        status = WEFT_INTERRUPTED;
                        goto done;
                    }
                    int64_t t_223 = k_7 - 0;
                    /* line 132 */
                    double t_224 = AT(double, a, t_215 * a_s0)[k_7];
                    double t_225 = AT(double, a, t_216 * a_s0)[k_7];
                    double t_226 = AT(double, a, t_217 * a_s0)[k_7];
                    double t_227 = AT(double, a, t_218 * a_s0)[k_7];
                    double t_228 = AT(double, a, t_219 * a_s0)[k_7];
                    double t_229 = AT(double, a, t_220 * a_s0)[k_7];
                    double t_230 = AT(double, a, t_221 * a_s0)[k_7];
                    double t_231 = AT(double, a, t_222 * a_s0)[k_7];
                    /* line 129 */
                    INDEPENDENT
                    for (int64_t lane_30 = 0; lane_30 < 16; lane_30++) {
                        double t_241 = AT(double, b_1, t_223 * 128)[lane_30];
                        /* line 129 */
                        double s_14 = fma_float64(t_225, t_241, s_1[lane_30]);
                        double s_15 = fma_float64(t_226, t_241, s_2[lane_30]);
                        double s_16 = fma_float64(t_227, t_241, s_8[lane_30]);
                        double s_17 = fma_float64(t_228, t_241, s_9[lane_30]);
                        double s_18 = fma_float64(t_229, t_241, s_10[lane_30]);
                        double s_19 = fma_float64(t_230, t_241, s_11[lane_30]);
                        double s_20 = fma_float64(t_231, t_241, s_12[lane_30]);
                        s[lane_30] = fma_float64(t_224, t_241, s[lane_30]);
                        s_1[lane_30] = s_14;
                        s_2[lane_30] = s_15;
                        s_8[lane_30] = s_16;
                        s_9[lane_30] = s_17;
                        s_10[lane_30] = s_18;
                        s_11[lane_30] = s_19;
                        s_12[lane_30] = s_20;
                    }
                }
                INDEPENDENT
                for (int64_t lane_31 = 0; lane_31 < 16; lane_31++) {
                    int64_t t_250 = t_205 + lane_31;
                    /* line 133 */
                    double t_252 = s_1[lane_31];
                    double t_253 = s_2[lane_31];
                    double t_254 = s_8[lane_31];
                    double t_255 = s_9[lane_31];
                    double t_256 = s_10[lane_31];
                    double t_257 = s_11[lane_31];
                    double t_258 = s_12[lane_31];
                    AT(double, c, t_215 * c_s0)[t_250] = s[lane_31];
                    AT(double, c, t_216 * c_s0)[t_250] = t_252;
                    AT(double, c, t_217 * c_s0)[t_250] = t_253;
                    AT(double, c, t_218 * c_s0)[t_250] = t_254;
                    AT(double, c, t_219 * c_s0)[t_250] = t_255;
                    AT(double, c, t_220 * c_s0)[t_250] = t_256;
                    AT(double, c, t_221 * c_s0)[t_250] = t_257;
                    AT(double, c, t_222 * c_s0)[t_250] = t_258;
                }
            }
        }
    }
done:
    weft_release(runtime, b_1);
    return status;
}

struct matrix_product_i_9 {
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
    int64_t t_2;
    int64_t t_198;
    int64_t t_210;
};

static int32_t matrix_product_i_9_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_9 *c = context;
    (void)part;
    int32_t status = matrix_product_i_9(c->runtime, c->fault, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_2, c->t_198, c->t_210, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_11(const weft_runtime *runtime, double *restrict a, int64_t a_n1, int64_t a_s0,
                                   double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0, int64_t t_188,
                                   int64_t t_198, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int64_t width_3 = t_198;
    for (int64_t row_3 = begin / width_3; row_3 * width_3 < end; row_3++) {
        const int64_t i_5 = t_188 + row_3;
        int64_t first_3 = max_int64(begin - row_3 * width_3, 0);
        int64_t last_3 = min_int64(end - row_3 * width_3, width_3);
        for (int64_t j_2 = first_3; j_2 < last_3; j_2++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 129 */
            int64_t t_260 = 0 + j_2 * 16;
            double s_21[16] __attribute__((aligned(64)));
            INDEPENDENT
            for (int64_t lane_32 = 0; lane_32 < 16; lane_32++) {
                s_21[lane_32] = 0.0;
            }
            /* line 131 */
            for (int64_t k_8 = 0; k_8 < a_n1; k_8++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 132 */
                double t_261 = AT(double, a, i_5 * a_s0)[k_8];
                /* line 129 */
                INDEPENDENT
                for (int64_t lane_33 = 0; lane_33 < 16; lane_33++) {
                    /* line 129 */
                    s_21[lane_33] = fma_float64(t_261, AT(double, b, k_8 * b_s0)[t_260 + lane_33], s_21[lane_33]);
                }
            }
            INDEPENDENT
            for (int64_t lane_34 = 0; lane_34 < 16; lane_34++) {
                /* line 133 */
                AT(double, c, i_5 * c_s0)[t_260 + lane_34] = s_21[lane_34];
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_i_11 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    double *b;
    int64_t b_s0;
    double *c;
    int64_t c_s0;
    int64_t t_188;
    int64_t t_198;
};

static int32_t matrix_product_i_11_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_11 *c = context;
    (void)part;
    int32_t status = matrix_product_i_11(c->runtime, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_188, c->t_198, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_12(const weft_runtime *runtime, weft_fault *fault, double *restrict a, int64_t a_n1,
                                   int64_t a_s0, double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0,
                                   int64_t t_2, int64_t t_200, int64_t t_210, int64_t t_270, int64_t begin,
                                   int64_t end) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    double *b_2 = NULL;
    int64_t b_2_size = 0;
    if (UNLIKELY(*stop)) {
        status = WEFT_INTERRUPTED;
        goto done;
    }
    int32_t over_3 = weft_is_over(fault, begin);
    if (UNLIKELY(over_3)) {
        status = over_3;
        goto done;
    }
    int64_t width_4 = t_270;
    for (int64_t row_4 = begin / width_4; row_4 * width_4 < end; row_4++) {
        const int64_t i_9 = row_4;
        int64_t first_4 = max_int64(begin - row_4 * width_4, 0);
        int64_t last_4 = min_int64(end - row_4 * width_4, width_4);
        for (int64_t j_5 = first_4; j_5 < last_4; j_5++) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            /* line 129 */
            int64_t t_277 = t_200 + j_5 * 8;
            int64_t t_278 = i_9 * 16;
            int64_t t_279 = t_278 + 16;
            int64_t b_bytes_2 = weft_bytes(2, (int64_t[]){t_210, 8}, 8);
            if (UNLIKELY(b_bytes_2 < 0)) {
                status = WEFT_TOO_LARGE;
                goto done;
            }
            b_2 = weft_reserve(runtime, b_2, &b_2_size, b_bytes_2);
            if (UNLIKELY(!b_2)) {
                status = WEFT_NO_MEMORY;
                goto done;
            }
            for (int64_t k_9 = 0; k_9 < a_n1; k_9++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                int64_t t_283 = k_9 - 0;
                INDEPENDENT
                for (int64_t lane_35 = 0; lane_35 < 8; lane_35++) {
                    /* line 129 */
                    AT(double, b_2, t_283 * 64)[lane_35] = AT(double, b, k_9 * b_s0)[t_277 + lane_35];
                }
            }
            double s_23[8] __attribute__((aligned(64)));
            double s_24[8] __attribute__((aligned(64)));
            double s_25[8] __attribute__((aligned(64)));
            double s_26[8] __attribute__((aligned(64)));
            double s_27[8] __attribute__((aligned(64)));
            double s_28[8] __attribute__((aligned(64)));
            double s_29[8] __attribute__((aligned(64)));
            double s_30[8] __attribute__((aligned(64)));
            /* line 128 */
            int64_t i_stop_3 = t_2 < t_279 ? t_2 : t_279;
            for (int64_t i_10 = t_278; i_10 < i_stop_3; i_10++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                /* line 129 */
                int64_t t_287 = 0 + i_10 * 8;
                int64_t t_288 = t_287 + 1;
                int64_t t_289 = t_287 + 2;
                int64_t t_290 = t_287 + 3;
                int64_t t_291 = t_287 + 4;
                int64_t t_292 = t_287 + 5;
                int64_t t_293 = t_287 + 6;
                int64_t t_294 = t_287 + 7;
                INDEPENDENT
                for (int64_t lane_36 = 0; lane_36 < 8; lane_36++) {
                    s_23[lane_36] = 0.0;
                    s_24[lane_36] = 0.0;
                    s_25[lane_36] = 0.0;
                    s_26[lane_36] = 0.0;
                    s_27[lane_36] = 0.0;
                    s_28[lane_36] = 0.0;
                    s_29[lane_36] = 0.0;
                    s_30[lane_36] = 0.0;
                }
                /* line 131 */
                for (int64_t k_10 = 0; k_10 < a_n1; k_10++) {
                    if (UNLIKELY(*stop)) {
                        status = WEFT_INTERRUPTED;
                        goto done;
                    }
                    int64_t t_295 = k_10 - 0;
                    /* line 132 */
                    double t_296 = AT(double, a, t_287 * a_s0)[k_10];
                    double t_297 = AT(double, a, t_288 * a_s0)[k_10];
                    double t_298 = AT(double, a, t_289 * a_s0)[k_10];
                    double t_299 = AT(double, a, t_290 * a_s0)[k_10];
                    double t_300 = AT(double, a, t_291 * a_s0)[k_10];
                    double t_301 = AT(double, a, t_292 * a_s0)[k_10];
                    double t_302 = AT(double, a, t_293 * a_s0)[k_10];
                    double t_303 = AT(double, a, t_294 * a_s0)[k_10];
                    /* line 129 */
                    INDEPENDENT
                    for (int64_t lane_37 = 0; lane_37 < 8; lane_37++) {
                        double t_313 = AT(double, b_2, t_295 * 64)[lane_37];
                        /* line 129 */
                        double s_32 = fma_float64(t_297, t_313, s_24[lane_37]);
                        double s_33 = fma_float64(t_298, t_313, s_25[lane_37]);
                        double s_34 = fma_float64(t_299, t_313, s_26[lane_37]);
                        double s_35 = fma_float64(t_300, t_313, s_27[lane_37]);
                        double s_36 = fma_float64(t_301, t_313, s_28[lane_37]);
                        double s_37 = fma_float64(t_302, t_313, s_29[lane_37]);
                        double s_38 = fma_float64(t_303, t_313, s_30[lane_37]);
                        s_23[lane_37] = fma_float64(t_296, t_313, s_23[lane_37]);
                        s_24[lane_37] = s_32;
                        s_25[lane_37] = s_33;
                        s_26[lane_37] = s_34;
                        s_27[lane_37] = s_35;
                        s_28[lane_37] = s_36;
                        s_29[lane_37] = s_37;
                        s_30[lane_37] = s_38;
                    }
                }
                INDEPENDENT
                for (int64_t lane_38 = 0; lane_38 < 8; lane_38++) {
                    int64_t t_322 = t_277 + lane_38;
                    /* line 133 */
                    double t_324 = s_24[lane_38];
                    double t_325 = s_25[lane_38];
                    double t_326 = s_26[lane_38];
                    double t_327 = s_27[lane_38];
                    double t_328 = s_28[lane_38];
                    double t_329 = s_29[lane_38];
                    double t_330 = s_30[lane_38];
                    AT(double, c, t_287 * c_s0)[t_322] = s_23[lane_38];
                    AT(double, c, t_288 * c_s0)[t_322] = t_324;
                    AT(double, c, t_289 * c_s0)[t_322] = t_325;
                    AT(double, c, t_290 * c_s0)[t_322] = t_326;
                    AT(double, c, t_291 * c_s0)[t_322] = t_327;
                    AT(double, c, t_292 * c_s0)[t_322] = t_328;
                    AT(double, c, t_293 * c_s0)[t_322] = t_329;
                    AT(double, c, t_294 * c_s0)[t_322] = t_330;
                }
            }
        }
    }
done:
    weft_release(runtime, b_2);
    return status;
}

struct matrix_product_i_12 {
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
    int64_t t_2;
    int64_t t_200;
    int64_t t_210;
    int64_t t_270;
};

static int32_t matrix_product_i_12_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_12 *c = context;
    (void)part;
    int32_t status = matrix_product_i_12(c->runtime, c->fault, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_2, c->t_200, c->t_210, c->t_270, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_i_14(const weft_runtime *runtime, double *restrict a, int64_t a_n1, int64_t a_s0,
                                   double *restrict b, int64_t b_s0, double *restrict c, int64_t c_s0, int64_t t_188,
                                   int64_t t_200, int64_t t_201, int64_t t_272, int64_t t_273, int64_t begin,
                                   int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_11 = begin; i_11 < end; i_11++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 129 */
        bool t_332 = i_11 >= t_188;
        int64_t t_333 = t_332 ? t_200 : t_272;
        int64_t t_334 = t_332 ? t_201 : t_273;
        if (t_334 > 0) {
            double s_39[16] __attribute__((aligned(64)));
            for (int64_t lane_first = 0, lane_last = first_whole(&s_39[0], 8, 0, t_334); lane_first < t_334; lane_first = lane_last, lane_last = t_334) {
                INDEPENDENT
                for (int64_t lane_39 = lane_first; lane_39 < lane_last; lane_39++) {
                    s_39[lane_39] = 0.0;
                }
            }
            /* line 131 */
            for (int64_t k_11 = 0; k_11 < a_n1; k_11++) {
                if (UNLIKELY(*stop)) {
                    return WEFT_INTERRUPTED;
                }
                /* line 132 */
                double t_335 = AT(double, a, i_11 * a_s0)[k_11];
                /* line 129 */
                for (int64_t lane_first_2 = 0, lane_last_2 = first_whole(&s_39[0], 8, 0, t_334); lane_first_2 < t_334; lane_first_2 = lane_last_2, lane_last_2 = t_334) {
                    INDEPENDENT
                    for (int64_t lane_40 = lane_first_2; lane_40 < lane_last_2; lane_40++) {
                        /* line 129 */
                        s_39[lane_40] = fma_float64(t_335, AT(double, b, k_11 * b_s0)[t_333 + lane_40], s_39[lane_40]);
                    }
                }
            }
            for (int64_t lane_first_3 = 0, lane_last_3 = first_whole(&AT(double, c, i_11 * c_s0)[t_333 + 0], 8, 0, t_334); lane_first_3 < t_334; lane_first_3 = lane_last_3, lane_last_3 = t_334) {
                INDEPENDENT
                for (int64_t lane_41 = lane_first_3; lane_41 < lane_last_3; lane_41++) {
                    /* line 133 */
                    AT(double, c, i_11 * c_s0)[t_333 + lane_41] = s_39[lane_41];
                }
            }
        }
    }
    return WEFT_OK;
}

struct matrix_product_i_14 {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    double *b;
    int64_t b_s0;
    double *c;
    int64_t c_s0;
    int64_t t_188;
    int64_t t_200;
    int64_t t_201;
    int64_t t_272;
    int64_t t_273;
};

static int32_t matrix_product_i_14_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct matrix_product_i_14 *c = context;
    (void)part;
    int32_t status = matrix_product_i_14(c->runtime, c->a, c->a_n1, c->a_s0, c->b, c->b_s0, c->c, c->c_s0, c->t_188, c->t_200, c->t_201, c->t_272, c->t_273, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t matrix_product_body(const weft_runtime *runtime, weft_fault *fault, double *restrict a, int64_t a_n0,
                                   int64_t a_n1, int64_t a_s0, double *restrict b, int64_t b_n1, int64_t b_s0,
                                   double *restrict c, int64_t c_s0) {
    int32_t status = WEFT_OK;
    volatile int *const stop = runtime->stop;
    double *packed = NULL;
    int64_t packed_size = 0;
    double *packed_1 = NULL;
    int64_t packed_1_size = 0;
    /* line 128 */
    int64_t t_20 = 0 > a_n0 ? 0 : a_n0;
    int64_t t_21 = 0 > b_n1 ? 0 : b_n1;
    int64_t t_22 = 0 > a_n1 ? 0 : a_n1;
    int64_t t_37 = (1048576 < t_22 ? 1048576 : t_22) * ((1048576 < t_21 ? 1048576 : t_21) * (1048576 < t_20 ? 1048576 : t_20));
    bool t_40 = (t_20 >= 24) & (t_21 >= 24) & (t_22 >= 24) & ((t_20 % 8 != 0) | (t_21 % 16 != 0) | (t_37 >= 33554432));
    if (t_40) {
        int64_t t_42 = (t_21 + 23) / 24;
        int64_t t_44 = 33554432 / (t_22 * 192);
        int64_t t_45 = 1 > t_44 ? 1 : t_44;
        int64_t t_56 = b_n1 - 1;
        int64_t t_67 = (t_20 + 7) / 8;
        int64_t t_81 = a_n0 - 1;
        int64_t t_170 = (t_22 + 127) / 128;
        int64_t j_stop = python_floordiv(t_42 + (t_45 - 1), t_45);
        for (int64_t j_1 = 0; j_1 < j_stop; j_1++) {
            if (UNLIKELY(*stop)) {
                status = WEFT_INTERRUPTED;
                goto done;
            }
            int64_t t_46 = j_1 * t_45;
            int64_t t_47 = t_42 - t_46;
            int64_t t_48 = t_45 < t_47 ? t_45 : t_47;
            int64_t t_49 = t_46 * 24;
            if (UNLIKELY(t_48 < 0)) {
                status = weft_raise(fault, 1, 0, 1, (weft_value[]){{.i = j_1}});
                goto done;
            }
            int64_t packed_bytes = weft_bytes(3, (int64_t[]){t_48, t_22, 24}, 8);
            if (UNLIKELY(packed_bytes < 0)) {
                status = WEFT_TOO_LARGE;
                goto done;
            }
            packed = weft_reserve(runtime, packed, &packed_size, packed_bytes);
            if (UNLIKELY(!packed)) {
                status = WEFT_NO_MEMORY;
                goto done;
            }
            int64_t packed_s0_ = t_22 * 192;
            int64_t t_54 = floordiv_by_positive_int64(b_n1 - t_49, 24);
            int64_t t_55 = t_48 < t_54 ? t_48 : t_54;
            struct matrix_product_j_3 panel_loop = {WEFT_OK, runtime, b, b_s0, t_22, t_49, packed, packed_s0_};
            runtime->parallel(matrix_product_j_3_piece, &panel_loop, 0, t_55, 0, (double)t_55 * (2.08 + (double)t_22 * (2.04 + 24.0 * (0.16))));
            if (UNLIKELY(panel_loop.status)) {
                status = panel_loop.status;
                goto done;
            }
            struct matrix_product_j_4 panel_loop_2 = {WEFT_OK, runtime, b, b_s0, t_22, t_56, t_49, packed, packed_s0_};
            runtime->parallel(matrix_product_j_4_piece, &panel_loop_2, t_55, t_48, 0, (double)weft_trips(t_55, t_48) * (2.08 + (double)t_22 * (2.04 + 24.0 * (0.2))));
            if (UNLIKELY(panel_loop_2.status)) {
                status = panel_loop_2.status;
                goto done;
            }
            int64_t t_69 = 33554432 / (t_22 * 64);
            int64_t t_70 = 1 > t_69 ? 1 : t_69;
            int64_t t_93 = floordiv_by_positive_int64(t_48, 8);
            int64_t t_94 = 1 > t_93 ? 1 : t_93;
            int64_t t_96 = 12 < t_94 ? 12 : t_94;
            int64_t t_101 = t_48 + (t_96 - 1);
            int64_t i_stop = python_floordiv(t_67 + (t_70 - 1), t_70);
            for (int64_t i_1 = 0; i_1 < i_stop; i_1++) {
                if (UNLIKELY(*stop)) {
                    status = WEFT_INTERRUPTED;
                    goto done;
                }
                int64_t t_71 = i_1 * t_70;
                int64_t t_72 = t_67 - t_71;
                int64_t t_73 = t_70 < t_72 ? t_70 : t_72;
                int64_t t_74 = t_71 * 8;
                if (UNLIKELY(t_73 < 0)) {
                    status = weft_raise(fault, 2, 0, 2, (weft_value[]){{.i = j_1}, {.i = i_1}});
                    goto done;
                }
                int64_t packed_bytes_2 = weft_bytes(3, (int64_t[]){t_73, t_22, 8}, 8);
                if (UNLIKELY(packed_bytes_2 < 0)) {
                    status = WEFT_TOO_LARGE;
                    goto done;
                }
                packed_1 = weft_reserve(runtime, packed_1, &packed_1_size, packed_bytes_2);
                if (UNLIKELY(!packed_1)) {
                    status = WEFT_NO_MEMORY;
                    goto done;
                }
                int64_t packed_s0__2 = t_22 * 64;
                int64_t t_79 = floordiv_by_positive_int64(a_n0 - t_74, 8);
                int64_t t_80 = t_73 < t_79 ? t_73 : t_79;
                struct matrix_product_i_3 panel_loop_3 = {WEFT_OK, runtime, a, a_s0, t_22, t_74, packed_1, packed_s0__2};
                runtime->parallel(matrix_product_i_3_piece, &panel_loop_3, 0, t_80, 0, (double)t_80 * (2.08 + (double)t_22 * (2.04 + 8.0 * (0.16))));
                if (UNLIKELY(panel_loop_3.status)) {
                    status = panel_loop_3.status;
                    goto done;
                }
                struct matrix_product_i_4 panel_loop_4 = {WEFT_OK, runtime, a, a_s0, t_22, t_81, t_74, packed_1, packed_s0__2};
                runtime->parallel(matrix_product_i_4_piece, &panel_loop_4, t_80, t_73, 0, (double)weft_trips(t_80, t_73) * (2.08 + (double)t_22 * (2.04 + 8.0 * (0.2))));
                if (UNLIKELY(panel_loop_4.status)) {
                    status = panel_loop_4.status;
                    goto done;
                }
                int64_t t_91 = floordiv_by_positive_int64(t_73, 8);
                int64_t t_92 = 1 > t_91 ? 1 : t_91;
                int64_t t_95 = 32 < t_92 ? 32 : t_92;
                int64_t t_102 = python_floordiv(t_101, t_96);
                int64_t t_99 = python_floordiv(t_73 + (t_95 - 1), t_95);
                int64_t trips = weft_rectangle(weft_trips(0, t_99), weft_trips(0, t_102));
                struct matrix_product_i_7 piece_loop = {WEFT_OK, runtime, fault, a_n0, b_n1, c, c_s0, t_22, t_170, t_48, t_49, packed, packed_s0_, t_96, t_73, t_74, packed_1, packed_s0__2, t_95, t_102};
                runtime->parallel(matrix_product_i_7_piece, &piece_loop, 0, trips, 0, (double)trips * (44 + (double)t_170 * (2.16 + (double)t_96 * (1.32 + 0.5 * ((double)t_95 * (177.4 + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (0.5 * (0.5 * (double)t_170 * 128.0) * (16.36 + 24.0 * (0.2) + 24.0 * (0.2) + 24.0 * (0.2) + 24.0 * (0.2) + 24.0 * (0.2) + 24.0 * (0.2) + 24.0 * (0.2) + 24.0 * (0.2))) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)) + 0.5 * (24.0 * (0.12)))))) + (double)t_96 * (1.3 + 0.5 * ((double)t_95 * (22.46 + 0.5 * (0.5 * (8.0 * (2.08 + 24.0 * (0.2)))))))));
                if (UNLIKELY(piece_loop.status)) {
                    status = piece_loop.status;
                    goto done;
                }
            }
        }
    } else {
        /* line 129 */
        int64_t t = a_n0 - 0;
        int64_t t_2 = (0 > t ? 0 : t) / 8;
        int64_t t_188 = 0 + t_2 * 8;
        int64_t t_196 = b_n1 - 0;
        int64_t t_197 = 0 > t_196 ? 0 : t_196;
        int64_t t_198 = t_197 / 16;
        int64_t t_199 = t_198 * 16;
        int64_t t_200 = 0 + t_199;
        int64_t t_201 = t_197 - t_199;
        int64_t t_203 = (t_2 + 15) / 16;
        int64_t t_209 = a_n1 - 0;
        int64_t t_210 = 0 > t_209 ? 0 : t_209;
        /* line 128 */
        int64_t trips_2 = weft_rectangle(weft_trips(0, t_203), weft_trips(0, t_198));
        struct matrix_product_i_9 i_loop = {WEFT_OK, runtime, fault, a, a_n1, a_s0, b, b_s0, c, c_s0, t_2, t_198, t_210};
        runtime->parallel(matrix_product_i_9_piece, &i_loop, 0, trips_2, 0, (double)trips_2 * (364.2 + (double)a_n1 * (2.08 + 16.0 * (0.16)) + 0.5 * (0.5 * (double)t_203 * 16.0) * (6.4 + 16.0 * (0.36) + (double)a_n1 * (2.4 + 16.0 * (1.04)) + 16.0 * (0.72))));
        if (UNLIKELY(i_loop.status)) {
            status = i_loop.status;
            goto done;
        }
        int64_t trips_3 = weft_rectangle(weft_trips(t_188, a_n0), weft_trips(0, t_198));
        struct matrix_product_i_11 i_loop_2 = {WEFT_OK, runtime, a, a_n1, a_s0, b, b_s0, c, c_s0, t_188, t_198};
        runtime->parallel(matrix_product_i_11_piece, &i_loop_2, 0, trips_3, 0, (double)trips_3 * (46.08 + 16.0 * (0.08) + (double)a_n1 * (2.08 + 16.0 * (0.24)) + 16.0 * (0.16)));
        if (UNLIKELY(i_loop_2.status)) {
            status = i_loop_2.status;
            goto done;
        }
        /* line 129 */
        int64_t t_268 = b_n1 - t_200;
        int64_t t_269 = 0 > t_268 ? 0 : t_268;
        int64_t t_270 = t_269 / 8;
        int64_t t_271 = t_270 * 8;
        int64_t t_272 = t_200 + t_271;
        int64_t t_273 = t_269 - t_271;
        if (t_270 > 0) {
            /* line 128 */
            int64_t trips_4 = weft_rectangle(weft_trips(0, t_203), weft_trips(0, t_270));
            struct matrix_product_i_12 i_loop_3 = {WEFT_OK, runtime, fault, a, a_n1, a_s0, b, b_s0, c, c_s0, t_2, t_200, t_210, t_270};
            runtime->parallel(matrix_product_i_12_piece, &i_loop_3, 0, trips_4, 0, (double)trips_4 * (364.2 + (double)a_n1 * (2.08 + 8.0 * (0.16)) + 0.5 * (0.5 * (double)t_203 * 16.0) * (6.4 + 8.0 * (0.36) + (double)a_n1 * (2.4 + 8.0 * (1.04)) + 8.0 * (0.72))));
            if (UNLIKELY(i_loop_3.status)) {
                status = i_loop_3.status;
                goto done;
            }
        }
        if (t_201 > 0) {
            /* line 128 */
            struct matrix_product_i_14 i_loop_4 = {WEFT_OK, runtime, a, a_n1, a_s0, b, b_s0, c, c_s0, t_188, t_200, t_201, t_272, t_273};
            runtime->parallel(matrix_product_i_14_piece, &i_loop_4, 0, a_n0, 0, (double)a_n0 * (25.12 + 0.5 * ((double)a_n1 * (5.92))));
            if (UNLIKELY(i_loop_4.status)) {
                status = i_loop_4.status;
                goto done;
            }
        }
    }
done:
    weft_release(runtime, packed);
    weft_release(runtime, packed_1);
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
