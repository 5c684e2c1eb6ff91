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
        int64_t rows_1,
        int64_t t_329,
        int64_t t_330,
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
    index_t extent_11 = (index_t)extent_given;
    index_t room_2 = (index_t)room_given_2;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 1024 + i_offset;
    index_t i_thread_1 = (index_t)threadIdx.x;
    if (i_origin + i_thread_1 + 768 < i_extent) {
        index_t i_5 = i_origin + i_thread_1;
#pragma unroll
        for (index_t point = 0; point < 4; point++) {
            index_t i_6 = i_5 + point * 256;
            /* line 104 */
            int64_t t_338 = start_1[i_6];
            int64_t t_339 = start_1[i_6 + 1];
            /* line 102 */
            if (!((t_338 >= 0) & (t_339 <= extent_11) & (t_338 <= t_339))) {
                update_max_int64(noted_9[room_2], 1);
            }
            int64_t t_345 = (int64_t)extent_11 < t_338 ? (int64_t)extent_11 : t_338;
            int64_t t_347 = (int64_t)extent_11 < t_339 ? (int64_t)extent_11 : t_339;
            index_t part_17 = shr_int64((0 > t_345 ? 0 : t_345) + i_6, 11);
            int64_t t_352 = (int64_t)i_6 + 1;
            index_t t_354 = t_352 == out_dim0_1 ? room_2 : shr_int64((0 > t_347 ? 0 : t_347) + (i_6 + 1), 11) + 1;
            if (i_6 == 0) {
                index_t t_355 = part_17 + 1;
                if (0 < t_355) {
                    int64_t number_8 = (int64_t)i_6;
                    index_t tile_stop = room_2 < t_355 ? room_2 : t_355;
#pragma unroll 1
                    for (index_t tile_5 = 0; tile_5 < tile_stop; tile_5++) {
                        noted_9[tile_5] = number_8;
                        begins_1[tile_5] = t_338;
                    }
                }
            }
            index_t t_357 = part_17 + 1;
            if (t_357 < t_354) {
                index_t tile_stop_2 = room_2 < t_354 ? room_2 : t_354;
#pragma unroll 1
                for (index_t tile_6 = t_357; tile_6 < tile_stop_2; tile_6++) {
                    noted_9[tile_6] = t_352;
                    begins_1[tile_6] = t_339;
                }
            }
        }
    } else {
        for (index_t point_1 = 0; point_1 < 4; point_1++) {
            index_t i_8 = i_origin + i_thread_1 + point_1 * 256;
            if (i_8 < i_extent) {
                /* line 104 */
                int64_t t_363 = start_1[i_8];
                int64_t t_364 = start_1[i_8 + 1];
                /* line 102 */
                if (!((t_363 >= 0) & (t_364 <= extent_11) & (t_363 <= t_364))) {
                    update_max_int64(noted_9[room_2], 1);
                }
                int64_t t_370 = (int64_t)extent_11 < t_363 ? (int64_t)extent_11 : t_363;
                int64_t t_372 = (int64_t)extent_11 < t_364 ? (int64_t)extent_11 : t_364;
                index_t part_19 = shr_int64((0 > t_370 ? 0 : t_370) + i_8, 11);
                int64_t t_377 = (int64_t)i_8 + 1;
                index_t t_379 = t_377 == out_dim0_1 ? room_2 : shr_int64((0 > t_372 ? 0 : t_372) + (i_8 + 1), 11) + 1;
                if (i_8 == 0) {
                    index_t t_380 = part_19 + 1;
                    if (0 < t_380) {
                        int64_t number_12 = (int64_t)i_8;
                        index_t tile_stop_3 = room_2 < t_380 ? room_2 : t_380;
#pragma unroll 1
                        for (index_t tile_7 = 0; tile_7 < tile_stop_3; tile_7++) {
                            noted_9[tile_7] = number_12;
                            begins_1[tile_7] = t_363;
                        }
                    }
                }
                index_t t_382 = part_19 + 1;
                if (t_382 < t_379) {
                    index_t tile_stop_4 = room_2 < t_379 ? room_2 : t_379;
#pragma unroll 1
                    for (index_t tile_8 = t_382; tile_8 < tile_stop_4; tile_8++) {
                        noted_9[tile_8] = t_377;
                        begins_1[tile_8] = t_364;
                    }
                }
            }
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
        char *__restrict__ part_21_memory,
        int64_t part_21_offset,
        int64_t part_21_n0_given,
        char *__restrict__ wrong_31_memory,
        int64_t wrong_31_offset,
        int64_t wrong_31_n0_given,
        int64_t tiles_1,
        int64_t out_dim0_given,
        int64_t room_given_3,
        int64_t t_given,
        int64_t t_given_2,
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
    double *part_21 = AT(double, part_21_memory, part_21_offset);
    index_t part_21_n0 = (index_t)part_21_n0_given;
    int32_t *wrong_31 = AT(int32_t, wrong_31_memory, wrong_31_offset);
    index_t wrong_31_n0 = (index_t)wrong_31_n0_given;
    index_t out_dim0_2 = (index_t)out_dim0_given;
    index_t room_3 = (index_t)room_given_3;
    index_t t_420 = (index_t)t_given;
    index_t t_421 = (index_t)t_given_2;
    index_t extent_14 = (index_t)extent_given_2;
    index_t piece_offset = (index_t)piece_offset_given;
    index_t piece_extent = (index_t)piece_extent_given;
    /* line 102 */
    index_t piece_block = (index_t)blockIdx.x;
    index_t piece_origin = piece_block * 4 + piece_offset;
    __shared__ __align__(16) double partial[132];
    __shared__ __align__(16) int32_t partial_1[132];
    double own[4];
    int32_t own_1[4];
    {
        index_t i_thread_2 = (index_t)threadIdx.y;
        index_t k_thread = (index_t)threadIdx.x;
        index_t piece_3 = piece_origin + i_thread_2;
        if (piece_3 < piece_extent) {
            int64_t noted_13 = noted_12[piece_3];
            int64_t t_426 = (int64_t)out_dim0_2 < noted_13 ? (int64_t)out_dim0_2 : noted_13;
            index_t t_428 = (0 > t_426 ? 0 : t_426) - 1;
            bool inside_99 = (noted_12[room_3] == 0) & (t_428 >= 0);
            index_t t_430 = inside_99 ? t_428 : 0LL;
            /* line 104 */
            int64_t t_434 = start_2[t_430];
            int64_t t_435 = start_2[t_430 + 1];
            /* line 102 */
            index_t t_443 = piece_3 * 2048 - (t_430 + 1);
            index_t t_444 = t_443 + 2048;
            int64_t t_445 = t_435 < (int64_t)t_444 ? t_435 : (int64_t)t_444;
            bool inside_103 = (t_434 >= 0) & (t_420 >= t_435) & (t_421 >= t_435) & (t_434 >= 0) & (t_435 <= extent_14);
            bool inside_106 = inside_99 & inside_103 & (t_443 < t_445);
            int64_t t_448 = inside_106 ? (t_434 > (int64_t)t_443 ? t_434 : (int64_t)t_443) : 0LL;
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            own_1[0] = 0;
            own_1[1] = 0;
            own_1[2] = 0;
            own_1[3] = 0;
            int64_t t_449 = inside_106 ? (t_435 < t_445 ? t_435 : t_445) : 0LL;
            int64_t t_452 = t_448 + (int64_t)k_thread;
            int64_t t_454 = (t_448 > t_449 ? t_448 : t_449) - t_448 + 31 - (int64_t)k_thread;
            int64_t count = (0 > t_454 ? 0 : t_454) / 32;
            int64_t rounds_1 = count / 4;
#pragma unroll 1
            for (int64_t round_1 = 0; round_1 < rounds_1; round_1++) {
                int64_t t_457 = t_452 + round_1 * 128;
                int64_t t_458 = t_457 + 32;
                int64_t t_459 = t_457 + 64;
                int64_t t_460 = t_457 + 96;
                /* line 105 */
                int64_t t_477 = column_1[(index_t)t_457];
                int64_t t_478 = column_1[(index_t)t_458];
                int64_t t_479 = column_1[(index_t)t_459];
                int64_t t_480 = column_1[(index_t)t_460];
                int64_t t_485 = t_477 + (int64_t)(t_477 < 0 ? x_1_n0 : 0LL);
                int64_t t_486 = t_478 + (int64_t)(t_478 < 0 ? x_1_n0 : 0LL);
                int64_t t_487 = t_479 + (int64_t)(t_479 < 0 ? x_1_n0 : 0LL);
                int64_t t_488 = t_480 + (int64_t)(t_480 < 0 ? x_1_n0 : 0LL);
                index_t t_489 = x_1_n0 - 1;
                int64_t t_490 = (int64_t)t_489 < t_485 ? (int64_t)t_489 : t_485;
                index_t t_494 = 0 > t_490 ? 0 : t_490;
                int64_t t_491 = (int64_t)t_489 < t_486 ? (int64_t)t_489 : t_486;
                index_t t_495 = 0 > t_491 ? 0 : t_491;
                int64_t t_492 = (int64_t)t_489 < t_487 ? (int64_t)t_489 : t_487;
                index_t t_496 = 0 > t_492 ? 0 : t_492;
                int64_t t_493 = (int64_t)t_489 < t_488 ? (int64_t)t_489 : t_488;
                index_t t_497 = 0 > t_493 ? 0 : t_493;
                /* line 102 */
                int32_t wrong_32 = own_1[0] | (t_485 != t_494 ? 1 : 0);
                int32_t wrong_33 = own_1[1] | (t_486 != t_495 ? 1 : 0);
                int32_t wrong_34 = own_1[2] | (t_487 != t_496 ? 1 : 0);
                int32_t wrong_35 = own_1[3] | (t_488 != t_497 ? 1 : 0);
                double s_53 = fma_float64(value_1[(index_t)t_458], x_1[t_495], own[1]);
                double s_54 = fma_float64(value_1[(index_t)t_459], x_1[t_496], own[2]);
                double s_55 = fma_float64(value_1[(index_t)t_460], x_1[t_497], own[3]);
                own[0] = fma_float64(value_1[(index_t)t_457], x_1[t_494], own[0]);
                own_1[0] = wrong_32;
                own[1] = s_53;
                own_1[1] = wrong_33;
                own[2] = s_54;
                own_1[2] = wrong_34;
                own[3] = s_55;
                own_1[3] = wrong_35;
            }
#pragma unroll 1
            for (int64_t rest = rounds_1 * 4; rest < count; rest++) {
                int64_t t_512 = t_452 + rest * 32;
                /* line 105 */
                int64_t t_517 = column_1[(index_t)t_512];
                int64_t t_519 = t_517 + (int64_t)(t_517 < 0 ? x_1_n0 : 0LL);
                index_t t_520 = x_1_n0 - 1;
                int64_t t_521 = (int64_t)t_520 < t_519 ? (int64_t)t_520 : t_519;
                index_t t_522 = 0 > t_521 ? 0 : t_521;
                /* line 102 */
                int32_t wrong_36 = own_1[0] | (t_519 != t_522 ? 1 : 0);
                own[0] = fma_float64(value_1[(index_t)t_512], x_1[t_522], own[0]);
                own_1[0] = wrong_36;
            }
            partial[i_thread_2 * 33 + k_thread] = own[0] + own[1] + (own[2] + own[3]);
            partial_1[i_thread_2 * 33 + k_thread] = own_1[0] | own_1[1] | (own_1[2] | own_1[3]);
        }
    }
    __syncthreads();
    {
        index_t i_thread_3 = (index_t)threadIdx.y;
        index_t k_thread_1 = (index_t)threadIdx.x;
        index_t thread = i_thread_3 * 32 + k_thread_1;
        if (thread < 4) {
            index_t piece_4 = piece_origin + thread;
            if (piece_4 < piece_extent) {
                double carried_10 = -0.0;
                int32_t carried_11 = 0;
#pragma unroll
                for (index_t part_22 = 0; part_22 < 32; part_22++) {
                    carried_10 = carried_10 + partial[thread * 33 + part_22];
                    carried_11 = carried_11 | partial_1[thread * 33 + part_22];
                }
                part_21[piece_4] = carried_10;
                wrong_31[piece_4] = carried_11;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256, 8) void sparse_matrix_times_vector_3(const char *__restrict__ noted_22_memory,
        int64_t noted_22_offset,
        int64_t noted_22_n0_given,
        const char *__restrict__ begins_2_memory,
        int64_t begins_2_offset,
        int64_t begins_2_n0_given,
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
        const char *__restrict__ wrong_56_memory,
        int64_t wrong_56_offset,
        int64_t wrong_56_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t tiles_2,
        int64_t room_given_4,
        int64_t share_given,
        int64_t out_dim0_given_2,
        int64_t extent_given_3,
        int64_t t_given_3,
        int64_t t_given_4,
        int64_t tile_offset_given,
        int64_t tile_extent_given,
        int32_t *weft_flag) {
    int64_t *noted_22 = AT(int64_t, noted_22_memory, noted_22_offset);
    index_t noted_22_n0 = (index_t)noted_22_n0_given;
    int64_t *begins_2 = AT(int64_t, begins_2_memory, begins_2_offset);
    index_t begins_2_n0 = (index_t)begins_2_n0_given;
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
    int32_t *wrong_56 = AT(int32_t, wrong_56_memory, wrong_56_offset);
    index_t wrong_56_n0 = (index_t)wrong_56_n0_given;
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t room_4 = (index_t)room_given_4;
    index_t share_1 = (index_t)share_given;
    index_t out_dim0_3 = (index_t)out_dim0_given_2;
    index_t extent_23 = (index_t)extent_given_3;
    index_t t_777 = (index_t)t_given_3;
    index_t t_778 = (index_t)t_given_4;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 102 */
    index_t tile_block = (index_t)blockIdx.x;
    index_t tile_origin = tile_block + tile_offset;
    __shared__ __align__(16) double entry_2[2052];
    __shared__ __align__(16) double run_16[513];
    __shared__ __align__(16) double group_4[65];
    __shared__ __align__(16) int32_t outside_8[1];
    bool inside_154 = noted_22[room_4] == 0;
    index_t t_781 = tile_origin + 1;
    index_t t_782 = tile_origin * share_1;
    int64_t noted_24 = noted_22[tile_origin];
    int64_t t_785 = (int64_t)out_dim0_3 < noted_24 ? (int64_t)out_dim0_3 : noted_24;
    index_t row_4 = inside_154 ? (0 > t_785 ? 0 : t_785) : (out_dim0_3 < t_782 ? out_dim0_3 : t_782);
    index_t t_787 = t_781 * share_1;
    int64_t noted_25 = noted_22[t_781];
    int64_t t_790 = (int64_t)out_dim0_3 < noted_25 ? (int64_t)out_dim0_3 : noted_25;
    index_t row_5 = inside_154 ? (0 > t_790 ? 0 : t_790) : (out_dim0_3 < t_787 ? out_dim0_3 : t_787);
    index_t t_792 = tile_origin + 1;
    int64_t noted_26 = begins_2[tile_origin];
    int64_t t_794 = (int64_t)extent_23 < noted_26 ? (int64_t)extent_23 : noted_26;
    int64_t noted_27 = begins_2[t_792];
    int64_t t_797 = (int64_t)extent_23 < noted_27 ? (int64_t)extent_23 : noted_27;
    index_t t_798 = 0 > t_797 ? 0 : t_797;
    index_t t_800 = t_792 * 2048 - row_5;
    index_t low_4 = inside_154 ? (0 > t_794 ? 0 : t_794) : 0LL;
    index_t base_2 = shr_int64(low_4, 2) * 4;
    index_t hull_4 = value_2_n0 < extent_23 ? value_2_n0 : extent_23;
    index_t hull_5 = column_2_n0 < hull_4 ? column_2_n0 : hull_4;
    index_t low_5 = inside_154 ? (t_800 < t_798 ? t_800 : t_798) : 0LL;
    index_t t_802 = hull_5 < low_5 ? hull_5 : low_5;
    index_t t_803 = base_2 + 2052;
    index_t high_4 = t_803 < t_802 ? t_803 : t_802;
    index_t high_5 = high_4 > base_2 ? high_4 : base_2;
    {
        index_t i_thread_4 = (index_t)threadIdx.y;
        index_t k_thread_2 = (index_t)threadIdx.x;
        for (index_t round_3 = 0; round_3 < 1; round_3++) {
            index_t t_805 = k_thread_2 + round_3 * 256;
            if (t_805 < 1) {
                outside_8[t_805] = 0;
            }
        }
    }
    __syncthreads();
    index_t part_37 = shr_int64(high_5 - base_2 + 3, 2);
    {
        index_t i_thread_5 = (index_t)threadIdx.y;
        index_t k_thread_3 = (index_t)threadIdx.x;
        index_t round_stop = ((0 > part_37 ? 0 : part_37) + 255) / 256;
        for (index_t round_4 = 0; round_4 < round_stop; round_4++) {
            index_t t_812 = k_thread_3 + round_4 * 256;
            if (t_812 < part_37) {
                index_t t_813 = t_812 * 4;
                index_t t_814 = base_2 + t_813;
                bool inside_159 = ((((int64_t)value_2) & 15) == 0) & (((int64_t)column_2) & 15) == 0 & (t_814 + 4 <= hull_5);
                if (inside_159) {
                    /* line 105 */
                    double2 run_17 = *(double2 *)(AT(double, value_2, (int64_t)(t_814) * 8));
                    longlong2 run_18 = *(longlong2 *)(AT(int64_t, column_2, (int64_t)(t_814) * 8));
                    index_t t_822 = x_2_n0 - 1;
                    int64_t t_823 = (int64_t)t_822 < run_18.x ? (int64_t)t_822 : run_18.x;
                    index_t t_825 = 0 > t_823 ? 0 : t_823;
                    int64_t t_824 = (int64_t)t_822 < run_18.y ? (int64_t)t_822 : run_18.y;
                    index_t t_826 = 0 > t_824 ? 0 : t_824;
                    double s_102 = -0.0 + run_17.x * x_2[t_825];
                    double s_103 = -0.0 + run_17.y * x_2[t_826];
                    /* line 102 */
                    index_t t_833 = t_814 + 2;
                    /* line 105 */
                    double2 run_19 = *(double2 *)(AT(double, value_2, (int64_t)(t_833) * 8));
                    longlong2 run_20 = *(longlong2 *)(AT(int64_t, column_2, (int64_t)(t_833) * 8));
                    index_t t_840 = x_2_n0 - 1;
                    int64_t t_841 = (int64_t)t_840 < run_20.x ? (int64_t)t_840 : run_20.x;
                    index_t t_843 = 0 > t_841 ? 0 : t_841;
                    int64_t t_842 = (int64_t)t_840 < run_20.y ? (int64_t)t_840 : run_20.y;
                    index_t t_844 = 0 > t_842 ? 0 : t_842;
                    double s_104 = -0.0 + run_19.x * x_2[t_843];
                    double s_105 = -0.0 + run_19.y * x_2[t_844];
                    /* line 102 */
                    *(double2 *)(&entry_2[t_813]) = make_double2(s_102, s_103);
                    index_t t_851 = t_813 + 2;
                    *(double2 *)(&entry_2[t_851]) = make_double2(s_104, s_105);
                    int32_t wrong_63 = 0 | (run_18.x != t_825 ? 1 : 0) | (0 | (run_18.y != t_826 ? 1 : 0)) | (0 | (run_20.x != t_843 ? 1 : 0) | (0 | (run_20.y != t_844 ? 1 : 0)));
                    run_16[t_812] = s_102 + s_103 + (s_104 + s_105);
                    if (wrong_63 != 0) {
                        update_shared_max_int32(outside_8[0], 1);
                    }
                } else {
                    int32_t carried_22 = 0;
#pragma unroll 1
                    for (index_t lane_2 = 0; lane_2 < 4; lane_2++) {
                        index_t t_852 = t_814 + lane_2;
                        double given_4;
                        int32_t given_5;
                        if ((t_852 >= low_4) & (t_852 < high_5)) {
                            /* line 105 */
                            int64_t t_855 = column_2[t_852];
                            index_t t_856 = x_2_n0 - 1;
                            int64_t t_857 = (int64_t)t_856 < t_855 ? (int64_t)t_856 : t_855;
                            index_t t_858 = 0 > t_857 ? 0 : t_857;
                            given_4 = -0.0 + value_2[t_852] * x_2[t_858];
                            given_5 = 0 | (t_855 != t_858 ? 1 : 0);
                        } else {
                            given_4 = -0.0;
                            given_5 = 0;
                        }
                        entry_2[t_813 + lane_2] = given_4;
                        carried_22 = carried_22 | given_5;
                    }
                    run_16[t_812] = entry_2[t_813] + entry_2[t_813 + 1] + (entry_2[t_813 + 2] + entry_2[t_813 + 3]);
                    if (carried_22 != 0) {
                        update_shared_max_int32(outside_8[0], 1);
                    }
                }
            }
        }
    }
    __syncthreads();
    index_t part_38 = shr_int64(part_37, 3);
    {
        index_t i_thread_6 = (index_t)threadIdx.y;
        index_t k_thread_4 = (index_t)threadIdx.x;
        index_t round_stop_2 = ((0 > part_38 ? 0 : part_38) + 255) / 256;
        for (index_t round_5 = 0; round_5 < round_stop_2; round_5++) {
            index_t t_874 = k_thread_4 + round_5 * 256;
            if (t_874 < part_38) {
                index_t t_875 = t_874 * 8;
                double s_119 = run_16[t_875] + run_16[t_875 + 1] + (run_16[t_875 + 2] + run_16[t_875 + 3]) + (run_16[t_875 + 4] + run_16[t_875 + 5] + (run_16[t_875 + 6] + run_16[t_875 + 7]));
                group_4[t_874] = s_119;
            }
        }
    }
    __syncthreads();
    {
        index_t i_thread_7 = (index_t)threadIdx.y;
        index_t k_thread_5 = (index_t)threadIdx.x;
        index_t t_893 = row_4 + k_thread_5;
        index_t round_stop_3 = floordiv_by_positive((row_4 > row_5 ? row_4 : row_5) - row_4 + 255, 256);
        for (index_t round_6 = 0; round_6 < round_stop_3; round_6++) {
            index_t t_897 = t_893 + round_6 * 256;
            if (t_897 < row_5) {
                /* line 104 */
                int64_t t_901 = start_3[t_897];
                int64_t t_902 = start_3[t_897 + 1];
                bool t_907 = (t_901 >= 0) & (t_777 >= t_902) & (t_778 >= t_902);
                bool runs_8 = t_907 & (t_901 <= t_902);
                index_t first_8 = runs_8 ? t_901 : 0LL;
                index_t last_8 = runs_8 ? t_902 : 0LL;
                /* line 102 */
                int64_t t_908 = (int64_t)extent_23 < t_901 ? (int64_t)extent_23 : t_901;
                int64_t t_917 = (int64_t)extent_23 < t_902 ? (int64_t)extent_23 : t_902;
                bool inside_174 = shr_int64((0 > t_908 ? 0 : t_908) + (int64_t)t_897, 11) < shr_int64((0 > t_917 ? 0 : t_917) + ((int64_t)t_897 + 1) - 1, 11);
                bool inside_176 = inside_154 & (t_907 & (t_901 >= 0) & (t_902 <= extent_23) & inside_174);
                int64_t t_923 = (int64_t)extent_23 < t_901 ? (int64_t)extent_23 : t_901;
                index_t part_41 = shr_int64((0 > t_923 ? 0 : t_923) + t_897, 11);
                index_t t_933 = (part_41 + 1) * 2048 - (t_897 + 1);
                index_t t_934 = t_933 < last_8 ? t_933 : last_8;
                index_t t_935 = t_934 > first_8 ? t_934 : first_8;
                index_t t_936 = inside_176 ? t_935 : last_8;
                double s_120;
                if ((first_8 >= low_4) & (t_936 <= high_5) & (int64_t)outside_8[0] == 0) {
                    index_t t_938 = high_5 < first_8 ? high_5 : first_8;
                    index_t t_940 = (t_938 > low_4 ? t_938 : low_4) - base_2;
                    index_t t_941 = high_5 < t_936 ? high_5 : t_936;
                    index_t t_943 = (t_941 > low_4 ? t_941 : low_4) - base_2;
                    index_t part_42 = shr_int64(t_940 + 3, 2);
                    index_t part_43 = shr_int64(t_943, 2);
                    index_t part_44 = shr_int64(part_42 + 7, 3);
                    index_t part_45 = shr_int64(part_43, 3);
                    index_t t_946 = part_42 * 4;
                    index_t t_947 = t_943 < t_946 ? t_943 : t_946;
                    index_t t_948 = part_44 * 8;
                    index_t t_949 = part_43 < t_948 ? part_43 : t_948;
                    double carried_23 = 0.0;
#pragma unroll 1
                    for (index_t place_10 = t_940; place_10 < t_947; place_10++) {
                        carried_23 += entry_2[place_10];
                    }
                    double carried_24 = carried_23;
#pragma unroll 1
                    for (index_t place_11 = part_42; place_11 < t_949; place_11++) {
                        carried_24 += run_16[place_11];
                    }
                    double carried_25 = carried_24;
#pragma unroll 1
                    for (index_t place_12 = part_44; place_12 < part_45; place_12++) {
                        carried_25 += group_4[place_12];
                    }
                    index_t t_953 = part_45 * 8;
                    double carried_26 = carried_25;
#pragma unroll 1
                    for (index_t place_13 = t_949 > t_953 ? t_949 : t_953; place_13 < part_43; place_13++) {
                        carried_26 += run_16[place_13];
                    }
                    index_t t_956 = part_43 * 4;
                    double carried_27 = carried_26;
#pragma unroll 1
                    for (index_t place_14 = t_947 > t_956 ? t_947 : t_956; place_14 < t_943; place_14++) {
                        carried_27 += entry_2[place_14];
                    }
                    s_120 = carried_27;
                } else {
                    /* line 104 */
                    double s_127 = 0.0;
                    for (index_t k_14 = first_8; k_14 < t_936; k_14++) {
                        /* line 105 */
                        int64_t t_961 = column_2[k_14];
                        int64_t place = from_end(t_961, x_2_n0);
                        if (UNLIKELY((uint64_t)place >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_127 = fma_float64(value_2[k_14], x_2[(index_t)place], s_127);
                    }
                    s_120 = s_127;
                }
                double s_129;
                if (inside_176) {
                    int64_t t_966 = (int64_t)extent_23 < t_902 ? (int64_t)extent_23 : t_902;
                    index_t t_972 = part_41 + 1;
                    index_t t_973 = shr_int64((0 > t_966 ? 0 : t_966) + (t_897 + 1) - 1, 11) + 1;
                    index_t part_47 = shr_int64(t_973 - t_972, 3);
                    double carried_28 = s_120;
                    int32_t carried_29 = 0;
#pragma unroll 1
                    for (index_t round_7 = 0; round_7 < part_47; round_7++) {
                        index_t t_976 = t_972 + round_7 * 8;
                        index_t t_977 = t_976 + 1;
                        index_t t_978 = t_976 + 2;
                        index_t t_979 = t_976 + 3;
                        index_t t_980 = t_976 + 4;
                        index_t t_981 = t_976 + 5;
                        index_t t_982 = t_976 + 6;
                        index_t t_983 = t_976 + 7;
                        int32_t wrong_69 = carried_29 | wrong_56[t_976] | wrong_56[t_977] | wrong_56[t_978] | wrong_56[t_979];
                        double s_134 = carried_28 + part_35[t_976] + part_35[t_977] + part_35[t_978] + part_35[t_979] + part_35[t_980];
                        int32_t wrong_73 = wrong_69 | wrong_56[t_980] | wrong_56[t_981] | wrong_56[t_982] | wrong_56[t_983];
                        carried_28 = s_134 + part_35[t_981] + part_35[t_982] + part_35[t_983];
                        carried_29 = wrong_73;
                    }
                    double carried_30 = carried_28;
                    int32_t carried_31 = carried_29;
#pragma unroll 1
                    for (index_t piece_6 = t_972 + part_47 * 8; piece_6 < t_973; piece_6++) {
                        carried_30 += part_35[piece_6];
                        carried_31 = carried_31 | wrong_56[piece_6];
                    }
                    double s_139;
                    if ((int64_t)carried_31 == 0) {
                        s_139 = carried_30;
                    } else {
                        /* line 104 */
                        double s_141 = s_120;
                        for (index_t k_15 = t_935; k_15 < last_8; k_15++) {
                            /* line 105 */
                            int64_t t_1006 = column_2[k_15];
                            int64_t place_2 = from_end(t_1006, x_2_n0);
                            if (UNLIKELY((uint64_t)place_2 >= (uint64_t)x_2_n0)) {
                                *weft_flag = 1;
                                goto phase_6;
                            }
                            s_141 = fma_float64(value_2[k_15], x_2[(index_t)place_2], s_141);
                        }
                        s_139 = s_141;
                    }
                    s_129 = s_139;
                } else {
                    s_129 = s_120;
                }
                /* line 104 */
                double s_143;
                if (t_907) {
                    s_143 = s_129;
                } else {
                    double s_145 = 0.0;
                    for (int64_t k_16 = t_901; k_16 < t_902; k_16++) {
                        /* line 105 */
                        int64_t place_3 = from_end(k_16, value_2_n0);
                        if (UNLIKELY((uint64_t)place_3 >= (uint64_t)value_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t place_4 = from_end(k_16, column_2_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)column_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t t_1011 = column_2[(index_t)place_4];
                        int64_t place_5 = from_end(t_1011, x_2_n0);
                        if (UNLIKELY((uint64_t)place_5 >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_145 = fma_float64(value_2[(index_t)place_3], x_2[(index_t)place_5], s_145);
                    }
                    s_143 = s_145;
                }
                /* line 106 */
                out_1[t_897] = s_143;
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
        int64_t out_dim0_4,
        int64_t t_given_5,
        int64_t t_given_6,
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
    index_t t_1054 = (index_t)t_given_5;
    index_t t_1055 = (index_t)t_given_6;
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
        index_t i_12 = i_origin_1 + i_thread_8;
        if (i_12 < i_extent_1) {
            /* line 104 */
            int64_t t_1063 = start_4[i_12];
            int64_t t_1064 = start_4[i_12 + 1];
            bool runs_9 = (t_1063 >= 0) & (t_1054 >= t_1064) & (t_1055 >= t_1064) & (t_1063 <= t_1064);
            index_t first_9 = runs_9 ? t_1063 : 0LL;
            /* line 102 */
            own_2[0] = -0.0;
            own_2[1] = -0.0;
            own_2[2] = -0.0;
            own_2[3] = -0.0;
            index_t last_9 = runs_9 ? t_1064 : 0LL;
            index_t t_1072 = first_9 + k_thread_6;
            index_t t_1074 = (first_9 > last_9 ? first_9 : last_9) - first_9 + 7 - k_thread_6;
            index_t count_1 = (0 > t_1074 ? 0 : t_1074) / 8;
            index_t rounds_3 = count_1 / 4;
            if (x_3_n0 > 0) {
#pragma unroll 1
                for (index_t round_8 = 0; round_8 < rounds_3; round_8++) {
                    index_t t_1077 = t_1072 + round_8 * 32;
                    index_t t_1078 = t_1077 + 8;
                    index_t t_1079 = t_1077 + 16;
                    index_t t_1080 = t_1077 + 24;
                    /* line 105 */
                    int64_t t_1093 = column_3[t_1077];
                    int64_t t_1094 = column_3[t_1078];
                    int64_t t_1095 = column_3[t_1079];
                    int64_t t_1096 = column_3[t_1080];
                    int64_t t_1097 = t_1093 + (int64_t)(t_1093 < 0 ? x_3_n0 : 0LL);
                    bool outside = (uint64_t)t_1097 >= (uint64_t)x_3_n0;
                    if (outside) *weft_flag = 1;
                    index_t inside = outside ? 0 : t_1097;
                    int64_t t_1098 = t_1094 + (int64_t)(t_1094 < 0 ? x_3_n0 : 0LL);
                    bool outside_2 = (uint64_t)t_1098 >= (uint64_t)x_3_n0;
                    if (outside_2) *weft_flag = 1;
                    index_t inside_2 = outside_2 ? 0 : t_1098;
                    int64_t t_1099 = t_1095 + (int64_t)(t_1095 < 0 ? x_3_n0 : 0LL);
                    bool outside_3 = (uint64_t)t_1099 >= (uint64_t)x_3_n0;
                    if (outside_3) *weft_flag = 1;
                    index_t inside_3 = outside_3 ? 0 : t_1099;
                    int64_t t_1100 = t_1096 + (int64_t)(t_1096 < 0 ? x_3_n0 : 0LL);
                    bool outside_4 = (uint64_t)t_1100 >= (uint64_t)x_3_n0;
                    if (outside_4) *weft_flag = 1;
                    index_t inside_4 = outside_4 ? 0 : t_1100;
                    /* line 102 */
                    double s_162 = fma_float64(value_3[t_1078], x_3[inside_2], own_2[1]);
                    double s_163 = fma_float64(value_3[t_1079], x_3[inside_3], own_2[2]);
                    double s_164 = fma_float64(value_3[t_1080], x_3[inside_4], own_2[3]);
                    own_2[0] = fma_float64(value_3[t_1077], x_3[inside], own_2[0]);
                    own_2[1] = s_162;
                    own_2[2] = s_163;
                    own_2[3] = s_164;
                }
#pragma unroll 1
                for (index_t rest_1 = rounds_3 * 4; rest_1 < count_1; rest_1++) {
                    index_t t_1111 = t_1072 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_1115 = column_3[t_1111];
                    int64_t t_1116 = t_1115 + (int64_t)(t_1115 < 0 ? x_3_n0 : 0LL);
                    bool outside_5 = (uint64_t)t_1116 >= (uint64_t)x_3_n0;
                    if (outside_5) *weft_flag = 1;
                    index_t inside_5 = outside_5 ? 0 : t_1116;
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_1111], x_3[inside_5], own_2[0]);
                }
            } else {
#pragma unroll 1
                for (index_t rest_2 = 0; rest_2 < count_1; rest_2++) {
                    index_t t_1120 = t_1072 + rest_2 * 8;
                    /* line 105 */
                    int64_t t_1124 = column_3[t_1120];
                    int64_t place_6 = from_end(t_1124, x_3_n0);
                    if (UNLIKELY((uint64_t)place_6 >= (uint64_t)x_3_n0)) {
                        *weft_flag = 1;
                        goto phase_7;
                    }
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_1120], x_3[(index_t)place_6], own_2[0]);
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
            index_t i_13 = i_origin_1 + thread_1;
            if (i_13 < i_extent_1) {
                /* line 104 */
                int64_t t_1135 = start_4[i_13];
                int64_t t_1136 = start_4[i_13 + 1];
                /* line 102 */
                double carried_32 = 0.0;
#pragma unroll
                for (index_t part_48 = 0; part_48 < 8; part_48++) {
                    carried_32 = carried_32 + partial_2[thread_1 * 9 + part_48];
                }
                /* line 104 */
                double s_167;
                if ((t_1135 >= 0) & (t_1054 >= t_1136) & (t_1055 >= t_1136)) {
                    s_167 = carried_32;
                } else {
                    double s_169 = 0.0;
                    for (int64_t k_21 = t_1135; k_21 < t_1136; k_21++) {
                        /* line 105 */
                        int64_t place_7 = from_end(k_21, value_3_n0);
                        if (UNLIKELY((uint64_t)place_7 >= (uint64_t)value_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        int64_t place_8 = from_end(k_21, column_3_n0);
                        if (UNLIKELY((uint64_t)place_8 >= (uint64_t)column_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        int64_t t_1145 = column_3[(index_t)place_8];
                        int64_t place_9 = from_end(t_1145, x_3_n0);
                        if (UNLIKELY((uint64_t)place_9 >= (uint64_t)x_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        s_169 = fma_float64(value_3[(index_t)place_7], x_3[(index_t)place_9], s_169);
                    }
                    s_167 = s_169;
                }
                /* line 106 */
                out_2[i_13] = s_167;
            }
        }
    }
    phase_8:;
}
