#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

typedef unsigned int uint32_t;

HELPER void copy_late_8(void *to, const void *from) {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from));
#else
    *(int64_t *)to = *(const int64_t *)from;
#endif
}

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef int int32_t;

typedef int32_t index_t;

#if __CUDA_ARCH__ >= 800
#define wait_late(count) asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(count) : "memory")
#else
#define wait_late(count)
#endif

extern "C" __global__ __launch_bounds__(256, 2) void matrix_product_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        const char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0_given,
        int64_t b_1_n1_given,
        int64_t b_1_s0_given,
        char *__restrict__ c_1_memory,
        int64_t c_1_offset,
        int64_t c_1_n0_given,
        int64_t c_1_n1_given,
        int64_t c_1_s0_given,
        int64_t a_dim0_1,
        int64_t b_dim1_1,
        int64_t a_dim1_given,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    index_t b_1_n0 = (index_t)b_1_n0_given;
    index_t b_1_n1 = (index_t)b_1_n1_given;
    index_t b_1_s0 = (index_t)(b_1_s0_given >> 3);
    double *c_1 = AT(double, c_1_memory, c_1_offset);
    index_t c_1_n0 = (index_t)c_1_n0_given;
    index_t c_1_n1 = (index_t)c_1_n1_given;
    index_t c_1_s0 = (index_t)(c_1_s0_given >> 3);
    index_t a_dim1_1 = (index_t)a_dim1_given;
    index_t i_offset_1 = (index_t)i_offset_given;
    index_t i_extent_1 = (index_t)i_extent_given;
    index_t j_offset_1 = (index_t)j_offset_given;
    index_t j_extent_1 = (index_t)j_extent_given;
    /* line 128 */
    index_t j_first_1 = j_offset_1 - j_offset_1 % 2;
    index_t i_block_1 = (index_t)blockIdx.y;
    /* line 129 */
    index_t j_block_1 = (index_t)blockIdx.x;
    /* line 128 */
    index_t i_origin_1 = i_block_1 * 128 + i_offset_1;
    /* line 129 */
    index_t j_origin_1 = j_block_1 * 64 + j_first_1;
    /* line 128 */
    double s_11[32];
    __shared__ __align__(16) double a_tile_1[2080];
    double a_held_1[4];
    __shared__ __align__(16) double b_tile_1[1024];
    double b_held_1[2];
    if ((i_origin_1 < i_extent_1) & (j_origin_1 < j_extent_1)) {
        index_t trip_1 = 0 > a_dim1_1 ? 0 : a_dim1_1;
        index_t tiles_1 = trip_1 / 8;
        index_t left_1 = trip_1 - tiles_1 * 8;
        bool inside_43 = ((((int64_t)c_1 | (int64_t)c_1_s0 * 8) & 15) == 0) & (((int64_t)a_1 | (int64_t)a_1_s0 * 8) & 15) == 0;
        bool inside_45 = inside_43 & (((int64_t)b_1 | (int64_t)b_1_s0 * 8) & 15) == 0 & (int64_t)j_offset_1 % 2 == 0;
        if (inside_45 & (int64_t)j_extent_1 % 2 == 0) {
            {
                index_t i_thread_14 = (index_t)threadIdx.y;
                index_t j_thread_14 = (index_t)threadIdx.x;
#pragma unroll
                for (index_t point_19 = 0; point_19 < 8; point_19++) {
#pragma unroll
                    for (index_t point_20 = 0; point_20 < 4; point_20++) {
                        s_11[point_19 * 4 + point_20] = 0.0;
                    }
                }
                if (tiles_1 > 0) {
                    index_t thread_47 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1567 = i_origin_1 + thread_47 / 4;
                    index_t t_1566 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_1565 = thread_47 % 4 * 2;
                    double2 run_56 = *(double2 *)(AT(double, a_1, (int64_t)((t_1566 < t_1567 ? t_1566 : t_1567) * a_1_s0 + t_1565) * 8));
                    /* line 128 */
                    a_held_1[0] = run_56.x;
                    a_held_1[1] = run_56.y;
                    index_t t_1576 = i_origin_1 + thread_47 / 4 + 64;
                    index_t t_1574 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_1573 = thread_47 % 4 * 2;
                    double2 run_57 = *(double2 *)(AT(double, a_1, (int64_t)((t_1574 < t_1576 ? t_1574 : t_1576) * a_1_s0 + t_1573) * 8));
                    /* line 128 */
                    a_held_1[2] = run_57.x;
                    a_held_1[3] = run_57.y;
                    index_t thread_48 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1585 = j_origin_1 + thread_48 % 32 * 2;
                    index_t t_1584 = j_extent_1 - 2;
                    /* line 132 */
                    index_t t_1586 = t_1584 < t_1585 ? t_1584 : t_1585;
                    double2 run_58 = *(double2 *)(AT(double, b_1, (int64_t)(thread_48 / 32 * b_1_s0 + t_1586) * 8));
                    /* line 128 */
                    b_held_1[0] = run_58.x;
                    b_held_1[1] = run_58.y;
                    index_t thread_49 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1591 = thread_49 / 4;
                    index_t t_1592 = thread_49 % 4 * 2;
                    double t_1594 = a_held_1[1];
                    a_tile_1[t_1592 * 130 + t_1591] = a_held_1[0];
                    a_tile_1[(t_1592 + 1) * 130 + t_1591] = t_1594;
                    index_t t_1598 = thread_49 % 4 * 2;
                    index_t t_1601 = thread_49 / 4 + 64;
                    double t_1600 = a_held_1[3];
                    a_tile_1[t_1598 * 130 + t_1601] = a_held_1[2];
                    a_tile_1[(t_1598 + 1) * 130 + t_1601] = t_1600;
                    index_t thread_50 = i_thread_14 * 16 + j_thread_14;
                    index_t t_1606 = thread_50 % 32 * 2;
                    *(double2 *)(&b_tile_1[thread_50 / 32 * 64 + t_1606]) = make_double2(b_held_1[0], b_held_1[1]);
                }
            }
            __syncthreads();
            index_t carried_4 = 0;
            for (index_t tile_2 = 0; tile_2 < tiles_1; tile_2++) {
                index_t t_1609 = carried_4 + 1;
                index_t buffer_4 = t_1609 == 2 ? 0LL : t_1609;
                index_t t_1610 = tile_2 * 8;
                bool inside_53 = tile_2 + 1 < tiles_1;
                {
                    index_t i_thread_15 = (index_t)threadIdx.y;
                    index_t j_thread_15 = (index_t)threadIdx.x;
                    if (inside_53) {
                        index_t t_1612 = t_1610 + 8;
                        index_t thread_51 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1619 = i_origin_1 + thread_51 / 4;
                        index_t t_1618 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_1617 = t_1612 + thread_51 % 4 * 2;
                        double2 run_60 = *(double2 *)(AT(double, a_1, (int64_t)((t_1618 < t_1619 ? t_1618 : t_1619) * a_1_s0 + t_1617) * 8));
                        /* line 128 */
                        a_held_1[0] = run_60.x;
                        a_held_1[1] = run_60.y;
                        index_t t_1629 = i_origin_1 + thread_51 / 4 + 64;
                        index_t t_1627 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_1626 = t_1612 + thread_51 % 4 * 2;
                        double2 run_61 = *(double2 *)(AT(double, a_1, (int64_t)((t_1627 < t_1629 ? t_1627 : t_1629) * a_1_s0 + t_1626) * 8));
                        /* line 128 */
                        a_held_1[2] = run_61.x;
                        a_held_1[3] = run_61.y;
                        index_t thread_52 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1639 = j_origin_1 + thread_52 % 32 * 2;
                        index_t t_1638 = j_extent_1 - 2;
                        /* line 132 */
                        index_t t_1640 = t_1638 < t_1639 ? t_1638 : t_1639;
                        double2 run_62 = *(double2 *)(AT(double, b_1, (int64_t)((t_1612 + thread_52 / 32) * b_1_s0 + t_1640) * 8));
                        /* line 128 */
                        b_held_1[0] = run_62.x;
                        b_held_1[1] = run_62.y;
                    }
                    index_t t_1644 = (i_thread_15 * 16 + j_thread_15) % 32;
                    index_t t_1654 = (i_thread_15 * 16 + j_thread_15) / 32 / 2 * 4 + t_1644 / 8;
                    index_t t_1663 = (i_thread_15 * 16 + j_thread_15) / 32 % 2 * 8 + t_1644 % 8;
#pragma unroll
                    for (index_t within_4 = 0; within_4 < 8; within_4++) {
                        double a_tile_part_4[8];
                        double b_tile_part_4[4];
                        index_t t_1664 = t_1654 * 2;
                        double2 run_63 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_1664]);
                        a_tile_part_4[0] = run_63.x;
                        a_tile_part_4[1] = run_63.y;
                        index_t t_1668 = t_1654 * 2 + 32;
                        double2 run_64 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_1668]);
                        a_tile_part_4[2] = run_64.x;
                        a_tile_part_4[3] = run_64.y;
                        index_t t_1672 = t_1654 * 2 + 64;
                        double2 run_65 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_1672]);
                        a_tile_part_4[4] = run_65.x;
                        a_tile_part_4[5] = run_65.y;
                        index_t t_1676 = t_1654 * 2 + 96;
                        double2 run_66 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_1676]);
                        a_tile_part_4[6] = run_66.x;
                        a_tile_part_4[7] = run_66.y;
                        index_t t_1679 = t_1663 * 2;
                        double2 run_67 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_4 * 64 + t_1679]);
                        b_tile_part_4[0] = run_67.x;
                        b_tile_part_4[1] = run_67.y;
                        index_t t_1683 = t_1663 * 2 + 32;
                        double2 run_68 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_4 * 64 + t_1683]);
                        b_tile_part_4[2] = run_68.x;
                        b_tile_part_4[3] = run_68.y;
