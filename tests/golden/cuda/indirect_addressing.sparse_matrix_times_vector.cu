#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define bool bool

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

HELPER int64_t floordiv_by_positive(int64_t a, int64_t b) { return a / b - (a % b < 0); }

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

typedef unsigned long long uint64_t;

#define update_max_int64(place, value) atomicMax((long long *)&(place), (long long)(value))

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_0_clears(char *__restrict__ noted_3_memory,
        int64_t noted_3_offset,
        int64_t noted_3_n0,
        int64_t cleared_1,
        int64_t pieces_1,
        int64_t piece_offset,
        int64_t piece_extent) {
    int64_t *noted_3 = AT(int64_t, noted_3_memory, noted_3_offset);
    /* line 102 */
    int64_t piece_first = piece_offset - mod_by_positive(piece_offset, 2);
    int64_t piece_block = (int64_t)blockIdx.x;
    int64_t piece_origin = piece_block * 512 + piece_first;
    if ((((int64_t)noted_3) & 15) == 0) {
        int64_t i_thread = (int64_t)threadIdx.x;
        int64_t piece_5 = piece_origin + i_thread * 2;
        if ((piece_5 >= piece_offset) & (piece_5 + 1 < piece_extent)) {
            int64_t piece_7 = piece_origin + i_thread * 2;
#pragma unroll
            for (int64_t run = 0; run < 1; run++) {
                int64_t t_101 = piece_7 + run * 512;
                longlong2 run_1 = make_longlong2(t_101 < pieces_1 ? -1LL : 0LL, t_101 + 1 < pieces_1 ? -1LL : 0LL);
                *(longlong2 *)(AT(int64_t, noted_3, t_101 * 8)) = run_1;
            }
        } else {
            for (int64_t point = 0; point < 2; point++) {
                int64_t piece_10 = piece_origin + i_thread * 2 + point;
                if ((piece_10 >= piece_offset) & (piece_10 < piece_extent)) {
                    noted_3[piece_10] = piece_10 < pieces_1 ? -1LL : 0LL;
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_1 = 0; point_1 < 2; point_1++) {
            int64_t piece_12 = piece_origin + point_1 * 256 + i_thread_1;
            if ((piece_12 >= piece_offset) & (piece_12 < piece_extent)) {
                noted_3[piece_12] = piece_12 < pieces_1 ? -1LL : 0LL;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_1_notes(const char *__restrict__ start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0,
        char *__restrict__ noted_4_memory,
        int64_t noted_4_offset,
        int64_t noted_4_n0,
        int64_t rows_1,
        int64_t t_123,
        int64_t t_124,
        int64_t pieces_2,
        int64_t extent_5,
        int64_t i_offset,
        int64_t i_extent) {
    int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    int64_t *noted_4 = AT(int64_t, noted_4_memory, noted_4_offset);
    /* line 102 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread_2 = (int64_t)threadIdx.x;
    int64_t i_3 = i_origin + i_thread_2;
    if (i_3 < i_extent) {
        /* line 104 */
        int64_t t_131 = start_1[i_3];
        int64_t t_132 = start_1[i_3 + 1];
        /* line 102 */
        if (t_132 < t_131) {
            update_max_int64(noted_4[pieces_2], 1);
        }
        bool inside_65 = (t_131 >= 0) & (t_123 >= t_132) & (t_124 >= t_132) & (t_131 >= 0) & (t_132 <= extent_5);
        if (inside_65 & (t_132 - t_131 >= 512)) {
            int64_t t_139 = floordiv_by_positive(t_131, 512);
            int64_t piece_stop = floordiv_by_positive(t_132 - t_131, 512);
            for (int64_t piece_14 = 0; piece_14 < piece_stop; piece_14++) {
                noted_4[t_139 + piece_14] = i_3;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(128, 16) void sparse_matrix_times_vector_2_folds(const char *__restrict__ noted_6_memory,
        int64_t noted_6_offset,
        int64_t noted_6_n0,
        const char *__restrict__ start_2_memory,
        int64_t start_2_offset,
        int64_t start_2_n0,
        const char *__restrict__ value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0,
        const char *__restrict__ column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *__restrict__ part_1_memory,
        int64_t part_1_offset,
        int64_t part_1_n0,
        char *__restrict__ wrong_12_memory,
        int64_t wrong_12_offset,
        int64_t wrong_12_n0,
        int64_t pieces_3,
        int64_t t_176,
        int64_t t_177,
        int64_t piece_offset_1,
        int64_t piece_extent_1) {
    int64_t *noted_6 = AT(int64_t, noted_6_memory, noted_6_offset);
    int64_t *start_2 = AT(int64_t, start_2_memory, start_2_offset);
    double *value_1 = AT(double, value_1_memory, value_1_offset);
    int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *part_1 = AT(double, part_1_memory, part_1_offset);
    int32_t *wrong_12 = AT(int32_t, wrong_12_memory, wrong_12_offset);
    /* line 102 */
    int64_t piece_block_1 = (int64_t)blockIdx.x;
    int64_t piece_origin_1 = piece_block_1 * 16 + piece_offset_1;
    __shared__ __align__(16) double partial[144];
    __shared__ __align__(16) int32_t partial_1[144];
    double own[4];
    int32_t own_1[4];
    {
        int64_t i_thread_3 = (int64_t)threadIdx.y;
        int64_t k_thread = (int64_t)threadIdx.x;
        int64_t piece_16 = piece_origin_1 + i_thread_3;
        if (piece_16 < piece_extent_1) {
            int64_t row_5 = noted_6[piece_16];
            bool inside_79 = (row_5 >= 0) & noted_6[pieces_3] == 0;
            int64_t t_183 = inside_79 ? row_5 : 0LL;
            /* line 104 */
            int64_t t_188 = start_2[t_183 + 1];
            /* line 102 */
            int64_t t_189 = inside_79 ? start_2[t_183] : 0LL;
            int64_t t_193 = piece_16 - floordiv_by_positive(t_189, 512);
            int64_t t_195 = t_189 + t_193 * 512;
            int64_t t_199 = inside_79 ? t_195 : 0LL;
            int64_t t_200 = inside_79 ? (t_193 + 1 == floordiv_by_positive(t_188 - t_189, 512) ? t_188 : t_195 + 512) : 0LL;
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            own_1[0] = 0;
            own_1[1] = 0;
            own_1[2] = 0;
            own_1[3] = 0;
            int64_t t_201 = t_200 - t_199;
            int64_t t_203 = t_199 + k_thread;
            int64_t t_205 = (0 > t_201 ? 0 : t_201) + 7 - k_thread;
            int64_t count = (0 > t_205 ? 0 : t_205) / 8;
            int64_t rounds_1 = count / 4;
#pragma unroll 1
            for (int64_t round = 0; round < rounds_1; round++) {
                int64_t t_208 = t_203 + round * 32;
                int64_t t_209 = t_208 + 8;
                int64_t t_210 = t_208 + 16;
                int64_t t_211 = t_208 + 24;
                /* line 105 */
                int64_t t_228 = column_1[t_208];
                int64_t t_229 = column_1[t_209];
                int64_t t_230 = column_1[t_210];
                int64_t t_231 = column_1[t_211];
                int64_t t_236 = t_228 + (t_228 < 0 ? x_1_n0 : 0LL);
                int64_t t_237 = t_229 + (t_229 < 0 ? x_1_n0 : 0LL);
                int64_t t_238 = t_230 + (t_230 < 0 ? x_1_n0 : 0LL);
                int64_t t_239 = t_231 + (t_231 < 0 ? x_1_n0 : 0LL);
                bool inside_93 = (t_236 >= 0) & (t_236 < x_1_n0);
                bool inside_94 = (t_237 >= 0) & (t_237 < x_1_n0);
                bool inside_95 = (t_238 >= 0) & (t_238 < x_1_n0);
                bool inside_96 = (t_239 >= 0) & (t_239 < x_1_n0);
                /* line 102 */
                int32_t wrong_13 = own_1[0] | (inside_93 ? 0 : 1);
                int32_t wrong_14 = own_1[1] | (inside_94 ? 0 : 1);
                int32_t wrong_15 = own_1[2] | (inside_95 ? 0 : 1);
                int32_t wrong_16 = own_1[3] | (inside_96 ? 0 : 1);
                double s_17 = fma_float64(value_1[t_209], x_1[inside_94 ? t_237 : 0LL], own[1]);
                double s_18 = fma_float64(value_1[t_210], x_1[inside_95 ? t_238 : 0LL], own[2]);
                double s_19 = fma_float64(value_1[t_211], x_1[inside_96 ? t_239 : 0LL], own[3]);
                own[0] = fma_float64(value_1[t_208], x_1[inside_93 ? t_236 : 0LL], own[0]);
                own_1[0] = wrong_13;
                own[1] = s_17;
                own_1[1] = wrong_14;
                own[2] = s_18;
                own_1[2] = wrong_15;
                own[3] = s_19;
                own_1[3] = wrong_16;
            }
#pragma unroll 1
            for (int64_t rest = rounds_1 * 4; rest < count; rest++) {
                int64_t t_254 = t_203 + rest * 8;
                /* line 105 */
                int64_t t_259 = column_1[t_254];
                int64_t t_261 = t_259 + (t_259 < 0 ? x_1_n0 : 0LL);
                bool inside_104 = (t_261 >= 0) & (t_261 < x_1_n0);
                /* line 102 */
                int32_t wrong_17 = own_1[0] | (inside_104 ? 0 : 1);
                own[0] = fma_float64(value_1[t_254], x_1[inside_104 ? t_261 : 0LL], own[0]);
                own_1[0] = wrong_17;
            }
            partial[i_thread_3 * 9 + k_thread] = own[0] + own[1] + (own[2] + own[3]);
            partial_1[i_thread_3 * 9 + k_thread] = own_1[0] | own_1[1] | (own_1[2] | own_1[3]);
        }
    }
    __syncthreads();
    {
        int64_t i_thread_4 = (int64_t)threadIdx.y;
        int64_t k_thread_1 = (int64_t)threadIdx.x;
        int64_t thread = i_thread_4 * 8 + k_thread_1;
        if (thread < 16) {
            int64_t piece_17 = piece_origin_1 + thread;
            if (piece_17 < piece_extent_1) {
                double carried_2 = -0.0;
                int32_t carried_3 = 0;
#pragma unroll
                for (int64_t part_2 = 0; part_2 < 8; part_2++) {
                    carried_2 = carried_2 + partial[thread * 9 + part_2];
                    carried_3 = carried_3 | partial_1[thread * 9 + part_2];
                }
                part_1[piece_17] = carried_2;
                wrong_12[piece_17] = carried_3;
            }
        }
    }
    __syncthreads();
}

extern "C" __global__ __launch_bounds__(128, 16) void sparse_matrix_times_vector_3(const char *__restrict__ start_3_memory,
        int64_t start_3_offset,
        int64_t start_3_n0,
        const char *__restrict__ noted_10_memory,
        int64_t noted_10_offset,
        int64_t noted_10_n0,
        const char *__restrict__ value_2_memory,
        int64_t value_2_offset,
        int64_t value_2_n0,
        const char *__restrict__ column_2_memory,
        int64_t column_2_offset,
        int64_t column_2_n0,
        const char *__restrict__ x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0,
        const char *__restrict__ part_3_memory,
        int64_t part_3_offset,
        int64_t part_3_n0,
        const char *__restrict__ wrong_20_memory,
        int64_t wrong_20_offset,
        int64_t wrong_20_n0,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_dim0_1,
        int64_t t_330,
        int64_t t_331,
        int64_t pieces_4,
        int64_t extent_11,
        int64_t i_offset_1,
        int64_t i_extent_1,
        int32_t *weft_flag) {
    int64_t *start_3 = AT(int64_t, start_3_memory, start_3_offset);
    int64_t *noted_10 = AT(int64_t, noted_10_memory, noted_10_offset);
    double *value_2 = AT(double, value_2_memory, value_2_offset);
    int64_t *column_2 = AT(int64_t, column_2_memory, column_2_offset);
    double *x_2 = AT(double, x_2_memory, x_2_offset);
    double *part_3 = AT(double, part_3_memory, part_3_offset);
    int32_t *wrong_20 = AT(int32_t, wrong_20_memory, wrong_20_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 102 */
    int64_t i_block_1 = (int64_t)blockIdx.x;
    int64_t i_origin_1 = i_block_1 * 16 + i_offset_1;
    __shared__ __align__(16) double partial_2[144];
    double own_2[4];
    {
        int64_t i_thread_5 = (int64_t)threadIdx.y;
        int64_t k_thread_2 = (int64_t)threadIdx.x;
        int64_t i_5 = i_origin_1 + i_thread_5;
        if (i_5 < i_extent_1) {
            /* line 104 */
            int64_t t_339 = start_3[i_5];
            int64_t t_340 = start_3[i_5 + 1];
            bool t_345 = (t_339 >= 0) & (t_330 >= t_340) & (t_331 >= t_340);
            int64_t first_7 = t_345 ? t_339 : 0LL;
            /* line 102 */
            bool inside_134 = (pieces_4 > 0) & noted_10[pieces_4] == 0 & (t_345 & (t_339 >= 0) & (t_340 <= extent_11) & (t_340 - t_339 >= 512));
            own_2[0] = -0.0;
            own_2[1] = -0.0;
            own_2[2] = -0.0;
            own_2[3] = -0.0;
            int64_t t_349 = (inside_134 ? first_7 : (t_345 ? t_340 : 0LL)) - first_7;
            int64_t t_351 = first_7 + k_thread_2;
            int64_t t_353 = (0 > t_349 ? 0 : t_349) + 7 - k_thread_2;
            int64_t count_1 = (0 > t_353 ? 0 : t_353) / 8;
            int64_t rounds_3 = count_1 / 4;
            if (x_2_n0 > 0) {
#pragma unroll 1
                for (int64_t round_1 = 0; round_1 < rounds_3; round_1++) {
                    int64_t t_356 = t_351 + round_1 * 32;
                    int64_t t_357 = t_356 + 8;
                    int64_t t_358 = t_356 + 16;
                    int64_t t_359 = t_356 + 24;
                    /* line 105 */
                    int64_t t_372 = column_2[t_356];
                    int64_t t_373 = column_2[t_357];
                    int64_t t_374 = column_2[t_358];
                    int64_t t_375 = column_2[t_359];
                    int64_t t_376 = t_372 + (t_372 < 0 ? x_2_n0 : 0LL);
                    bool outside = (uint64_t)t_376 >= (uint64_t)x_2_n0;
                    if (outside) *weft_flag = 1;
                    int64_t inside = outside ? 0 : t_376;
                    int64_t t_377 = t_373 + (t_373 < 0 ? x_2_n0 : 0LL);
                    bool outside_2 = (uint64_t)t_377 >= (uint64_t)x_2_n0;
                    if (outside_2) *weft_flag = 1;
                    int64_t inside_2 = outside_2 ? 0 : t_377;
                    int64_t t_378 = t_374 + (t_374 < 0 ? x_2_n0 : 0LL);
                    bool outside_3 = (uint64_t)t_378 >= (uint64_t)x_2_n0;
                    if (outside_3) *weft_flag = 1;
                    int64_t inside_3 = outside_3 ? 0 : t_378;
                    int64_t t_379 = t_375 + (t_375 < 0 ? x_2_n0 : 0LL);
                    bool outside_4 = (uint64_t)t_379 >= (uint64_t)x_2_n0;
                    if (outside_4) *weft_flag = 1;
                    int64_t inside_4 = outside_4 ? 0 : t_379;
                    /* line 102 */
                    double s_31 = fma_float64(value_2[t_357], x_2[inside_2], own_2[1]);
                    double s_32 = fma_float64(value_2[t_358], x_2[inside_3], own_2[2]);
                    double s_33 = fma_float64(value_2[t_359], x_2[inside_4], own_2[3]);
                    own_2[0] = fma_float64(value_2[t_356], x_2[inside], own_2[0]);
                    own_2[1] = s_31;
                    own_2[2] = s_32;
                    own_2[3] = s_33;
                }
#pragma unroll 1
                for (int64_t rest_1 = rounds_3 * 4; rest_1 < count_1; rest_1++) {
                    int64_t t_390 = t_351 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_394 = column_2[t_390];
                    int64_t t_395 = t_394 + (t_394 < 0 ? x_2_n0 : 0LL);
                    bool outside_5 = (uint64_t)t_395 >= (uint64_t)x_2_n0;
                    if (outside_5) *weft_flag = 1;
                    int64_t inside_5 = outside_5 ? 0 : t_395;
                    /* line 102 */
                    own_2[0] = fma_float64(value_2[t_390], x_2[inside_5], own_2[0]);
                }
            } else {
#pragma unroll 1
                for (int64_t rest_2 = 0; rest_2 < count_1; rest_2++) {
                    int64_t t_399 = t_351 + rest_2 * 8;
                    /* line 105 */
                    int64_t t_403 = column_2[t_399];
                    int64_t place = from_end(t_403, x_2_n0);
                    if (UNLIKELY((uint64_t)place >= (uint64_t)x_2_n0)) {
                        *weft_flag = 1;
                        goto phase_3;
                    }
                    /* line 102 */
                    own_2[0] = fma_float64(value_2[t_399], x_2[place], own_2[0]);
                }
            }
            partial_2[i_thread_5 * 9 + k_thread_2] = own_2[0] + own_2[1] + (own_2[2] + own_2[3]);
        }
    }
    phase_3:;
    __syncthreads();
    {
        int64_t i_thread_6 = (int64_t)threadIdx.y;
        int64_t k_thread_3 = (int64_t)threadIdx.x;
        int64_t thread_1 = i_thread_6 * 8 + k_thread_3;
        if (thread_1 < 16) {
            int64_t i_6 = i_origin_1 + thread_1;
            if (i_6 < i_extent_1) {
                /* line 104 */
                int64_t t_414 = start_3[i_6];
                int64_t t_415 = start_3[i_6 + 1];
                bool t_420 = (t_414 >= 0) & (t_330 >= t_415) & (t_331 >= t_415);
                /* line 102 */
                bool inside_152 = (pieces_4 > 0) & noted_10[pieces_4] == 0 & (t_420 & (t_414 >= 0) & (t_415 <= extent_11) & (t_415 - t_414 >= 512));
                double carried_6 = 0.0;
#pragma unroll
                for (int64_t part_4 = 0; part_4 < 8; part_4++) {
                    carried_6 = carried_6 + partial_2[thread_1 * 9 + part_4];
                }
                double s_36;
                if (!inside_152) {
                    s_36 = carried_6;
                } else {
                    int64_t t_425 = floordiv_by_positive(t_414, 512);
                    int64_t piece_stop_2 = floordiv_by_positive(t_415 - t_414, 512);
                    double carried_7 = 0.0;
                    int32_t carried_8 = 0;
                    for (int64_t piece_19 = 0; piece_19 < piece_stop_2; piece_19++) {
                        int64_t t_428 = t_425 + piece_19;
                        carried_7 += part_3[t_428];
                        carried_8 = carried_8 | wrong_20[t_428];
                    }
                    if ((int64_t)carried_8 != 0) {
                        /* line 104 */
                        *weft_flag = 1;
                        goto phase_4;
                    }
                    s_36 = carried_7;
                }
                /* line 104 */
                double s_38;
                if (t_420) {
                    s_38 = s_36;
                } else {
                    double s_40 = 0.0;
                    for (int64_t k_6 = t_414; k_6 < t_415; k_6++) {
                        /* line 105 */
                        int64_t place_2 = from_end(k_6, value_2_n0);
                        if (UNLIKELY((uint64_t)place_2 >= (uint64_t)value_2_n0)) {
                            *weft_flag = 1;
                            goto phase_4;
                        }
                        int64_t place_3 = from_end(k_6, column_2_n0);
                        if (UNLIKELY((uint64_t)place_3 >= (uint64_t)column_2_n0)) {
                            *weft_flag = 1;
                            goto phase_4;
                        }
                        int64_t t_433 = column_2[place_3];
                        int64_t place_4 = from_end(t_433, x_2_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_4;
                        }
                        s_40 = fma_float64(value_2[place_2], x_2[place_4], s_40);
                    }
                    s_38 = s_40;
                }
                /* line 106 */
                out_1[i_6] = s_38;
            }
        }
    }
    phase_4:;
    __syncthreads();
}
