#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define bool bool

#define HELPER static __device__ __forceinline__

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef long long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef int32_t index_t;

typedef unsigned long long uint64_t;

HELPER int64_t shr_int64(int64_t a, int64_t b) {
    return (uint64_t)b < 64 ? (int64_t)(a >> b) : a < 0 ? (int64_t)-1 : 0;
}

#define update_max_int64(place, value) atomicMax((long long *)&(place), (long long)(value))

#define update_max_int32(place, value) atomicMax((int *)&(place), (int)(value))

#define update_shared_max_int32(place, value) update_max_int32(place, value)

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_0_clears(char *__restrict__ noted_8_memory,
        int64_t noted_8_offset,
        int64_t noted_8_n0_given,
        int64_t cleared_1,
        int64_t room_given,
        int64_t note_offset_given,
        int64_t note_extent_given) {
    int64_t *noted_8 = AT(int64_t, noted_8_memory, noted_8_offset);
    index_t noted_8_n0 = (index_t)noted_8_n0_given;
    index_t room_1 = (index_t)room_given;
    index_t note_offset = (index_t)note_offset_given;
    index_t note_extent = (index_t)note_extent_given;
    /* line 102 */
    index_t note_block = (index_t)blockIdx.x;
    index_t note_origin = note_block * 256 + note_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t note_2 = note_origin + i_thread;
    if (note_2 < note_extent) {
        noted_8[room_1 + note_2] = 0;
    }
}

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_1_notes(const char *__restrict__ start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0_given,
        char *__restrict__ noted_9_memory,
        int64_t noted_9_offset,
        int64_t noted_9_n0_given,
        char *__restrict__ begins_1_memory,
        int64_t begins_1_offset,
        int64_t begins_1_n0_given,
        char *__restrict__ ends_1_memory,
        int64_t ends_1_offset,
        int64_t ends_1_n0_given,
        int64_t rows_1,
        int64_t t_given,
        int64_t t_given_2,
        int64_t extent_given,
        int64_t room_given_2,
        int64_t out_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    index_t start_1_n0 = (index_t)start_1_n0_given;
    int64_t *noted_9 = AT(int64_t, noted_9_memory, noted_9_offset);
    index_t noted_9_n0 = (index_t)noted_9_n0_given;
    int64_t *begins_1 = AT(int64_t, begins_1_memory, begins_1_offset);
    index_t begins_1_n0 = (index_t)begins_1_n0_given;
    int64_t *ends_1 = AT(int64_t, ends_1_memory, ends_1_offset);
    index_t ends_1_n0 = (index_t)ends_1_n0_given;
    index_t t_243 = (index_t)t_given;
    index_t t_244 = (index_t)t_given_2;
    index_t extent_11 = (index_t)extent_given;
    index_t room_2 = (index_t)room_given_2;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread_1 = (index_t)threadIdx.x;
    index_t i_3 = i_origin + i_thread_1;
    if (i_3 < i_extent) {
        /* line 104 */
        int64_t t_251 = start_1[i_3];
        int64_t t_252 = start_1[i_3 + 1];
        /* line 102 */
        if (!((t_251 >= 0) & (t_252 <= extent_11) & (t_251 <= t_252))) {
            update_max_int64(noted_9[room_2], 1);
        }
        int64_t part_16 = shr_int64(t_251 + (int64_t)i_3, 10);
        int64_t t_261 = (int64_t)i_3 + 1;
        if (i_3 == 0) {
            int64_t t_262 = part_16 + 1;
            int64_t number_8 = (int64_t)i_3;
            int64_t tile_stop = (int64_t)room_2 < t_262 ? (int64_t)room_2 : t_262;
            for (index_t tile_5 = 0; tile_5 < tile_stop; tile_5++) {
                noted_9[tile_5] = number_8;
                begins_1[tile_5] = t_251;
                ends_1[tile_5] = t_251;
            }
        }
        int64_t t_266 = t_261 == out_dim0_1 ? (int64_t)room_2 : shr_int64(t_252 + (int64_t)(i_3 + 1), 10) + 1;
        bool inside_103 = (t_251 >= 0) & (t_243 >= t_252) & (t_244 >= t_252) & (t_251 >= 0) & (t_252 <= extent_11);
        int64_t t_268 = inside_103 & (t_252 - t_251 >= 1024) ? t_251 : t_252;
        int64_t t_269 = part_16 + 1;
        int64_t tile_stop_2 = (int64_t)room_2 < t_266 ? (int64_t)room_2 : t_266;
        for (int64_t tile_6 = 0 > t_269 ? 0 : t_269; tile_6 < tile_stop_2; tile_6++) {
            noted_9[(index_t)tile_6] = t_261;
            begins_1[(index_t)tile_6] = t_252;
            ends_1[(index_t)tile_6] = tile_6 == t_269 ? t_268 : t_252;
        }
    }
}