#pragma unroll
                        for (index_t point_23 = 0; point_23 < 8; point_23++) {
#pragma unroll
                            for (index_t point_24 = 0; point_24 < 4; point_24++) {
                                /* line 132 */
                                double s_12 = fma_float64(a_tile_part_4[point_23], b_tile_part_4[point_24], s_11[point_23 * 4 + point_24]);
                                /* line 128 */
                                s_11[point_23 * 4 + point_24] = s_12;
                            }
                        }
                    }
                    if (inside_53) {
                        index_t thread_56 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1693 = thread_56 / 4;
                        index_t t_1694 = thread_56 % 4 * 2;
                        double t_1696 = a_held_1[1];
                        a_tile_1[buffer_4 * 1040 + t_1694 * 130 + t_1693] = a_held_1[0];
                        a_tile_1[buffer_4 * 1040 + (t_1694 + 1) * 130 + t_1693] = t_1696;
                        index_t t_1700 = thread_56 % 4 * 2;
                        index_t t_1703 = thread_56 / 4 + 64;
                        double t_1702 = a_held_1[3];
                        a_tile_1[buffer_4 * 1040 + t_1700 * 130 + t_1703] = a_held_1[2];
                        a_tile_1[buffer_4 * 1040 + (t_1700 + 1) * 130 + t_1703] = t_1702;
                        index_t thread_57 = i_thread_15 * 16 + j_thread_15;
                        index_t t_1708 = thread_57 % 32 * 2;
                        *(double2 *)(&b_tile_1[buffer_4 * 512 + thread_57 / 32 * 64 + t_1708]) = make_double2(b_held_1[0], b_held_1[1]);
                    }
                }
                __syncthreads();
                carried_4 = buffer_4;
            }
            if (left_1 > 0) {
                index_t t_1711 = tiles_1 * 8;
                {
                    index_t i_thread_16 = (index_t)threadIdx.y;
                    index_t j_thread_16 = (index_t)threadIdx.x;
#pragma unroll 1
                    for (index_t piece_4 = 0; piece_4 < 4; piece_4++) {
                        index_t thread_58 = i_thread_16 * 16 + j_thread_16;
                        index_t t_1715 = thread_58 / 8 + piece_4 * 32;
                        index_t t_1716 = thread_58 % 8;
                        index_t t_1717 = i_origin_1 + t_1715;
                        index_t t_1719 = i_extent_1 - 1;
                        index_t t_1718 = t_1711 + t_1716;
                        index_t t_1721 = a_dim1_1 - 1;
                        index_t t_1722 = t_1721 < t_1718 ? t_1721 : t_1718;
                        /* line 132 */
                        double t_1724 = a_1[(t_1719 < t_1717 ? t_1719 : t_1717) * a_1_s0 + (t_1722 > t_1711 ? t_1722 : t_1711)];
                        /* line 128 */
                        a_tile_1[t_1716 * 130 + t_1715] = t_1724;
                    }
#pragma unroll 1
                    for (index_t piece_5 = 0; piece_5 < 2; piece_5++) {
                        index_t thread_59 = i_thread_16 * 16 + j_thread_16;
                        index_t t_1728 = thread_59 / 64 + piece_5 * 4;
                        index_t t_1729 = thread_59 % 64;
                        index_t t_1730 = j_origin_1 + t_1729;
                        index_t t_1732 = j_extent_1 - 1;
                        index_t t_1733 = t_1732 < t_1730 ? t_1732 : t_1730;
                        index_t t_1731 = t_1711 + t_1728;
                        index_t t_1735 = a_dim1_1 - 1;
                        index_t t_1736 = t_1735 < t_1731 ? t_1735 : t_1731;
                        /* line 132 */
                        double t_1738 = b_1[(t_1736 > t_1711 ? t_1736 : t_1711) * b_1_s0 + (t_1733 > j_offset_1 ? t_1733 : j_offset_1)];
                        /* line 128 */
                        b_tile_1[t_1728 * 64 + t_1729] = t_1738;
                    }
                }
                __syncthreads();
                {
                    index_t i_thread_17 = (index_t)threadIdx.y;
                    index_t j_thread_17 = (index_t)threadIdx.x;
                    index_t t_1740 = (i_thread_17 * 16 + j_thread_17) % 32;
                    index_t t_1750 = (i_thread_17 * 16 + j_thread_17) / 32 / 2 * 4 + t_1740 / 8;
                    index_t t_1759 = (i_thread_17 * 16 + j_thread_17) / 32 % 2 * 8 + t_1740 % 8;
#pragma unroll 1
                    for (index_t within_5 = 0; within_5 < left_1; within_5++) {
                        double a_tile_part_5[8];
                        double b_tile_part_5[4];
                        index_t t_1760 = t_1750 * 2;
                        double2 run_70 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1760]);
                        a_tile_part_5[0] = run_70.x;
                        a_tile_part_5[1] = run_70.y;
                        index_t t_1764 = t_1750 * 2 + 32;
                        double2 run_71 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1764]);
                        a_tile_part_5[2] = run_71.x;
                        a_tile_part_5[3] = run_71.y;
                        index_t t_1768 = t_1750 * 2 + 64;
                        double2 run_72 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1768]);
                        a_tile_part_5[4] = run_72.x;
                        a_tile_part_5[5] = run_72.y;
                        index_t t_1772 = t_1750 * 2 + 96;
                        double2 run_73 = *(double2 *)(&a_tile_1[within_5 * 130 + t_1772]);
                        a_tile_part_5[6] = run_73.x;
                        a_tile_part_5[7] = run_73.y;
                        index_t t_1775 = t_1759 * 2;
                        double2 run_74 = *(double2 *)(&b_tile_1[within_5 * 64 + t_1775]);
                        b_tile_part_5[0] = run_74.x;
                        b_tile_part_5[1] = run_74.y;
                        index_t t_1779 = t_1759 * 2 + 32;
                        double2 run_75 = *(double2 *)(&b_tile_1[within_5 * 64 + t_1779]);
                        b_tile_part_5[2] = run_75.x;
                        b_tile_part_5[3] = run_75.y;
