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

HELPER int64_t floordiv_by_positive(int64_t a, int64_t b) { return a / b - (a % b < 0); }

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
                index_t t_410 = note_4 + run_14 * 512;
                vstore2((long2)(0, 0), 0, AT(int64_t, disorder_1, (int64_t)(t_410) * 8));
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
        __global char *restrict noted_8_memory,
        int64_t noted_8_offset,
        int64_t noted_8_n0_given,
        __global char *restrict begins_1_memory,
        int64_t begins_1_offset,
        int64_t begins_1_n0_given,
        int64_t rows_1,
        int64_t t_437,
        int64_t t_438,
        int64_t extent_given,
        int64_t out_dim0_1,
        int64_t room_given,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    index_t start_1_n0 = (index_t)start_1_n0_given;
    __global int64_t *disorder_2 = AT(int64_t, disorder_2_memory, disorder_2_offset);
    index_t disorder_2_n0 = (index_t)disorder_2_n0_given;
    __global int64_t *noted_8 = AT(int64_t, noted_8_memory, noted_8_offset);
    index_t noted_8_n0 = (index_t)noted_8_n0_given;
    __global int64_t *begins_1 = AT(int64_t, begins_1_memory, begins_1_offset);
    index_t begins_1_n0 = (index_t)begins_1_n0_given;
    index_t extent_13 = (index_t)extent_given;
    index_t room_1 = (index_t)room_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 1024 + i_offset;
    index_t i_thread_2 = (index_t)get_local_id(0);
    if (i_origin + i_thread_2 + 768 < i_extent) {
        index_t i_5 = i_origin + i_thread_2;
#pragma unroll
        for (index_t point_2 = 0; point_2 < 4; point_2++) {
            index_t i_6 = i_5 + point_2 * 256;
            /* line 104 */
            int64_t t_446 = start_1[i_6];
            int64_t t_447 = start_1[i_6 + 1];
            /* line 102 */
            if (!((t_446 >= 0) & (t_447 <= extent_13) & (t_446 <= t_447))) {
                update_max_int64(disorder_2[0], 1);
            }
            int64_t t_453 = (int64_t)extent_13 < t_446 ? (int64_t)extent_13 : t_446;
            int64_t t_455 = (int64_t)extent_13 < t_447 ? (int64_t)extent_13 : t_447;
            index_t part_19 = shr_int64((0 > t_453 ? 0 : t_453) + i_6, 11);
            int64_t t_460 = (int64_t)i_6 + 1;
            index_t t_462 = t_460 == out_dim0_1 ? room_1 : shr_int64((0 > t_455 ? 0 : t_455) + (i_6 + 1), 11) + 1;
            if (i_6 == 0) {
                index_t t_463 = part_19 + 1;
                if (0 < t_463) {
                    int64_t number_8 = (int64_t)i_6;
                    index_t tile_stop = room_1 < t_463 ? room_1 : t_463;
#pragma unroll 1
                    for (index_t tile_5 = 0; tile_5 < tile_stop; tile_5++) {
                        noted_8[tile_5] = number_8;
                        begins_1[tile_5] = t_446;
                    }
                }
            }
            index_t t_465 = part_19 + 1;
            if (t_465 < t_462) {
                index_t tile_stop_2 = room_1 < t_462 ? room_1 : t_462;
#pragma unroll 1
                for (index_t tile_6 = t_465; tile_6 < tile_stop_2; tile_6++) {
                    noted_8[tile_6] = t_460;
                    begins_1[tile_6] = t_447;
                }
            }
        }
    } else {
        for (index_t point_3 = 0; point_3 < 4; point_3++) {
            index_t i_8 = i_origin + i_thread_2 + point_3 * 256;
            if (i_8 < i_extent) {
                /* line 104 */
                int64_t t_471 = start_1[i_8];
                int64_t t_472 = start_1[i_8 + 1];
                /* line 102 */
                if (!((t_471 >= 0) & (t_472 <= extent_13) & (t_471 <= t_472))) {
                    update_max_int64(disorder_2[0], 1);
                }
                int64_t t_478 = (int64_t)extent_13 < t_471 ? (int64_t)extent_13 : t_471;
                int64_t t_480 = (int64_t)extent_13 < t_472 ? (int64_t)extent_13 : t_472;
                index_t part_21 = shr_int64((0 > t_478 ? 0 : t_478) + i_8, 11);
                int64_t t_485 = (int64_t)i_8 + 1;
                index_t t_487 = t_485 == out_dim0_1 ? room_1 : shr_int64((0 > t_480 ? 0 : t_480) + (i_8 + 1), 11) + 1;
                if (i_8 == 0) {
                    index_t t_488 = part_21 + 1;
                    if (0 < t_488) {
                        int64_t number_12 = (int64_t)i_8;
                        index_t tile_stop_3 = room_1 < t_488 ? room_1 : t_488;
#pragma unroll 1
                        for (index_t tile_7 = 0; tile_7 < tile_stop_3; tile_7++) {
                            noted_8[tile_7] = number_12;
                            begins_1[tile_7] = t_471;
                        }
                    }
                }
                index_t t_490 = part_21 + 1;
                if (t_490 < t_487) {
                    index_t tile_stop_4 = room_1 < t_487 ? room_1 : t_487;
#pragma unroll 1
                    for (index_t tile_8 = t_490; tile_8 < tile_stop_4; tile_8++) {
                        noted_8[tile_8] = t_485;
                        begins_1[tile_8] = t_472;
                    }
                }
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(32, 4, 1))) void sparse_matrix_times_vector_2_folds(const __global char *restrict noted_11_memory,
        int64_t noted_11_offset,
        int64_t noted_11_n0_given,
        const __global char *restrict disorder_3_memory,
        int64_t disorder_3_offset,
        int64_t disorder_3_n0_given,
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
        __global char *restrict part_23_memory,
        int64_t part_23_offset,
        int64_t part_23_n0_given,
        __global char *restrict wrong_39_memory,
        int64_t wrong_39_offset,
        int64_t wrong_39_n0_given,
        int64_t tiles_1,
        int64_t out_dim0_given,
        int64_t t_given,
        int64_t t_given_2,
        int64_t extent_given_2,
        int64_t piece_offset_given,
        int64_t piece_extent_given) {
    __global int64_t *noted_11 = AT(int64_t, noted_11_memory, noted_11_offset);
    index_t noted_11_n0 = (index_t)noted_11_n0_given;
    __global int64_t *disorder_3 = AT(int64_t, disorder_3_memory, disorder_3_offset);
    index_t disorder_3_n0 = (index_t)disorder_3_n0_given;
    __global int64_t *start_2 = AT(int64_t, start_2_memory, start_2_offset);
    index_t start_2_n0 = (index_t)start_2_n0_given;
    __global double *value_1 = AT(double, value_1_memory, value_1_offset);
    index_t value_1_n0 = (index_t)value_1_n0_given;
    __global int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    index_t column_1_n0 = (index_t)column_1_n0_given;
    __global double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    __global double *part_23 = AT(double, part_23_memory, part_23_offset);
    index_t part_23_n0 = (index_t)part_23_n0_given;
    __global int32_t *wrong_39 = AT(int32_t, wrong_39_memory, wrong_39_offset);
    index_t wrong_39_n0 = (index_t)wrong_39_n0_given;
    index_t out_dim0_2 = (index_t)out_dim0_given;
    index_t t_528 = (index_t)t_given;
    index_t t_529 = (index_t)t_given_2;
    index_t extent_16 = (index_t)extent_given_2;
    index_t piece_offset = (index_t)piece_offset_given;
    index_t piece_extent = (index_t)piece_extent_given;
    /* line 102 */
    index_t piece_block = (index_t)get_group_id(0);
    index_t piece_origin = piece_block * 4 + piece_offset;
    __local double partial[132];
    __local int32_t partial_1[132];
    double own[8];
    int32_t own_1[8];
    {
        index_t i_thread_3 = (index_t)get_local_id(1);
        index_t k_thread = (index_t)get_local_id(0);
        index_t piece_3 = piece_origin + i_thread_3;
        if (piece_3 < piece_extent) {
            int64_t noted_12 = noted_11[piece_3];
            int64_t t_534 = (int64_t)out_dim0_2 < noted_12 ? (int64_t)out_dim0_2 : noted_12;
            index_t t_536 = (0 > t_534 ? 0 : t_534) - 1;
            bool inside_131 = (disorder_3[0] == 0) & (t_536 >= 0);
            index_t t_538 = inside_131 ? t_536 : 0L;
            /* line 104 */
            int64_t t_542 = start_2[t_538];
            int64_t t_543 = start_2[t_538 + 1];
            /* line 102 */
            index_t t_551 = piece_3 * 2048 - (t_538 + 1);
            index_t t_552 = t_551 + 2048;
            int64_t t_553 = t_543 < (int64_t)t_552 ? t_543 : (int64_t)t_552;
            bool inside_135 = (t_542 >= 0) & (t_528 >= t_543) & (t_529 >= t_543) & (t_542 >= 0) & (t_543 <= extent_16);
            bool inside_138 = inside_131 & inside_135 & (t_551 < t_553);
            int64_t t_556 = inside_138 ? (t_542 > (int64_t)t_551 ? t_542 : (int64_t)t_551) : 0L;
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            own[4] = -0.0;
            own[5] = -0.0;
            own[6] = -0.0;
            own[7] = -0.0;
            own_1[0] = 0;
            own_1[1] = 0;
            own_1[2] = 0;
            own_1[3] = 0;
            own_1[4] = 0;
            own_1[5] = 0;
            own_1[6] = 0;
            own_1[7] = 0;
            int64_t t_557 = inside_138 ? (t_543 < t_553 ? t_543 : t_553) : 0L;
            int64_t t_560 = t_556 + (int64_t)k_thread;
            int64_t t_562 = (t_556 > t_557 ? t_556 : t_557) - t_556 + 31 - (int64_t)k_thread;
            int64_t count = (0 > t_562 ? 0 : t_562) / 32;
            int64_t rounds_1 = count / 8;
#pragma unroll 1
            for (int64_t round_2 = 0; round_2 < rounds_1; round_2++) {
                int64_t t_565 = t_560 + round_2 * 256;
                int64_t t_566 = t_565 + 32;
                int64_t t_567 = t_565 + 64;
                int64_t t_568 = t_565 + 96;
                int64_t t_569 = t_565 + 128;
                int64_t t_570 = t_565 + 160;
                int64_t t_571 = t_565 + 192;
                int64_t t_572 = t_565 + 224;
                /* line 105 */
                int64_t t_605 = column_1[(index_t)t_565];
                int64_t t_606 = column_1[(index_t)t_566];
                int64_t t_607 = column_1[(index_t)t_567];
                int64_t t_608 = column_1[(index_t)t_568];
                int64_t t_609 = column_1[(index_t)t_569];
                int64_t t_610 = column_1[(index_t)t_570];
                int64_t t_611 = column_1[(index_t)t_571];
                int64_t t_612 = column_1[(index_t)t_572];
                int64_t t_621 = t_605 + (int64_t)(t_605 < 0 ? x_1_n0 : 0L);
                int64_t t_622 = t_606 + (int64_t)(t_606 < 0 ? x_1_n0 : 0L);
                int64_t t_623 = t_607 + (int64_t)(t_607 < 0 ? x_1_n0 : 0L);
                int64_t t_624 = t_608 + (int64_t)(t_608 < 0 ? x_1_n0 : 0L);
                int64_t t_625 = t_609 + (int64_t)(t_609 < 0 ? x_1_n0 : 0L);
                int64_t t_626 = t_610 + (int64_t)(t_610 < 0 ? x_1_n0 : 0L);
                int64_t t_627 = t_611 + (int64_t)(t_611 < 0 ? x_1_n0 : 0L);
                int64_t t_628 = t_612 + (int64_t)(t_612 < 0 ? x_1_n0 : 0L);
                index_t t_629 = x_1_n0 - 1;
                int64_t t_630 = (int64_t)t_629 < t_621 ? (int64_t)t_629 : t_621;
                index_t t_638 = 0 > t_630 ? 0 : t_630;
                int64_t t_631 = (int64_t)t_629 < t_622 ? (int64_t)t_629 : t_622;
                index_t t_639 = 0 > t_631 ? 0 : t_631;
                int64_t t_632 = (int64_t)t_629 < t_623 ? (int64_t)t_629 : t_623;
                index_t t_640 = 0 > t_632 ? 0 : t_632;
                int64_t t_633 = (int64_t)t_629 < t_624 ? (int64_t)t_629 : t_624;
                index_t t_641 = 0 > t_633 ? 0 : t_633;
                int64_t t_634 = (int64_t)t_629 < t_625 ? (int64_t)t_629 : t_625;
                index_t t_642 = 0 > t_634 ? 0 : t_634;
                int64_t t_635 = (int64_t)t_629 < t_626 ? (int64_t)t_629 : t_626;
                index_t t_643 = 0 > t_635 ? 0 : t_635;
                int64_t t_636 = (int64_t)t_629 < t_627 ? (int64_t)t_629 : t_627;
                index_t t_644 = 0 > t_636 ? 0 : t_636;
                int64_t t_637 = (int64_t)t_629 < t_628 ? (int64_t)t_629 : t_628;
                index_t t_645 = 0 > t_637 ? 0 : t_637;
                /* line 102 */
                int32_t wrong_40 = own_1[0] | (t_621 != t_638 ? 1 : 0);
                int32_t wrong_41 = own_1[1] | (t_622 != t_639 ? 1 : 0);
                int32_t wrong_42 = own_1[2] | (t_623 != t_640 ? 1 : 0);
                int32_t wrong_43 = own_1[3] | (t_624 != t_641 ? 1 : 0);
                int32_t wrong_44 = own_1[4] | (t_625 != t_642 ? 1 : 0);
                int32_t wrong_45 = own_1[5] | (t_626 != t_643 ? 1 : 0);
                int32_t wrong_46 = own_1[6] | (t_627 != t_644 ? 1 : 0);
                int32_t wrong_47 = own_1[7] | (t_628 != t_645 ? 1 : 0);
                double s_84 = fma_float64(value_1[(index_t)t_566], x_1[t_639], own[1]);
                double s_85 = fma_float64(value_1[(index_t)t_567], x_1[t_640], own[2]);
                double s_86 = fma_float64(value_1[(index_t)t_568], x_1[t_641], own[3]);
                double s_87 = fma_float64(value_1[(index_t)t_569], x_1[t_642], own[4]);
                double s_88 = fma_float64(value_1[(index_t)t_570], x_1[t_643], own[5]);
                double s_89 = fma_float64(value_1[(index_t)t_571], x_1[t_644], own[6]);
                double s_90 = fma_float64(value_1[(index_t)t_572], x_1[t_645], own[7]);
                own[0] = fma_float64(value_1[(index_t)t_565], x_1[t_638], own[0]);
                own_1[0] = wrong_40;
                own[1] = s_84;
                own_1[1] = wrong_41;
                own[2] = s_85;
                own_1[2] = wrong_42;
                own[3] = s_86;
                own_1[3] = wrong_43;
                own[4] = s_87;
                own_1[4] = wrong_44;
                own[5] = s_88;
                own_1[5] = wrong_45;
                own[6] = s_89;
                own_1[6] = wrong_46;
                own[7] = s_90;
                own_1[7] = wrong_47;
            }
#pragma unroll 1
            for (int64_t rest = rounds_1 * 8; rest < count; rest++) {
                int64_t t_672 = t_560 + rest * 32;
                /* line 105 */
                int64_t t_677 = column_1[(index_t)t_672];
                int64_t t_679 = t_677 + (int64_t)(t_677 < 0 ? x_1_n0 : 0L);
                index_t t_680 = x_1_n0 - 1;
                int64_t t_681 = (int64_t)t_680 < t_679 ? (int64_t)t_680 : t_679;
                index_t t_682 = 0 > t_681 ? 0 : t_681;
                /* line 102 */
                int32_t wrong_48 = own_1[0] | (t_679 != t_682 ? 1 : 0);
                own[0] = fma_float64(value_1[(index_t)t_672], x_1[t_682], own[0]);
                own_1[0] = wrong_48;
            }
            partial[i_thread_3 * 33 + k_thread] = own[0] + own[1] + (own[2] + own[3]) + (own[4] + own[5] + (own[6] + own[7]));
            int32_t folded_13 = own_1[0] | own_1[1] | (own_1[2] | own_1[3]) | (own_1[4] | own_1[5] | (own_1[6] | own_1[7]));
            partial_1[i_thread_3 * 33 + k_thread] = folded_13;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_4 = (index_t)get_local_id(1);
        index_t k_thread_1 = (index_t)get_local_id(0);
        index_t thread = i_thread_4 * 32 + k_thread_1;
        if (thread < 4) {
            index_t piece_4 = piece_origin + thread;
            if (piece_4 < piece_extent) {
                double carried_7 = -0.0;
                int32_t carried_8 = 0;
#pragma unroll
                for (index_t part_24 = 0; part_24 < 32; part_24++) {
                    carried_7 = carried_7 + partial[thread * 33 + part_24];
                    carried_8 = carried_8 | partial_1[thread * 33 + part_24];
                }
                part_23[piece_4] = carried_7;
                wrong_39[piece_4] = carried_8;
            }
        }
    }
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sparse_matrix_times_vector_3(const __global char *restrict disorder_4_memory,
        int64_t disorder_4_offset,
        int64_t disorder_4_n0_given,
        const __global char *restrict noted_21_memory,
        int64_t noted_21_offset,
        int64_t noted_21_n0_given,
        const __global char *restrict begins_2_memory,
        int64_t begins_2_offset,
        int64_t begins_2_n0_given,
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
        const __global char *restrict part_39_memory,
        int64_t part_39_offset,
        int64_t part_39_n0_given,
        const __global char *restrict wrong_76_memory,
        int64_t wrong_76_offset,
        int64_t wrong_76_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t tiles_2,
        int64_t share_given,
        int64_t out_dim0_given_2,
        int64_t extent_given_3,
        int64_t t_given_3,
        int64_t t_given_4,
        int64_t tile_offset_given,
        int64_t tile_extent_given,
        __global int32_t *weft_flag) {
    __global int64_t *disorder_4 = AT(int64_t, disorder_4_memory, disorder_4_offset);
    index_t disorder_4_n0 = (index_t)disorder_4_n0_given;
    __global int64_t *noted_21 = AT(int64_t, noted_21_memory, noted_21_offset);
    index_t noted_21_n0 = (index_t)noted_21_n0_given;
    __global int64_t *begins_2 = AT(int64_t, begins_2_memory, begins_2_offset);
    index_t begins_2_n0 = (index_t)begins_2_n0_given;
    __global double *value_2 = AT(double, value_2_memory, value_2_offset);
    index_t value_2_n0 = (index_t)value_2_n0_given;
    __global int64_t *column_2 = AT(int64_t, column_2_memory, column_2_offset);
    index_t column_2_n0 = (index_t)column_2_n0_given;
    __global double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    __global int64_t *start_3 = AT(int64_t, start_3_memory, start_3_offset);
    index_t start_3_n0 = (index_t)start_3_n0_given;
    __global double *part_39 = AT(double, part_39_memory, part_39_offset);
    index_t part_39_n0 = (index_t)part_39_n0_given;
    __global int32_t *wrong_76 = AT(int32_t, wrong_76_memory, wrong_76_offset);
    index_t wrong_76_n0 = (index_t)wrong_76_n0_given;
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t share_1 = (index_t)share_given;
    index_t out_dim0_3 = (index_t)out_dim0_given_2;
    index_t extent_27 = (index_t)extent_given_3;
    index_t t_1050 = (index_t)t_given_3;
    index_t t_1051 = (index_t)t_given_4;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 102 */
    index_t tile_block = (index_t)get_group_id(0);
    index_t tile_origin = tile_block + tile_offset;
    __local double entry_2[2056];
    __local double run_30[514];
    __local double group_4[65];
    __local int32_t outside_8[1];
    bool inside_218 = disorder_4[0] == 0;
    index_t t_1054 = tile_origin + 1;
    index_t t_1055 = tile_origin * share_1;
    int64_t noted_23 = noted_21[tile_origin];
    int64_t t_1058 = (int64_t)out_dim0_3 < noted_23 ? (int64_t)out_dim0_3 : noted_23;
    index_t row_4 = inside_218 ? (0 > t_1058 ? 0 : t_1058) : (out_dim0_3 < t_1055 ? out_dim0_3 : t_1055);
    index_t t_1060 = t_1054 * share_1;
    int64_t noted_24 = noted_21[t_1054];
    int64_t t_1063 = (int64_t)out_dim0_3 < noted_24 ? (int64_t)out_dim0_3 : noted_24;
    index_t row_5 = inside_218 ? (0 > t_1063 ? 0 : t_1063) : (out_dim0_3 < t_1060 ? out_dim0_3 : t_1060);
    index_t t_1065 = tile_origin + 1;
    int64_t noted_25 = begins_2[tile_origin];
    int64_t t_1067 = (int64_t)extent_27 < noted_25 ? (int64_t)extent_27 : noted_25;
    int64_t noted_26 = begins_2[t_1065];
    int64_t t_1070 = (int64_t)extent_27 < noted_26 ? (int64_t)extent_27 : noted_26;
    index_t t_1071 = 0 > t_1070 ? 0 : t_1070;
    index_t t_1073 = t_1065 * 2048 - row_5;
    index_t low_4 = inside_218 ? (0 > t_1067 ? 0 : t_1067) : 0L;
    index_t base_2 = shr_int64(low_4, 2) * 4;
    index_t hull_4 = value_2_n0 < extent_27 ? value_2_n0 : extent_27;
    index_t hull_5 = column_2_n0 < hull_4 ? column_2_n0 : hull_4;
    index_t low_5 = inside_218 ? (t_1073 < t_1071 ? t_1073 : t_1071) : 0L;
    index_t t_1075 = hull_5 < low_5 ? hull_5 : low_5;
    index_t t_1076 = base_2 + 2052;
    index_t high_4 = t_1076 < t_1075 ? t_1076 : t_1075;
    index_t high_5 = high_4 > base_2 ? high_4 : base_2;
    {
        index_t i_thread_5 = (index_t)get_local_id(1);
        index_t k_thread_2 = (index_t)get_local_id(0);
        for (index_t round_5 = 0; round_5 < 1; round_5++) {
            index_t t_1078 = k_thread_2 + round_5 * 256;
            if (t_1078 < 1) {
                outside_8[t_1078] = 0;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    index_t part_41 = shr_int64(high_5 - base_2 + 3, 2);
    index_t part_42 = shr_int64(part_41 + 1, 1);
    {
        index_t i_thread_6 = (index_t)get_local_id(1);
        index_t k_thread_3 = (index_t)get_local_id(0);
        index_t t_1082 = 0 > part_42 ? 0 : part_42;
        index_t round_stop = (t_1082 + 255) / 256;
        for (index_t round_6 = 0; round_6 < round_stop; round_6++) {
            index_t t_1086 = k_thread_3 + round_6 * 256;
            if (t_1086 < t_1082) {
                index_t t_1087 = t_1086 + part_42;
                bool inside_222 = ((((int64_t)(size_t)value_2) & 15) == 0) & (((int64_t)(size_t)column_2) & 15) == 0;
                if (inside_222 & (base_2 + (t_1087 + 1) * 4 <= hull_5)) {
                    index_t t_1092 = base_2 + t_1086 * 4;
                    /* line 105 */
                    double2 run_31 = vload2(0, AT(double, value_2, (int64_t)(t_1092) * 8));
                    long2 run_32 = vload2(0, AT(int64_t, column_2, (int64_t)(t_1092) * 8));
                    index_t t_1099 = x_2_n0 - 1;
                    int64_t t_1100 = (int64_t)t_1099 < run_32.x ? (int64_t)t_1099 : run_32.x;
                    index_t t_1102 = 0 > t_1100 ? 0 : t_1100;
                    int64_t t_1101 = (int64_t)t_1099 < run_32.y ? (int64_t)t_1099 : run_32.y;
                    index_t t_1103 = 0 > t_1101 ? 0 : t_1101;
                    double s_168 = -0.0 + run_31.x * x_2[t_1102];
                    double s_169 = -0.0 + run_31.y * x_2[t_1103];
                    /* line 102 */
                    index_t t_1112 = base_2 + t_1086 * 4 + 2;
                    /* line 105 */
                    double2 run_33 = vload2(0, AT(double, value_2, (int64_t)(t_1112) * 8));
                    long2 run_34 = vload2(0, AT(int64_t, column_2, (int64_t)(t_1112) * 8));
                    index_t t_1119 = x_2_n0 - 1;
                    int64_t t_1120 = (int64_t)t_1119 < run_34.x ? (int64_t)t_1119 : run_34.x;
                    index_t t_1122 = 0 > t_1120 ? 0 : t_1120;
                    int64_t t_1121 = (int64_t)t_1119 < run_34.y ? (int64_t)t_1119 : run_34.y;
                    index_t t_1123 = 0 > t_1121 ? 0 : t_1121;
                    double s_170 = -0.0 + run_33.x * x_2[t_1122];
                    double s_171 = -0.0 + run_33.y * x_2[t_1123];
                    /* line 102 */
                    index_t t_1131 = base_2 + t_1087 * 4;
                    /* line 105 */
                    double2 run_35 = vload2(0, AT(double, value_2, (int64_t)(t_1131) * 8));
                    long2 run_36 = vload2(0, AT(int64_t, column_2, (int64_t)(t_1131) * 8));
                    index_t t_1138 = x_2_n0 - 1;
                    int64_t t_1139 = (int64_t)t_1138 < run_36.x ? (int64_t)t_1138 : run_36.x;
                    index_t t_1141 = 0 > t_1139 ? 0 : t_1139;
                    int64_t t_1140 = (int64_t)t_1138 < run_36.y ? (int64_t)t_1138 : run_36.y;
                    index_t t_1142 = 0 > t_1140 ? 0 : t_1140;
                    double s_172 = -0.0 + run_35.x * x_2[t_1141];
                    double s_173 = -0.0 + run_35.y * x_2[t_1142];
                    /* line 102 */
                    index_t t_1151 = base_2 + t_1087 * 4 + 2;
                    /* line 105 */
                    double2 run_37 = vload2(0, AT(double, value_2, (int64_t)(t_1151) * 8));
                    long2 run_38 = vload2(0, AT(int64_t, column_2, (int64_t)(t_1151) * 8));
                    index_t t_1158 = x_2_n0 - 1;
                    int64_t t_1159 = (int64_t)t_1158 < run_38.x ? (int64_t)t_1158 : run_38.x;
                    index_t t_1161 = 0 > t_1159 ? 0 : t_1159;
                    int64_t t_1160 = (int64_t)t_1158 < run_38.y ? (int64_t)t_1158 : run_38.y;
                    index_t t_1162 = 0 > t_1160 ? 0 : t_1160;
                    double s_174 = -0.0 + run_37.x * x_2[t_1161];
                    double s_175 = -0.0 + run_37.y * x_2[t_1162];
                    /* line 102 */
                    index_t t_1169 = t_1086 * 4;
                    vstore2((double2)(s_168, s_169), 0, &entry_2[t_1169]);
                    index_t t_1170 = t_1169 + 2;
                    vstore2((double2)(s_170, s_171), 0, &entry_2[t_1170]);
                    int32_t wrong_87 = 0 | (run_32.x != t_1102 ? 1 : 0) | (0 | (run_32.y != t_1103 ? 1 : 0)) | (0 | (run_34.x != t_1122 ? 1 : 0) | (0 | (run_34.y != t_1123 ? 1 : 0)));
                    run_30[t_1086] = s_168 + s_169 + (s_170 + s_171);
                    index_t t_1171 = t_1087 * 4;
                    vstore2((double2)(s_172, s_173), 0, &entry_2[t_1171]);
                    index_t t_1172 = t_1171 + 2;
                    vstore2((double2)(s_174, s_175), 0, &entry_2[t_1172]);
                    int32_t wrong_90 = 0 | (run_36.x != t_1141 ? 1 : 0) | (0 | (run_36.y != t_1142 ? 1 : 0)) | (0 | (run_38.x != t_1161 ? 1 : 0) | (0 | (run_38.y != t_1162 ? 1 : 0)));
                    run_30[t_1087] = s_172 + s_173 + (s_174 + s_175);
                    if ((wrong_87 | wrong_90) != 0) {
                        update_shared_max_int32(outside_8[0], 1);
                    }
                } else {
#pragma unroll 1
                    for (index_t turn_2 = 0; turn_2 < 2; turn_2++) {
                        index_t t_1174 = t_1086 + turn_2 * part_42;
                        index_t t_1175 = t_1174 * 4;
                        index_t t_1176 = base_2 + t_1175;
                        int32_t carried_16 = 0;
#pragma unroll 1
                        for (index_t lane_2 = 0; lane_2 < 4; lane_2++) {
                            index_t t_1177 = t_1176 + lane_2;
                            double given_4;
                            int32_t given_5;
                            if ((t_1177 >= low_4) & (t_1177 < high_5)) {
                                /* line 105 */
                                int64_t t_1180 = column_2[t_1177];
                                index_t t_1181 = x_2_n0 - 1;
                                int64_t t_1182 = (int64_t)t_1181 < t_1180 ? (int64_t)t_1181 : t_1180;
                                index_t t_1183 = 0 > t_1182 ? 0 : t_1182;
                                given_4 = -0.0 + value_2[t_1177] * x_2[t_1183];
                                given_5 = 0 | (t_1180 != t_1183 ? 1 : 0);
                            } else {
                                given_4 = -0.0;
                                given_5 = 0;
                            }
                            entry_2[t_1175 + lane_2] = given_4;
                            carried_16 = carried_16 | given_5;
                        }
                        double s_185 = entry_2[t_1175] + entry_2[t_1175 + 1] + (entry_2[t_1175 + 2] + entry_2[t_1175 + 3]);
                        run_30[t_1174] = s_185;
                        if (carried_16 != 0) {
                            update_shared_max_int32(outside_8[0], 1);
                        }
                    }
                }
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    index_t part_43 = shr_int64(part_41, 3);
    {
        index_t i_thread_7 = (index_t)get_local_id(1);
        index_t k_thread_4 = (index_t)get_local_id(0);
        index_t t_1195 = 0 > part_43 ? 0 : part_43;
        index_t round_stop_2 = (t_1195 + 255) / 256;
        for (index_t round_7 = 0; round_7 < round_stop_2; round_7++) {
            index_t t_1199 = k_thread_4 + round_7 * 256;
            if (t_1199 < t_1195) {
                index_t t_1200 = t_1199 * 8;
                double s_191 = run_30[t_1200 + 4] + run_30[t_1200 + 5] + (run_30[t_1200 + 6] + run_30[t_1200 + 7]);
                double s_192 = run_30[t_1200] + run_30[t_1200 + 1] + (run_30[t_1200 + 2] + run_30[t_1200 + 3]) + s_191;
                group_4[t_1199] = s_192;
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_8 = (index_t)get_local_id(1);
        index_t k_thread_5 = (index_t)get_local_id(0);
        index_t t_1217 = (row_4 > row_5 ? row_4 : row_5) - row_4;
        index_t round_stop_3 = floordiv_by_positive(t_1217 + 255, 256);
        for (index_t round_8 = 0; round_8 < round_stop_3; round_8++) {
            index_t t_1221 = k_thread_5 + round_8 * 256;
            if (t_1221 < t_1217) {
                index_t t_1222 = row_4 + t_1221;
                /* line 104 */
                int64_t t_1226 = start_3[t_1222];
                int64_t t_1227 = start_3[t_1222 + 1];
                bool t_1232 = (t_1226 >= 0) & (t_1050 >= t_1227) & (t_1051 >= t_1227);
                bool runs_8 = t_1232 & (t_1226 <= t_1227);
                index_t first_8 = runs_8 ? t_1226 : 0L;
                index_t last_8 = runs_8 ? t_1227 : 0L;
                /* line 102 */
                int64_t t_1233 = (int64_t)extent_27 < t_1226 ? (int64_t)extent_27 : t_1226;
                int64_t t_1242 = (int64_t)extent_27 < t_1227 ? (int64_t)extent_27 : t_1227;
                bool inside_242 = shr_int64((0 > t_1233 ? 0 : t_1233) + (int64_t)t_1222, 11) < shr_int64((0 > t_1242 ? 0 : t_1242) + ((int64_t)t_1222 + 1) - 1, 11);
                bool inside_244 = inside_218 & (t_1232 & (t_1226 >= 0) & (t_1227 <= extent_27) & inside_242);
                int64_t t_1248 = (int64_t)extent_27 < t_1226 ? (int64_t)extent_27 : t_1226;
                index_t part_46 = shr_int64((0 > t_1248 ? 0 : t_1248) + t_1222, 11);
                index_t t_1258 = (part_46 + 1) * 2048 - (t_1222 + 1);
                index_t t_1259 = t_1258 < last_8 ? t_1258 : last_8;
                index_t t_1260 = t_1259 > first_8 ? t_1259 : first_8;
                index_t t_1261 = inside_244 ? t_1260 : last_8;
                double s_193;
                if ((first_8 >= low_4) & (t_1261 <= high_5) & (int64_t)outside_8[0] == 0) {
                    index_t t_1263 = high_5 < first_8 ? high_5 : first_8;
                    index_t t_1265 = (t_1263 > low_4 ? t_1263 : low_4) - base_2;
                    index_t t_1266 = high_5 < t_1261 ? high_5 : t_1261;
                    index_t t_1268 = (t_1266 > low_4 ? t_1266 : low_4) - base_2;
                    index_t part_47 = shr_int64(t_1265 + 3, 2);
                    index_t part_48 = shr_int64(t_1268, 2);
                    index_t part_49 = shr_int64(part_47 + 7, 3);
                    index_t part_50 = shr_int64(part_48, 3);
                    index_t t_1271 = part_47 * 4;
                    index_t t_1272 = t_1268 < t_1271 ? t_1268 : t_1271;
                    index_t t_1273 = part_49 * 8;
                    index_t t_1274 = part_48 < t_1273 ? part_48 : t_1273;
                    index_t t_1276 = t_1265 + 1;
                    double s_194 = 0.0 + (t_1265 < t_1272 ? entry_2[t_1265] : -0.0);
                    index_t t_1278 = t_1265 + 2;
                    double s_195 = s_194 + (t_1276 < t_1272 ? entry_2[t_1276] : -0.0);
                    double s_196 = s_195 + (t_1278 < t_1272 ? entry_2[t_1278] : -0.0);
                    index_t t_1281 = part_47 + 1;
                    double s_197 = s_196 + (part_47 < t_1274 ? run_30[part_47] : -0.0);
                    index_t t_1283 = part_47 + 2;
                    double s_198 = s_197 + (t_1281 < t_1274 ? run_30[t_1281] : -0.0);
                    index_t t_1285 = part_47 + 3;
                    double s_199 = s_198 + (t_1283 < t_1274 ? run_30[t_1283] : -0.0);
                    index_t t_1287 = part_47 + 4;
                    double s_200 = s_199 + (t_1285 < t_1274 ? run_30[t_1285] : -0.0);
                    index_t t_1289 = part_47 + 5;
                    double s_201 = s_200 + (t_1287 < t_1274 ? run_30[t_1287] : -0.0);
                    index_t t_1291 = part_47 + 6;
                    double s_202 = s_201 + (t_1289 < t_1274 ? run_30[t_1289] : -0.0);
                    index_t part_51 = shr_int64((part_49 > part_50 ? part_49 : part_50) - part_49, 3);
                    double carried_17 = s_202 + (t_1291 < t_1274 ? run_30[t_1291] : -0.0);
#pragma unroll 1
                    for (index_t round_9 = 0; round_9 < part_51; round_9++) {
                        index_t t_1296 = part_49 + round_9 * 8;
                        double s_207 = carried_17 + group_4[t_1296] + group_4[t_1296 + 1] + group_4[t_1296 + 2] + group_4[t_1296 + 3];
                        double s_211 = s_207 + group_4[t_1296 + 4] + group_4[t_1296 + 5] + group_4[t_1296 + 6] + group_4[t_1296 + 7];
                        carried_17 = s_211;
                    }
                    double carried_18 = carried_17;
#pragma unroll 1
                    for (index_t place_2 = part_49 + part_51 * 8; place_2 < part_50; place_2++) {
                        carried_18 += group_4[place_2];
                    }
                    index_t t_1315 = part_50 * 8;
                    index_t t_1316 = t_1274 > t_1315 ? t_1274 : t_1315;
                    index_t t_1318 = t_1316 + 1;
                    double s_213 = carried_18 + (t_1316 < part_48 ? run_30[t_1316] : -0.0);
                    index_t t_1320 = t_1316 + 2;
                    double s_214 = s_213 + (t_1318 < part_48 ? run_30[t_1318] : -0.0);
                    index_t t_1322 = t_1316 + 3;
                    double s_215 = s_214 + (t_1320 < part_48 ? run_30[t_1320] : -0.0);
                    index_t t_1324 = t_1316 + 4;
                    double s_216 = s_215 + (t_1322 < part_48 ? run_30[t_1322] : -0.0);
                    index_t t_1326 = t_1316 + 5;
                    double s_217 = s_216 + (t_1324 < part_48 ? run_30[t_1324] : -0.0);
                    index_t t_1328 = t_1316 + 6;
                    double s_218 = s_217 + (t_1326 < part_48 ? run_30[t_1326] : -0.0);
                    index_t t_1330 = part_48 * 4;
                    index_t t_1331 = t_1272 > t_1330 ? t_1272 : t_1330;
                    double s_219 = s_218 + (t_1328 < part_48 ? run_30[t_1328] : -0.0);
                    index_t t_1333 = t_1331 + 1;
                    double s_220 = s_219 + (t_1331 < t_1268 ? entry_2[t_1331] : -0.0);
                    index_t t_1335 = t_1331 + 2;
                    double s_221 = s_220 + (t_1333 < t_1268 ? entry_2[t_1333] : -0.0);
                    s_193 = s_221 + (t_1335 < t_1268 ? entry_2[t_1335] : -0.0);
                } else {
                    /* line 104 */
                    double s_224 = 0.0;
                    for (index_t k_20 = first_8; k_20 < t_1261; k_20++) {
                        /* line 105 */
                        int64_t t_1339 = column_2[k_20];
                        int64_t place = from_end(t_1339, x_2_n0);
                        if (UNLIKELY((uint64_t)place >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_224 = fma_float64(value_2[k_20], x_2[(index_t)place], s_224);
                    }
                    s_193 = s_224;
                }
                double s_226;
                if (inside_244) {
                    int64_t t_1344 = (int64_t)extent_27 < t_1227 ? (int64_t)extent_27 : t_1227;
                    index_t t_1350 = part_46 + 1;
                    index_t t_1351 = shr_int64((0 > t_1344 ? 0 : t_1344) + (t_1222 + 1) - 1, 11) + 1;
                    index_t part_53 = shr_int64(t_1351 - t_1350, 3);
                    double carried_19 = s_193;
                    int32_t carried_20 = 0;
#pragma unroll 1
                    for (index_t round_10 = 0; round_10 < part_53; round_10++) {
                        index_t t_1354 = t_1350 + round_10 * 8;
                        index_t t_1355 = t_1354 + 1;
                        index_t t_1356 = t_1354 + 2;
                        index_t t_1357 = t_1354 + 3;
                        index_t t_1358 = t_1354 + 4;
                        index_t t_1359 = t_1354 + 5;
                        index_t t_1360 = t_1354 + 6;
                        index_t t_1361 = t_1354 + 7;
                        double s_230 = carried_19 + part_39[t_1354] + part_39[t_1355] + part_39[t_1356] + part_39[t_1357];
                        int32_t wrong_97 = carried_20 | wrong_76[t_1354] | wrong_76[t_1355] | wrong_76[t_1356] | wrong_76[t_1357];
                        int32_t wrong_101 = wrong_97 | wrong_76[t_1358] | wrong_76[t_1359] | wrong_76[t_1360] | wrong_76[t_1361];
                        carried_19 = s_230 + part_39[t_1358] + part_39[t_1359] + part_39[t_1360] + part_39[t_1361];
                        carried_20 = wrong_101;
                    }
                    double carried_21 = carried_19;
                    int32_t carried_22 = carried_20;
#pragma unroll 1
                    for (index_t piece_6 = t_1350 + part_53 * 8; piece_6 < t_1351; piece_6++) {
                        carried_21 += part_39[piece_6];
                        carried_22 = carried_22 | wrong_76[piece_6];
                    }
                    double s_236;
                    if ((int64_t)carried_22 == 0) {
                        s_236 = carried_21;
                    } else {
                        /* line 104 */
                        double s_238 = s_193;
                        for (index_t k_21 = t_1260; k_21 < last_8; k_21++) {
                            /* line 105 */
                            int64_t t_1384 = column_2[k_21];
                            int64_t place_3 = from_end(t_1384, x_2_n0);
                            if (UNLIKELY((uint64_t)place_3 >= (uint64_t)x_2_n0)) {
                                *weft_flag = 1;
                                goto phase_6;
                            }
                            s_238 = fma_float64(value_2[k_21], x_2[(index_t)place_3], s_238);
                        }
                        s_236 = s_238;
                    }
                    s_226 = s_236;
                } else {
                    s_226 = s_193;
                }
                /* line 104 */
                double s_240;
                if (t_1232) {
                    s_240 = s_226;
                } else {
                    double s_242 = 0.0;
                    for (int64_t k_22 = t_1226; k_22 < t_1227; k_22++) {
                        /* line 105 */
                        int64_t place_4 = from_end(k_22, value_2_n0);
                        if (UNLIKELY((uint64_t)place_4 >= (uint64_t)value_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t place_5 = from_end(k_22, column_2_n0);
                        if (UNLIKELY((uint64_t)place_5 >= (uint64_t)column_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        int64_t t_1389 = column_2[(index_t)place_5];
                        int64_t place_6 = from_end(t_1389, x_2_n0);
                        if (UNLIKELY((uint64_t)place_6 >= (uint64_t)x_2_n0)) {
                            *weft_flag = 1;
                            goto phase_6;
                        }
                        s_242 = fma_float64(value_2[(index_t)place_4], x_2[(index_t)place_6], s_242);
                    }
                    s_240 = s_242;
                }
                /* line 106 */
                out_1[t_1222] = s_240;
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
        int64_t out_dim0_4,
        int64_t t_given_5,
        int64_t t_given_6,
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
    index_t t_1432 = (index_t)t_given_5;
    index_t t_1433 = (index_t)t_given_6;
    index_t i_offset_1 = (index_t)i_offset_given_2;
    index_t i_extent_1 = (index_t)i_extent_given_2;
    /* line 102 */
    index_t i_block_1 = (index_t)get_group_id(0);
    index_t i_origin_1 = i_block_1 * 16 + i_offset_1;
    __local double partial_2[144];
    double own_2[4];
    {
        index_t i_thread_9 = (index_t)get_local_id(1);
        index_t k_thread_6 = (index_t)get_local_id(0);
        index_t i_12 = i_origin_1 + i_thread_9;
        if (i_12 < i_extent_1) {
            /* line 104 */
            int64_t t_1441 = start_4[i_12];
            int64_t t_1442 = start_4[i_12 + 1];
            bool runs_9 = (t_1441 >= 0) & (t_1432 >= t_1442) & (t_1433 >= t_1442) & (t_1441 <= t_1442);
            index_t first_9 = runs_9 ? t_1441 : 0L;
            /* line 102 */
            own_2[0] = -0.0;
            own_2[1] = -0.0;
            own_2[2] = -0.0;
            own_2[3] = -0.0;
            index_t last_9 = runs_9 ? t_1442 : 0L;
            index_t t_1450 = first_9 + k_thread_6;
            index_t t_1452 = (first_9 > last_9 ? first_9 : last_9) - first_9 + 7 - k_thread_6;
            index_t count_1 = (0 > t_1452 ? 0 : t_1452) / 8;
            index_t rounds_3 = count_1 / 4;
            if (x_3_n0 > 0) {
#pragma unroll 1
                for (index_t round_11 = 0; round_11 < rounds_3; round_11++) {
                    index_t t_1455 = t_1450 + round_11 * 32;
                    index_t t_1456 = t_1455 + 8;
                    index_t t_1457 = t_1455 + 16;
                    index_t t_1458 = t_1455 + 24;
                    /* line 105 */
                    int64_t t_1471 = column_3[t_1455];
                    int64_t t_1472 = column_3[t_1456];
                    int64_t t_1473 = column_3[t_1457];
                    int64_t t_1474 = column_3[t_1458];
                    int64_t t_1475 = t_1471 + (int64_t)(t_1471 < 0 ? x_3_n0 : 0L);
                    bool outside = (uint64_t)t_1475 >= (uint64_t)x_3_n0;
                    if (outside) *weft_flag = 1;
                    index_t inside = outside ? 0 : t_1475;
                    int64_t t_1476 = t_1472 + (int64_t)(t_1472 < 0 ? x_3_n0 : 0L);
                    bool outside_2 = (uint64_t)t_1476 >= (uint64_t)x_3_n0;
                    if (outside_2) *weft_flag = 1;
                    index_t inside_2 = outside_2 ? 0 : t_1476;
                    int64_t t_1477 = t_1473 + (int64_t)(t_1473 < 0 ? x_3_n0 : 0L);
                    bool outside_3 = (uint64_t)t_1477 >= (uint64_t)x_3_n0;
                    if (outside_3) *weft_flag = 1;
                    index_t inside_3 = outside_3 ? 0 : t_1477;
                    int64_t t_1478 = t_1474 + (int64_t)(t_1474 < 0 ? x_3_n0 : 0L);
                    bool outside_4 = (uint64_t)t_1478 >= (uint64_t)x_3_n0;
                    if (outside_4) *weft_flag = 1;
                    index_t inside_4 = outside_4 ? 0 : t_1478;
                    /* line 102 */
                    double s_259 = fma_float64(value_3[t_1456], x_3[inside_2], own_2[1]);
                    double s_260 = fma_float64(value_3[t_1457], x_3[inside_3], own_2[2]);
                    double s_261 = fma_float64(value_3[t_1458], x_3[inside_4], own_2[3]);
                    own_2[0] = fma_float64(value_3[t_1455], x_3[inside], own_2[0]);
                    own_2[1] = s_259;
                    own_2[2] = s_260;
                    own_2[3] = s_261;
                }
#pragma unroll 1
                for (index_t rest_1 = rounds_3 * 4; rest_1 < count_1; rest_1++) {
                    index_t t_1489 = t_1450 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_1493 = column_3[t_1489];
                    int64_t t_1494 = t_1493 + (int64_t)(t_1493 < 0 ? x_3_n0 : 0L);
                    bool outside_5 = (uint64_t)t_1494 >= (uint64_t)x_3_n0;
                    if (outside_5) *weft_flag = 1;
                    index_t inside_5 = outside_5 ? 0 : t_1494;
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_1489], x_3[inside_5], own_2[0]);
                }
            } else {
#pragma unroll 1
                for (index_t rest_2 = 0; rest_2 < count_1; rest_2++) {
                    index_t t_1498 = t_1450 + rest_2 * 8;
                    /* line 105 */
                    int64_t t_1502 = column_3[t_1498];
                    int64_t place_7 = from_end(t_1502, x_3_n0);
                    if (UNLIKELY((uint64_t)place_7 >= (uint64_t)x_3_n0)) {
                        *weft_flag = 1;
                        goto phase_7;
                    }
                    /* line 102 */
                    own_2[0] = fma_float64(value_3[t_1498], x_3[(index_t)place_7], own_2[0]);
                }
            }
            partial_2[i_thread_9 * 9 + k_thread_6] = own_2[0] + own_2[1] + (own_2[2] + own_2[3]);
        }
    }
    phase_7:;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    {
        index_t i_thread_10 = (index_t)get_local_id(1);
        index_t k_thread_7 = (index_t)get_local_id(0);
        index_t thread_1 = i_thread_10 * 8 + k_thread_7;
        if (thread_1 < 16) {
            index_t i_13 = i_origin_1 + thread_1;
            if (i_13 < i_extent_1) {
                /* line 104 */
                int64_t t_1513 = start_4[i_13];
                int64_t t_1514 = start_4[i_13 + 1];
                /* line 102 */
                double carried_23 = 0.0;
#pragma unroll
                for (index_t part_54 = 0; part_54 < 8; part_54++) {
                    carried_23 = carried_23 + partial_2[thread_1 * 9 + part_54];
                }
                /* line 104 */
                double s_264;
                if ((t_1513 >= 0) & (t_1432 >= t_1514) & (t_1433 >= t_1514)) {
                    s_264 = carried_23;
                } else {
                    double s_266 = 0.0;
                    for (int64_t k_27 = t_1513; k_27 < t_1514; k_27++) {
                        /* line 105 */
                        int64_t place_8 = from_end(k_27, value_3_n0);
                        if (UNLIKELY((uint64_t)place_8 >= (uint64_t)value_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        int64_t place_9 = from_end(k_27, column_3_n0);
                        if (UNLIKELY((uint64_t)place_9 >= (uint64_t)column_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        int64_t t_1523 = column_3[(index_t)place_9];
                        int64_t place_10 = from_end(t_1523, x_3_n0);
                        if (UNLIKELY((uint64_t)place_10 >= (uint64_t)x_3_n0)) {
                            *weft_flag = 1;
                            goto phase_8;
                        }
                        s_266 = fma_float64(value_3[(index_t)place_8], x_3[(index_t)place_10], s_266);
                    }
                    s_264 = s_266;
                }
                /* line 106 */
                out_2[i_13] = s_264;
            }
        }
    }
    phase_8:;
}