extern "C" __global__ __launch_bounds__(128, 16) void sparse_matrix_times_vector_2_folds(const char *__restrict__ noted_12_memory,
        int64_t noted_12_offset,
        int64_t noted_12_n0_given,
        const char *__restrict__ start_2_memory,
        int64_t start_2_offset,
        int64_t start_2_n0_given,
        const char *__restrict__ value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0_given,
        const char *__restrict__ column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0_given,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        char *__restrict__ part_20_memory,
        int64_t part_20_offset,
        int64_t part_20_n0_given,
        char *__restrict__ wrong_23_memory,
        int64_t wrong_23_offset,
        int64_t wrong_23_n0_given,
        int64_t tiles_1,
        int64_t room_given_3,
        int64_t t_given_3,
        int64_t t_given_4,
        int64_t extent_given_2,
        int64_t piece_offset_given,
        int64_t piece_extent_given) {
    int64_t *noted_12 = AT(int64_t, noted_12_memory, noted_12_offset);
    index_t noted_12_n0 = (index_t)noted_12_n0_given;
    int64_t *start_2 = AT(int64_t, start_2_memory, start_2_offset);
    index_t start_2_n0 = (index_t)start_2_n0_given;
    double *value_1 = AT(double, value_1_memory, value_1_offset);
    index_t value_1_n0 = (index_t)value_1_n0_given;
    int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    index_t column_1_n0 = (index_t)column_1_n0_given;
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    double *part_20 = AT(double, part_20_memory, part_20_offset);
    index_t part_20_n0 = (index_t)part_20_n0_given;
    int32_t *wrong_23 = AT(int32_t, wrong_23_memory, wrong_23_offset);
    index_t wrong_23_n0 = (index_t)wrong_23_n0_given;
    index_t room_3 = (index_t)room_given_3;
    index_t t_312 = (index_t)t_given_3;
    index_t t_313 = (index_t)t_given_4;
    index_t extent_14 = (index_t)extent_given_2;
    index_t piece_offset = (index_t)piece_offset_given;
    index_t piece_extent = (index_t)piece_extent_given;
    /* line 102 */
    index_t piece_block = (index_t)blockIdx.x;
    index_t piece_origin = piece_block * 16 + piece_offset;
    __shared__ __align__(16) double partial[144];
    __shared__ __align__(16) int32_t partial_1[144];
    double own[4];
    int32_t own_1[4];
    {
        index_t i_thread_2 = (index_t)threadIdx.y;
        index_t k_thread = (index_t)threadIdx.x;
        index_t piece_3 = piece_origin + i_thread_2;
        if (piece_3 < piece_extent) {
            int64_t t_318 = noted_12[piece_3] - 1;
            bool inside_125 = (noted_12[room_3] == 0) & (t_318 >= 0);
            int64_t t_320 = inside_125 ? t_318 : 0LL;
            /* line 104 */
            int64_t t_324 = start_2[(index_t)t_320];
            int64_t t_325 = start_2[(index_t)(t_320 + 1)];
            /* line 102 */
            int64_t part_21 = shr_int64(t_324 + t_320, 10);
            int64_t t_335 = shr_int64(t_325 + (t_320 + 1), 10) - part_21;
            int64_t t_336 = (int64_t)piece_3 - (part_21 + 1);
            bool inside_130 = (t_324 >= 0) & (t_312 >= t_325) & (t_313 >= t_325) & (t_324 >= 0) & (t_325 <= extent_14);
            bool inside_134 = inside_125 & (inside_130 & (t_325 - t_324 >= 1024)) & (t_336 < t_335);
            int64_t t_339 = t_324 + t_336 * 1024;
            int64_t t_342 = t_336 + 1 == t_335 ? t_325 : t_339 + 1024;
            int64_t t_345 = inside_134 ? (t_324 > t_339 ? t_324 : t_339) : 0LL;
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            own_1[0] = 0;
            own_1[1] = 0;
            own_1[2] = 0;
            own_1[3] = 0;
            int64_t t_347 = (inside_134 ? (t_325 < t_342 ? t_325 : t_342) : 0LL) - t_345;
            int64_t t_349 = t_345 + (int64_t)k_thread;
            int64_t t_351 = (0 > t_347 ? 0 : t_347) + 7 - (int64_t)k_thread;
            int64_t count = (0 > t_351 ? 0 : t_351) / 8;
            int64_t rounds_1 = count / 4;
#pragma unroll 1
            for (int64_t round = 0; round < rounds_1; round++) {
                int64_t t_354 = t_349 + round * 32;
                int64_t t_355 = t_354 + 8;
                int64_t t_356 = t_354 + 16;
                int64_t t_357 = t_354 + 24;
                /* line 105 */
                int64_t t_374 = column_1[(index_t)t_354];
                int64_t t_375 = column_1[(index_t)t_355];
                int64_t t_376 = column_1[(index_t)t_356];
                int64_t t_377 = column_1[(index_t)t_357];
                int64_t t_382 = t_374 + (int64_t)(t_374 < 0 ? x_1_n0 : 0LL);
                int64_t t_383 = t_375 + (int64_t)(t_375 < 0 ? x_1_n0 : 0LL);
                int64_t t_384 = t_376 + (int64_t)(t_376 < 0 ? x_1_n0 : 0LL);
                int64_t t_385 = t_377 + (int64_t)(t_377 < 0 ? x_1_n0 : 0LL);
                uint64_t place_25 = (uint64_t)(int64_t)x_1_n0;
                bool inside_140 = (uint64_t)t_382 < place_25;
                bool inside_141 = (uint64_t)t_383 < place_25;
                bool inside_142 = (uint64_t)t_384 < place_25;
                bool inside_143 = (uint64_t)t_385 < place_25;
                double s_38 = fma_float64(value_1[(index_t)t_354], x_1[(index_t)(inside_140 ? t_382 : 0LL)], own[0]);
                double s_39 = fma_float64(value_1[(index_t)t_355], x_1[(index_t)(inside_141 ? t_383 : 0LL)], own[1]);
                double s_40 = fma_float64(value_1[(index_t)t_356], x_1[(index_t)(inside_142 ? t_384 : 0LL)], own[2]);
                double s_41 = fma_float64(value_1[(index_t)t_357], x_1[(index_t)(inside_143 ? t_385 : 0LL)], own[3]);
                /* line 102 */
                int32_t wrong_24 = own_1[0] | (inside_140 ? 0 : 1);
                int32_t wrong_25 = own_1[1] | (inside_141 ? 0 : 1);
                int32_t wrong_26 = own_1[2] | (inside_142 ? 0 : 1);
                int32_t wrong_27 = own_1[3] | (inside_143 ? 0 : 1);
                own[0] = s_38;
                own_1[0] = wrong_24;
                own[1] = s_39;
                own_1[1] = wrong_25;
                own[2] = s_40;
                own_1[2] = wrong_26;
                own[3] = s_41;
                own_1[3] = wrong_27;
            }
#pragma unroll 1
            for (int64_t rest = rounds_1 * 4; rest < count; rest++) {
                int64_t t_400 = t_349 + rest * 8;
                /* line 105 */
                int64_t t_405 = column_1[(index_t)t_400];
                int64_t t_407 = t_405 + (int64_t)(t_405 < 0 ? x_1_n0 : 0LL);
                bool inside_149 = (uint64_t)t_407 < (uint64_t)(int64_t)x_1_n0;
                double s_42 = fma_float64(value_1[(index_t)t_400], x_1[(index_t)(inside_149 ? t_407 : 0LL)], own[0]);
                /* line 102 */
                int32_t wrong_28 = own_1[0] | (inside_149 ? 0 : 1);
                own[0] = s_42;
                own_1[0] = wrong_28;
            }
            partial[i_thread_2 * 9 + k_thread] = own[0] + own[1] + (own[2] + own[3]);
            partial_1[i_thread_2 * 9 + k_thread] = own_1[0] | own_1[1] | (own_1[2] | own_1[3]);
        }
    }
    __syncthreads();
    {
        index_t i_thread_3 = (index_t)threadIdx.y;
        index_t k_thread_1 = (index_t)threadIdx.x;
        index_t thread = i_thread_3 * 8 + k_thread_1;
        if (thread < 16) {
            index_t piece_4 = piece_origin + thread;
            if (piece_4 < piece_extent) {
                double carried_9 = -0.0;
                int32_t carried_10 = 0;
#pragma unroll
                for (index_t part_25 = 0; part_25 < 8; part_25++) {
                    carried_9 = carried_9 + partial[thread * 9 + part_25];
                    carried_10 = carried_10 | partial_1[thread * 9 + part_25];
                }
                part_20[piece_4] = carried_9;
                wrong_23[piece_4] = carried_10;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(128, 9) void sparse_matrix_times_vector_3(const char *__restrict__ noted_22_memory,
        int64_t noted_22_offset,
        int64_t noted_22_n0_given,
        const char *__restrict__ begins_2_memory,
        int64_t begins_2_offset,
        int64_t begins_2_n0_given,
        const char *__restrict__ ends_2_memory,
        int64_t ends_2_offset,
        int64_t ends_2_n0_given,
        const char *__restrict__ value_2_memory,
        int64_t value_2_offset,
        int64_t value_2_n0_given,
        const char *__restrict__ column_2_memory,
        int64_t column_2_offset,
        int64_t column_2_n0_given,
        const char *__restrict__ x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        const char *__restrict__ start_3_memory,
        int64_t start_3_offset,
        int64_t start_3_n0_given,
        const char *__restrict__ part_35_memory,
        int64_t part_35_offset,
        int64_t part_35_n0_given,
        const char *__restrict__ wrong_40_memory,
        int64_t wrong_40_offset,
        int64_t wrong_40_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t tiles_2,
        int64_t room_given_4,
        int64_t share_given,
        int64_t out_dim0_given,
        int64_t extent_given_3,
        int64_t t_given_5,
        int64_t t_given_6,
        int64_t tile_offset_given,
        int64_t tile_extent_given,
        int32_t *weft_flag) {
    int64_t *noted_22 = AT(int64_t, noted_22_memory, noted_22_offset);
    index_t noted_22_n0 = (index_t)noted_22_n0_given;
    int64_t *begins_2 = AT(int64_t, begins_2_memory, begins_2_offset);
    index_t begins_2_n0 = (index_t)begins_2_n0_given;
    int64_t *ends_2 = AT(int64_t, ends_2_memory, ends_2_offset);
    index_t ends_2_n0 = (index_t)ends_2_n0_given;
    double *value_2 = AT(double, value_2_memory, value_2_offset);
    index_t value_2_n0 = (index_t)value_2_n0_given;
    int64_t *column_2 = AT(int64_t, column_2_memory, column_2_offset);
    index_t column_2_n0 = (index_t)column_2_n0_given;
    double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    int64_t *start_3 = AT(int64_t, start_3_memory, start_3_offset);
    index_t start_3_n0 = (index_t)start_3_n0_given;
    double *part_35 = AT(double, part_35_memory, part_35_offset);
    index_t part_35_n0 = (index_t)part_35_n0_given;
    int32_t *wrong_40 = AT(int32_t, wrong_40_memory, wrong_40_offset);
    index_t wrong_40_n0 = (index_t)wrong_40_n0_given;
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t room_4 = (index_t)room_given_4;
    index_t share_1 = (index_t)share_given;
    index_t out_dim0_2 = (index_t)out_dim0_given;
    index_t extent_23 = (index_t)extent_given_3;
    index_t t_579 = (index_t)t_given_5;
    index_t t_580 = (index_t)t_given_6;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 102 */
    index_t tile_block = (index_t)blockIdx.x;
    index_t tile_origin = tile_block + tile_offset;
    __shared__ __align__(16) double entry_2[2052];
    __shared__ __align__(16) double run_16[513];
    __shared__ __align__(16) double group_4[65];
    __shared__ __align__(16) int32_t outside_7[1];
    bool inside_201 = noted_22[room_4] == 0;
    index_t t_583 = tile_origin + 1;
    index_t t_584 = tile_origin * share_1;
    int64_t row_4 = inside_201 ? noted_22[tile_origin] : (int64_t)(out_dim0_2 < t_584 ? out_dim0_2 : t_584);
    index_t t_587 = t_583 * share_1;
    int64_t row_5 = inside_201 ? noted_22[t_583] : (int64_t)(out_dim0_2 < t_587 ? out_dim0_2 : t_587);
    int64_t low_2 = inside_201 ? begins_2[tile_origin] : 0LL;
    int64_t base_2 = shr_int64(low_2, 2) * 4;
    index_t hull_4 = value_2_n0 < extent_23 ? value_2_n0 : extent_23;
    index_t hull_5 = column_2_n0 < hull_4 ? column_2_n0 : hull_4;
    int64_t t_593 = inside_201 ? ends_2[tile_origin + 1] : 0LL;
    int64_t t_594 = (int64_t)hull_5 < t_593 ? (int64_t)hull_5 : t_593;
    int64_t t_595 = base_2 + 2048;
    int64_t high_2 = t_595 < t_594 ? t_595 : t_594;
    {
        index_t i_thread_4 = (index_t)threadIdx.y;
        index_t k_thread_2 = (index_t)threadIdx.x;
        for (index_t round_1 = 0; round_1 < 1; round_1++) {
            index_t t_597 = k_thread_2 + round_1 * 128;
            if (t_597 < 1) {
                outside_7[t_597] = 0;
            }
        }
    }
    __syncthreads();
    int64_t part_37 = shr_int64(high_2 - base_2 + 3, 2);
    {
        index_t i_thread_5 = (index_t)threadIdx.y;
        index_t k_thread_3 = (index_t)threadIdx.x;
        int64_t round_stop = ((0 > part_37 ? 0 : part_37) + 127) / 128;
        for (int64_t round_2 = 0; round_2 < round_stop; round_2++) {
            int64_t t_604 = (int64_t)k_thread_3 + round_2 * 128;
            if (t_604 < part_37) {
                int64_t t_605 = t_604 * 4;
                int64_t t_606 = base_2 + t_605;
                bool inside_206 = ((((int64_t)value_2) & 15) == 0) & (((int64_t)column_2) & 15) == 0 & (t_606 + 4 <= hull_5);
                if (inside_206) {
                    /* line 105 */
                    double2 run_17 = *(double2 *)(AT(double, value_2, (int64_t)(t_606) * 8));
                    longlong2 run_18 = *(longlong2 *)(AT(int64_t, column_2, (int64_t)(t_606) * 8));
                    int64_t t_616 = run_18.x + (int64_t)(run_18.x < 0 ? x_2_n0 : 0LL);
                    int64_t t_617 = run_18.y + (int64_t)(run_18.y < 0 ? x_2_n0 : 0LL);
                    uint64_t place_43 = (uint64_t)(int64_t)x_2_n0;
                    bool inside_209 = (uint64_t)t_616 < place_43;
                    bool inside_210 = (uint64_t)t_617 < place_43;
                    double s_74 = -0.0 + run_17.x * x_2[(index_t)(inside_209 ? t_616 : 0LL)];
                    double s_75 = -0.0 + run_17.y * x_2[(index_t)(inside_210 ? t_617 : 0LL)];
                    /* line 102 */
                    int64_t t_624 = t_606 + 2;
                    /* line 105 */
                    double2 run_19 = *(double2 *)(AT(double, value_2, (int64_t)(t_624) * 8));
                    longlong2 run_20 = *(longlong2 *)(AT(int64_t, column_2, (int64_t)(t_624) * 8));
                    int64_t t_633 = run_20.x + (int64_t)(run_20.x < 0 ? x_2_n0 : 0LL);
                    int64_t t_634 = run_20.y + (int64_t)(run_20.y < 0 ? x_2_n0 : 0LL);
                    uint64_t place_46 = (uint64_t)(int64_t)x_2_n0;
                    bool inside_215 = (uint64_t)t_633 < place_46;
                    bool inside_216 = (uint64_t)t_634 < place_46;
                    double s_76 = -0.0 + run_19.x * x_2[(index_t)(inside_215 ? t_633 : 0LL)];
                    double s_77 = -0.0 + run_19.y * x_2[(index_t)(inside_216 ? t_634 : 0LL)];
                    /* line 102 */
                    *(double2 *)(&entry_2[t_605]) = make_double2(s_74, s_75);
                    int64_t t_641 = t_605 + 2;
                    *(double2 *)(&entry_2[t_641]) = make_double2(s_76, s_77);
                    int32_t wrong_47 = 0 | (inside_209 ? 0 : 1) | (0 | (inside_210 ? 0 : 1)) | (0 | (inside_215 ? 0 : 1) | (0 | (inside_216 ? 0 : 1)));
                    run_16[(index_t)t_604] = s_74 + s_75 + (s_76 + s_77);
                    if (wrong_47 != 0) {
                        update_shared_max_int32(outside_7[0], 1);
                    }
                } else {
                    double carried_20 = -0.0;
                    int32_t carried_21 = 0;
#pragma unroll 1
                    for (index_t lane_2 = 0; lane_2 < 4; lane_2++) {
                        int64_t t_642 = t_606 + (int64_t)lane_2;
                        double given_4;
                        int32_t given_5;
                        if ((t_642 >= low_2) & (t_642 < high_2)) {
                            /* line 105 */
                            int64_t t_645 = column_2[(index_t)t_642];
                            int64_t t_647 = t_645 + (int64_t)(t_645 < 0 ? x_2_n0 : 0LL);
                            bool inside_223 = (uint64_t)t_647 < (uint64_t)(int64_t)x_2_n0;
                            given_4 = -0.0 + value_2[(index_t)t_642] * x_2[(index_t)(inside_223 ? t_647 : 0LL)];
                            given_5 = 0 | (inside_223 ? 0 : 1);
                        } else {
                            given_4 = -0.0;
                            given_5 = 0;
                        }
                        entry_2[(index_t)(t_605 + (int64_t)lane_2)] = given_4;
                        carried_20 += given_4;
                        carried_21 = carried_21 | given_5;
                    }
                    run_16[(index_t)t_604] = carried_20;
                    if (carried_21 != 0) {
                        update_shared_max_int32(outside_7[0], 1);
                    }
                }
            }
        }
    }
    __syncthreads();
    int64_t part_38 = shr_int64(part_37, 3);
    {
        index_t i_thread_6 = (index_t)threadIdx.y;
        index_t k_thread_4 = (index_t)threadIdx.x;
        int64_t round_stop_2 = ((0 > part_38 ? 0 : part_38) + 127) / 128;
        for (int64_t round_3 = 0; round_3 < round_stop_2; round_3++) {
            int64_t t_656 = (int64_t)k_thread_4 + round_3 * 128;
            if (t_656 < part_38) {
                int64_t t_657 = t_656 * 8;
                double s_87 = run_16[(index_t)t_657] + run_16[(index_t)(t_657 + 1)] + (run_16[(index_t)(t_657 + 2)] + run_16[(index_t)(t_657 + 3)]);
                double s_88 = run_16[(index_t)(t_657 + 4)] + run_16[(index_t)(t_657 + 5)] + (run_16[(index_t)(t_657 + 6)] + run_16[(index_t)(t_657 + 7)]);
                group_4[(index_t)t_656] = s_87 + s_88;
            }
        }
    }
    __syncthreads();
    {
        index_t i_thread_7 = (index_t)threadIdx.y;
        index_t k_thread_5 = (index_t)threadIdx.x;
        int64_t t_673 = row_5 - row_4;
        int64_t t_675 = row_4 + (int64_t)k_thread_5;
        int64_t round_stop_3 = ((0 > t_673 ? 0 : t_673) + 127) / 128;
        for (int64_t round_4 = 0; round_4 < round_stop_3; round_4++) {
            int64_t t_679 = t_675 + round_4 * 128;
            if (t_679 < row_5) {
                /* line 104 */
                int64_t t_683 = start_3[(index_t)t_679];
                int64_t t_684 = start_3[(index_t)(t_679 + 1)];
                bool t_689 = (t_683 >= 0) & (t_579 >= t_684) & (t_580 >= t_684);
                bool runs_7 = t_689 & (t_683 <= t_684);
                index_t first_7 = runs_7 ? t_683 : 0LL;
                /* line 102 */
                bool inside_233 = inside_201 & (t_689 & (t_683 >= 0) & (t_684 <= extent_23) & (t_684 - t_683 >= 1024));
                index_t t_691 = inside_233 ? first_7 : (runs_7 ? t_684 : 0LL);
                double s_90;
                if ((first_7 >= low_2) & (t_691 <= high_2) & (int64_t)outside_7[0] == 0) {
                    int64_t t_693 = (int64_t)first_7 - base_2;
                    int64_t t_694 = (int64_t)t_691 - base_2;
                    int64_t part_39 = shr_int64(t_693 + 3, 2);
                    int64_t part_40 = shr_int64(t_694, 2);
                    int64_t part_41 = shr_int64(part_39 + 7, 3);
                    int64_t part_42 = shr_int64(part_40, 3);
                    int64_t t_697 = part_39 * 4;
                    int64_t t_698 = t_694 < t_697 ? t_694 : t_697;
                    int64_t t_699 = part_41 * 8;
                    int64_t t_700 = part_40 < t_699 ? part_40 : t_699;
                    double carried_22 = 0.0;
#pragma unroll 1
                    for (int64_t place_49 = t_693; place_49 < t_698; place_49++) {
                        carried_22 = carried_22 + entry_2[(index_t)place_49];
                    }
                    double carried_23 = carried_22;
#pragma unroll 1
                    for (int64_t place_50 = part_39; place_50 < t_700; place_50++) {
                        carried_23 = carried_23 + run_16[(index_t)place_50];
                    }
                    double carried_24 = carried_23;
#pragma unroll 1
                    for (int64_t place_51 = part_41; place_51 < part_42; place_51++) {
                        carried_24 = carried_24 + group_4[(index_t)place_51];
                    }
                    int64_t t_704 = part_42 * 8;
                    double carried_25 = carried_24;
#pragma unroll 1
                    for (int64_t place_52 = t_700 > t_704 ? t_700 : t_704; place_52 < part_40; place_52++) {
                        carried_25 = carried_25 + run_16[(index_t)place_52];
                    }
                    int64_t t_707 = part_40 * 4;
                    double carried_26 = carried_25;
#pragma unroll 1
                    for (int64_t place_53 = t_698 > t_707 ? t_698 : t_707; place_53 < t_694; place_53++) {
                        carried_26 = carried_26 + entry_2[(index_t)place_53];
                    }
                    s_90 = carried_26;
                } else {
                    /* line 104 */
                    double s_97 = 0.0;
                    for (index_t k_12 = first_7; k_12 < t_691; k_12++) {
                        /* line 105 */
                        int64_t t_712 = column_2[k_12];
                        int64_t place = from_end(t_712, x_2_n0);
                        if (UNLIKELY((uint64_t)place >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_97 = fma_float64(value_2[k_12], x_2[(index_t)place], s_97);
                    }
                    s_90 = s_97;
                }
                double s_99;
                if (!inside_233) {
                    s_99 = s_90;
                } else {
                    int64_t part_43 = shr_int64(t_683 + t_679, 10);
                    int64_t t_718 = part_43 + 1;
                    int64_t piece_stop = shr_int64(t_684 + (t_679 + 1), 10) - part_43;
                    double carried_27 = 0.0;
                    int32_t carried_28 = 0;
                    for (int64_t piece_6 = 0; piece_6 < piece_stop; piece_6++) {
                        int64_t t_720 = t_718 + piece_6;
                        carried_27 = carried_27 + part_35[(index_t)t_720];
                        carried_28 = carried_28 | wrong_40[(index_t)t_720];
                    }
                    if ((int64_t)carried_28 != 0) {
                        /* line 104 */
                        *weft_flag = 1;
                        goto phase_6;
                    }
                    s_99 = carried_27;
                }
                /* line 104 */
                double s_101;
                if (t_689) {
                    s_101 = s_99;
                } else {
                    double s_103 = 0.0;
                    for (int64_t k_13 = t_683; k_13 < t_684; k_13++) {
                        /* line 105 */
                        int64_t place_2 = from_end(k_13, value_2_n0);
                        if (UNLIKELY((uint64_t)place_2 >= (uint64_t)value_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t place_3 = from_end(k_13, column_2_n0);
                        if (UNLIKELY((uint64_t)place_3 >= (uint64_t)column_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t t_725 = column_2[(index_t)place_3];
                        int64_t place_4 = from_end(t_725, x_2_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_103 = fma_float64(value_2[(index_t)place_2], x_2[(index_t)place_4], s_103);
                    }
                    s_101 = s_103;
                }
                /* line 106 */
                out_1[(index_t)t_679] = s_101;
            }
        }
    }
    phase_6:;
}

extern "C" __global__ __launch_bounds__(128, 16) void sparse_matrix_times_vector_4(const char *__restrict__ start_4_memory,
        int64_t start_4_offset,
        int64_t start_4_n0_given,
        const char *__restrict__ value_3_memory,
        int64_t value_3_offset,
        int64_t value_3_n0_given,
        const char *__restrict__ column_3_memory,
        int64_t column_3_offset,
        int64_t column_3_n0_given,
        const char *__restrict__ x_3_memory,
        int64_t x_3_offset,
        int64_t x_3_n0_given,
        char *__restrict__ out_2_memory,
        int64_t out_2_offset,
        int64_t out_2_n0_given,
        int64_t out_dim0_3,
        int64_t t_given_7,
        int64_t t_given_8,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2,
        int32_t *weft_flag) {
    int64_t *start_4 = AT(int64_t, start_4_memory, start_4_offset);
    index_t start_4_n0 = (index_t)start_4_n0_given;
    double *value_3 = AT(double, value_3_memory, value_3_offset);
    index_t value_3_n0 = (index_t)value_3_n0_given;
    int64_t *column_3 = AT(int64_t, column_3_memory, column_3_offset);
    index_t column_3_n0 = (index_t)column_3_n0_given;
    double *x_3 = AT(double, x_3_memory, x_3_offset);
    index_t x_3_n0 = (index_t)x_3_n0_given;
    double *out_2 = AT(double, out_2_memory, out_2_offset);
    index_t out_2_n0 = (index_t)out_2_n0_given;
    index_t t_768 = (index_t)t_given_7;
    index_t t_769 = (index_t)t_given_8;
    index_t i_offset_1 = (index_t)i_offset_given_2;
    index_t i_extent_1 = (index_t)i_extent_given_2;
    /* line 102 */
    index_t i_block_1 = (index_t)blockIdx.x;
    index_t i_origin_1 = i_block_1 * 16 + i_offset_1;
    __shared__ __align__(16) double partial_2[144];
    double own_2[4];
    {
        index_t i_thread_8 = (index_t)threadIdx.y;
        index_t k_thread_6 = (index_t)threadIdx.x;
        index_t i_7 = i_origin_1 + i_thread_8;
        if (i_7 < i_extent_1) {
            /* line 104 */
            int64_t t_777 = start_4[i_7];
            int64_t t_778 = start_4[i_7 + 1];
            bool runs_8 = (t_777 >= 0) & (t_768 >= t_778) & (t_769 >= t_778) & (t_777 <= t_778);
            index_t first_8 = runs_8 ? t_777 : 0LL;
            /* line 102 */
            own_2[0] = -0.0;
            own_2[1] = -0.0;
            own_2[2] = -0.0;
            own_2[3] = -0.0;
            index_t t_784 = (runs_8 ? t_778 : 0LL) - first_8;
            index_t t_786 = first_8 + k_thread_6;
            index_t t_788 = (0 > t_784 ? 0 : t_784) + 7 - k_thread_6;
            index_t count_1 = (0 > t_788 ? 0 : t_788) / 8;
            index_t rounds_3 = count_1 / 4;
            if (x_3_n0 > 0) {
#pragma unroll 1
                for (index_t round_5 = 0; round_5 < rounds_3; round_5++) {
                    index_t t_791 = t_786 + round_5 * 32;
                    index_t t_792 = t_791 + 8;
                    index_t t_793 = t_791 + 16;
                    index_t t_794 = t_791 + 24;
                    /* line 105 */
                    int64_t t_807 = column_3[t_791];
                    int64_t t_808 = column_3[t_792];
                    int64_t t_809 = column_3[t_793];
                    int64_t t_810 = column_3[t_794];
                    int64_t t_811 = t_807 + (int64_t)(t_807 < 0 ? x_3_n0 : 0LL);
                    bool outside = (uint64_t)t_811 >= (uint64_t)x_3_n0;
                    if (outside) *weft_flag = 1;
                    index_t inside = outside ? 0 : t_811;
                    int64_t t_812 = t_808 + (int64_t)(t_808 < 0 ? x_3_n0 : 0LL);
                    bool outside_2 = (uint64_t)t_812 >= (uint64_t)x_3_n0;
                    if (outside_2) *weft_flag = 1;
                    index_t inside_2 = outside_2 ? 0 : t_812;
                    int64_t t_813 = t_809 + (int64_t)(t_809 < 0 ? x_3_n0 : 0LL);
                    bool outside_3 = (uint64_t)t_813 >= (uint64_t)x_3_n0;
                    if (outside_3) *weft_flag = 1;
                    index_t inside_3 = outside_3 ? 0 : t_813;
                    int64_t t_814 = t_810 + (int64_t)(t_810 < 0 ? x_3_n0 : 0LL);
                    bool outside_4 = (uint64_t)t_814 >= (uint64_t)x_3_n0;
                    if (outside_4) *weft_flag = 1;
                    index_t inside_4 = outside_4 ? 0 : t_814;
                    /* line 102 */
                    double s_120 = fma_float64(value_3[t_792], x_3[inside_2], own_2[1]);
                    double s_121 = fma_float64(value_3[t_793], x_3[inside_3], own_2[2]);
                    double s_122 = fma_float64(value_3[t_794], x_3[inside_4], own_2[3]);
                    own_2[0] = fma_float64(value_3[t_791], x_3[inside], own_2[0]);
                    own_2[1] = s_120;
                    own_2[2] = s_121;
                    own_2[3] = s_122;
                }
#pragma unroll 1
                for (index_t rest_1 = rounds_3 * 4; rest_1 < count_1; rest_1++) {
                    index_t t_825 = t_786 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_829 = column_3[t_825];
                    int64_t t_830 = t_829 + (int64_t)(t_829 < 0 ? x_3_n0 : 0LL);
                    bool outside_5 = (uint64_t)t_830 >= (uint64_t)x_3_n0;
                    if (outside_5) *weft_flag = 1;
                    index_t inside_5 = outside_5 ? 0 : t_830;
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_825], x_3[inside_5], own_2[0]);
                }
            } else {
#pragma unroll 1
                for (index_t rest_2 = 0; rest_2 < count_1; rest_2++) {
                    index_t t_834 = t_786 + rest_2 * 8;
                    /* line 105 */
                    int64_t t_838 = column_3[t_834];
                    int64_t place_5 = from_end(t_838, x_3_n0);
                    if (UNLIKELY((uint64_t)place_5 >= (uint64_t)x_3_n0)) {
                        *weft_flag = 1;
                        goto phase_7;
                    }
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_834], x_3[(index_t)place_5], own_2[0]);
                }
            }
            partial_2[i_thread_8 * 9 + k_thread_6] = own_2[0] + own_2[1] + (own_2[2] + own_2[3]);
        }
    }
    phase_7:;
    __syncthreads();
    {
        index_t i_thread_9 = (index_t)threadIdx.y;
        index_t k_thread_7 = (index_t)threadIdx.x;
        index_t thread_1 = i_thread_9 * 8 + k_thread_7;
        if (thread_1 < 16) {
            index_t i_8 = i_origin_1 + thread_1;
            if (i_8 < i_extent_1) {
                /* line 104 */
                int64_t t_849 = start_4[i_8];
                int64_t t_850 = start_4[i_8 + 1];
                /* line 102 */
                double carried_29 = 0.0;
#pragma unroll
                for (index_t part_45 = 0; part_45 < 8; part_45++) {
                    carried_29 = carried_29 + partial_2[thread_1 * 9 + part_45];
                }
                /* line 104 */
                double s_125;
                if ((t_849 >= 0) & (t_768 >= t_850) & (t_769 >= t_850)) {
                    s_125 = carried_29;
                } else {
                    double s_127 = 0.0;
                    for (int64_t k_18 = t_849; k_18 < t_850; k_18++) {
                        /* line 105 */
                        int64_t place_6 = from_end(k_18, value_3_n0);
                        if (UNLIKELY((uint64_t)place_6 >= (uint64_t)value_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        int64_t place_7 = from_end(k_18, column_3_n0);
                        if (UNLIKELY((uint64_t)place_7 >= (uint64_t)column_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        int64_t t_859 = column_3[(index_t)place_7];
                        int64_t place_8 = from_end(t_859, x_3_n0);
                        if (UNLIKELY((uint64_t)place_8 >= (uint64_t)x_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        s_127 = fma_float64(value_3[(index_t)place_6], x_3[(index_t)place_8], s_127);
                    }
                    s_125 = s_127;
                }
                /* line 106 */
                out_2[i_8] = s_125;
            }
        }
    }
    phase_8:;
}