#pragma unroll
                        for (index_t point_25 = 0; point_25 < 8; point_25++) {
#pragma unroll
                            for (index_t point_26 = 0; point_26 < 4; point_26++) {
                                /* line 132 */
                                double s_13 = fma_float64(a_tile_part_5[point_25], b_tile_part_5[point_26], s_11[point_25 * 4 + point_26]);
                                /* line 128 */
                                s_11[point_25 * 4 + point_26] = s_13;
                            }
                        }
                    }
                }
                __syncthreads();
            }
            {
                index_t i_thread_18 = (index_t)threadIdx.y;
                index_t j_thread_18 = (index_t)threadIdx.x;
                index_t t_1788 = (i_thread_18 * 16 + j_thread_18) % 32;
                index_t t_1798 = (i_thread_18 * 16 + j_thread_18) / 32 / 2 * 4 + t_1788 / 8;
                index_t t_1807 = (i_thread_18 * 16 + j_thread_18) / 32 % 2 * 8 + t_1788 % 8;
#pragma unroll
                for (index_t point_27 = 0; point_27 < 8; point_27++) {
                    index_t i_15 = i_origin_1 + t_1798 * 2 + point_27 / 2 * 32 + point_27 % 2;
                    if (i_15 < i_extent_1) {
                        index_t j_39 = j_origin_1 + t_1807 * 2;
                        double t_1813 = s_11[point_27 * 4];
                        double t_1814 = s_11[point_27 * 4 + 1];
                        if (j_39 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_39) * 8)) = make_double2(t_1813, t_1814);
                        }
                        index_t j_42 = j_origin_1 + t_1807 * 2 + 32;
                        double t_1816 = s_11[point_27 * 4 + 2];
                        double t_1817 = s_11[point_27 * 4 + 3];
                        if (j_42 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_42) * 8)) = make_double2(t_1816, t_1817);
                        }
                    }
                }
            }
            __syncthreads();
        } else {
            {
                index_t i_thread_19 = (index_t)threadIdx.y;
                index_t j_thread_19 = (index_t)threadIdx.x;
#pragma unroll
                for (index_t point_28 = 0; point_28 < 8; point_28++) {
#pragma unroll
                    for (index_t point_29 = 0; point_29 < 4; point_29++) {
                        s_11[point_28 * 4 + point_29] = 0.0;
                    }
                }
            }
            __syncthreads();
            if (left_1 > 0) {
                {
                    index_t i_thread_20 = (index_t)threadIdx.y;
                    index_t j_thread_20 = (index_t)threadIdx.x;
#pragma unroll 1
                    for (index_t piece_6 = 0; piece_6 < 4; piece_6++) {
                        index_t thread_69 = i_thread_20 * 16 + j_thread_20;
                        index_t t_1850 = thread_69 / 8 + piece_6 * 32;
                        index_t t_1851 = thread_69 % 8;
                        index_t t_1852 = i_origin_1 + t_1850;
                        index_t t_1853 = i_extent_1 - 1;
                        index_t t_1855 = a_dim1_1 - 1;
                        index_t t_1856 = t_1855 < t_1851 ? t_1855 : t_1851;
                        /* line 128 */
                        copy_late_8(&a_tile_1[t_1851 * 130 + t_1850], AT(double, a_1, (int64_t)((t_1853 < t_1852 ? t_1853 : t_1852) * a_1_s0 + (t_1856 > 0 ? t_1856 : 0)) * 8));
                    }
#pragma unroll 1
                    for (index_t piece_7 = 0; piece_7 < 2; piece_7++) {
                        index_t thread_70 = i_thread_20 * 16 + j_thread_20;
                        index_t t_1862 = thread_70 / 64 + piece_7 * 4;
                        index_t t_1863 = thread_70 % 64;
                        index_t t_1864 = j_origin_1 + t_1863;
                        index_t t_1865 = j_extent_1 - 1;
                        index_t t_1866 = t_1865 < t_1864 ? t_1865 : t_1864;
                        index_t t_1868 = a_dim1_1 - 1;
                        index_t t_1869 = t_1868 < t_1862 ? t_1868 : t_1862;
                        /* line 128 */
                        copy_late_8(&b_tile_1[t_1862 * 64 + t_1863], AT(double, b_1, (int64_t)((t_1869 > 0 ? t_1869 : 0) * b_1_s0 + (t_1866 > j_offset_1 ? t_1866 : j_offset_1)) * 8));
                    }
                }
                wait_late(0);
                __syncthreads();
                {
                    index_t i_thread_21 = (index_t)threadIdx.y;
                    index_t j_thread_21 = (index_t)threadIdx.x;
                    index_t t_1873 = (i_thread_21 * 16 + j_thread_21) % 32;
                    index_t t_1883 = (i_thread_21 * 16 + j_thread_21) / 32 / 2 * 4 + t_1873 / 8;
                    index_t t_1892 = (i_thread_21 * 16 + j_thread_21) / 32 % 2 * 8 + t_1873 % 8;
#pragma unroll 1
                    for (index_t within_6 = 0; within_6 < left_1; within_6++) {
                        double a_tile_part_6[8];
                        double b_tile_part_6[4];
                        index_t t_1893 = t_1883 * 2;
                        double2 run_78 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1893]);
                        a_tile_part_6[0] = run_78.x;
                        a_tile_part_6[1] = run_78.y;
                        index_t t_1897 = t_1883 * 2 + 32;
                        double2 run_79 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1897]);
                        a_tile_part_6[2] = run_79.x;
                        a_tile_part_6[3] = run_79.y;
                        index_t t_1901 = t_1883 * 2 + 64;
                        double2 run_80 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1901]);
                        a_tile_part_6[4] = run_80.x;
                        a_tile_part_6[5] = run_80.y;
                        index_t t_1905 = t_1883 * 2 + 96;
                        double2 run_81 = *(double2 *)(&a_tile_1[within_6 * 130 + t_1905]);
                        a_tile_part_6[6] = run_81.x;
                        a_tile_part_6[7] = run_81.y;
                        index_t t_1908 = t_1892 * 2;
                        double2 run_82 = *(double2 *)(&b_tile_1[within_6 * 64 + t_1908]);
                        b_tile_part_6[0] = run_82.x;
                        b_tile_part_6[1] = run_82.y;
                        index_t t_1912 = t_1892 * 2 + 32;
                        double2 run_83 = *(double2 *)(&b_tile_1[within_6 * 64 + t_1912]);
                        b_tile_part_6[2] = run_83.x;
                        b_tile_part_6[3] = run_83.y;
