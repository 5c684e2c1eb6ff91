#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

HELPER void keep_behind(int64_t &offset) { asm volatile("" : "+l"(offset)); }

/* Where the launch permits it, a kernel is started before the one before it is done. From here on that one is done, and what
   it wrote can be read. The offsets pass through, so that nothing is loaded earlier. */
template <typename... Offsets>
HELPER void begin_kernel(Offsets &...offsets) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    (keep_behind(offsets), ...);
#endif
}

#define bool bool

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

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_0_clears(char *__restrict__ disorder_1_memory,
        int64_t disorder_1_offset,
        int64_t disorder_1_n0_given,
        int64_t cleared_1,
        int64_t note_offset_given,
        int64_t note_extent_given) {
    begin_kernel(disorder_1_offset);
    int64_t *disorder_1 = AT(int64_t, disorder_1_memory, disorder_1_offset);
    index_t disorder_1_n0 = (index_t)disorder_1_n0_given;
    index_t note_offset = (index_t)note_offset_given;
    index_t note_extent = (index_t)note_extent_given;
    /* line 102 */
    index_t note_first = note_offset - note_offset % 2;
    index_t note_block = (index_t)blockIdx.x;
    index_t note_origin = note_block * 512 + note_first;
    if ((((int64_t)disorder_1) & 15) == 0) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t note_2 = note_origin + i_thread * 2;
        if ((note_2 >= note_offset) & (note_2 + 1 < note_extent)) {
            index_t note_4 = note_origin + i_thread * 2;
#pragma unroll
            for (index_t run_14 = 0; run_14 < 1; run_14++) {
                index_t t_456 = note_4 + run_14 * 512;
                *(longlong2 *)(AT(int64_t, disorder_1, (int64_t)(t_456) * 8)) = make_longlong2(0, 0);
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
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t note_9 = note_origin + point_1 * 256 + i_thread_1;
            if ((note_9 >= note_offset) & (note_9 < note_extent)) {
                disorder_1[note_9] = 0;
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256) void sparse_matrix_times_vector_1_notes(const char *__restrict__ start_1_memory,
        int64_t start_1_offset,
        int64_t start_1_n0_given,
        char *__restrict__ disorder_2_memory,
        int64_t disorder_2_offset,
        int64_t disorder_2_n0_given,
        char *__restrict__ noted_9_memory,
        int64_t noted_9_offset,
        int64_t noted_9_n0_given,
        char *__restrict__ begins_1_memory,
        int64_t begins_1_offset,
        int64_t begins_1_n0_given,
        int64_t rows_1,
        int64_t t_483,
        int64_t t_484,
        int64_t extent_given,
        int64_t out_dim0_1,
        int64_t room_given,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    begin_kernel(start_1_offset, disorder_2_offset, noted_9_offset, begins_1_offset);
    int64_t *start_1 = AT(int64_t, start_1_memory, start_1_offset);
    index_t start_1_n0 = (index_t)start_1_n0_given;
    int64_t *disorder_2 = AT(int64_t, disorder_2_memory, disorder_2_offset);
    index_t disorder_2_n0 = (index_t)disorder_2_n0_given;
    int64_t *noted_9 = AT(int64_t, noted_9_memory, noted_9_offset);
    index_t noted_9_n0 = (index_t)noted_9_n0_given;
    int64_t *begins_1 = AT(int64_t, begins_1_memory, begins_1_offset);
    index_t begins_1_n0 = (index_t)begins_1_n0_given;
    index_t extent_11 = (index_t)extent_given;
    index_t room_1 = (index_t)room_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_first = i_offset - i_offset % 4;
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 1024 + i_first;
    index_t i_thread_2 = (index_t)threadIdx.x;
    for (index_t point_2 = 0; point_2 < 1; point_2++) {
        index_t t_489 = point_2 * 4;
        index_t i_4 = i_origin + t_489 * 256 + i_thread_2;
        index_t i_6 = i_origin + (t_489 + 1) * 256 + i_thread_2;
        index_t i_8 = i_origin + (t_489 + 2) * 256 + i_thread_2;
        index_t i_10 = i_origin + (t_489 + 3) * 256 + i_thread_2;
        if ((i_4 >= i_offset) & (i_10 < i_extent)) {
            /* line 104 */
            int64_t t_509 = __ldg(&start_1[i_4]);
            int64_t t_510 = __ldg(&start_1[i_4 + 1]);
            /* line 102 */
            int64_t t_516 = (int64_t)extent_11 < t_509 ? (int64_t)extent_11 : t_509;
            int64_t t_518 = (int64_t)extent_11 < t_510 ? (int64_t)extent_11 : t_510;
            index_t part_16 = shr_int64((0 > t_516 ? 0 : t_516) + i_4, 11);
            int64_t t_523 = (int64_t)i_4 + 1;
            index_t t_525 = t_523 == out_dim0_1 ? room_1 : shr_int64((0 > t_518 ? 0 : t_518) + (i_4 + 1), 11) + 1;
            index_t t_526 = part_16 + 1;
            /* line 104 */
            int64_t t_527 = __ldg(&start_1[i_6]);
            int64_t t_528 = __ldg(&start_1[i_6 + 1]);
            /* line 102 */
            int64_t t_534 = (int64_t)extent_11 < t_527 ? (int64_t)extent_11 : t_527;
            int64_t t_536 = (int64_t)extent_11 < t_528 ? (int64_t)extent_11 : t_528;
            index_t part_18 = shr_int64((0 > t_534 ? 0 : t_534) + i_6, 11);
            int64_t t_541 = (int64_t)i_6 + 1;
            index_t t_543 = t_541 == out_dim0_1 ? room_1 : shr_int64((0 > t_536 ? 0 : t_536) + (i_6 + 1), 11) + 1;
            index_t t_544 = part_18 + 1;
            /* line 104 */
            int64_t t_545 = __ldg(&start_1[i_8]);
            int64_t t_546 = __ldg(&start_1[i_8 + 1]);
            /* line 102 */
            int64_t t_552 = (int64_t)extent_11 < t_545 ? (int64_t)extent_11 : t_545;
            int64_t t_554 = (int64_t)extent_11 < t_546 ? (int64_t)extent_11 : t_546;
            index_t part_20 = shr_int64((0 > t_552 ? 0 : t_552) + i_8, 11);
            int64_t t_559 = (int64_t)i_8 + 1;
            index_t t_561 = t_559 == out_dim0_1 ? room_1 : shr_int64((0 > t_554 ? 0 : t_554) + (i_8 + 1), 11) + 1;
            index_t t_562 = part_20 + 1;
            /* line 104 */
            int64_t t_563 = __ldg(&start_1[i_10]);
            int64_t t_564 = __ldg(&start_1[i_10 + 1]);
            /* line 102 */
            int64_t t_570 = (int64_t)extent_11 < t_563 ? (int64_t)extent_11 : t_563;
            int64_t t_572 = (int64_t)extent_11 < t_564 ? (int64_t)extent_11 : t_564;
            index_t part_22 = shr_int64((0 > t_570 ? 0 : t_570) + i_10, 11);
            int64_t t_577 = (int64_t)i_10 + 1;
            index_t t_579 = t_577 == out_dim0_1 ? room_1 : shr_int64((0 > t_572 ? 0 : t_572) + (i_10 + 1), 11) + 1;
            index_t t_580 = part_22 + 1;
            if (!((t_509 >= 0) & (t_510 <= extent_11) & (t_509 <= t_510))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_4 == 0) {
                index_t t_581 = part_16 + 1;
                if (0 < t_581) {
                    int64_t number_8 = (int64_t)i_4;
                    index_t tile_stop = room_1 < t_581 ? room_1 : t_581;
#pragma unroll 1
                    for (index_t tile_6 = 0; tile_6 < tile_stop; tile_6++) {
                        noted_9[tile_6] = number_8;
                        begins_1[tile_6] = t_509;
                    }
                }
            }
            if (t_526 < t_525) {
                index_t tile_stop_2 = room_1 < t_525 ? room_1 : t_525;
#pragma unroll 1
                for (index_t tile_7 = t_526; tile_7 < tile_stop_2; tile_7++) {
                    noted_9[tile_7] = t_523;
                    begins_1[tile_7] = t_510;
                }
            }
            if (!((t_527 >= 0) & (t_528 <= extent_11) & (t_527 <= t_528))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_6 == 0) {
                index_t t_584 = part_18 + 1;
                if (0 < t_584) {
                    int64_t number_12 = (int64_t)i_6;
                    index_t tile_stop_3 = room_1 < t_584 ? room_1 : t_584;
#pragma unroll 1
                    for (index_t tile_8 = 0; tile_8 < tile_stop_3; tile_8++) {
                        noted_9[tile_8] = number_12;
                        begins_1[tile_8] = t_527;
                    }
                }
            }
            if (t_544 < t_543) {
                index_t tile_stop_4 = room_1 < t_543 ? room_1 : t_543;
#pragma unroll 1
                for (index_t tile_9 = t_544; tile_9 < tile_stop_4; tile_9++) {
                    noted_9[tile_9] = t_541;
                    begins_1[tile_9] = t_528;
                }
            }
            if (!((t_545 >= 0) & (t_546 <= extent_11) & (t_545 <= t_546))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_8 == 0) {
                index_t t_587 = part_20 + 1;
                if (0 < t_587) {
                    int64_t number_16 = (int64_t)i_8;
                    index_t tile_stop_5 = room_1 < t_587 ? room_1 : t_587;
#pragma unroll 1
                    for (index_t tile_10 = 0; tile_10 < tile_stop_5; tile_10++) {
                        noted_9[tile_10] = number_16;
                        begins_1[tile_10] = t_545;
                    }
                }
            }
            if (t_562 < t_561) {
                index_t tile_stop_6 = room_1 < t_561 ? room_1 : t_561;
#pragma unroll 1
                for (index_t tile_11 = t_562; tile_11 < tile_stop_6; tile_11++) {
                    noted_9[tile_11] = t_559;
                    begins_1[tile_11] = t_546;
                }
            }
            if (!((t_563 >= 0) & (t_564 <= extent_11) & (t_563 <= t_564))) {
                update_max_int64(disorder_2[0], 1);
            }
            if (i_10 == 0) {
                index_t t_590 = part_22 + 1;
                if (0 < t_590) {
                    int64_t number_20 = (int64_t)i_10;
                    index_t tile_stop_7 = room_1 < t_590 ? room_1 : t_590;
#pragma unroll 1
                    for (index_t tile_12 = 0; tile_12 < tile_stop_7; tile_12++) {
                        noted_9[tile_12] = number_20;
                        begins_1[tile_12] = t_563;
                    }
                }
            }
            if (t_580 < t_579) {
                index_t tile_stop_8 = room_1 < t_579 ? room_1 : t_579;
#pragma unroll 1
                for (index_t tile_13 = t_580; tile_13 < tile_stop_8; tile_13++) {
                    noted_9[tile_13] = t_577;
                    begins_1[tile_13] = t_564;
                }
            }
        } else {
            if (i_4 < i_extent) {
                for (index_t point_3 = 0; point_3 < 4; point_3++) {
                    index_t t_594 = i_4 + point_3 * 256;
                    if ((t_594 >= i_offset) & (t_594 < i_extent)) {
                        /* line 104 */
                        int64_t t_598 = __ldg(&start_1[t_594]);
                        int64_t t_599 = __ldg(&start_1[t_594 + 1]);
                        /* line 102 */
                        if (!((t_598 >= 0) & (t_599 <= extent_11) & (t_598 <= t_599))) {
                            update_max_int64(disorder_2[0], 1);
                        }
                        int64_t t_605 = (int64_t)extent_11 < t_598 ? (int64_t)extent_11 : t_598;
                        int64_t t_607 = (int64_t)extent_11 < t_599 ? (int64_t)extent_11 : t_599;
                        index_t part_24 = shr_int64((0 > t_605 ? 0 : t_605) + t_594, 11);
                        int64_t t_612 = (int64_t)t_594 + 1;
                        index_t t_614 = t_612 == out_dim0_1 ? room_1 : shr_int64((0 > t_607 ? 0 : t_607) + (t_594 + 1), 11) + 1;
                        if (t_594 == 0) {
                            index_t t_615 = part_24 + 1;
                            if (0 < t_615) {
                                int64_t number_24 = (int64_t)t_594;
                                index_t tile_stop_9 = room_1 < t_615 ? room_1 : t_615;
#pragma unroll 1
                                for (index_t tile_14 = 0; tile_14 < tile_stop_9; tile_14++) {
                                    noted_9[tile_14] = number_24;
                                    begins_1[tile_14] = t_598;
                                }
                            }
                        }
                        index_t t_617 = part_24 + 1;
                        if (t_617 < t_614) {
                            index_t tile_stop_10 = room_1 < t_614 ? room_1 : t_614;
#pragma unroll 1
                            for (index_t tile_15 = t_617; tile_15 < tile_stop_10; tile_15++) {
                                noted_9[tile_15] = t_612;
                                begins_1[tile_15] = t_599;
                            }
                        }
                    }
                }
            }
        }
    }
}

extern "C" __global__ __launch_bounds__(256, 6) void sparse_matrix_times_vector_2(const char *__restrict__ disorder_3_memory,
        int64_t disorder_3_offset,
        int64_t disorder_3_n0_given,
        const char *__restrict__ noted_15_memory,
        int64_t noted_15_offset,
        int64_t noted_15_n0_given,
        const char *__restrict__ begins_2_memory,
        int64_t begins_2_offset,
        int64_t begins_2_n0_given,
        const char *__restrict__ value_1_memory,
        int64_t value_1_offset,
        int64_t value_1_n0_given,
        const char *__restrict__ column_1_memory,
        int64_t column_1_offset,
        int64_t column_1_n0_given,
        const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const char *__restrict__ start_2_memory,
        int64_t start_2_offset,
        int64_t start_2_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        char *__restrict__ head_1_memory,
        int64_t head_1_offset,
        int64_t head_1_n0_given,
        char *__restrict__ part_35_memory,
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
        int32_t *weft_flag) {
    begin_kernel(disorder_3_offset, noted_15_offset, begins_2_offset, value_1_offset, column_1_offset, x_1_offset, start_2_offset, out_1_offset, head_1_offset, part_35_offset);
    int64_t *disorder_3 = AT(int64_t, disorder_3_memory, disorder_3_offset);
    index_t disorder_3_n0 = (index_t)disorder_3_n0_given;
    int64_t *noted_15 = AT(int64_t, noted_15_memory, noted_15_offset);
    index_t noted_15_n0 = (index_t)noted_15_n0_given;
    int64_t *begins_2 = AT(int64_t, begins_2_memory, begins_2_offset);
    index_t begins_2_n0 = (index_t)begins_2_n0_given;
    double *value_1 = AT(double, value_1_memory, value_1_offset);
    index_t value_1_n0 = (index_t)value_1_n0_given;
    int64_t *column_1 = AT(int64_t, column_1_memory, column_1_offset);
    index_t column_1_n0 = (index_t)column_1_n0_given;
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    int64_t *start_2 = AT(int64_t, start_2_memory, start_2_offset);
    index_t start_2_n0 = (index_t)start_2_n0_given;
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    double *head_1 = AT(double, head_1_memory, head_1_offset);
    index_t head_1_n0 = (index_t)head_1_n0_given;
    double *part_35 = AT(double, part_35_memory, part_35_offset);
    index_t part_35_n0 = (index_t)part_35_n0_given;
    index_t share_1 = (index_t)share_given;
    index_t out_dim0_2 = (index_t)out_dim0_given;
    index_t extent_20 = (index_t)extent_given_2;
    index_t t_893 = (index_t)t_given;
    index_t t_894 = (index_t)t_given_2;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 102 */
    index_t tile_block = (index_t)blockIdx.x;
    index_t tile_origin = tile_block + tile_offset;
    __shared__ __align__(16) double entry_2[2056];
    __shared__ __align__(16) double run_30[514];
    __shared__ __align__(16) double group_4[65];
    __shared__ __align__(16) int32_t outside_11[1];
    bool inside_201 = __ldg(&disorder_3[0]) == 0;
    index_t t_897 = tile_origin + 1;
    index_t t_898 = tile_origin * share_1;
    int64_t noted_17 = __ldg(&noted_15[tile_origin]);
    int64_t t_901 = (int64_t)out_dim0_2 < noted_17 ? (int64_t)out_dim0_2 : noted_17;
    index_t row_6 = inside_201 ? (0 > t_901 ? 0 : t_901) : (out_dim0_2 < t_898 ? out_dim0_2 : t_898);
    index_t t_903 = t_897 * share_1;
    int64_t noted_18 = __ldg(&noted_15[t_897]);
    int64_t t_906 = (int64_t)out_dim0_2 < noted_18 ? (int64_t)out_dim0_2 : noted_18;
    index_t row_7 = inside_201 ? (0 > t_906 ? 0 : t_906) : (out_dim0_2 < t_903 ? out_dim0_2 : t_903);
    index_t t_908 = tile_origin + 1;
    int64_t noted_19 = __ldg(&begins_2[tile_origin]);
    int64_t t_910 = (int64_t)extent_20 < noted_19 ? (int64_t)extent_20 : noted_19;
    index_t t_911 = 0 > t_910 ? 0 : t_910;
    int64_t noted_20 = __ldg(&begins_2[t_908]);
    int64_t t_913 = (int64_t)extent_20 < noted_20 ? (int64_t)extent_20 : noted_20;
    index_t t_916 = tile_origin * 2048 - row_6;
    index_t t_917 = t_911 < t_916 ? t_911 : t_916;
    index_t t_914 = 0 > t_913 ? 0 : t_913;
    index_t t_921 = t_908 * 2048 - row_7;
    index_t low_4 = inside_201 ? (row_6 > 0 ? (0 > t_917 ? 0 : t_917) : t_911) : 0LL;
    index_t base_2 = shr_int64(low_4, 2) * 4;
    index_t hull_4 = value_1_n0 < extent_20 ? value_1_n0 : extent_20;
    index_t hull_5 = column_1_n0 < hull_4 ? column_1_n0 : hull_4;
    index_t low_5 = inside_201 ? (t_921 < t_914 ? t_921 : t_914) : 0LL;
    index_t t_923 = hull_5 < low_5 ? hull_5 : low_5;
    index_t t_924 = base_2 + 2052;
    index_t high_4 = t_924 < t_923 ? t_924 : t_923;
    index_t high_5 = high_4 > base_2 ? high_4 : base_2;
    {
        index_t i_thread_3 = (index_t)threadIdx.y;
        index_t k_thread = (index_t)threadIdx.x;
        for (index_t round_3 = 0; round_3 < 1; round_3++) {
            index_t t_926 = k_thread + round_3 * 256;
            if (t_926 < 1) {
                outside_11[t_926] = 0;
            }
        }
    }
    __syncthreads();
    index_t part_37 = shr_int64(high_5 - base_2 + 3, 2);
    index_t part_38 = shr_int64(part_37 + 1, 1);
    {
        index_t i_thread_4 = (index_t)threadIdx.y;
        index_t k_thread_1 = (index_t)threadIdx.x;
        index_t t_930 = 0 > part_38 ? 0 : part_38;
        index_t round_stop = (t_930 + 255) / 256;
        for (index_t round_4 = 0; round_4 < round_stop; round_4++) {
            index_t t_934 = k_thread_1 + round_4 * 256;
            if (t_934 < t_930) {
                index_t t_935 = t_934 + part_38;
                bool inside_207 = ((((int64_t)value_1) & 15) == 0) & (((int64_t)column_1) & 15) == 0 & (base_2 + (t_935 + 1) * 4 <= hull_5);
                if (inside_207) {
                    index_t t_940 = base_2 + t_934 * 4;
                    /* line 105 */
                    double2 run_31 = __ldcs((double2 *)(AT(double, value_1, (int64_t)(t_940) * 8)));
                    longlong2 run_32 = __ldcs((longlong2 *)(AT(int64_t, column_1, (int64_t)(t_940) * 8)));
                    index_t t_947 = x_1_n0 - 1;
                    int64_t t_948 = (int64_t)t_947 < run_32.x ? (int64_t)t_947 : run_32.x;
                    index_t t_950 = 0 > t_948 ? 0 : t_948;
                    int64_t t_949 = (int64_t)t_947 < run_32.y ? (int64_t)t_947 : run_32.y;
                    index_t t_951 = 0 > t_949 ? 0 : t_949;
                    double s_170 = -0.0 + run_31.x * __ldg(&x_1[t_950]);
                    double s_171 = -0.0 + run_31.y * __ldg(&x_1[t_951]);
                    /* line 102 */
                    index_t t_960 = base_2 + t_934 * 4 + 2;
                    /* line 105 */
                    double2 run_33 = __ldcs((double2 *)(AT(double, value_1, (int64_t)(t_960) * 8)));
                    longlong2 run_34 = __ldcs((longlong2 *)(AT(int64_t, column_1, (int64_t)(t_960) * 8)));
                    index_t t_967 = x_1_n0 - 1;
                    int64_t t_968 = (int64_t)t_967 < run_34.x ? (int64_t)t_967 : run_34.x;
                    index_t t_970 = 0 > t_968 ? 0 : t_968;
                    int64_t t_969 = (int64_t)t_967 < run_34.y ? (int64_t)t_967 : run_34.y;
                    index_t t_971 = 0 > t_969 ? 0 : t_969;
                    double s_172 = -0.0 + run_33.x * __ldg(&x_1[t_970]);
                    double s_173 = -0.0 + run_33.y * __ldg(&x_1[t_971]);
                    /* line 102 */
                    index_t t_979 = base_2 + t_935 * 4;
                    /* line 105 */
                    double2 run_35 = __ldcs((double2 *)(AT(double, value_1, (int64_t)(t_979) * 8)));
                    longlong2 run_36 = __ldcs((longlong2 *)(AT(int64_t, column_1, (int64_t)(t_979) * 8)));
                    index_t t_986 = x_1_n0 - 1;
                    int64_t t_987 = (int64_t)t_986 < run_36.x ? (int64_t)t_986 : run_36.x;
                    index_t t_989 = 0 > t_987 ? 0 : t_987;
                    int64_t t_988 = (int64_t)t_986 < run_36.y ? (int64_t)t_986 : run_36.y;
                    index_t t_990 = 0 > t_988 ? 0 : t_988;
                    double s_174 = -0.0 + run_35.x * __ldg(&x_1[t_989]);
                    double s_175 = -0.0 + run_35.y * __ldg(&x_1[t_990]);
                    /* line 102 */
                    index_t t_999 = base_2 + t_935 * 4 + 2;
                    /* line 105 */
                    double2 run_37 = __ldcs((double2 *)(AT(double, value_1, (int64_t)(t_999) * 8)));
                    longlong2 run_38 = __ldcs((longlong2 *)(AT(int64_t, column_1, (int64_t)(t_999) * 8)));
                    index_t t_1006 = x_1_n0 - 1;
                    int64_t t_1007 = (int64_t)t_1006 < run_38.x ? (int64_t)t_1006 : run_38.x;
                    index_t t_1009 = 0 > t_1007 ? 0 : t_1007;
                    int64_t t_1008 = (int64_t)t_1006 < run_38.y ? (int64_t)t_1006 : run_38.y;
                    index_t t_1010 = 0 > t_1008 ? 0 : t_1008;
                    double s_176 = -0.0 + run_37.x * __ldg(&x_1[t_1009]);
                    double s_177 = -0.0 + run_37.y * __ldg(&x_1[t_1010]);
                    /* line 102 */
                    index_t t_1017 = t_934 * 4;
                    *(double2 *)(&entry_2[t_1017]) = make_double2(s_170, s_171);
                    index_t t_1018 = t_1017 + 2;
                    *(double2 *)(&entry_2[t_1018]) = make_double2(s_172, s_173);
                    int32_t wrong_46 = 0 | (run_32.x != t_950 ? 1 : 0) | (0 | (run_32.y != t_951 ? 1 : 0)) | (0 | (run_34.x != t_970 ? 1 : 0) | (0 | (run_34.y != t_971 ? 1 : 0)));
                    run_30[t_934] = s_170 + s_171 + (s_172 + s_173);
                    index_t t_1019 = t_935 * 4;
                    *(double2 *)(&entry_2[t_1019]) = make_double2(s_174, s_175);
                    index_t t_1020 = t_1019 + 2;
                    *(double2 *)(&entry_2[t_1020]) = make_double2(s_176, s_177);
                    int32_t wrong_49 = 0 | (run_36.x != t_989 ? 1 : 0) | (0 | (run_36.y != t_990 ? 1 : 0)) | (0 | (run_38.x != t_1009 ? 1 : 0) | (0 | (run_38.y != t_1010 ? 1 : 0)));
                    run_30[t_935] = s_174 + s_175 + (s_176 + s_177);
                    if ((wrong_46 | wrong_49) != 0) {
                        update_shared_max_int32(outside_11[0], 1);
                    }
                } else {
#pragma unroll 1
                    for (index_t turn_2 = 0; turn_2 < 2; turn_2++) {
                        index_t t_1022 = t_934 + turn_2 * part_38;
                        index_t t_1023 = t_1022 * 4;
                        index_t t_1024 = base_2 + t_1023;
                        int32_t carried_8 = 0;
#pragma unroll 1
                        for (index_t lane_2 = 0; lane_2 < 4; lane_2++) {
                            index_t t_1025 = t_1024 + lane_2;
                            double given_4;
                            int32_t given_5;
                            if ((t_1025 >= low_4) & (t_1025 < high_5)) {
                                /* line 105 */
                                int64_t t_1028 = __ldcs(&column_1[t_1025]);
                                index_t t_1029 = x_1_n0 - 1;
                                int64_t t_1030 = (int64_t)t_1029 < t_1028 ? (int64_t)t_1029 : t_1028;
                                index_t t_1031 = 0 > t_1030 ? 0 : t_1030;
                                given_4 = -0.0 + __ldcs(&value_1[t_1025]) * __ldg(&x_1[t_1031]);
                                given_5 = 0 | (t_1028 != t_1031 ? 1 : 0);
                            } else {
                                given_4 = -0.0;
                                given_5 = 0;
                            }
                            entry_2[t_1023 + lane_2] = given_4;
                            carried_8 = carried_8 | given_5;
                        }
                        double s_187 = entry_2[t_1023] + entry_2[t_1023 + 1] + (entry_2[t_1023 + 2] + entry_2[t_1023 + 3]);
                        run_30[t_1022] = s_187;
                        if (carried_8 != 0) {
                            update_shared_max_int32(outside_11[0], 1);
                        }
                    }
                }
            }
        }
    }
    __syncthreads();
    index_t part_39 = shr_int64(part_37, 3);
    {
        index_t i_thread_5 = (index_t)threadIdx.y;
        index_t k_thread_2 = (index_t)threadIdx.x;
        index_t t_1043 = 0 > part_39 ? 0 : part_39;
        index_t round_stop_2 = (t_1043 + 255) / 256;
        for (index_t round_5 = 0; round_5 < round_stop_2; round_5++) {
            index_t t_1047 = k_thread_2 + round_5 * 256;
            if (t_1047 < t_1043) {
                index_t t_1048 = t_1047 * 8;
                double s_193 = run_30[t_1048 + 4] + run_30[t_1048 + 5] + (run_30[t_1048 + 6] + run_30[t_1048 + 7]);
                double s_194 = run_30[t_1048] + run_30[t_1048 + 1] + (run_30[t_1048 + 2] + run_30[t_1048 + 3]) + s_193;
                group_4[t_1047] = s_194;
            }
        }
    }
    __syncthreads();
    index_t row_8 = inside_201 & (row_6 > 0) ? row_6 - 1 : row_6;
    {
        index_t i_thread_6 = (index_t)threadIdx.y;
        index_t k_thread_3 = (index_t)threadIdx.x;
        index_t t_1066 = (row_8 > row_7 ? row_8 : row_7) - row_8;
        index_t round_stop_3 = floordiv_by_positive(t_1066 + 255, 256);
        for (index_t round_6 = 0; round_6 < round_stop_3; round_6++) {
            index_t t_1070 = k_thread_3 + round_6 * 256;
            if (t_1070 < t_1066) {
                index_t t_1071 = row_8 + t_1070;
                /* line 104 */
                int64_t t_1075 = __ldg(&start_2[t_1071]);
                int64_t t_1076 = __ldg(&start_2[t_1071 + 1]);
                bool t_1081 = (t_1075 >= 0) & (t_893 >= t_1076) & (t_894 >= t_1076);
                bool runs_13 = t_1081 & (t_1075 <= t_1076);
                /* line 102 */
                bool inside_224 = t_1071 >= row_6;
                bool inside_229 = inside_201 & (t_1081 & (t_1075 >= 0) & (t_1076 <= extent_20));
                index_t t_1085 = (tile_origin + 1) * 2048 - (t_1071 + 1);
                bool inside_231 = inside_229 & (t_1076 > t_1085);
                int64_t t_1086 = (int64_t)low_4 > t_1075 ? (int64_t)low_4 : t_1075;
                int64_t t_1087 = (int64_t)t_1085 < t_1076 ? (int64_t)t_1085 : t_1076;
                int64_t t_1089 = inside_231 ? (t_1087 > t_1075 ? t_1087 : t_1075) : (int64_t)(runs_13 ? t_1076 : 0LL);
                int64_t end_4 = inside_224 ? (int64_t)(runs_13 ? t_1075 : 0LL) : (inside_229 ? t_1086 : (int64_t)low_4);
                int64_t end_5 = inside_224 ? t_1089 : (inside_229 ? (t_1087 > t_1086 ? t_1087 : t_1086) : (int64_t)low_4);
                double s_195;
                if ((end_4 >= low_4) & (end_5 <= high_5) & (int64_t)outside_11[0] == 0) {
                    index_t t_1094 = high_5 < end_4 ? high_5 : end_4;
                    index_t t_1096 = (t_1094 > low_4 ? t_1094 : low_4) - base_2;
                    int64_t t_1097 = (int64_t)high_5 < end_5 ? (int64_t)high_5 : end_5;
                    index_t t_1099 = (t_1097 > low_4 ? t_1097 : low_4) - base_2;
                    index_t part_40 = shr_int64(t_1096 + 3, 2);
                    index_t part_41 = shr_int64(t_1099, 2);
                    index_t part_42 = shr_int64(part_40 + 7, 3);
                    index_t part_43 = shr_int64(part_41, 3);
                    index_t t_1102 = part_40 * 4;
                    index_t t_1103 = t_1099 < t_1102 ? t_1099 : t_1102;
                    index_t t_1104 = part_42 * 8;
                    index_t t_1105 = part_41 < t_1104 ? part_41 : t_1104;
                    index_t t_1107 = t_1096 + 1;
                    double s_196 = -0.0 + (t_1096 < t_1103 ? entry_2[t_1096] : -0.0);
                    index_t t_1109 = t_1096 + 2;
                    double s_197 = s_196 + (t_1107 < t_1103 ? entry_2[t_1107] : -0.0);
                    double s_198 = s_197 + (t_1109 < t_1103 ? entry_2[t_1109] : -0.0);
                    index_t t_1112 = part_40 + 1;
                    double s_199 = s_198 + (part_40 < t_1105 ? run_30[part_40] : -0.0);
                    index_t t_1114 = part_40 + 2;
                    double s_200 = s_199 + (t_1112 < t_1105 ? run_30[t_1112] : -0.0);
                    index_t t_1116 = part_40 + 3;
                    double s_201 = s_200 + (t_1114 < t_1105 ? run_30[t_1114] : -0.0);
                    index_t t_1118 = part_40 + 4;
                    double s_202 = s_201 + (t_1116 < t_1105 ? run_30[t_1116] : -0.0);
                    index_t t_1120 = part_40 + 5;
                    double s_203 = s_202 + (t_1118 < t_1105 ? run_30[t_1118] : -0.0);
                    index_t t_1122 = part_40 + 6;
                    double s_204 = s_203 + (t_1120 < t_1105 ? run_30[t_1120] : -0.0);
                    index_t part_44 = shr_int64((part_42 > part_43 ? part_42 : part_43) - part_42, 3);
                    double carried_9 = s_204 + (t_1122 < t_1105 ? run_30[t_1122] : -0.0);
#pragma unroll 1
                    for (index_t round_7 = 0; round_7 < part_44; round_7++) {
                        index_t t_1127 = part_42 + round_7 * 8;
                        double s_209 = carried_9 + group_4[t_1127] + group_4[t_1127 + 1] + group_4[t_1127 + 2] + group_4[t_1127 + 3];
                        double s_213 = s_209 + group_4[t_1127 + 4] + group_4[t_1127 + 5] + group_4[t_1127 + 6] + group_4[t_1127 + 7];
                        carried_9 = s_213;
                    }
                    double carried_10 = carried_9;
#pragma unroll 1
                    for (index_t place_2 = part_42 + part_44 * 8; place_2 < part_43; place_2++) {
                        carried_10 += group_4[place_2];
                    }
                    index_t t_1146 = part_43 * 8;
                    index_t t_1147 = t_1105 > t_1146 ? t_1105 : t_1146;
                    index_t t_1149 = t_1147 + 1;
                    double s_215 = carried_10 + (t_1147 < part_41 ? run_30[t_1147] : -0.0);
                    index_t t_1151 = t_1147 + 2;
                    double s_216 = s_215 + (t_1149 < part_41 ? run_30[t_1149] : -0.0);
                    index_t t_1153 = t_1147 + 3;
                    double s_217 = s_216 + (t_1151 < part_41 ? run_30[t_1151] : -0.0);
                    index_t t_1155 = t_1147 + 4;
                    double s_218 = s_217 + (t_1153 < part_41 ? run_30[t_1153] : -0.0);
                    index_t t_1157 = t_1147 + 5;
                    double s_219 = s_218 + (t_1155 < part_41 ? run_30[t_1155] : -0.0);
                    index_t t_1159 = t_1147 + 6;
                    double s_220 = s_219 + (t_1157 < part_41 ? run_30[t_1157] : -0.0);
                    index_t t_1161 = part_41 * 4;
                    index_t t_1162 = t_1103 > t_1161 ? t_1103 : t_1161;
                    double s_221 = s_220 + (t_1159 < part_41 ? run_30[t_1159] : -0.0);
                    index_t t_1164 = t_1162 + 1;
                    double s_222 = s_221 + (t_1162 < t_1099 ? entry_2[t_1162] : -0.0);
                    index_t t_1166 = t_1162 + 2;
                    double s_223 = s_222 + (t_1164 < t_1099 ? entry_2[t_1164] : -0.0);
                    s_195 = s_223 + (t_1166 < t_1099 ? entry_2[t_1166] : -0.0);
                } else {
                    /* line 104 */
                    double s_226 = -0.0;
                    for (int64_t k_18 = end_4; k_18 < end_5; k_18++) {
                        /* line 105 */
                        int64_t t_1170 = __ldcs(&column_1[(index_t)k_18]);
                        int64_t place = from_end(t_1170, x_1_n0);
                        if (UNLIKELY((uint64_t)place >= (uint64_t)x_1_n0)) {
                            *weft_flag = 1;
                            goto phase_4;
                        }
                        double s_227 = fma_float64(__ldcs(&value_1[(index_t)k_18]), __ldg(&x_1[(index_t)place]), s_226);
                        s_226 = s_227;
                    }
                    s_195 = s_226;
                }
                if (inside_224 & !inside_231) {
                    /* line 104 */
                    int64_t t_1177 = __ldg(&start_2[t_1071]);
                    int64_t t_1178 = __ldg(&start_2[t_1071 + 1]);
                    /* line 102 */
                    double s_228 = 0.0 + s_195;
                    /* line 104 */
                    double s_229;
                    if ((t_1177 >= 0) & (t_893 >= t_1178) & (t_894 >= t_1178)) {
                        s_229 = s_228;
                    } else {
                        double s_231 = 0.0;
                        for (int64_t k_19 = t_1177; k_19 < t_1178; k_19++) {
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
                            int64_t t_1186 = __ldcs(&column_1[(index_t)place_4]);
                            int64_t place_5 = from_end(t_1186, x_1_n0);
                            if (UNLIKELY((uint64_t)place_5 >= (uint64_t)x_1_n0)) {
                                *weft_flag = 1;
                                goto phase_4;
                            }
                            double s_232 = fma_float64(__ldcs(&value_1[(index_t)place_3]), __ldg(&x_1[(index_t)place_5]), s_231);
                            s_231 = s_232;
                        }
                        s_229 = s_231;
                    }
                    /* line 106 */
                    out_1[t_1071] = s_229;
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

extern "C" __global__ __launch_bounds__(128) void sparse_matrix_times_vector_3_ends(const char *__restrict__ noted_28_memory,
        int64_t noted_28_offset,
        int64_t noted_28_n0_given,
        const char *__restrict__ disorder_5_memory,
        int64_t disorder_5_offset,
        int64_t disorder_5_n0_given,
        const char *__restrict__ start_4_memory,
        int64_t start_4_offset,
        int64_t start_4_n0_given,
        const char *__restrict__ head_3_memory,
        int64_t head_3_offset,
        int64_t head_3_n0_given,
        const char *__restrict__ part_50_memory,
        int64_t part_50_offset,
        int64_t part_50_n0_given,
        char *__restrict__ out_3_memory,
        int64_t out_3_offset,
        int64_t out_3_n0_given,
        int64_t tiles_3,
        int64_t out_dim0_given_2,
        int64_t t_given_3,
        int64_t t_given_4,
        int64_t extent_given_3,
        int64_t tile_offset_given_2,
        int64_t tile_extent_given_2) {
    begin_kernel(noted_28_offset, disorder_5_offset, start_4_offset, head_3_offset, part_50_offset, out_3_offset);
    int64_t *noted_28 = AT(int64_t, noted_28_memory, noted_28_offset);
    index_t noted_28_n0 = (index_t)noted_28_n0_given;
    int64_t *disorder_5 = AT(int64_t, disorder_5_memory, disorder_5_offset);
    index_t disorder_5_n0 = (index_t)disorder_5_n0_given;
    int64_t *start_4 = AT(int64_t, start_4_memory, start_4_offset);
    index_t start_4_n0 = (index_t)start_4_n0_given;
    double *head_3 = AT(double, head_3_memory, head_3_offset);
    index_t head_3_n0 = (index_t)head_3_n0_given;
    double *part_50 = AT(double, part_50_memory, part_50_offset);
    index_t part_50_n0 = (index_t)part_50_n0_given;
    double *out_3 = AT(double, out_3_memory, out_3_offset);
    index_t out_3_n0 = (index_t)out_3_n0_given;
    index_t out_dim0_4 = (index_t)out_dim0_given_2;
    index_t t_1442 = (index_t)t_given_3;
    index_t t_1443 = (index_t)t_given_4;
    index_t extent_32 = (index_t)extent_given_3;
    index_t tile_offset_2 = (index_t)tile_offset_given_2;
    index_t tile_extent_2 = (index_t)tile_extent_given_2;
    /* line 102 */
    index_t tile_block_2 = (index_t)blockIdx.x;
    index_t tile_origin_2 = tile_block_2 * 128 + tile_offset_2;
    index_t i_thread_8 = (index_t)threadIdx.x;
    index_t tile_19 = tile_origin_2 + i_thread_8;
    if (tile_19 < tile_extent_2) {
        int64_t noted_29 = __ldg(&noted_28[tile_19]);
        int64_t t_1448 = (int64_t)out_dim0_4 < noted_29 ? (int64_t)out_dim0_4 : noted_29;
        int64_t noted_30 = __ldg(&noted_28[tile_19 + 1]);
        int64_t t_1452 = (int64_t)out_dim0_4 < noted_30 ? (int64_t)out_dim0_4 : noted_30;
        index_t t_1453 = 0 > t_1452 ? 0 : t_1452;
        index_t t_1454 = t_1453 - 1;
        bool inside_282 = (__ldg(&disorder_5[0]) == 0) & (t_1454 >= (0 > t_1448 ? 0 : t_1448));
        index_t t_1456 = inside_282 ? t_1454 : 0LL;
        /* line 104 */
        int64_t t_1460 = __ldg(&start_4[t_1456]);
        int64_t t_1461 = __ldg(&start_4[t_1456 + 1]);
        /* line 102 */
        bool inside_286 = (t_1460 >= 0) & (t_1442 >= t_1461) & (t_1443 >= t_1461) & (t_1460 >= 0) & (t_1461 <= extent_32);
        if (inside_282 & inside_286 & (t_1461 > (tile_19 + 1) * 2048 - t_1453)) {
            int64_t t_1470 = (int64_t)extent_32 < t_1461 ? (int64_t)extent_32 : t_1461;
            index_t t_1476 = tile_19 + 1;
            index_t t_1477 = shr_int64((0 > t_1470 ? 0 : t_1470) + (t_1456 + 1) - 1, 11) + 1;
            index_t part_52 = shr_int64((t_1476 > t_1477 ? t_1476 : t_1477) - t_1476, 5);
            double carried_15 = __ldg(&head_3[tile_19]);
#pragma unroll 1
            for (index_t round_10 = 0; round_10 < part_52; round_10++) {
                index_t t_1481 = t_1476 + round_10 * 32;
                double s_314 = carried_15 + __ldg(&part_50[t_1481]) + __ldg(&part_50[t_1481 + 1]) + __ldg(&part_50[t_1481 + 2]);
                double s_317 = s_314 + __ldg(&part_50[t_1481 + 3]) + __ldg(&part_50[t_1481 + 4]) + __ldg(&part_50[t_1481 + 5]);
                double s_320 = s_317 + __ldg(&part_50[t_1481 + 6]) + __ldg(&part_50[t_1481 + 7]) + __ldg(&part_50[t_1481 + 8]);
                double s_323 = s_320 + __ldg(&part_50[t_1481 + 9]) + __ldg(&part_50[t_1481 + 10]) + __ldg(&part_50[t_1481 + 11]);
                double s_326 = s_323 + __ldg(&part_50[t_1481 + 12]) + __ldg(&part_50[t_1481 + 13]) + __ldg(&part_50[t_1481 + 14]);
                double s_329 = s_326 + __ldg(&part_50[t_1481 + 15]) + __ldg(&part_50[t_1481 + 16]) + __ldg(&part_50[t_1481 + 17]);
                double s_332 = s_329 + __ldg(&part_50[t_1481 + 18]) + __ldg(&part_50[t_1481 + 19]) + __ldg(&part_50[t_1481 + 20]);
                double s_335 = s_332 + __ldg(&part_50[t_1481 + 21]) + __ldg(&part_50[t_1481 + 22]) + __ldg(&part_50[t_1481 + 23]);
                double s_338 = s_335 + __ldg(&part_50[t_1481 + 24]) + __ldg(&part_50[t_1481 + 25]) + __ldg(&part_50[t_1481 + 26]);
                double s_341 = s_338 + __ldg(&part_50[t_1481 + 27]) + __ldg(&part_50[t_1481 + 28]) + __ldg(&part_50[t_1481 + 29]);
                carried_15 = s_341 + __ldg(&part_50[t_1481 + 30]) + __ldg(&part_50[t_1481 + 31]);
            }
            double carried_16 = carried_15;
#pragma unroll 1
            for (index_t piece_3 = t_1476 + part_52 * 32; piece_3 < t_1477; piece_3++) {
                carried_16 = carried_16 + __ldg(&part_50[piece_3]);
            }
            /* line 104 */
            int64_t t_1552 = __ldg(&start_4[t_1456 + 1]);
            /* line 102 */
            double s_345 = 0.0 + carried_16;
            /* line 104 */
            double s_346 = (__ldg(&start_4[t_1456]) >= 0) & (t_1442 >= t_1552) & (t_1443 >= t_1552) ? s_345 : 0;
            /* line 106 */
            out_3[t_1456] = s_346;
        }
    }
}

extern "C" __global__ __launch_bounds__(128, 16) void sparse_matrix_times_vector_4(const char *__restrict__ start_5_memory,
        int64_t start_5_offset,
        int64_t start_5_n0_given,
        const char *__restrict__ value_2_memory,
        int64_t value_2_offset,
        int64_t value_2_n0_given,
        const char *__restrict__ column_2_memory,
        int64_t column_2_offset,
        int64_t column_2_n0_given,
        const char *__restrict__ x_2_memory,
        int64_t x_2_offset,
        int64_t x_2_n0_given,
        char *__restrict__ out_4_memory,
        int64_t out_4_offset,
        int64_t out_4_n0_given,
        int64_t out_dim0_5,
        int64_t t_given_5,
        int64_t t_given_6,
        int64_t i_offset_given_2,
        int64_t i_extent_given_2,
        int32_t *weft_flag) {
    int64_t *start_5 = AT(int64_t, start_5_memory, start_5_offset);
    index_t start_5_n0 = (index_t)start_5_n0_given;
    double *value_2 = AT(double, value_2_memory, value_2_offset);
    index_t value_2_n0 = (index_t)value_2_n0_given;
    int64_t *column_2 = AT(int64_t, column_2_memory, column_2_offset);
    index_t column_2_n0 = (index_t)column_2_n0_given;
    double *x_2 = AT(double, x_2_memory, x_2_offset);
    index_t x_2_n0 = (index_t)x_2_n0_given;
    double *out_4 = AT(double, out_4_memory, out_4_offset);
    index_t out_4_n0 = (index_t)out_4_n0_given;
    index_t t_1578 = (index_t)t_given_5;
    index_t t_1579 = (index_t)t_given_6;
    index_t i_offset_1 = (index_t)i_offset_given_2;
    index_t i_extent_1 = (index_t)i_extent_given_2;
    /* line 102 */
    index_t i_block_1 = (index_t)blockIdx.x;
    index_t i_origin_1 = i_block_1 * 16 + i_offset_1;
    __shared__ __align__(16) double partial[144];
    double own[4];
    {
        index_t i_thread_9 = (index_t)threadIdx.y;
        index_t k_thread_4 = (index_t)threadIdx.x;
        index_t i_14 = i_origin_1 + i_thread_9;
        if (i_14 < i_extent_1) {
            /* line 104 */
            int64_t t_1587 = start_5[i_14];
            int64_t t_1588 = start_5[i_14 + 1];
            bool runs_19 = (t_1587 >= 0) & (t_1578 >= t_1588) & (t_1579 >= t_1588) & (t_1587 <= t_1588);
            index_t first_19 = runs_19 ? t_1587 : 0LL;
            /* line 102 */
            own[0] = -0.0;
            own[1] = -0.0;
            own[2] = -0.0;
            own[3] = -0.0;
            index_t last_19 = runs_19 ? t_1588 : 0LL;
            index_t t_1596 = first_19 + k_thread_4;
            index_t t_1598 = (first_19 > last_19 ? first_19 : last_19) - first_19 + 7 - k_thread_4;
            index_t count = (0 > t_1598 ? 0 : t_1598) / 8;
            index_t rounds_1 = count / 4;
            if (x_2_n0 > 0) {
#pragma unroll 1
                for (index_t round_11 = 0; round_11 < rounds_1; round_11++) {
                    index_t t_1601 = t_1596 + round_11 * 32;
                    index_t t_1602 = t_1601 + 8;
                    index_t t_1603 = t_1601 + 16;
                    index_t t_1604 = t_1601 + 24;
                    /* line 105 */
                    int64_t t_1617 = column_2[t_1601];
                    int64_t t_1618 = column_2[t_1602];
                    int64_t t_1619 = column_2[t_1603];
                    int64_t t_1620 = column_2[t_1604];
                    int64_t t_1621 = t_1617 + (int64_t)(t_1617 < 0 ? x_2_n0 : 0LL);
                    bool outside = (uint64_t)t_1621 >= (uint64_t)x_2_n0;
                    if (outside) *weft_flag = 1;
                    index_t inside = outside ? 0 : t_1621;
                    int64_t t_1622 = t_1618 + (int64_t)(t_1618 < 0 ? x_2_n0 : 0LL);
                    bool outside_2 = (uint64_t)t_1622 >= (uint64_t)x_2_n0;
                    if (outside_2) *weft_flag = 1;
                    index_t inside_2 = outside_2 ? 0 : t_1622;
                    int64_t t_1623 = t_1619 + (int64_t)(t_1619 < 0 ? x_2_n0 : 0LL);
                    bool outside_3 = (uint64_t)t_1623 >= (uint64_t)x_2_n0;
                    if (outside_3) *weft_flag = 1;
                    index_t inside_3 = outside_3 ? 0 : t_1623;
                    int64_t t_1624 = t_1620 + (int64_t)(t_1620 < 0 ? x_2_n0 : 0LL);
                    bool outside_4 = (uint64_t)t_1624 >= (uint64_t)x_2_n0;
                    if (outside_4) *weft_flag = 1;
                    index_t inside_4 = outside_4 ? 0 : t_1624;
                    /* line 102 */
                    double s_356 = fma_float64(value_2[t_1602], x_2[inside_2], own[1]);
                    double s_357 = fma_float64(value_2[t_1603], x_2[inside_3], own[2]);
                    double s_358 = fma_float64(value_2[t_1604], x_2[inside_4], own[3]);
                    own[0] = fma_float64(value_2[t_1601], x_2[inside], own[0]);
                    own[1] = s_356;
                    own[2] = s_357;
                    own[3] = s_358;
                }
#pragma unroll 1
                for (index_t rest = rounds_1 * 4; rest < count; rest++) {
                    index_t t_1635 = t_1596 + rest * 8;
                    /* line 105 */
                    int64_t t_1639 = column_2[t_1635];
                    int64_t t_1640 = t_1639 + (int64_t)(t_1639 < 0 ? x_2_n0 : 0LL);
                    bool outside_5 = (uint64_t)t_1640 >= (uint64_t)x_2_n0;
                    if (outside_5) *weft_flag = 1;
                    index_t inside_5 = outside_5 ? 0 : t_1640;
                    /* line 102 */
                    own[0] = fma_float64(value_2[t_1635], x_2[inside_5], own[0]);
                }
            } else {
#pragma unroll 1
                for (index_t rest_1 = 0; rest_1 < count; rest_1++) {
                    index_t t_1644 = t_1596 + rest_1 * 8;
                    /* line 105 */
                    int64_t t_1648 = column_2[t_1644];
                    int64_t place_6 = from_end(t_1648, x_2_n0);
                    if (UNLIKELY((uint64_t)place_6 >= (uint64_t)x_2_n0)) {
                        *weft_flag = 1;
                        goto phase_5;
                    }
                    /* line 102 */
                    own[0] = fma_float64(value_2[t_1644], x_2[(index_t)place_6], own[0]);
                }
            }
            partial[i_thread_9 * 9 + k_thread_4] = own[0] + own[1] + (own[2] + own[3]);
        }
    }
    phase_5:;
    __syncthreads();
    {
        index_t i_thread_10 = (index_t)threadIdx.y;
        index_t k_thread_5 = (index_t)threadIdx.x;
        index_t thread = i_thread_10 * 8 + k_thread_5;
        if (thread < 16) {
            index_t i_15 = i_origin_1 + thread;
            if (i_15 < i_extent_1) {
                /* line 104 */
                int64_t t_1659 = start_5[i_15];
                int64_t t_1660 = start_5[i_15 + 1];
                /* line 102 */
                double carried_17 = 0.0;
#pragma unroll
                for (index_t part_53 = 0; part_53 < 8; part_53++) {
                    carried_17 = carried_17 + partial[thread * 9 + part_53];
                }
                /* line 104 */
                double s_361;
                if ((t_1659 >= 0) & (t_1578 >= t_1660) & (t_1579 >= t_1660)) {
                    s_361 = carried_17;
                } else {
                    double s_363 = 0.0;
                    for (int64_t k_24 = t_1659; k_24 < t_1660; k_24++) {
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
                        int64_t t_1669 = column_2[(index_t)place_8];
                        int64_t place_9 = from_end(t_1669, x_2_n0);
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
