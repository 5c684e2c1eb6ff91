#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define AT(type, pointer, bytes) ((__global type *)((__global char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define bool bool

#define HELPER static inline __attribute__((unused))

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef long int64_t;

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef int32_t index_t;

typedef ulong uint64_t;

HELPER int64_t shr_int64(int64_t a, int64_t b) {
    return (uint64_t)b < 64 ? (int64_t)(a >> b) : a < 0 ? (int64_t)-1 : 0;
}

#define update_max_int64(place, value) atom_max((volatile __global long *)&(place), (long)(value))

#define update_shared_max_int32(place, value) atomic_max((volatile __local int *)&(place), (int)(value))

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_0_clears(__global char *restrict noted_8_memory,
        int64_t noted_8_offset,
        int64_t noted_8_n0_given,
        int64_t cleared_1,
        int64_t room_given,
        int64_t note_offset_given,
        int64_t note_extent_given) {
    __global int64_t *noted_8 = AT(int64_t, noted_8_memory, noted_8_offset);
    index_t noted_8_n0 = (index_t)noted_8_n0_given;
    index_t room_1 = (index_t)room_given;
    index_t note_offset = (index_t)note_offset_given;
    index_t note_extent = (index_t)note_extent_given;
    /* line 102 */
    index_t note_block = (index_t)get_group_id(0);
    index_t note_origin = note_block * 256 + note_offset;
    index_t i_thread = (index_t)get_local_id(0);
    index_t note_2 = note_origin + i_thread;
    if (note_2 < note_extent) {
        noted_8[room_1 + note_2] = 0;
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_1_notes(const __global char *restrict start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0_given,
        __global char *restrict noted_9_memory,
        int64_t noted_9_offset,
        int64_t noted_9_n0_given,
        __global char *restrict begins_1_memory,
        int64_t begins_1_offset,
        int64_t begins_1_n0_given,
        __global char *restrict ends_1_memory,
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
    __global int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    index_t start_1_n0 = (index_t)start_1_n0_given;
    __global int64_t *noted_9 = AT(int64_t, noted_9_memory, noted_9_offset);
    index_t noted_9_n0 = (index_t)noted_9_n0_given;
    __global int64_t *begins_1 = AT(int64_t, begins_1_memory, begins_1_offset);
    index_t begins_1_n0 = (index_t)begins_1_n0_given;
    __global int64_t *ends_1 = AT(int64_t, ends_1_memory, ends_1_offset);
    index_t ends_1_n0 = (index_t)ends_1_n0_given;
    index_t t_250 = (index_t)t_given;
    index_t t_251 = (index_t)t_given_2;
    index_t extent_11 = (index_t)extent_given;
    index_t room_2 = (index_t)room_given_2;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread_1 = (index_t)get_local_id(0);
    index_t i_3 = i_origin + i_thread_1;
    if (i_3 < i_extent) {
        /* line 104 */
        int64_t t_258 = start_1[i_3];
        int64_t t_259 = start_1[i_3 + 1];
        /* line 102 */
        if (!((t_258 >= 0) & (t_259 <= extent_11) & (t_258 <= t_259))) {
            update_max_int64(noted_9[room_2], 1);
        }
        int64_t part_16 = shr_int64(t_258 + (int64_t)i_3, 10);
        int64_t t_268 = (int64_t)i_3 + 1;
        if (i_3 == 0) {
            int64_t t_269 = part_16 + 1;
            int64_t number_8 = (int64_t)i_3;
            int64_t tile_stop = (int64_t)room_2 < t_269 ? (int64_t)room_2 : t_269;
            for (index_t tile_5 = 0; tile_5 < tile_stop; tile_5++) {
                noted_9[tile_5] = number_8;
                begins_1[tile_5] = t_258;
                ends_1[tile_5] = t_258;
            }
        }
        int64_t t_273 = t_268 == out_dim0_1 ? (int64_t)room_2 : shr_int64(t_259 + (int64_t)(i_3 + 1), 10) + 1;
        bool inside_103 = (t_258 >= 0) & (t_250 >= t_259) & (t_251 >= t_259) & (t_258 >= 0) & (t_259 <= extent_11);
        int64_t t_275 = inside_103 & (t_259 - t_258 >= 1024) ? t_258 : t_259;
        int64_t t_276 = part_16 + 1;
        int64_t tile_stop_2 = (int64_t)room_2 < t_273 ? (int64_t)room_2 : t_273;
        for (int64_t tile_6 = 0 > t_276 ? 0 : t_276; tile_6 < tile_stop_2; tile_6++) {
            noted_9[(index_t)tile_6] = t_268;
            begins_1[(index_t)tile_6] = t_259;
            ends_1[(index_t)tile_6] = tile_6 == t_276 ? t_275 : t_259;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(8, 16, 1))) void sparse_matrix_times_vector_2_folds(const __global char *restrict noted_12_memory,
        int64_t noted_12_offset,
        int64_t noted_12_n0_given,
        const __global char *restrict start_2_memory,
        int64_t start_2_offset,
        int64_t start_2_n0_given,
        const __global char *restrict value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0_given,
        const __global char *restrict column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0_given,
        const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        __global char *restrict part_20_memory,
        int64_t part_20_offset,
        int64_t part_20_n0_given,
        __global char *restrict wrong_23_memory,
        int64_t wrong_23_offset,
        int64_t wrong_23_n0_given,
        int64_t tiles_1,
        int64_t room_given_3,
        int64_t t_given_3,
        int64_t t_given_4,
        int64_t extent_given_2,
        int64_t piece_offset_given,
        int64_t piece_extent_given) {
    __global int64_t *noted_12 = AT(int64_t, noted_12_memory, noted_12_offset);
    index_t noted_12_n0 = (index_t)noted_12_n0_given;
    __global int64_t *start_2 = AT(int64_t, start_2_memory, start_2_offset);
    index_t start_2_n0 = (index_t)start_2_n0_given;
    __global double *value_1 = AT(double, value_1_memory, value_1_offset);
    index_t value_1_n0 = (index_t)value_1_n0_given;
    __global int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    index_t column_1_n0 = (index_t)column_1_n0_given;
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global double *part_20 = AT(double, part_20_memory, part_20_offset);
    index_t part_20_n0 = (index_t)part_20_n0_given;
    __global int32_t *wrong_23 = AT(int32_t, wrong_23_memory, wrong_23_offset);
    index_t wrong_23_n0 = (index_t)wrong_23_n0_given;
    index_t room_3 = (index_t)room_given_3;
    index_t t_319 = (index_t)t_given_3;
    index_t t_320 = (index_t)t_given_4;
    index_t extent_14 = (index_t)extent_given_2;
    index_t piece_offset = (index_t)piece_offset_given;
    index_t piece_extent = (index_t)piece_extent_given;
    /* line 102 */
    index_t piece_block = (index_t)get_group_id(0);
    index_t piece_origin = piece_block * 16 + piece_offset;
    __local double partial[144];
    __local int32_t partial_1[144];
    double own[4];
    int32_t own_1[4];
    {
        index_t i_thread_2 = (index_t)get_local_id(1);
        index_t k_thread = (index_t)get_local_id(0);
        index_t piece_3 = piece_origin + i_thread_2;
        if (piece_3 < piece_extent) {
            int64_t t_325 = noted_12[piece_3] - 1;
            bool inside_125 = (noted_12[room_3] == 0) & (t_325 >= 0);
            int64_t t_327 = inside_125 ? t_325 : 0L;
            /* line 104 */
            int64_t t_331 = start_2[(index_t)t_327];
            int64_t t_332 = start_2[(index_t)(t_327 + 1)];
            /* line 102 */
            int64_t part_21 = shr_int64(t_331 + t_327, 10);
            int64_t t_342 = shr_int64(t_332 + (t_327 + 1), 10) - part_21;
            int64_t t_343 = (int64_t)piece_3 - (part_21 + 1);
            bool inside_130 = (t_331 >= 0) & (t_319 >= t_332) & (t_320 >= t_332) & (t_331 >= 0) & (t_332 <= extent_14);
            bool inside_134 = inside_125 & (inside_130 & (t_332 - t_331 >= 1024)) & (t_343 < t_342);
            int64_t t_346 = t_331 + t_343 * 1024;
            int64_t t_349 = t_343 + 1 == t_342 ? t_332 : t_346 + 1024;
            int64_t t_352 = inside_134 ? (t_331 > t_346 ? t_331 : t_346) : 0L;
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            own_1[0] = 0;
            own_1[1] = 0;
            own_1[2] = 0;
            own_1[3] = 0;
            int64_t t_354 = (inside_134 ? (t_332 < t_349 ? t_332 : t_349) : 0L) - t_352;
            int64_t t_356 = t_352 + (int64_t)k_thread;
            int64_t t_358 = (0 > t_354 ? 0 : t_354) + 7 - (int64_t)k_thread;
            int64_t count = (0 > t_358 ? 0 : t_358) / 8;
            int64_t rounds_1 = count / 4;
#pragma unroll 1
            for (int64_t round = 0; round < rounds_1; round++) {
                int64_t t_361 = t_356 + round * 32;
                int64_t t_362 = t_361 + 8;
                int64_t t_363 = t_361 + 16;
                int64_t t_364 = t_361 + 24;
                /* line 105 */
                int64_t t_381 = column_1[(index_t)t_361];
                int64_t t_382 = column_1[(index_t)t_362];
                int64_t t_383 = column_1[(index_t)t_363];
                int64_t t_384 = column_1[(index_t)t_364];
                int64_t t_389 = t_381 + (int64_t)(t_381 < 0 ? x_1_n0 : 0L);
                int64_t t_390 = t_382 + (int64_t)(t_382 < 0 ? x_1_n0 : 0L);
                int64_t t_391 = t_383 + (int64_t)(t_383 < 0 ? x_1_n0 : 0L);
                int64_t t_392 = t_384 + (int64_t)(t_384 < 0 ? x_1_n0 : 0L);
                uint64_t place_25 = (uint64_t)(int64_t)x_1_n0;
                bool inside_140 = (uint64_t)t_389 < place_25;
                bool inside_141 = (uint64_t)t_390 < place_25;
                bool inside_142 = (uint64_t)t_391 < place_25;
                bool inside_143 = (uint64_t)t_392 < place_25;
                double s_40 = fma_float64(value_1[(index_t)t_361], x_1[(index_t)(inside_140 ? t_389 : 0L)], own[0]);
                double s_41 = fma_float64(value_1[(index_t)t_362], x_1[(index_t)(inside_141 ? t_390 : 0L)], own[1]);
                double s_42 = fma_float64(value_1[(index_t)t_363], x_1[(index_t)(inside_142 ? t_391 : 0L)], own[2]);
                double s_43 = fma_float64(value_1[(index_t)t_364], x_1[(index_t)(inside_143 ? t_392 : 0L)], own[3]);
                /* line 102 */
                int32_t wrong_24 = own_1[0] | (inside_140 ? 0 : 1);
                int32_t wrong_25 = own_1[1] | (inside_141 ? 0 : 1);
                int32_t wrong_26 = own_1[2] | (inside_142 ? 0 : 1);
                int32_t wrong_27 = own_1[3] | (inside_143 ? 0 : 1);
                own[0] = s_40;
                own_1[0] = wrong_24;
                own[1] = s_41;
                own_1[1] = wrong_25;
                own[2] = s_42;
                own_1[2] = wrong_26;
                own[3] = s_43;
                own_1[3] = wrong_27;
            }
#pragma unroll 1
            for (int64_t rest = rounds_1 * 4; rest < count; rest++) {
                int64_t t_407 = t_356 + rest * 8;
                /* line 105 */
                int64_t t_412 = column_1[(index_t)t_407];
                int64_t t_414 = t_412 + (int64_t)(t_412 < 0 ? x_1_n0 : 0L);
                bool inside_149 = (uint64_t)t_414 < (uint64_t)(int64_t)x_1_n0;
                double s_44 = fma_float64(value_1[(index_t)t_407], x_1[(index_t)(inside_149 ? t_414 : 0L)], own[0]);
                /* line 102 */
                int32_t wrong_28 = own_1[0] | (inside_149 ? 0 : 1);
                own[0] = s_44;
                own_1[0] = wrong_28;
            }
            partial[i_thread_2 * 9 + k_thread] = own[0] + own[1] + (own[2] + own[3]);
            partial_1[i_thread_2 * 9 + k_thread] = own_1[0] | own_1[1] | (own_1[2] | own_1[3]);
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_3 = (index_t)get_local_id(1);
        index_t k_thread_1 = (index_t)get_local_id(0);
        index_t thread = i_thread_3 * 8 + k_thread_1;
        if (thread < 16) {
            index_t piece_4 = piece_origin + thread;
            if (piece_4 < piece_extent) {
                double carried_8 = -0.0;
                int32_t carried_9 = 0;
#pragma unroll
                for (index_t part_25 = 0; part_25 < 8; part_25++) {
                    carried_8 = carried_8 + partial[thread * 9 + part_25];
                    carried_9 = carried_9 | partial_1[thread * 9 + part_25];
                }
                part_20[piece_4] = carried_8;
                wrong_23[piece_4] = carried_9;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void sparse_matrix_times_vector_3(const __global char *restrict noted_22_memory,
        int64_t noted_22_offset,
        int64_t noted_22_n0_given,
        const __global char *restrict begins_2_memory,
        int64_t begins_2_offset,
        int64_t begins_2_n0_given,
        const __global char *restrict ends_2_memory,
        int64_t ends_2_offset,
        int64_t ends_2_n0_given,
        const __global char *restrict value_2_memory,
        int64_t value_2_offset,
        int64_t value_2_n0_given,
        const __global char *restrict column_2_memory,
        int64_t column_2_offset,
        int64_t column_2_n0_given,
        const __global char *restrict x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        const __global char *restrict start_3_memory,
        int64_t start_3_offset,
        int64_t start_3_n0_given,
        const __global char *restrict part_35_memory,
        int64_t part_35_offset,
        int64_t part_35_n0_given,
        const __global char *restrict wrong_40_memory,
        int64_t wrong_40_offset,
        int64_t wrong_40_n0_given,
        __global char *restrict out_1_memory,
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
        __global int32_t *weft_flag) {
    __global int64_t *noted_22 = AT(int64_t, noted_22_memory, noted_22_offset);
    index_t noted_22_n0 = (index_t)noted_22_n0_given;
    __global int64_t *begins_2 = AT(int64_t, begins_2_memory, begins_2_offset);
    index_t begins_2_n0 = (index_t)begins_2_n0_given;
    __global int64_t *ends_2 = AT(int64_t, ends_2_memory, ends_2_offset);
    index_t ends_2_n0 = (index_t)ends_2_n0_given;
    __global double *value_2 = AT(double, value_2_memory, value_2_offset);
    index_t value_2_n0 = (index_t)value_2_n0_given;
    __global int64_t *column_2 = AT(int64_t, column_2_memory, column_2_offset);
    index_t column_2_n0 = (index_t)column_2_n0_given;
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global int64_t *start_3 = AT(int64_t, start_3_memory, start_3_offset);
    index_t start_3_n0 = (index_t)start_3_n0_given;
    __global double *part_35 = AT(double, part_35_memory, part_35_offset);
    index_t part_35_n0 = (index_t)part_35_n0_given;
    __global int32_t *wrong_40 = AT(int32_t, wrong_40_memory, wrong_40_offset);
    index_t wrong_40_n0 = (index_t)wrong_40_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t room_4 = (index_t)room_given_4;
    index_t share_1 = (index_t)share_given;
    index_t out_dim0_2 = (index_t)out_dim0_given;
    index_t extent_23 = (index_t)extent_given_3;
    index_t t_593 = (index_t)t_given_5;
    index_t t_594 = (index_t)t_given_6;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 102 */
    index_t tile_block = (index_t)get_group_id(0);
    index_t tile_origin = tile_block + tile_offset;
    __local double entry_2[2052];
    __local double run_16[513];
    __local double group_4[65];
    __local int32_t outside_7[1];
    bool inside_201 = noted_22[room_4] == 0;
    index_t t_597 = tile_origin + 1;
    index_t t_598 = tile_origin * share_1;
    int64_t row_4 = inside_201 ? noted_22[tile_origin] : (int64_t)(out_dim0_2 < t_598 ? out_dim0_2 : t_598);
    index_t t_601 = t_597 * share_1;
    int64_t row_5 = inside_201 ? noted_22[t_597] : (int64_t)(out_dim0_2 < t_601 ? out_dim0_2 : t_601);
    int64_t low_2 = inside_201 ? begins_2[tile_origin] : 0L;
    int64_t base_2 = shr_int64(low_2, 2) * 4;
    index_t hull_4 = value_2_n0 < extent_23 ? value_2_n0 : extent_23;
    index_t hull_5 = column_2_n0 < hull_4 ? column_2_n0 : hull_4;
    int64_t t_607 = inside_201 ? ends_2[tile_origin + 1] : 0L;
    int64_t t_608 = (int64_t)hull_5 < t_607 ? (int64_t)hull_5 : t_607;
    int64_t t_609 = base_2 + 2048;
    int64_t high_2 = t_609 < t_608 ? t_609 : t_608;
    {
        index_t i_thread_4 = (index_t)get_local_id(1);
        index_t k_thread_2 = (index_t)get_local_id(0);
        for (index_t round_1 = 0; round_1 < 1; round_1++) {
            index_t t_611 = k_thread_2 + round_1 * 128;
            if (t_611 < 1) {
                outside_7[t_611] = 0;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int64_t part_37 = shr_int64(high_2 - base_2 + 3, 2);
    {
        index_t i_thread_5 = (index_t)get_local_id(1);
        index_t k_thread_3 = (index_t)get_local_id(0);
        int64_t round_stop = ((0 > part_37 ? 0 : part_37) + 127) / 128;
        for (int64_t round_2 = 0; round_2 < round_stop; round_2++) {
            int64_t t_618 = (int64_t)k_thread_3 + round_2 * 128;
            if (t_618 < part_37) {
                int64_t t_619 = t_618 * 4;
                int64_t t_620 = base_2 + t_619;
                bool inside_205 = ((((int64_t)(size_t)value_2) & 15) == 0) & (((int64_t)(size_t)column_2) & 15) == 0;
                if (inside_205 & (t_620 + 4 <= hull_5)) {
                    /* line 105 */
                    double2 run_17 = vload2(0, AT(double, value_2, (int64_t)(t_620) * 8));
                    long2 run_18 = vload2(0, AT(int64_t, column_2, (int64_t)(t_620) * 8));
                    int64_t t_630 = run_18.x + (int64_t)(run_18.x < 0 ? x_2_n0 : 0L);
                    int64_t t_631 = run_18.y + (int64_t)(run_18.y < 0 ? x_2_n0 : 0L);
                    uint64_t place_43 = (uint64_t)(int64_t)x_2_n0;
                    bool inside_209 = (uint64_t)t_630 < place_43;
                    bool inside_210 = (uint64_t)t_631 < place_43;
                    double s_78 = -0.0 + run_17.x * x_2[(index_t)(inside_209 ? t_630 : 0L)];
                    double s_79 = -0.0 + run_17.y * x_2[(index_t)(inside_210 ? t_631 : 0L)];
                    /* line 102 */
                    int64_t t_638 = t_620 + 2;
                    /* line 105 */
                    double2 run_19 = vload2(0, AT(double, value_2, (int64_t)(t_638) * 8));
                    long2 run_20 = vload2(0, AT(int64_t, column_2, (int64_t)(t_638) * 8));
                    int64_t t_647 = run_20.x + (int64_t)(run_20.x < 0 ? x_2_n0 : 0L);
                    int64_t t_648 = run_20.y + (int64_t)(run_20.y < 0 ? x_2_n0 : 0L);
                    uint64_t place_46 = (uint64_t)(int64_t)x_2_n0;
                    bool inside_215 = (uint64_t)t_647 < place_46;
                    bool inside_216 = (uint64_t)t_648 < place_46;
                    double s_80 = -0.0 + run_19.x * x_2[(index_t)(inside_215 ? t_647 : 0L)];
                    double s_81 = -0.0 + run_19.y * x_2[(index_t)(inside_216 ? t_648 : 0L)];
                    /* line 102 */
                    vstore2((double2)(s_78, s_79), 0, &entry_2[t_619]);
                    int64_t t_655 = t_619 + 2;
                    vstore2((double2)(s_80, s_81), 0, &entry_2[t_655]);
                    int32_t wrong_47 = 0 | (inside_209 ? 0 : 1) | (0 | (inside_210 ? 0 : 1)) | (0 | (inside_215 ? 0 : 1) | (0 | (inside_216 ? 0 : 1)));
                    run_16[(index_t)t_618] = s_78 + s_79 + (s_80 + s_81);
                    if (wrong_47 != 0) {
                        update_shared_max_int32(outside_7[0], 1);
                    }
                } else {
                    int32_t carried_18 = 0;
#pragma unroll 1
                    for (index_t lane_2 = 0; lane_2 < 4; lane_2++) {
                        int64_t t_656 = t_620 + (int64_t)lane_2;
                        double given_4;
                        int32_t given_5;
                        if ((t_656 >= low_2) & (t_656 < high_2)) {
                            /* line 105 */
                            int64_t t_659 = column_2[(index_t)t_656];
                            int64_t t_661 = t_659 + (int64_t)(t_659 < 0 ? x_2_n0 : 0L);
                            bool inside_223 = (uint64_t)t_661 < (uint64_t)(int64_t)x_2_n0;
                            given_4 = -0.0 + value_2[(index_t)t_656] * x_2[(index_t)(inside_223 ? t_661 : 0L)];
                            given_5 = 0 | (inside_223 ? 0 : 1);
                        } else {
                            given_4 = -0.0;
                            given_5 = 0;
                        }
                        entry_2[(index_t)(t_619 + (int64_t)lane_2)] = given_4;
                        carried_18 = carried_18 | given_5;
                    }
                    double s_88 = entry_2[(index_t)t_619] + entry_2[(index_t)(t_619 + 1)] + (entry_2[(index_t)(t_619 + 2)] + entry_2[(index_t)(t_619 + 3)]);
                    run_16[(index_t)t_618] = s_88;
                    if (carried_18 != 0) {
                        update_shared_max_int32(outside_7[0], 1);
                    }
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int64_t part_38 = shr_int64(part_37, 3);
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t k_thread_4 = (index_t)get_local_id(0);
        int64_t round_stop_2 = ((0 > part_38 ? 0 : part_38) + 127) / 128;
        for (int64_t round_3 = 0; round_3 < round_stop_2; round_3++) {
            int64_t t_677 = (int64_t)k_thread_4 + round_3 * 128;
            if (t_677 < part_38) {
                int64_t t_678 = t_677 * 8;
                double s_93 = run_16[(index_t)t_678] + run_16[(index_t)(t_678 + 1)] + (run_16[(index_t)(t_678 + 2)] + run_16[(index_t)(t_678 + 3)]);
                double s_94 = run_16[(index_t)(t_678 + 4)] + run_16[(index_t)(t_678 + 5)] + (run_16[(index_t)(t_678 + 6)] + run_16[(index_t)(t_678 + 7)]);
                group_4[(index_t)t_677] = s_93 + s_94;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_7 = (index_t)get_local_id(1);
        index_t k_thread_5 = (index_t)get_local_id(0);
        int64_t t_694 = row_5 - row_4;
        int64_t t_696 = row_4 + (int64_t)k_thread_5;
        int64_t round_stop_3 = ((0 > t_694 ? 0 : t_694) + 127) / 128;
        for (int64_t round_4 = 0; round_4 < round_stop_3; round_4++) {
            int64_t t_700 = t_696 + round_4 * 128;
            if (t_700 < row_5) {
                /* line 104 */
                int64_t t_704 = start_3[(index_t)t_700];
                int64_t t_705 = start_3[(index_t)(t_700 + 1)];
                bool t_710 = (t_704 >= 0) & (t_593 >= t_705) & (t_594 >= t_705);
                bool runs_7 = t_710 & (t_704 <= t_705);
                index_t first_7 = runs_7 ? t_704 : 0L;
                /* line 102 */
                bool inside_233 = inside_201 & (t_710 & (t_704 >= 0) & (t_705 <= extent_23) & (t_705 - t_704 >= 1024));
                index_t t_712 = inside_233 ? first_7 : (runs_7 ? t_705 : 0L);
                double s_96;
                if ((first_7 >= low_2) & (t_712 <= high_2) & (int64_t)outside_7[0] == 0) {
                    int64_t t_714 = (int64_t)first_7 - base_2;
                    int64_t t_715 = (int64_t)t_712 - base_2;
                    int64_t part_39 = shr_int64(t_714 + 3, 2);
                    int64_t part_40 = shr_int64(t_715, 2);
                    int64_t part_41 = shr_int64(part_39 + 7, 3);
                    int64_t part_42 = shr_int64(part_40, 3);
                    int64_t t_718 = part_39 * 4;
                    int64_t t_719 = t_715 < t_718 ? t_715 : t_718;
                    int64_t t_720 = part_41 * 8;
                    int64_t t_721 = part_40 < t_720 ? part_40 : t_720;
                    double carried_19 = 0.0;
#pragma unroll 1
                    for (int64_t place_49 = t_714; place_49 < t_719; place_49++) {
                        carried_19 = carried_19 + entry_2[(index_t)place_49];
                    }
                    double carried_20 = carried_19;
#pragma unroll 1
                    for (int64_t place_50 = part_39; place_50 < t_721; place_50++) {
                        carried_20 = carried_20 + run_16[(index_t)place_50];
                    }
                    double carried_21 = carried_20;
#pragma unroll 1
                    for (int64_t place_51 = part_41; place_51 < part_42; place_51++) {
                        carried_21 = carried_21 + group_4[(index_t)place_51];
                    }
                    int64_t t_725 = part_42 * 8;
                    double carried_22 = carried_21;
#pragma unroll 1
                    for (int64_t place_52 = t_721 > t_725 ? t_721 : t_725; place_52 < part_40; place_52++) {
                        carried_22 = carried_22 + run_16[(index_t)place_52];
                    }
                    int64_t t_728 = part_40 * 4;
                    double carried_23 = carried_22;
#pragma unroll 1
                    for (int64_t place_53 = t_719 > t_728 ? t_719 : t_728; place_53 < t_715; place_53++) {
                        carried_23 = carried_23 + entry_2[(index_t)place_53];
                    }
                    s_96 = carried_23;
                } else {
                    /* line 104 */
                    double s_103 = 0.0;
                    for (index_t k_12 = first_7; k_12 < t_712; k_12++) {
                        /* line 105 */
                        int64_t t_733 = column_2[k_12];
                        int64_t place = from_end(t_733, x_2_n0);
                        if (UNLIKELY((uint64_t)place >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_103 = fma_float64(value_2[k_12], x_2[(index_t)place], s_103);
                    }
                    s_96 = s_103;
                }
                double s_105;
                if (!inside_233) {
                    s_105 = s_96;
                } else {
                    int64_t part_43 = shr_int64(t_704 + t_700, 10);
                    int64_t t_739 = part_43 + 1;
                    int64_t piece_stop = shr_int64(t_705 + (t_700 + 1), 10) - part_43;
                    double carried_24 = 0.0;
                    int32_t carried_25 = 0;
                    for (int64_t piece_6 = 0; piece_6 < piece_stop; piece_6++) {
                        int64_t t_741 = t_739 + piece_6;
                        carried_24 = carried_24 + part_35[(index_t)t_741];
                        carried_25 = carried_25 | wrong_40[(index_t)t_741];
                    }
                    if ((int64_t)carried_25 != 0) {
                        /* line 104 */
                        *weft_flag = 1;
                        goto phase_6;
                    }
                    s_105 = carried_24;
                }
                /* line 104 */
                double s_107;
                if (t_710) {
                    s_107 = s_105;
                } else {
                    double s_109 = 0.0;
                    for (int64_t k_13 = t_704; k_13 < t_705; k_13++) {
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
                        int64_t t_746 = column_2[(index_t)place_3];
                        int64_t place_4 = from_end(t_746, x_2_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_109 = fma_float64(value_2[(index_t)place_2], x_2[(index_t)place_4], s_109);
                    }
                    s_107 = s_109;
                }
                /* line 106 */
                out_1[(index_t)t_700] = s_107;
            }
        }
    }
    phase_6:;
}

__kernel __attribute__((reqd_work_group_size(8, 16, 1))) void sparse_matrix_times_vector_4(const __global char *restrict start_4_memory,
        int64_t start_4_offset,
        int64_t start_4_n0_given,
        const __global char *restrict value_3_memory,
        int64_t value_3_offset,
        int64_t value_3_n0_given,
        const __global char *restrict column_3_memory,
        int64_t column_3_offset,
        int64_t column_3_n0_given,
        const __global char *restrict x_3_memory,
        int64_t x_3_offset,
        int64_t x_3_n0_given,
        __global char *restrict out_2_memory,
        int64_t out_2_offset,
        int64_t out_2_n0_given,
        int64_t out_dim0_3,
        int64_t t_given_7,
        int64_t t_given_8,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2,
        __global int32_t *weft_flag) {
    __global int64_t *start_4 = AT(int64_t, start_4_memory, start_4_offset);
    index_t start_4_n0 = (index_t)start_4_n0_given;
    __global double *value_3 = AT(double, value_3_memory, value_3_offset);
    index_t value_3_n0 = (index_t)value_3_n0_given;
    __global int64_t *column_3 = AT(int64_t, column_3_memory, column_3_offset);
    index_t column_3_n0 = (index_t)column_3_n0_given;
    __global double *x_3 = AT(double, x_3_memory, x_3_offset);
    index_t x_3_n0 = (index_t)x_3_n0_given;
    __global double *out_2 = AT(double, out_2_memory, out_2_offset);
    index_t out_2_n0 = (index_t)out_2_n0_given;
    index_t t_789 = (index_t)t_given_7;
    index_t t_790 = (index_t)t_given_8;
    index_t i_offset_1 = (index_t)i_offset_given_2;
    index_t i_extent_1 = (index_t)i_extent_given_2;
    /* line 102 */
    index_t i_block_1 = (index_t)get_group_id(0);
    index_t i_origin_1 = i_block_1 * 16 + i_offset_1;
    __local double partial_2[144];
    double own_2[4];
    {
        index_t i_thread_8 = (index_t)get_local_id(1);
        index_t k_thread_6 = (index_t)get_local_id(0);
        index_t i_7 = i_origin_1 + i_thread_8;
        if (i_7 < i_extent_1) {
            /* line 104 */
            int64_t t_798 = start_4[i_7];
            int64_t t_799 = start_4[i_7 + 1];
            bool runs_8 = (t_798 >= 0) & (t_789 >= t_799) & (t_790 >= t_799) & (t_798 <= t_799);
            index_t first_8 = runs_8 ? t_798 : 0L;
            /* line 102 */
            own_2[0] = -0.0;
            own_2[1] = -0.0;
            own_2[2] = -0.0;
            own_2[3] = -0.0;
            index_t t_805 = (runs_8 ? t_799 : 0L) - first_8;
            index_t t_807 = first_8 + k_thread_6;
            index_t t_809 = (0 > t_805 ? 0 : t_805) + 7 - k_thread_6;
            index_t count_1 = (0 > t_809 ? 0 : t_809) / 8;
            index_t rounds_3 = count_1 / 4;
            if (x_3_n0 > 0) {
#pragma unroll 1
                for (index_t round_5 = 0; round_5 < rounds_3; round_5++) {
                    index_t t_812 = t_807 + round_5 * 32;
                    index_t t_813 = t_812 + 8;
                    index_t t_814 = t_812 + 16;
                    index_t t_815 = t_812 + 24;
                    /* line 105 */
                    int64_t t_828 = column_3[t_812];
                    int64_t t_829 = column_3[t_813];
                    int64_t t_830 = column_3[t_814];
                    int64_t t_831 = column_3[t_815];
                    int64_t t_832 = t_828 + (int64_t)(t_828 < 0 ? x_3_n0 : 0L);
                    bool outside = (uint64_t)t_832 >= (uint64_t)x_3_n0;
                    if (outside) *weft_flag = 1;
                    index_t inside = outside ? 0 : t_832;
                    int64_t t_833 = t_829 + (int64_t)(t_829 < 0 ? x_3_n0 : 0L);
                    bool outside_2 = (uint64_t)t_833 >= (uint64_t)x_3_n0;
                    if (outside_2) *weft_flag = 1;
                    index_t inside_2 = outside_2 ? 0 : t_833;
                    int64_t t_834 = t_830 + (int64_t)(t_830 < 0 ? x_3_n0 : 0L);
                    bool outside_3 = (uint64_t)t_834 >= (uint64_t)x_3_n0;
                    if (outside_3) *weft_flag = 1;
                    index_t inside_3 = outside_3 ? 0 : t_834;
                    int64_t t_835 = t_831 + (int64_t)(t_831 < 0 ? x_3_n0 : 0L);
                    bool outside_4 = (uint64_t)t_835 >= (uint64_t)x_3_n0;
                    if (outside_4) *weft_flag = 1;
                    index_t inside_4 = outside_4 ? 0 : t_835;
                    /* line 102 */
                    double s_126 = fma_float64(value_3[t_813], x_3[inside_2], own_2[1]);
                    double s_127 = fma_float64(value_3[t_814], x_3[inside_3], own_2[2]);
                    double s_128 = fma_float64(value_3[t_815], x_3[inside_4], own_2[3]);
                    own_2[0] = fma_float64(value_3[t_812], x_3[inside], own_2[0]);
                    own_2[1] = s_126;
                    own_2[2] = s_127;
                    own_2[3] = s_128;
                }
#pragma unroll 1
                for (index_t rest_1 = rounds_3 * 4; rest_1 < count_1; rest_1++) {
                    index_t t_846 = t_807 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_850 = column_3[t_846];
                    int64_t t_851 = t_850 + (int64_t)(t_850 < 0 ? x_3_n0 : 0L);
                    bool outside_5 = (uint64_t)t_851 >= (uint64_t)x_3_n0;
                    if (outside_5) *weft_flag = 1;
                    index_t inside_5 = outside_5 ? 0 : t_851;
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_846], x_3[inside_5], own_2[0]);
                }
            } else {
#pragma unroll 1
                for (index_t rest_2 = 0; rest_2 < count_1; rest_2++) {
                    index_t t_855 = t_807 + rest_2 * 8;
                    /* line 105 */
                    int64_t t_859 = column_3[t_855];
                    int64_t place_5 = from_end(t_859, x_3_n0);
                    if (UNLIKELY((uint64_t)place_5 >= (uint64_t)x_3_n0)) {
                        *weft_flag = 1;
                        goto phase_7;
                    }
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_855], x_3[(index_t)place_5], own_2[0]);
                }
            }
            partial_2[i_thread_8 * 9 + k_thread_6] = own_2[0] + own_2[1] + (own_2[2] + own_2[3]);
        }
    }
    phase_7:;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_9 = (index_t)get_local_id(1);
        index_t k_thread_7 = (index_t)get_local_id(0);
        index_t thread_1 = i_thread_9 * 8 + k_thread_7;
        if (thread_1 < 16) {
            index_t i_8 = i_origin_1 + thread_1;
            if (i_8 < i_extent_1) {
                /* line 104 */
                int64_t t_870 = start_4[i_8];
                int64_t t_871 = start_4[i_8 + 1];
                /* line 102 */
                double carried_26 = 0.0;
#pragma unroll
                for (index_t part_45 = 0; part_45 < 8; part_45++) {
                    carried_26 = carried_26 + partial_2[thread_1 * 9 + part_45];
                }
                /* line 104 */
                double s_131;
                if ((t_870 >= 0) & (t_789 >= t_871) & (t_790 >= t_871)) {
                    s_131 = carried_26;
                } else {
                    double s_133 = 0.0;
                    for (int64_t k_18 = t_870; k_18 < t_871; k_18++) {
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
                        int64_t t_880 = column_3[(index_t)place_7];
                        int64_t place_8 = from_end(t_880, x_3_n0);
                        if (UNLIKELY((uint64_t)place_8 >= (uint64_t)x_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        s_133 = fma_float64(value_3[(index_t)place_6], x_3[(index_t)place_8], s_133);
                    }
                    s_131 = s_133;
                }
                /* line 106 */
                out_2[i_8] = s_131;
            }
        }
    }
    phase_8:;
}