#pragma unroll
                        for (index_t point_32 = 0; point_32 < 8; point_32++) {
#pragma unroll
                            for (index_t point_33 = 0; point_33 < 4; point_33++) {
                                /* line 132 */
                                double s_14 = fma_float64(a_tile_part_6[point_32], b_tile_part_6[point_33], s_11[point_32 * 4 + point_33]);
                                /* line 128 */
                                s_11[point_32 * 4 + point_33] = s_14;
                            }
                        }
                    }
                }
                __syncthreads();
            }
            {
                index_t i_thread_22 = (index_t)threadIdx.y;
                index_t j_thread_22 = (index_t)threadIdx.x;
                if (tiles_1 > 0) {
                    index_t thread_74 = i_thread_22 * 16 + j_thread_22;
                    index_t t_1920 = thread_74 % 8;
                    index_t t_1921 = thread_74 / 8;
                    index_t t_1922 = i_origin_1 + t_1921;
                    index_t t_1924 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1920 * 130 + t_1921], AT(double, a_1, (int64_t)((t_1924 < t_1922 ? t_1924 : t_1922) * a_1_s0 + (left_1 + t_1920)) * 8));
                    index_t t_1927 = thread_74 % 8;
                    index_t t_1928 = thread_74 / 8;
                    index_t t_1930 = i_origin_1 + t_1928 + 32;
                    index_t t_1932 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1927 * 130 + (t_1928 + 32)], AT(double, a_1, (int64_t)((t_1932 < t_1930 ? t_1932 : t_1930) * a_1_s0 + (left_1 + t_1927)) * 8));
                    index_t t_1936 = thread_74 % 8;
                    index_t t_1937 = thread_74 / 8;
                    index_t t_1939 = i_origin_1 + t_1937 + 64;
                    index_t t_1941 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1936 * 130 + (t_1937 + 64)], AT(double, a_1, (int64_t)((t_1941 < t_1939 ? t_1941 : t_1939) * a_1_s0 + (left_1 + t_1936)) * 8));
                    index_t t_1945 = thread_74 % 8;
                    index_t t_1946 = thread_74 / 8;
                    index_t t_1948 = i_origin_1 + t_1946 + 96;
                    index_t t_1950 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_1945 * 130 + (t_1946 + 96)], AT(double, a_1, (int64_t)((t_1950 < t_1948 ? t_1950 : t_1948) * a_1_s0 + (left_1 + t_1945)) * 8));
                    index_t thread_75 = i_thread_22 * 16 + j_thread_22;
                    index_t t_1955 = thread_75 % 64;
                    index_t t_1956 = thread_75 / 64;
                    index_t t_1957 = j_origin_1 + t_1955;
                    index_t t_1959 = j_extent_1 - 1;
                    index_t t_1960 = t_1959 < t_1957 ? t_1959 : t_1957;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_1956 * 64 + t_1955], AT(double, b_1, (int64_t)((left_1 + t_1956) * b_1_s0 + (t_1960 > j_offset_1 ? t_1960 : j_offset_1)) * 8));
                    index_t t_1963 = thread_75 % 64;
                    index_t t_1964 = thread_75 / 64;
                    index_t t_1965 = j_origin_1 + t_1963;
                    index_t t_1968 = j_extent_1 - 1;
                    index_t t_1969 = t_1968 < t_1965 ? t_1968 : t_1965;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_1964 + 4) * 64 + t_1963], AT(double, b_1, (int64_t)((left_1 + t_1964 + 4) * b_1_s0 + (t_1969 > j_offset_1 ? t_1969 : j_offset_1)) * 8));
                }
            }
            wait_late(0);
            __syncthreads();
            index_t carried_5 = 0;
            index_t carried_6 = 1;
            for (index_t tile_3 = 0; tile_3 < tiles_1; tile_3++) {
                index_t t_1975 = carried_5 + 1;
                index_t t_1976 = carried_6 + 1;
                index_t t_1977 = tile_3 + 1;
                index_t t_1978 = tiles_1 - 1;
                index_t t_1979 = t_1978 < t_1977 ? t_1978 : t_1977;
                {
                    index_t i_thread_23 = (index_t)threadIdx.y;
                    index_t j_thread_23 = (index_t)threadIdx.x;
                    index_t t_1981 = left_1 + t_1979 * 8;
                    index_t thread_76 = i_thread_23 * 16 + j_thread_23;
                    index_t t_1983 = thread_76 % 8;
                    index_t t_1984 = thread_76 / 8;
                    index_t t_1985 = i_origin_1 + t_1984;
                    index_t t_1987 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_1983 * 130 + t_1984], AT(double, a_1, (int64_t)((t_1987 < t_1985 ? t_1987 : t_1985) * a_1_s0 + (t_1981 + t_1983)) * 8));
                    index_t t_1990 = thread_76 % 8;
                    index_t t_1991 = thread_76 / 8;
                    index_t t_1993 = i_origin_1 + t_1991 + 32;
                    index_t t_1995 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_1990 * 130 + (t_1991 + 32)], AT(double, a_1, (int64_t)((t_1995 < t_1993 ? t_1995 : t_1993) * a_1_s0 + (t_1981 + t_1990)) * 8));
                    index_t t_1999 = thread_76 % 8;
                    index_t t_2000 = thread_76 / 8;
                    index_t t_2002 = i_origin_1 + t_2000 + 64;
                    index_t t_2004 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_1999 * 130 + (t_2000 + 64)], AT(double, a_1, (int64_t)((t_2004 < t_2002 ? t_2004 : t_2002) * a_1_s0 + (t_1981 + t_1999)) * 8));
                    index_t t_2008 = thread_76 % 8;
                    index_t t_2009 = thread_76 / 8;
                    index_t t_2011 = i_origin_1 + t_2009 + 96;
                    index_t t_2013 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_2008 * 130 + (t_2009 + 96)], AT(double, a_1, (int64_t)((t_2013 < t_2011 ? t_2013 : t_2011) * a_1_s0 + (t_1981 + t_2008)) * 8));
                    index_t thread_77 = i_thread_23 * 16 + j_thread_23;
                    index_t t_2018 = thread_77 % 64;
                    index_t t_2019 = thread_77 / 64;
                    index_t t_2020 = j_origin_1 + t_2018;
                    index_t t_2022 = j_extent_1 - 1;
                    index_t t_2023 = t_2022 < t_2020 ? t_2022 : t_2020;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_6 * 512 + t_2019 * 64 + t_2018], AT(double, b_1, (int64_t)((t_1981 + t_2019) * b_1_s0 + (t_2023 > j_offset_1 ? t_2023 : j_offset_1)) * 8));
                    index_t t_2026 = thread_77 % 64;
                    index_t t_2027 = thread_77 / 64;
                    index_t t_2028 = j_origin_1 + t_2026;
                    index_t t_2031 = j_extent_1 - 1;
                    index_t t_2032 = t_2031 < t_2028 ? t_2031 : t_2028;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_6 * 512 + (t_2027 + 4) * 64 + t_2026], AT(double, b_1, (int64_t)((t_1981 + t_2027 + 4) * b_1_s0 + (t_2032 > j_offset_1 ? t_2032 : j_offset_1)) * 8));
                    index_t t_2037 = (i_thread_23 * 16 + j_thread_23) % 32;
                    index_t t_2047 = (i_thread_23 * 16 + j_thread_23) / 32 / 2 * 4 + t_2037 / 8;
                    index_t t_2056 = (i_thread_23 * 16 + j_thread_23) / 32 % 2 * 8 + t_2037 % 8;
