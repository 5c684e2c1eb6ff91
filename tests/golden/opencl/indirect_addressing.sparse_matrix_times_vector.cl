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

typedef long int64_t;

/* By a constant; of a power of two it is a shift: compilers know that the lowest bits are 0. */
HELPER int64_t floordiv_by_positive_int64(int64_t a, int64_t b) {
    return b & (b - 1) ? (int64_t)(a / b - (a % b < 0)) : (int64_t)((a & -b) / b);
}

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

HELPER int64_t from_end(int64_t index, int64_t extent) { return index < 0 ? index + extent : index; }

typedef int int32_t;

typedef int32_t index_t;

typedef ulong uint64_t;

HELPER int64_t shr_int64(int64_t a, int64_t b) {
    return (uint64_t)b < 64 ? (int64_t)(a >> b) : a < 0 ? (int64_t)-1 : 0;
}

#define update_max_int64(place, value) atom_max((volatile __global long *)&(place), (long)(value))

#define update_shared_max_int32(place, value) atomic_max((volatile __local int *)&(place), (int)(value))

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_0_clears(__global char *restrict disorder_1_memory,
        int64_t disorder_1_offset,
        int64_t disorder_1_n0_given,
        int64_t cleared_1,
        int64_t note_offset_given,
        int64_t note_extent_given) {
    __global int64_t *disorder_1 = AT(int64_t, disorder_1_memory, disorder_1_offset);
    index_t disorder_1_n0 = (index_t)disorder_1_n0_given;
    index_t note_offset = (index_t)note_offset_given;
    index_t note_extent = (index_t)note_extent_given;
    /* line 102 */
    index_t note_first = note_offset - note_offset % 2;
    index_t note_block = (index_t)get_group_id(0);
    index_t note_origin = note_block * 512 + note_first;
    if ((((int64_t)(size_t)disorder_1) & 15) == 0) {
        index_t i_thread = (index_t)get_local_id(0);
        index_t note_2 = note_origin + i_thread * 2;
        if ((note_2 >= note_offset) & (note_2 + 1 < note_extent)) {
            index_t note_4 = note_origin + i_thread * 2;
#pragma unroll
            for (index_t run_14 = 0; run_14 < 1; run_14++) {
                index_t t_457 = note_4 + run_14 * 512;
                vstore2((long2)(0, 0), 0, AT(int64_t, disorder_1, (int64_t)(t_457) * 8));
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t note_7 = note_origin + i_thread * 2 + point;
                if ((note_7 >= note_offset) & (note_7 < note_extent)) {
                    disorder_1[note_7] = 0;
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)get_local_id(0);
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t note_9 = note_origin + point_1 * 256 + i_thread_1;
            if ((note_9 >= note_offset) & (note_9 < note_extent)) {
                disorder_1[note_9] = 0;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_1_notes(const __global char *restrict start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0_given,
        __global char *restrict disorder_2_memory,
        int64_t disorder_2_offset,
        int64_t disorder_2_n0_given,
        __global char *restrict noted_9_memory,
        int64_t noted_9_offset,
        int64_t noted_9_n0_given,
        __global char *restrict begins_1_memory,
        int64_t begins_1_offset,
        int64_t begins_1_n0_given,
        int64_t rows_1,
        int64_t t_484,
        int64_t t_485,
        int64_t extent_given,
        int64_t out_dim0_1,
        int64_t room_given,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    index_t start_1_n0 = (index_t)start_1_n0_given;
    __global int64_t *disorder_2 = AT(int64_t, disorder_2_memory, disorder_2_offset);
    index_t disorder_2_n0 = (index_t)disorder_2_n0_given;
    __global int64_t *noted_9 = AT(int64_t, noted_9_memory, noted_9_offset);
    index_t noted_9_n0 = (index_t)noted_9_n0_given;
    __global int64_t *begins_1 = AT(int64_t, begins_1_memory, begins_1_offset);
    index_t begins_1_n0 = (index_t)begins_1_n0_given;
    index_t extent_11 = (index_t)extent_given;
    index_t room_1 = (index_t)room_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_first = i_offset - i_offset % 4;
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 1024 + i_first;
    index_t i_thread_2 = (index_t)get_local_id(0);
    for (index_t point_2 = 0; point_2 < 1; point_2++) {
        index_t t_490 = point_2 * 4;
        index_t i_4 = i_origin + t_490 * 256 + i_thread_2;
        index_t i_6 = i_origin + (t_490 + 1) * 256 + i_thread_2;
        index_t i_8 = i_origin + (t_490 + 2) * 256 + i_thread_2;
        index_t i_10 = i_origin + (t_490 + 3) * 256 + i_thread_2;
        if ((i_4 >= i_offset) & (i_10 < i_extent)) {
            /* line 104 */
            int64_t t_510 = start_1[i_4];
            int64_t t_511 = start_1[i_4 + 1];
            /* line 102 */
            int64_t t_517 = (int64_t)extent_11 < t_510 ? (int64_t)extent_11 : t_510;
            int64_t t_519 = (int64_t)extent_11 < t_511 ? (int64_t)extent_11 : t_511;
            index_t part_16 = shr_int64((0 > t_517 ? 0 : t_517) + i_4, 11);
            int64_t t_524 = (int64_t)i_4 + 1;
            index_t t_526 = t_524 == out_dim0_1 ? room_1 : shr_int64((0 > t_519 ? 0 : t_519) + (i_4 + 1), 11) + 1;
            index_t t_527 = part_16 + 1;
            /* line 104 */
            int64_t t_528 = start_1[i_6];
            int64_t t_529 = start_1[i_6 + 1];
            /* line 102 */
            int64_t t_535 = (int64_t)extent_11 < t_528 ? (int64_t)extent_11 : t_528;
            int64_t t_537 = (int64_t)extent_11 < t_529 ? (int64_t)extent_11 : t_529;
            index_t part_18 = shr_int64((0 > t_535 ? 0 : t_535) + i_6, 11);
            int64_t t_542 = (int64_t)i_6 + 1;
            index_t t_544 = t_542 == out_dim0_1 ? room_1 : shr_int64((0 > t_537 ? 0 : t_537) + (i_6 + 1), 11) + 1;
            index_t t_545 = part_18 + 1;
            /* line 104 */
            int64_t t_546 = start_1[i_8];
            int64_t t_547 = start_1[i_8 + 1];
            /* line 102 */
            int64_t t_553 = (int64_t)extent_11 < t_546 ? (int64_t)extent_11 : t_546;
            int64_t t_555 = (int64_t)extent_11 < t_547 ? (int64_t)extent_11 : t_547;
            index_t part_20 = shr_int64((0 > t_553 ? 0 : t_553) + i_8, 11);
            int64_t t_560 = (int64_t)i_8 + 1;
            index_t t_562 = t_560 == out_dim0_1 ? room_1 : shr_int64((0 > t_555 ? 0 : t_555) + (i_8 + 1), 11) + 1;
            index_t t_563 = part_20 + 1;
            /* line 104 */
            int64_t t_564 = start_1[i_10];
            int64_t t_565 = start_1[i_10 + 1];
            /* line 102 */
            int64_t t_571 = (int64_t)extent_11 < t_564 ? (int64_t)extent_11 : t_564;
            int64_t t_573 = (int64_t)extent_11 < t_565 ? (int64_t)extent_11 : t_565;
            index_t part_22 = shr_int64((0 > t_571 ? 0 : t_571) + i_10, 11);
            int64_t t_578 = (int64_t)i_10 + 1;
            index_t t_580 = t_578 == out_dim0_1 ? room_1 : shr_int64((0 > t_573 ? 0 : t_573) + (i_10 + 1), 11) + 1;
            index_t t_581 = part_22 + 1;
            if (!((t_510 >= 0) & (t_511 <= extent_11) & (t_510 <= t_511))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_4 == 0) {
                index_t t_582 = part_16 + 1;
                if (0 < t_582) {
                    int64_t number_8 = (int64_t)i_4;
                    index_t tile_stop = room_1 < t_582 ? room_1 : t_582;
#pragma unroll 1
                    for (index_t tile_6 = 0; tile_6 < tile_stop; tile_6++) {
                        noted_9[tile_6] = number_8;
                        begins_1[tile_6] = t_510;
                    }
                }
            }
            if (t_527 < t_526) {
                index_t tile_stop_2 = room_1 < t_526 ? room_1 : t_526;
#pragma unroll 1
                for (index_t tile_7 = t_527; tile_7 < tile_stop_2; tile_7++) {
                    noted_9[tile_7] = t_524;
                    begins_1[tile_7] = t_511;
                }
            }
            if (!((t_528 >= 0) & (t_529 <= extent_11) & (t_528 <= t_529))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_6 == 0) {
                index_t t_585 = part_18 + 1;
                if (0 < t_585) {
                    int64_t number_12 = (int64_t)i_6;
                    index_t tile_stop_3 = room_1 < t_585 ? room_1 : t_585;
#pragma unroll 1
                    for (index_t tile_8 = 0; tile_8 < tile_stop_3; tile_8++) {
                        noted_9[tile_8] = number_12;
                        begins_1[tile_8] = t_528;
                    }
                }
            }
            if (t_545 < t_544) {
                index_t tile_stop_4 = room_1 < t_544 ? room_1 : t_544;
#pragma unroll 1
                for (index_t tile_9 = t_545; tile_9 < tile_stop_4; tile_9++) {
                    noted_9[tile_9] = t_542;
                    begins_1[tile_9] = t_529;
                }
            }
            if (!((t_546 >= 0) & (t_547 <= extent_11) & (t_546 <= t_547))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_8 == 0) {
                index_t t_588 = part_20 + 1;
                if (0 < t_588) {
                    int64_t number_16 = (int64_t)i_8;
                    index_t tile_stop_5 = room_1 < t_588 ? room_1 : t_588;
#pragma unroll 1
                    for (index_t tile_10 = 0; tile_10 < tile_stop_5; tile_10++) {
                        noted_9[tile_10] = number_16;
                        begins_1[tile_10] = t_546;
                    }
                }
            }
            if (t_563 < t_562) {
                index_t tile_stop_6 = room_1 < t_562 ? room_1 : t_562;
#pragma unroll 1
                for (index_t tile_11 = t_563; tile_11 < tile_stop_6; tile_11++) {
                    noted_9[tile_11] = t_560;
                    begins_1[tile_11] = t_547;
                }
            }
            if (!((t_564 >= 0) & (t_565 <= extent_11) & (t_564 <= t_565))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_10 == 0) {
                index_t t_591 = part_22 + 1;
                if (0 < t_591) {
                    int64_t number_20 = (int64_t)i_10;
                    index_t tile_stop_7 = room_1 < t_591 ? room_1 : t_591;
#pragma unroll 1
                    for (index_t tile_12 = 0; tile_12 < tile_stop_7; tile_12++) {
                        noted_9[tile_12] = number_20;
                        begins_1[tile_12] = t_564;
                    }
                }
            }
            if (t_581 < t_580) {
                index_t tile_stop_8 = room_1 < t_580 ? room_1 : t_580;
#pragma unroll 1
                for (index_t tile_13 = t_581; tile_13 < tile_stop_8; tile_13++) {
                    noted_9[tile_13] = t_578;
                    begins_1[tile_13] = t_565;
                }
            }
        } else {
            if (i_4 < i_extent) {
#pragma unroll 1
                for (index_t point_3 = 0; point_3 < 4; point_3++) {
                    index_t t_595 = i_4 + point_3 * 256;
                    if ((t_595 >= i_offset) & (t_595 < i_extent)) {
                        /* line 104 */
                        int64_t t_599 = start_1[t_595];
                        int64_t t_600 = start_1[t_595 + 1];
                        /* line 102 */
                        if (!((t_599 >= 0) & (t_600 <= extent_11) & (t_599 <= t_600))) {
                            update_max_int64(disorder_2[0], 1);
                        }
                        int64_t t_606 = (int64_t)extent_11 < t_599 ? (int64_t)extent_11 : t_599;
                        int64_t t_608 = (int64_t)extent_11 < t_600 ? (int64_t)extent_11 : t_600;
                        index_t part_24 = shr_int64((0 > t_606 ? 0 : t_606) + t_595, 11);
                        int64_t t_613 = (int64_t)t_595 + 1;
                        index_t t_615 = t_613 == out_dim0_1 ? room_1 : shr_int64((0 > t_608 ? 0 : t_608) + (t_595 + 1), 11) + 1;
                        if (t_595 == 0) {
                            index_t t_616 = part_24 + 1;
                            if (0 < t_616) {
                                int64_t number_24 = (int64_t)t_595;
                                index_t tile_stop_9 = room_1 < t_616 ? room_1 : t_616;
#pragma unroll 1
                                for (index_t tile_14 = 0; tile_14 < tile_stop_9; tile_14++) {
                                    noted_9[tile_14] = number_24;
                                    begins_1[tile_14] = t_599;
                                }
                            }
                        }
                        index_t t_618 = part_24 + 1;
                        if (t_618 < t_615) {
                            index_t tile_stop_10 = room_1 < t_615 ? room_1 : t_615;
#pragma unroll 1
                            for (index_t tile_15 = t_618; tile_15 < tile_stop_10; tile_15++) {
                                noted_9[tile_15] = t_613;
                                begins_1[tile_15] = t_600;
                            }
                        }
                    }
                }
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_2(const __global char *restrict disorder_3_memory,
        int64_t disorder_3_offset,
        int64_t disorder_3_n0_given,
        const __global char *restrict noted_15_memory,
        int64_t noted_15_offset,
        int64_t noted_15_n0_given,
        const __global char *restrict begins_2_memory,
        int64_t begins_2_offset,
        int64_t begins_2_n0_given,
        const __global char *restrict value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0_given,
        const __global char *restrict column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0_given,
        const __global char *restrict x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const __global char *restrict start_2_memory,
        int64_t start_2_offset,
        int64_t start_2_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        __global char *restrict head_1_memory,
        int64_t head_1_offset,
        int64_t head_1_n0_given,
        __global char *restrict part_35_memory,
        int64_t part_35_offset,
        int64_t part_35_n0_given,
        int64_t tiles_1,
        int64_t share_given,
        int64_t out_dim0_given,
        int64_t extent_given_2,
        int64_t t_given,
        int64_t t_given_2,
        int64_t tile_offset_given,
        int64_t tile_extent_given,
        __global int32_t *weft_flag) {
    __global int64_t *disorder_3 = AT(int64_t, disorder_3_memory, disorder_3_offset);
    index_t disorder_3_n0 = (index_t)disorder_3_n0_given;
    __global int64_t *noted_15 = AT(int64_t, noted_15_memory, noted_15_offset);
    index_t noted_15_n0 = (index_t)noted_15_n0_given;
    __global int64_t *begins_2 = AT(int64_t, begins_2_memory, begins_2_offset);
    index_t begins_2_n0 = (index_t)begins_2_n0_given;
    __global double *value_1 = AT(double, value_1_memory, value_1_offset);
    index_t value_1_n0 = (index_t)value_1_n0_given;
    __global int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    index_t column_1_n0 = (index_t)column_1_n0_given;
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global int64_t *start_2 = AT(int64_t, start_2_memory, start_2_offset);
    index_t start_2_n0 = (index_t)start_2_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    __global double *head_1 = AT(double, head_1_memory, head_1_offset);
    index_t head_1_n0 = (index_t)head_1_n0_given;
    __global double *part_35 = AT(double, part_35_memory, part_35_offset);
    index_t part_35_n0 = (index_t)part_35_n0_given;
    index_t share_1 = (index_t)share_given;
    index_t out_dim0_2 = (index_t)out_dim0_given;
    index_t extent_20 = (index_t)extent_given_2;
    index_t t_895 = (index_t)t_given;
    index_t t_896 = (index_t)t_given_2;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 102 */
    index_t tile_block = (index_t)get_group_id(0);
    index_t tile_origin = tile_block + tile_offset;
    __local double entry_2[2056];
    __local double run_30[514];
    __local double group_4[65];
    __local int32_t outside_11[1];
    bool inside_201 = disorder_3[0] == 0;
    index_t t_899 = tile_origin + 1;
    index_t t_900 = tile_origin * share_1;
    int64_t noted_17 = noted_15[tile_origin];
    int64_t t_903 = (int64_t)out_dim0_2 < noted_17 ? (int64_t)out_dim0_2 : noted_17;
    index_t row_6 = inside_201 ? (0 > t_903 ? 0 : t_903) : (out_dim0_2 < t_900 ? out_dim0_2 : t_900);
    index_t t_905 = t_899 * share_1;
    int64_t noted_18 = noted_15[t_899];
    int64_t t_908 = (int64_t)out_dim0_2 < noted_18 ? (int64_t)out_dim0_2 : noted_18;
    index_t row_7 = inside_201 ? (0 > t_908 ? 0 : t_908) : (out_dim0_2 < t_905 ? out_dim0_2 : t_905);
    index_t t_910 = tile_origin + 1;
    int64_t noted_19 = begins_2[tile_origin];
    int64_t t_912 = (int64_t)extent_20 < noted_19 ? (int64_t)extent_20 : noted_19;
    index_t t_913 = 0 > t_912 ? 0 : t_912;
    int64_t noted_20 = begins_2[t_910];
    int64_t t_915 = (int64_t)extent_20 < noted_20 ? (int64_t)extent_20 : noted_20;
    index_t t_918 = tile_origin * 2048 - row_6;
    index_t t_919 = t_913 < t_918 ? t_913 : t_918;
    index_t t_916 = 0 > t_915 ? 0 : t_915;
    index_t t_923 = t_910 * 2048 - row_7;
    index_t low_4 = inside_201 ? (row_6 > 0 ? (0 > t_919 ? 0 : t_919) : t_913) : 0L;
    index_t base_2 = shr_int64(low_4, 2) * 4;
    index_t hull_4 = value_1_n0 < extent_20 ? value_1_n0 : extent_20;
    index_t hull_5 = column_1_n0 < hull_4 ? column_1_n0 : hull_4;
    index_t low_5 = inside_201 ? (t_923 < t_916 ? t_923 : t_916) : 0L;
    index_t t_925 = hull_5 < low_5 ? hull_5 : low_5;
    index_t t_926 = base_2 + 2052;
    index_t high_4 = t_926 < t_925 ? t_926 : t_925;
    index_t high_5 = high_4 > base_2 ? high_4 : base_2;
    {
        index_t i_thread_3 = (index_t)get_local_id(1);
        index_t k_thread = (index_t)get_local_id(0);
        for (index_t round_3 = 0; round_3 < 1; round_3++) {
            index_t t_928 = k_thread + round_3 * 256;
            if (t_928 < 1) {
                outside_11[t_928] = 0;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    index_t part_37 = shr_int64(high_5 - base_2 + 3, 2);
    index_t part_38 = shr_int64(part_37 + 1, 1);
    {
        index_t i_thread_4 = (index_t)get_local_id(1);
        index_t k_thread_1 = (index_t)get_local_id(0);
        index_t t_932 = 0 > part_38 ? 0 : part_38;
        index_t round_stop = (t_932 + 255) / 256;
        for (index_t round_4 = 0; round_4 < round_stop; round_4++) {
            index_t t_936 = k_thread_1 + round_4 * 256;
            if (t_936 < t_932) {
                index_t t_937 = t_936 + part_38;
                bool inside_206 = ((((int64_t)(size_t)value_1) & 15) == 0) & (((int64_t)(size_t)column_1) & 15) == 0;
                if (inside_206 & (base_2 + (t_937 + 1) * 4 <= hull_5)) {
                    index_t t_942 = base_2 + t_936 * 4;
                    /* line 105 */
                    double2 run_31 = vload2(0, AT(double, value_1, (int64_t)(t_942) * 8));
                    long2 run_32 = vload2(0, AT(int64_t, column_1, (int64_t)(t_942) * 8));
                    index_t t_949 = x_1_n0 - 1;
                    int64_t t_950 = (int64_t)t_949 < run_32.x ? (int64_t)t_949 : run_32.x;
                    index_t t_952 = 0 > t_950 ? 0 : t_950;
                    int64_t t_951 = (int64_t)t_949 < run_32.y ? (int64_t)t_949 : run_32.y;
                    index_t t_953 = 0 > t_951 ? 0 : t_951;
                    double s_170 = -0.0 + run_31.x * x_1[t_952];
                    double s_171 = -0.0 + run_31.y * x_1[t_953];
                    /* line 102 */
                    index_t t_962 = base_2 + t_936 * 4 + 2;
                    /* line 105 */
                    double2 run_33 = vload2(0, AT(double, value_1, (int64_t)(t_962) * 8));
                    long2 run_34 = vload2(0, AT(int64_t, column_1, (int64_t)(t_962) * 8));
                    index_t t_969 = x_1_n0 - 1;
                    int64_t t_970 = (int64_t)t_969 < run_34.x ? (int64_t)t_969 : run_34.x;
                    index_t t_972 = 0 > t_970 ? 0 : t_970;
                    int64_t t_971 = (int64_t)t_969 < run_34.y ? (int64_t)t_969 : run_34.y;
                    index_t t_973 = 0 > t_971 ? 0 : t_971;
                    double s_172 = -0.0 + run_33.x * x_1[t_972];
                    double s_173 = -0.0 + run_33.y * x_1[t_973];
                    /* line 102 */
                    index_t t_981 = base_2 + t_937 * 4;
                    /* line 105 */
                    double2 run_35 = vload2(0, AT(double, value_1, (int64_t)(t_981) * 8));
                    long2 run_36 = vload2(0, AT(int64_t, column_1, (int64_t)(t_981) * 8));
                    index_t t_988 = x_1_n0 - 1;
                    int64_t t_989 = (int64_t)t_988 < run_36.x ? (int64_t)t_988 : run_36.x;
                    index_t t_991 = 0 > t_989 ? 0 : t_989;
                    int64_t t_990 = (int64_t)t_988 < run_36.y ? (int64_t)t_988 : run_36.y;
                    index_t t_992 = 0 > t_990 ? 0 : t_990;
                    double s_174 = -0.0 + run_35.x * x_1[t_991];
                    double s_175 = -0.0 + run_35.y * x_1[t_992];
                    /* line 102 */
                    index_t t_1001 = base_2 + t_937 * 4 + 2;
                    /* line 105 */
                    double2 run_37 = vload2(0, AT(double, value_1, (int64_t)(t_1001) * 8));
                    long2 run_38 = vload2(0, AT(int64_t, column_1, (int64_t)(t_1001) * 8));
                    index_t t_1008 = x_1_n0 - 1;
                    int64_t t_1009 = (int64_t)t_1008 < run_38.x ? (int64_t)t_1008 : run_38.x;
                    index_t t_1011 = 0 > t_1009 ? 0 : t_1009;
                    int64_t t_1010 = (int64_t)t_1008 < run_38.y ? (int64_t)t_1008 : run_38.y;
                    index_t t_1012 = 0 > t_1010 ? 0 : t_1010;
                    double s_176 = -0.0 + run_37.x * x_1[t_1011];
                    double s_177 = -0.0 + run_37.y * x_1[t_1012];
                    /* line 102 */
                    index_t t_1019 = t_936 * 4;
                    vstore2((double2)(s_170, s_171), 0, &entry_2[t_1019]);
                    index_t t_1020 = t_1019 + 2;
                    vstore2((double2)(s_172, s_173), 0, &entry_2[t_1020]);
                    int32_t wrong_46 = 0 | (run_32.x != t_952 ? 1 : 0) | (0 | (run_32.y != t_953 ? 1 : 0)) | (0 | (run_34.x != t_972 ? 1 : 0) | (0 | (run_34.y != t_973 ? 1 : 0)));
                    run_30[t_936] = s_170 + s_171 + (s_172 + s_173);
                    index_t t_1021 = t_937 * 4;
                    vstore2((double2)(s_174, s_175), 0, &entry_2[t_1021]);
                    index_t t_1022 = t_1021 + 2;
                    vstore2((double2)(s_176, s_177), 0, &entry_2[t_1022]);
                    int32_t wrong_49 = 0 | (run_36.x != t_991 ? 1 : 0) | (0 | (run_36.y != t_992 ? 1 : 0)) | (0 | (run_38.x != t_1011 ? 1 : 0) | (0 | (run_38.y != t_1012 ? 1 : 0)));
                    run_30[t_937] = s_174 + s_175 + (s_176 + s_177);
                    if ((wrong_46 | wrong_49) != 0) {
                        update_shared_max_int32(outside_11[0], 1);
                    }
                } else {
#pragma unroll 1
                    for (index_t turn_2 = 0; turn_2 < 2; turn_2++) {
                        index_t t_1024 = t_936 + turn_2 * part_38;
                        index_t t_1025 = t_1024 * 4;
                        index_t t_1026 = base_2 + t_1025;
                        int32_t v_carried_8 = 0;
#pragma unroll 1
                        for (index_t lane_2 = 0; lane_2 < 4; lane_2++) {
                            index_t t_1027 = t_1026 + lane_2;
                            double given_4;
                            int32_t given_5;
                            if ((t_1027 >= low_4) & (t_1027 < high_5)) {
                                /* line 105 */
                                int64_t t_1030 = column_1[t_1027];
                                index_t t_1031 = x_1_n0 - 1;
                                int64_t t_1032 = (int64_t)t_1031 < t_1030 ? (int64_t)t_1031 : t_1030;
                                index_t t_1033 = 0 > t_1032 ? 0 : t_1032;
                                given_4 = -0.0 + value_1[t_1027] * x_1[t_1033];
                                given_5 = 0 | (t_1030 != t_1033 ? 1 : 0);
                            } else {
                                given_4 = -0.0;
                                given_5 = 0;
                            }
                            entry_2[t_1025 + lane_2] = given_4;
                            v_carried_8 = v_carried_8 | given_5;
                        }
                        double s_187 = entry_2[t_1025] + entry_2[t_1025 + 1] + (entry_2[t_1025 + 2] + entry_2[t_1025 + 3]);
                        run_30[t_1024] = s_187;
                        if (v_carried_8 != 0) {
                            update_shared_max_int32(outside_11[0], 1);
                        }
                    }
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    index_t part_39 = shr_int64(part_37, 3);
    {
        index_t i_thread_5 = (index_t)get_local_id(1);
        index_t k_thread_2 = (index_t)get_local_id(0);
        index_t t_1045 = 0 > part_39 ? 0 : part_39;
        index_t round_stop_2 = (t_1045 + 255) / 256;
        for (index_t round_5 = 0; round_5 < round_stop_2; round_5++) {
            index_t t_1049 = k_thread_2 + round_5 * 256;
            if (t_1049 < t_1045) {
                index_t t_1050 = t_1049 * 8;
                double s_193 = run_30[t_1050 + 4] + run_30[t_1050 + 5] + (run_30[t_1050 + 6] + run_30[t_1050 + 7]);
                double s_194 = run_30[t_1050] + run_30[t_1050 + 1] + (run_30[t_1050 + 2] + run_30[t_1050 + 3]) + s_193;
                group_4[t_1049] = s_194;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    index_t row_8 = inside_201 & (row_6 > 0) ? row_6 - 1 : row_6;
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t k_thread_3 = (index_t)get_local_id(0);
        index_t t_1068 = (row_8 > row_7 ? row_8 : row_7) - row_8;
        index_t round_stop_3 = floordiv_by_positive_int64(t_1068 + 255, 256);
        for (index_t round_6 = 0; round_6 < round_stop_3; round_6++) {
            index_t t_1072 = k_thread_3 + round_6 * 256;
            if (t_1072 < t_1068) {
                index_t t_1073 = row_8 + t_1072;
                /* line 104 */
                int64_t t_1077 = start_2[t_1073];
                int64_t t_1078 = start_2[t_1073 + 1];
                bool t_1083 = (t_1077 >= 0) & (t_895 >= t_1078) & (t_896 >= t_1078);
                bool runs_13 = t_1083 & (t_1077 <= t_1078);
                /* line 102 */
                bool inside_224 = t_1073 >= row_6;
                bool inside_229 = inside_201 & (t_1083 & (t_1077 >= 0) & (t_1078 <= extent_20));
                index_t t_1087 = (tile_origin + 1) * 2048 - (t_1073 + 1);
                bool inside_231 = inside_229 & (t_1078 > t_1087);
                int64_t t_1088 = (int64_t)low_4 > t_1077 ? (int64_t)low_4 : t_1077;
                int64_t t_1089 = (int64_t)t_1087 < t_1078 ? (int64_t)t_1087 : t_1078;
                int64_t t_1092 = inside_231 ? (t_1089 > t_1077 ? t_1089 : t_1077) : (int64_t)(runs_13 ? t_1078 : 0L);
                int64_t end_4 = inside_224 ? (inside_231 ? t_1077 : (int64_t)(runs_13 ? t_1077 : 0L)) : (inside_229 ? t_1088 : (int64_t)low_4);
                int64_t end_5 = inside_224 ? t_1092 : (inside_229 ? (t_1089 > t_1088 ? t_1089 : t_1088) : (int64_t)low_4);
                double s_195;
                if ((end_4 >= low_4) & (end_5 <= high_5) & (int64_t)outside_11[0] == 0) {
                    index_t t_1097 = high_5 < end_4 ? high_5 : end_4;
                    index_t t_1099 = (t_1097 > low_4 ? t_1097 : low_4) - base_2;
                    int64_t t_1100 = (int64_t)high_5 < end_5 ? (int64_t)high_5 : end_5;
                    index_t t_1102 = (t_1100 > low_4 ? t_1100 : low_4) - base_2;
                    index_t part_40 = shr_int64(t_1099 + 3, 2);
                    index_t part_41 = shr_int64(t_1102, 2);
                    index_t part_42 = shr_int64(part_40 + 7, 3);
                    index_t part_43 = shr_int64(part_41, 3);
                    index_t t_1105 = part_40 * 4;
                    index_t t_1106 = t_1102 < t_1105 ? t_1102 : t_1105;
                    index_t t_1107 = part_42 * 8;
                    index_t t_1108 = part_41 < t_1107 ? part_41 : t_1107;
                    index_t t_1110 = t_1099 + 1;
                    double s_196 = -0.0 + (t_1099 < t_1106 ? entry_2[t_1099] : -0.0);
                    index_t t_1112 = t_1099 + 2;
                    double s_197 = s_196 + (t_1110 < t_1106 ? entry_2[t_1110] : -0.0);
                    double s_198 = s_197 + (t_1112 < t_1106 ? entry_2[t_1112] : -0.0);
                    index_t t_1115 = part_40 + 1;
                    double s_199 = s_198 + (part_40 < t_1108 ? run_30[part_40] : -0.0);
                    index_t t_1117 = part_40 + 2;
                    double s_200 = s_199 + (t_1115 < t_1108 ? run_30[t_1115] : -0.0);
                    index_t t_1119 = part_40 + 3;
                    double s_201 = s_200 + (t_1117 < t_1108 ? run_30[t_1117] : -0.0);
                    index_t t_1121 = part_40 + 4;
                    double s_202 = s_201 + (t_1119 < t_1108 ? run_30[t_1119] : -0.0);
                    index_t t_1123 = part_40 + 5;
                    double s_203 = s_202 + (t_1121 < t_1108 ? run_30[t_1121] : -0.0);
                    index_t t_1125 = part_40 + 6;
                    double s_204 = s_203 + (t_1123 < t_1108 ? run_30[t_1123] : -0.0);
                    index_t part_44 = shr_int64((part_42 > part_43 ? part_42 : part_43) - part_42, 3);
                    double v_carried_9 = s_204 + (t_1125 < t_1108 ? run_30[t_1125] : -0.0);
#pragma unroll 1
                    for (index_t round_7 = 0; round_7 < part_44; round_7++) {
                        index_t t_1130 = part_42 + round_7 * 8;
                        double s_209 = v_carried_9 + group_4[t_1130] + group_4[t_1130 + 1] + group_4[t_1130 + 2] + group_4[t_1130 + 3];
                        double s_213 = s_209 + group_4[t_1130 + 4] + group_4[t_1130 + 5] + group_4[t_1130 + 6] + group_4[t_1130 + 7];
                        v_carried_9 = s_213;
                    }
                    double v_carried_10 = v_carried_9;
#pragma unroll 1
                    for (index_t place_2 = part_42 + part_44 * 8; place_2 < part_43; place_2++) {
                        v_carried_10 += group_4[place_2];
                    }
                    index_t t_1149 = part_43 * 8;
                    index_t t_1150 = t_1108 > t_1149 ? t_1108 : t_1149;
                    index_t t_1152 = t_1150 + 1;
                    double s_215 = v_carried_10 + (t_1150 < part_41 ? run_30[t_1150] : -0.0);
                    index_t t_1154 = t_1150 + 2;
                    double s_216 = s_215 + (t_1152 < part_41 ? run_30[t_1152] : -0.0);
                    index_t t_1156 = t_1150 + 3;
                    double s_217 = s_216 + (t_1154 < part_41 ? run_30[t_1154] : -0.0);
                    index_t t_1158 = t_1150 + 4;
                    double s_218 = s_217 + (t_1156 < part_41 ? run_30[t_1156] : -0.0);
                    index_t t_1160 = t_1150 + 5;
                    double s_219 = s_218 + (t_1158 < part_41 ? run_30[t_1158] : -0.0);
                    index_t t_1162 = t_1150 + 6;
                    double s_220 = s_219 + (t_1160 < part_41 ? run_30[t_1160] : -0.0);
                    index_t t_1164 = part_41 * 4;
                    index_t t_1165 = t_1106 > t_1164 ? t_1106 : t_1164;
                    double s_221 = s_220 + (t_1162 < part_41 ? run_30[t_1162] : -0.0);
                    index_t t_1167 = t_1165 + 1;
                    double s_222 = s_221 + (t_1165 < t_1102 ? entry_2[t_1165] : -0.0);
                    index_t t_1169 = t_1165 + 2;
                    double s_223 = s_222 + (t_1167 < t_1102 ? entry_2[t_1167] : -0.0);
                    s_195 = s_223 + (t_1169 < t_1102 ? entry_2[t_1169] : -0.0);
                } else {
                    /* line 104 */
                    double s_226 = -0.0;
                    for (int64_t k_18 = end_4; k_18 < end_5; k_18++) {
                        /* line 105 */
                        int64_t t_1173 = column_1[(index_t)k_18];
                        int64_t place = from_end(t_1173, x_1_n0);
                        if (UNLIKELY((uint64_t)place >= (uint64_t)x_1_n0)) {
                            *weft_flag = 1;
                            goto phase_4;
                        }
                        s_226 = fma_float64(value_1[(index_t)k_18], x_1[(index_t)place], s_226);
                    }
                    s_195 = s_226;
                }
                if (inside_224 & !inside_231) {
                    /* line 104 */
                    int64_t t_1180 = start_2[t_1073];
                    int64_t t_1181 = start_2[t_1073 + 1];
                    /* line 102 */
                    double s_228 = 0.0 + s_195;
                    /* line 104 */
                    double s_229;
                    if ((t_1180 >= 0) & (t_895 >= t_1181) & (t_896 >= t_1181)) {
                        s_229 = s_228;
                    } else {
                        double s_231 = 0.0;
                        for (int64_t k_19 = t_1180; k_19 < t_1181; k_19++) {
                            /* line 105 */
                            int64_t place_3 = from_end(k_19, value_1_n0);
                            if (UNLIKELY((uint64_t)place_3 >= (uint64_t)value_1_n0)) {
                                *weft_flag = 1;
                                goto phase_4;
                            }
                            int64_t place_4 = from_end(k_19, column_1_n0);
                            if (UNLIKELY((uint64_t)place_4 >= (uint64_t)column_1_n0)) {
                                *weft_flag = 1;
                                goto phase_4;
                            }
                            int64_t t_1189 = column_1[(index_t)place_4];
                            int64_t place_5 = from_end(t_1189, x_1_n0);
                            if (UNLIKELY((uint64_t)place_5 >= (uint64_t)x_1_n0)) {
                                *weft_flag = 1;
                                goto phase_4;
                            }
                            s_231 = fma_float64(value_1[(index_t)place_3], x_1[(index_t)place_5], s_231);
                        }
                        s_229 = s_231;
                    }
                    /* line 106 */
                    out_1[t_1073] = s_229;
                } else {
                    if (inside_224) {
                        head_1[tile_origin] = s_195;
                    } else {
                        part_35[tile_origin] = s_195;
                    }
                }
            }
        }
    }
    phase_4:;
}

__kernel __attribute__((reqd_work_group_size(128, 1, 1))) void sparse_matrix_times_vector_3_ends(const __global char *restrict noted_28_memory,
        int64_t noted_28_offset,
        int64_t noted_28_n0_given,
        const __global char *restrict disorder_5_memory,
        int64_t disorder_5_offset,
        int64_t disorder_5_n0_given,
        const __global char *restrict start_4_memory,
        int64_t start_4_offset,
        int64_t start_4_n0_given,
        const __global char *restrict head_3_memory,
        int64_t head_3_offset,
        int64_t head_3_n0_given,
        const __global char *restrict part_50_memory,
        int64_t part_50_offset,
        int64_t part_50_n0_given,
        __global char *restrict out_3_memory,
        int64_t out_3_offset,
        int64_t out_3_n0_given,
        int64_t tiles_3,
        int64_t out_dim0_given_2,
        int64_t t_given_3,
        int64_t t_given_4,
        int64_t extent_given_3,
        int64_t tile_offset_given_2,
        int64_t tile_extent_given_2) {
    __global int64_t *noted_28 = AT(int64_t, noted_28_memory, noted_28_offset);
    index_t noted_28_n0 = (index_t)noted_28_n0_given;
    __global int64_t *disorder_5 = AT(int64_t, disorder_5_memory, disorder_5_offset);
    index_t disorder_5_n0 = (index_t)disorder_5_n0_given;
    __global int64_t *start_4 = AT(int64_t, start_4_memory, start_4_offset);
    index_t start_4_n0 = (index_t)start_4_n0_given;
    __global double *head_3 = AT(double, head_3_memory, head_3_offset);
    index_t head_3_n0 = (index_t)head_3_n0_given;
    __global double *part_50 = AT(double, part_50_memory, part_50_offset);
    index_t part_50_n0 = (index_t)part_50_n0_given;
    __global double *out_3 = AT(double, out_3_memory, out_3_offset);
    index_t out_3_n0 = (index_t)out_3_n0_given;
    index_t out_dim0_4 = (index_t)out_dim0_given_2;
    index_t t_1445 = (index_t)t_given_3;
    index_t t_1446 = (index_t)t_given_4;
    index_t extent_32 = (index_t)extent_given_3;
    index_t tile_offset_2 = (index_t)tile_offset_given_2;
    index_t tile_extent_2 = (index_t)tile_extent_given_2;
    /* line 102 */
    index_t tile_block_2 = (index_t)get_group_id(0);
    index_t tile_origin_2 = tile_block_2 * 128 + tile_offset_2;
    index_t i_thread_8 = (index_t)get_local_id(0);
    index_t tile_19 = tile_origin_2 + i_thread_8;
    if (tile_19 < tile_extent_2) {
        int64_t noted_29 = noted_28[tile_19];
        int64_t t_1451 = (int64_t)out_dim0_4 < noted_29 ? (int64_t)out_dim0_4 : noted_29;
        int64_t noted_30 = noted_28[tile_19 + 1];
        int64_t t_1455 = (int64_t)out_dim0_4 < noted_30 ? (int64_t)out_dim0_4 : noted_30;
        index_t t_1456 = 0 > t_1455 ? 0 : t_1455;
        index_t t_1457 = t_1456 - 1;
        bool inside_282 = (disorder_5[0] == 0) & (t_1457 >= (0 > t_1451 ? 0 : t_1451));
        index_t t_1459 = inside_282 ? t_1457 : 0L;
        /* line 104 */
        int64_t t_1463 = start_4[t_1459];
        int64_t t_1464 = start_4[t_1459 + 1];
        /* line 102 */
        bool inside_286 = (t_1463 >= 0) & (t_1445 >= t_1464) & (t_1446 >= t_1464) & (t_1463 >= 0) & (t_1464 <= extent_32);
        if (inside_282 & inside_286 & (t_1464 > (tile_19 + 1) * 2048 - t_1456)) {
            int64_t t_1473 = (int64_t)extent_32 < t_1464 ? (int64_t)extent_32 : t_1464;
            index_t t_1479 = tile_19 + 1;
            index_t t_1480 = shr_int64((0 > t_1473 ? 0 : t_1473) + (t_1459 + 1) - 1, 11) + 1;
            index_t part_52 = shr_int64((t_1479 > t_1480 ? t_1479 : t_1480) - t_1479, 5);
            double v_carried_15 = head_3[tile_19];
#pragma unroll 1
            for (index_t round_10 = 0; round_10 < part_52; round_10++) {
                index_t t_1484 = t_1479 + round_10 * 32;
                double s_315 = v_carried_15 + part_50[t_1484] + part_50[t_1484 + 1] + part_50[t_1484 + 2] + part_50[t_1484 + 3];
                double s_319 = s_315 + part_50[t_1484 + 4] + part_50[t_1484 + 5] + part_50[t_1484 + 6] + part_50[t_1484 + 7];
                double s_323 = s_319 + part_50[t_1484 + 8] + part_50[t_1484 + 9] + part_50[t_1484 + 10] + part_50[t_1484 + 11];
                double s_327 = s_323 + part_50[t_1484 + 12] + part_50[t_1484 + 13] + part_50[t_1484 + 14] + part_50[t_1484 + 15];
                double s_331 = s_327 + part_50[t_1484 + 16] + part_50[t_1484 + 17] + part_50[t_1484 + 18] + part_50[t_1484 + 19];
                double s_335 = s_331 + part_50[t_1484 + 20] + part_50[t_1484 + 21] + part_50[t_1484 + 22] + part_50[t_1484 + 23];
                double s_339 = s_335 + part_50[t_1484 + 24] + part_50[t_1484 + 25] + part_50[t_1484 + 26] + part_50[t_1484 + 27];
                double s_343 = s_339 + part_50[t_1484 + 28] + part_50[t_1484 + 29] + part_50[t_1484 + 30] + part_50[t_1484 + 31];
                v_carried_15 = s_343;
            }
            double v_carried_16 = v_carried_15;
#pragma unroll 1
            for (index_t piece_3 = t_1479 + part_52 * 32; piece_3 < t_1480; piece_3++) {
                v_carried_16 += part_50[piece_3];
            }
            /* line 104 */
            int64_t t_1555 = start_4[t_1459 + 1];
            /* line 102 */
            double s_345 = 0.0 + v_carried_16;
            /* line 106 */
            out_3[t_1459] = (start_4[t_1459] >= 0) & (t_1445 >= t_1555) & (t_1446 >= t_1555) ? s_345 : 0;
        }
    }
}

__kernel __attribute__((reqd_work_group_size(8, 16, 1))) void sparse_matrix_times_vector_4(const __global char *restrict start_5_memory,
        int64_t start_5_offset,
        int64_t start_5_n0_given,
        const __global char *restrict value_2_memory,
        int64_t value_2_offset,
        int64_t value_2_n0_given,
        const __global char *restrict column_2_memory,
        int64_t column_2_offset,
        int64_t column_2_n0_given,
        const __global char *restrict x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        __global char *restrict out_4_memory,
        int64_t out_4_offset,
        int64_t out_4_n0_given,
        int64_t out_dim0_5,
        int64_t t_given_5,
        int64_t t_given_6,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2,
        __global int32_t *weft_flag) {
    int weft_failed = 0;
    __local int weft_failed_places[2];
    int weft_failed_turn = 0;
    weft_failed_places[0] = weft_failed_places[1] = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    __global int64_t *start_5 = AT(int64_t, start_5_memory, start_5_offset);
    index_t start_5_n0 = (index_t)start_5_n0_given;
    __global double *value_2 = AT(double, value_2_memory, value_2_offset);
    index_t value_2_n0 = (index_t)value_2_n0_given;
    __global int64_t *column_2 = AT(int64_t, column_2_memory, column_2_offset);
    index_t column_2_n0 = (index_t)column_2_n0_given;
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global double *out_4 = AT(double, out_4_memory, out_4_offset);
    index_t out_4_n0 = (index_t)out_4_n0_given;
    index_t t_1581 = (index_t)t_given_5;
    index_t t_1582 = (index_t)t_given_6;
    index_t i_offset_1 = (index_t)i_offset_given_2;
    index_t i_extent_1 = (index_t)i_extent_given_2;
    /* line 102 */
    index_t i_block_1 = (index_t)get_group_id(0);
    index_t i_origin_1 = i_block_1 * 16 + i_offset_1;
    __local double partial[144];
    double own[4];
    {
        index_t i_thread_9 = (index_t)get_local_id(1);
        index_t k_thread_4 = (index_t)get_local_id(0);
        index_t i_14 = i_origin_1 + i_thread_9;
        if (i_14 < i_extent_1) {
            /* line 104 */
            int64_t t_1590 = start_5[i_14];
            int64_t t_1591 = start_5[i_14 + 1];
            bool runs_19 = (t_1590 >= 0) & (t_1581 >= t_1591) & (t_1582 >= t_1591) & (t_1590 <= t_1591);
            index_t first_19 = runs_19 ? t_1590 : 0L;
            /* line 102 */
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            index_t last_19 = runs_19 ? t_1591 : 0L;
            index_t t_1599 = first_19 + k_thread_4;
            index_t t_1601 = (first_19 > last_19 ? first_19 : last_19) - first_19 + 7 - k_thread_4;
            index_t count = (0 > t_1601 ? 0 : t_1601) / 8;
            index_t rounds_1 = count / 4;
            if (x_2_n0 > 0) {
#pragma unroll 1
                for (index_t round_11 = 0; round_11 < rounds_1; round_11++) {
                    index_t t_1604 = t_1599 + round_11 * 32;
                    index_t t_1605 = t_1604 + 8;
                    index_t t_1606 = t_1604 + 16;
                    index_t t_1607 = t_1604 + 24;
                    /* line 105 */
                    int64_t t_1620 = column_2[t_1604];
                    int64_t t_1621 = column_2[t_1605];
                    int64_t t_1622 = column_2[t_1606];
                    int64_t t_1623 = column_2[t_1607];
                    int64_t t_1624 = t_1620 + (int64_t)(t_1620 < 0 ? x_2_n0 : 0L);
                    bool outside = (uint64_t)t_1624 >= (uint64_t)x_2_n0;
                    if (outside) *weft_flag = 1;
                    index_t inside = outside ? 0 : t_1624;
                    int64_t t_1625 = t_1621 + (int64_t)(t_1621 < 0 ? x_2_n0 : 0L);
                    bool outside_2 = (uint64_t)t_1625 >= (uint64_t)x_2_n0;
                    if (outside_2) *weft_flag = 1;
                    index_t inside_2 = outside_2 ? 0 : t_1625;
                    int64_t t_1626 = t_1622 + (int64_t)(t_1622 < 0 ? x_2_n0 : 0L);
                    bool outside_3 = (uint64_t)t_1626 >= (uint64_t)x_2_n0;
                    if (outside_3) *weft_flag = 1;
                    index_t inside_3 = outside_3 ? 0 : t_1626;
                    int64_t t_1627 = t_1623 + (int64_t)(t_1623 < 0 ? x_2_n0 : 0L);
                    bool outside_4 = (uint64_t)t_1627 >= (uint64_t)x_2_n0;
                    if (outside_4) *weft_flag = 1;
                    index_t inside_4 = outside_4 ? 0 : t_1627;
                    /* line 102 */
                    double s_356 = fma_float64(value_2[t_1605], x_2[inside_2], own[1]);
                    double s_357 = fma_float64(value_2[t_1606], x_2[inside_3], own[2]);
                    double s_358 = fma_float64(value_2[t_1607], x_2[inside_4], own[3]);
                    own[0] = fma_float64(value_2[t_1604], x_2[inside], own[0]);
                    own[1] = s_356;
                    own[2] = s_357;
                    own[3] = s_358;
                }
#pragma unroll 1
                for (index_t rest = rounds_1 * 4; rest < count; rest++) {
                    index_t t_1638 = t_1599 + rest * 8;
                    /* line 105 */
                    int64_t t_1642 = column_2[t_1638];
                    int64_t t_1643 = t_1642 + (int64_t)(t_1642 < 0 ? x_2_n0 : 0L);
                    bool outside_5 = (uint64_t)t_1643 >= (uint64_t)x_2_n0;
                    if (outside_5) *weft_flag = 1;
                    index_t inside_5 = outside_5 ? 0 : t_1643;
                    /* line 102 */
                    own[0] = fma_float64(value_2[t_1638], x_2[inside_5], own[0]);
                }
            } else {
#pragma unroll 1
                for (index_t rest_1 = 0; rest_1 < count; rest_1++) {
                    index_t t_1647 = t_1599 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_1651 = column_2[t_1647];
                    int64_t place_6 = from_end(t_1651, x_2_n0);
                    if (UNLIKELY((uint64_t)place_6 >= (uint64_t)x_2_n0)) {
                        *weft_flag = 1;
                        weft_failed = 1; goto phase_5;
                    }
                    /* line 102 */
                    own[0] = fma_float64(value_2[t_1647], x_2[(index_t)place_6], own[0]);
                }
            }
            partial[i_thread_9 * 9 + k_thread_4] = own[0] + own[1] + (own[2] + own[3]);
        }
    }
    phase_5:;
    weft_failed_turn = 1 - weft_failed_turn;
    if (weft_failed) weft_failed_places[weft_failed_turn] = 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (weft_failed_places[weft_failed_turn]) return;
    {
        index_t i_thread_10 = (index_t)get_local_id(1);
        index_t k_thread_5 = (index_t)get_local_id(0);
        index_t thread = i_thread_10 * 8 + k_thread_5;
        if (thread < 16) {
            index_t i_15 = i_origin_1 + thread;
            if (i_15 < i_extent_1) {
                /* line 104 */
                int64_t t_1662 = start_5[i_15];
                int64_t t_1663 = start_5[i_15 + 1];
                /* line 102 */
                double v_carried_17 = 0.0;
#pragma unroll
                for (index_t part_53 = 0; part_53 < 8; part_53++) {
                    v_carried_17 = v_carried_17 + partial[thread * 9 + part_53];
                }
                /* line 104 */
                double s_361;
                if ((t_1662 >= 0) & (t_1581 >= t_1663) & (t_1582 >= t_1663)) {
                    s_361 = v_carried_17;
                } else {
                    double s_363 = 0.0;
                    for (int64_t k_24 = t_1662; k_24 < t_1663; k_24++) {
                        /* line 105 */
                        int64_t place_7 = from_end(k_24, value_2_n0);
                        if (UNLIKELY((uint64_t)place_7 >= (uint64_t)value_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t place_8 = from_end(k_24, column_2_n0);
                        if (UNLIKELY((uint64_t)place_8 >= (uint64_t)column_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t t_1672 = column_2[(index_t)place_8];
                        int64_t place_9 = from_end(t_1672, x_2_n0);
                        if (UNLIKELY((uint64_t)place_9 >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_363 = fma_float64(value_2[(index_t)place_7], x_2[(index_t)place_9], s_363);
                    }
                    s_361 = s_363;
                }
                /* line 106 */
                out_4[i_15] = s_361;
            }
        }
    }
    phase_6:;
}