#pragma unroll
                    for (index_t within_7 = 0; within_7 < 8; within_7++) {
                        double a_tile_part_7[8];
                        double b_tile_part_7[4];
                        index_t t_2057 = t_2047 * 2;
                        double2 run_84 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2057]);
                        a_tile_part_7[0] = run_84.x;
                        a_tile_part_7[1] = run_84.y;
                        index_t t_2061 = t_2047 * 2 + 32;
                        double2 run_85 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2061]);
                        a_tile_part_7[2] = run_85.x;
                        a_tile_part_7[3] = run_85.y;
                        index_t t_2065 = t_2047 * 2 + 64;
                        double2 run_86 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2065]);
                        a_tile_part_7[4] = run_86.x;
                        a_tile_part_7[5] = run_86.y;
                        index_t t_2069 = t_2047 * 2 + 96;
                        double2 run_87 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2069]);
                        a_tile_part_7[6] = run_87.x;
                        a_tile_part_7[7] = run_87.y;
                        index_t t_2072 = t_2056 * 2;
                        double2 run_88 = *(double2 *)(&b_tile_1[carried_5 * 512 + within_7 * 64 + t_2072]);
                        b_tile_part_7[0] = run_88.x;
                        b_tile_part_7[1] = run_88.y;
                        index_t t_2076 = t_2056 * 2 + 32;
                        double2 run_89 = *(double2 *)(&b_tile_1[carried_5 * 512 + within_7 * 64 + t_2076]);
                        b_tile_part_7[2] = run_89.x;
                        b_tile_part_7[3] = run_89.y;
#pragma unroll
                        for (index_t point_34 = 0; point_34 < 8; point_34++) {
#pragma unroll
                            for (index_t point_35 = 0; point_35 < 4; point_35++) {
                                /* line 132 */
                                double s_15 = fma_float64(a_tile_part_7[point_34], b_tile_part_7[point_35], s_11[point_34 * 4 + point_35]);
                                /* line 128 */
                                s_11[point_34 * 4 + point_35] = s_15;
                            }
                        }
                    }
                }
                wait_late(0);
                __syncthreads();
                carried_5 = t_1975 == 2 ? 0LL : t_1975;
                carried_6 = t_1976 == 2 ? 0LL : t_1976;
            }
            {
                index_t i_thread_24 = (index_t)threadIdx.y;
                index_t j_thread_24 = (index_t)threadIdx.x;
                index_t t_2085 = (i_thread_24 * 16 + j_thread_24) % 32;
                index_t t_2095 = (i_thread_24 * 16 + j_thread_24) / 32 / 2 * 4 + t_2085 / 8;
                index_t t_2104 = (i_thread_24 * 16 + j_thread_24) / 32 % 2 * 8 + t_2085 % 8;
#pragma unroll
                for (index_t point_36 = 0; point_36 < 8; point_36++) {
                    index_t i_21 = i_origin_1 + t_2095 * 2 + point_36 / 2 * 32 + point_36 % 2;
                    if (i_21 < i_extent_1) {
#pragma unroll
                        for (index_t point_37 = 0; point_37 < 4; point_37++) {
                            index_t j_49 = j_origin_1 + t_2104 * 2 + point_37 / 2 * 32 + point_37 % 2;
                            if ((j_49 >= j_offset_1) & (j_49 < j_extent_1)) {
                                /* line 133 */
                                c_1[i_21 * c_1_s0 + j_49] = s_11[point_36 * 4 + point_37];
                            }
                        }
                    }
                }
            }
            __syncthreads();
        }
    }
}
