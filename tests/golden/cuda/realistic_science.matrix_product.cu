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
        bool inside_38 = (i_origin_1 + 128 <= i_extent_1) & (j_origin_1 >= j_offset_1) & (j_origin_1 + 64 <= j_extent_1);
        bool inside_41 = inside_38 & (((int64_t)c_1 | (int64_t)c_1_s0 * 8) & 15) == 0 & (((int64_t)a_1 | (int64_t)a_1_s0 * 8) & 15) == 0;
        if (inside_41 & (((int64_t)b_1 | (int64_t)b_1_s0 * 8) & 15) == 0 & 0LL == 0) {
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
                    /* line 132 */
                    index_t t_1983 = thread_47 % 4 * 2;
                    double2 run_56 = *(double2 *)(AT(double, a_1, (int64_t)((i_origin_1 + thread_47 / 4) * a_1_s0 + t_1983) * 8));
                    /* line 128 */
                    a_held_1[0] = run_56.x;
                    a_held_1[1] = run_56.y;
                    /* line 132 */
                    index_t t_1989 = thread_47 % 4 * 2;
                    double2 run_57 = *(double2 *)(AT(double, a_1, (int64_t)((i_origin_1 + thread_47 / 4 + 64) * a_1_s0 + t_1989) * 8));
                    /* line 128 */
                    a_held_1[2] = run_57.x;
                    a_held_1[3] = run_57.y;
                    index_t thread_48 = i_thread_14 * 16 + j_thread_14;
                    /* line 132 */
                    index_t t_1998 = j_origin_1 + thread_48 % 32 * 2;
                    double2 run_58 = *(double2 *)(AT(double, b_1, (int64_t)(thread_48 / 32 * b_1_s0 + t_1998) * 8));
                    /* line 128 */
                    b_held_1[0] = run_58.x;
                    b_held_1[1] = run_58.y;
                    index_t thread_49 = i_thread_14 * 16 + j_thread_14;
                    index_t t_2003 = thread_49 / 4;
                    index_t t_2004 = thread_49 % 4 * 2;
                    double t_2006 = a_held_1[1];
                    a_tile_1[t_2004 * 130 + t_2003] = a_held_1[0];
                    a_tile_1[(t_2004 + 1) * 130 + t_2003] = t_2006;
                    index_t t_2010 = thread_49 % 4 * 2;
                    index_t t_2013 = thread_49 / 4 + 64;
                    double t_2012 = a_held_1[3];
                    a_tile_1[t_2010 * 130 + t_2013] = a_held_1[2];
                    a_tile_1[(t_2010 + 1) * 130 + t_2013] = t_2012;
                    index_t thread_50 = i_thread_14 * 16 + j_thread_14;
                    index_t t_2018 = thread_50 % 32 * 2;
                    *(double2 *)(&b_tile_1[thread_50 / 32 * 64 + t_2018]) = make_double2(b_held_1[0], b_held_1[1]);
                }
            }
            __syncthreads();
            for (index_t tile_2 = 0; tile_2 < tiles_1; tile_2++) {
                index_t buffer_4 = tile_2 & 1;
                index_t t_2022 = tile_2 * 8;
                bool inside_45 = tile_2 + 1 < tiles_1;
                {
                    index_t i_thread_15 = (index_t)threadIdx.y;
                    index_t j_thread_15 = (index_t)threadIdx.x;
                    if (inside_45) {
                        index_t t_2023 = t_2022 + 8;
                        index_t thread_51 = i_thread_15 * 16 + j_thread_15;
                        /* line 132 */
                        index_t t_2028 = t_2023 + thread_51 % 4 * 2;
                        double2 run_60 = *(double2 *)(AT(double, a_1, (int64_t)((i_origin_1 + thread_51 / 4) * a_1_s0 + t_2028) * 8));
                        /* line 128 */
                        a_held_1[0] = run_60.x;
                        a_held_1[1] = run_60.y;
                        /* line 132 */
                        index_t t_2035 = t_2023 + thread_51 % 4 * 2;
                        double2 run_61 = *(double2 *)(AT(double, a_1, (int64_t)((i_origin_1 + thread_51 / 4 + 64) * a_1_s0 + t_2035) * 8));
                        /* line 128 */
                        a_held_1[2] = run_61.x;
                        a_held_1[3] = run_61.y;
                        index_t thread_52 = i_thread_15 * 16 + j_thread_15;
                        /* line 132 */
                        index_t t_2045 = j_origin_1 + thread_52 % 32 * 2;
                        double2 run_62 = *(double2 *)(AT(double, b_1, (int64_t)((t_2023 + thread_52 / 32) * b_1_s0 + t_2045) * 8));
                        /* line 128 */
                        b_held_1[0] = run_62.x;
                        b_held_1[1] = run_62.y;
                    }
                    index_t t_2049 = (i_thread_15 * 16 + j_thread_15) % 32;
                    index_t t_2059 = (i_thread_15 * 16 + j_thread_15) / 32 / 2 * 4 + t_2049 / 8;
                    index_t t_2068 = (i_thread_15 * 16 + j_thread_15) / 32 % 2 * 8 + t_2049 % 8;
#pragma unroll
                    for (index_t within_4 = 0; within_4 < 8; within_4++) {
                        double a_tile_part_4[8];
                        index_t t_2069 = t_2059 * 2;
                        double2 run_63 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2069]);
                        a_tile_part_4[0] = run_63.x;
                        a_tile_part_4[1] = run_63.y;
                        index_t t_2073 = t_2059 * 2 + 32;
                        double2 run_64 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2073]);
                        a_tile_part_4[2] = run_64.x;
                        a_tile_part_4[3] = run_64.y;
                        index_t t_2077 = t_2059 * 2 + 64;
                        double2 run_65 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2077]);
                        a_tile_part_4[4] = run_65.x;
                        a_tile_part_4[5] = run_65.y;
                        index_t t_2081 = t_2059 * 2 + 96;
                        double2 run_66 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2081]);
                        a_tile_part_4[6] = run_66.x;
                        a_tile_part_4[7] = run_66.y;
                        double b_tile_part_4[4];
                        index_t t_2084 = t_2068 * 2;
                        double2 run_67 = *(double2 *)(&b_tile_1[buffer_4 * 512 + within_4 * 64 + t_2084]);
                        b_tile_part_4[0] = run_67.x;
                        b_tile_part_4[1] = run_67.y;
                        index_t t_2088 = t_2068 * 2 + 32;
                        double2 run_68 = *(double2 *)(&b_tile_1[buffer_4 * 512 + within_4 * 64 + t_2088]);
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
                    if (inside_45) {
                        index_t t_2096 = 1 - buffer_4;
                        index_t thread_56 = i_thread_15 * 16 + j_thread_15;
                        index_t t_2099 = thread_56 / 4;
                        index_t t_2100 = thread_56 % 4 * 2;
                        double t_2102 = a_held_1[1];
                        a_tile_1[t_2096 * 1040 + t_2100 * 130 + t_2099] = a_held_1[0];
                        a_tile_1[t_2096 * 1040 + (t_2100 + 1) * 130 + t_2099] = t_2102;
                        index_t t_2106 = thread_56 % 4 * 2;
                        index_t t_2109 = thread_56 / 4 + 64;
                        double t_2108 = a_held_1[3];
                        a_tile_1[t_2096 * 1040 + t_2106 * 130 + t_2109] = a_held_1[2];
                        a_tile_1[t_2096 * 1040 + (t_2106 + 1) * 130 + t_2109] = t_2108;
                        index_t thread_57 = i_thread_15 * 16 + j_thread_15;
                        index_t t_2114 = thread_57 % 32 * 2;
                        *(double2 *)(&b_tile_1[t_2096 * 512 + thread_57 / 32 * 64 + t_2114]) = make_double2(b_held_1[0], b_held_1[1]);
                    }
                }
                __syncthreads();
            }
            if (left_1 > 0) {
                index_t t_2117 = tiles_1 * 8;
                {
                    index_t i_thread_16 = (index_t)threadIdx.y;
                    index_t j_thread_16 = (index_t)threadIdx.x;
                    index_t thread_58 = i_thread_16 * 16 + j_thread_16;
                    index_t t_2121 = i_origin_1 + thread_58 / 8;
                    index_t t_2123 = i_extent_1 - 1;
                    index_t t_2122 = t_2117 + thread_58 % 8;
                    index_t t_2125 = a_dim1_1 - 1;
                    index_t t_2126 = t_2125 < t_2122 ? t_2125 : t_2122;
                    /* line 132 */
                    double t_2128 = a_1[(t_2123 < t_2121 ? t_2123 : t_2121) * a_1_s0 + (t_2126 > t_2117 ? t_2126 : t_2117)];
                    /* line 128 */
                    a_held_1[0] = t_2128;
                    index_t t_2132 = i_origin_1 + thread_58 / 8 + 32;
                    index_t t_2134 = i_extent_1 - 1;
                    index_t t_2133 = t_2117 + thread_58 % 8;
                    index_t t_2136 = a_dim1_1 - 1;
                    index_t t_2137 = t_2136 < t_2133 ? t_2136 : t_2133;
                    /* line 132 */
                    double t_2139 = a_1[(t_2134 < t_2132 ? t_2134 : t_2132) * a_1_s0 + (t_2137 > t_2117 ? t_2137 : t_2117)];
                    /* line 128 */
                    a_held_1[1] = t_2139;
                    index_t t_2143 = i_origin_1 + thread_58 / 8 + 64;
                    index_t t_2145 = i_extent_1 - 1;
                    index_t t_2144 = t_2117 + thread_58 % 8;
                    index_t t_2147 = a_dim1_1 - 1;
                    index_t t_2148 = t_2147 < t_2144 ? t_2147 : t_2144;
                    /* line 132 */
                    double t_2150 = a_1[(t_2145 < t_2143 ? t_2145 : t_2143) * a_1_s0 + (t_2148 > t_2117 ? t_2148 : t_2117)];
                    /* line 128 */
                    a_held_1[2] = t_2150;
                    index_t t_2154 = i_origin_1 + thread_58 / 8 + 96;
                    index_t t_2156 = i_extent_1 - 1;
                    index_t t_2155 = t_2117 + thread_58 % 8;
                    index_t t_2158 = a_dim1_1 - 1;
                    index_t t_2159 = t_2158 < t_2155 ? t_2158 : t_2155;
                    /* line 132 */
                    double t_2161 = a_1[(t_2156 < t_2154 ? t_2156 : t_2154) * a_1_s0 + (t_2159 > t_2117 ? t_2159 : t_2117)];
                    /* line 128 */
                    a_held_1[3] = t_2161;
                    index_t thread_59 = i_thread_16 * 16 + j_thread_16;
                    index_t t_2165 = j_origin_1 + thread_59 % 64;
                    index_t t_2167 = j_extent_1 - 1;
                    index_t t_2168 = t_2167 < t_2165 ? t_2167 : t_2165;
                    index_t t_2166 = t_2117 + thread_59 / 64;
                    index_t t_2170 = a_dim1_1 - 1;
                    index_t t_2171 = t_2170 < t_2166 ? t_2170 : t_2166;
                    /* line 132 */
                    double t_2173 = b_1[(t_2171 > t_2117 ? t_2171 : t_2117) * b_1_s0 + (t_2168 > j_offset_1 ? t_2168 : j_offset_1)];
                    /* line 128 */
                    b_held_1[0] = t_2173;
                    index_t t_2176 = j_origin_1 + thread_59 % 64;
                    index_t t_2179 = j_extent_1 - 1;
                    index_t t_2180 = t_2179 < t_2176 ? t_2179 : t_2176;
                    index_t t_2178 = t_2117 + thread_59 / 64 + 4;
                    index_t t_2182 = a_dim1_1 - 1;
                    index_t t_2183 = t_2182 < t_2178 ? t_2182 : t_2178;
                    /* line 132 */
                    double t_2185 = b_1[(t_2183 > t_2117 ? t_2183 : t_2117) * b_1_s0 + (t_2180 > j_offset_1 ? t_2180 : j_offset_1)];
                    /* line 128 */
                    b_held_1[1] = t_2185;
                    index_t thread_60 = i_thread_16 * 16 + j_thread_16;
                    a_tile_1[thread_60 % 8 * 130 + thread_60 / 8] = a_held_1[0];
                    a_tile_1[thread_60 % 8 * 130 + (thread_60 / 8 + 32)] = a_held_1[1];
                    a_tile_1[thread_60 % 8 * 130 + (thread_60 / 8 + 64)] = a_held_1[2];
                    a_tile_1[thread_60 % 8 * 130 + (thread_60 / 8 + 96)] = a_held_1[3];
                    index_t thread_61 = i_thread_16 * 16 + j_thread_16;
                    b_tile_1[thread_61 / 64 * 64 + thread_61 % 64] = b_held_1[0];
                    b_tile_1[(thread_61 / 64 + 4) * 64 + thread_61 % 64] = b_held_1[1];
                }
                __syncthreads();
                {
                    index_t i_thread_17 = (index_t)threadIdx.y;
                    index_t j_thread_17 = (index_t)threadIdx.x;
                    index_t t_2211 = (i_thread_17 * 16 + j_thread_17) % 32;
                    index_t t_2221 = (i_thread_17 * 16 + j_thread_17) / 32 / 2 * 4 + t_2211 / 8;
                    index_t t_2230 = (i_thread_17 * 16 + j_thread_17) / 32 % 2 * 8 + t_2211 % 8;
#pragma unroll 1
                    for (index_t within_5 = 0; within_5 < left_1; within_5++) {
                        double a_tile_part_5[8];
                        index_t t_2231 = t_2221 * 2;
                        double2 run_70 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2231]);
                        a_tile_part_5[0] = run_70.x;
                        a_tile_part_5[1] = run_70.y;
                        index_t t_2235 = t_2221 * 2 + 32;
                        double2 run_71 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2235]);
                        a_tile_part_5[2] = run_71.x;
                        a_tile_part_5[3] = run_71.y;
                        index_t t_2239 = t_2221 * 2 + 64;
                        double2 run_72 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2239]);
                        a_tile_part_5[4] = run_72.x;
                        a_tile_part_5[5] = run_72.y;
                        index_t t_2243 = t_2221 * 2 + 96;
                        double2 run_73 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2243]);
                        a_tile_part_5[6] = run_73.x;
                        a_tile_part_5[7] = run_73.y;
                        double b_tile_part_5[4];
                        index_t t_2246 = t_2230 * 2;
                        double2 run_74 = *(double2 *)(&b_tile_1[within_5 * 64 + t_2246]);
                        b_tile_part_5[0] = run_74.x;
                        b_tile_part_5[1] = run_74.y;
                        index_t t_2250 = t_2230 * 2 + 32;
                        double2 run_75 = *(double2 *)(&b_tile_1[within_5 * 64 + t_2250]);
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
                index_t t_2259 = (i_thread_18 * 16 + j_thread_18) % 32;
                index_t t_2269 = (i_thread_18 * 16 + j_thread_18) / 32 / 2 * 4 + t_2259 / 8;
                index_t t_2278 = (i_thread_18 * 16 + j_thread_18) / 32 % 2 * 8 + t_2259 % 8;
#pragma unroll
                for (index_t point_27 = 0; point_27 < 8; point_27++) {
                    index_t i_15 = i_origin_1 + t_2269 * 2 + point_27 / 2 * 32 + point_27 % 2;
                    /* line 133 */
                    index_t j_39 = j_origin_1 + t_2278 * 2;
                    *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_39) * 8)) = make_double2(s_11[point_27 * 4], s_11[point_27 * 4 + 1]);
                    /* line 133 */
                    index_t j_42 = j_origin_1 + t_2278 * 2 + 32;
                    *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_42) * 8)) = make_double2(s_11[point_27 * 4 + 2], s_11[point_27 * 4 + 3]);
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
                    index_t thread_71 = i_thread_20 * 16 + j_thread_20;
                    index_t t_2319 = thread_71 % 8;
                    index_t t_2320 = thread_71 / 8;
                    index_t t_2321 = i_origin_1 + t_2320;
                    index_t t_2322 = i_extent_1 - 1;
                    index_t t_2324 = a_dim1_1 - 1;
                    index_t t_2325 = t_2324 < t_2319 ? t_2324 : t_2319;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2319 * 130 + t_2320], AT(double, a_1, (int64_t)((t_2322 < t_2321 ? t_2322 : t_2321) * a_1_s0 + (t_2325 > 0 ? t_2325 : 0)) * 8));
                    index_t t_2328 = thread_71 % 8;
                    index_t t_2329 = thread_71 / 8;
                    index_t t_2331 = i_origin_1 + t_2329 + 32;
                    index_t t_2332 = i_extent_1 - 1;
                    index_t t_2334 = a_dim1_1 - 1;
                    index_t t_2335 = t_2334 < t_2328 ? t_2334 : t_2328;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2328 * 130 + (t_2329 + 32)], AT(double, a_1, (int64_t)((t_2332 < t_2331 ? t_2332 : t_2331) * a_1_s0 + (t_2335 > 0 ? t_2335 : 0)) * 8));
                    index_t t_2339 = thread_71 % 8;
                    index_t t_2340 = thread_71 / 8;
                    index_t t_2342 = i_origin_1 + t_2340 + 64;
                    index_t t_2343 = i_extent_1 - 1;
                    index_t t_2345 = a_dim1_1 - 1;
                    index_t t_2346 = t_2345 < t_2339 ? t_2345 : t_2339;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2339 * 130 + (t_2340 + 64)], AT(double, a_1, (int64_t)((t_2343 < t_2342 ? t_2343 : t_2342) * a_1_s0 + (t_2346 > 0 ? t_2346 : 0)) * 8));
                    index_t t_2350 = thread_71 % 8;
                    index_t t_2351 = thread_71 / 8;
                    index_t t_2353 = i_origin_1 + t_2351 + 96;
                    index_t t_2354 = i_extent_1 - 1;
                    index_t t_2356 = a_dim1_1 - 1;
                    index_t t_2357 = t_2356 < t_2350 ? t_2356 : t_2350;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2350 * 130 + (t_2351 + 96)], AT(double, a_1, (int64_t)((t_2354 < t_2353 ? t_2354 : t_2353) * a_1_s0 + (t_2357 > 0 ? t_2357 : 0)) * 8));
                    index_t thread_72 = i_thread_20 * 16 + j_thread_20;
                    index_t t_2362 = thread_72 % 64;
                    index_t t_2363 = thread_72 / 64;
                    index_t t_2364 = j_origin_1 + t_2362;
                    index_t t_2365 = j_extent_1 - 1;
                    index_t t_2366 = t_2365 < t_2364 ? t_2365 : t_2364;
                    index_t t_2368 = a_dim1_1 - 1;
                    index_t t_2369 = t_2368 < t_2363 ? t_2368 : t_2363;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_2363 * 64 + t_2362], AT(double, b_1, (int64_t)((t_2369 > 0 ? t_2369 : 0) * b_1_s0 + (t_2366 > j_offset_1 ? t_2366 : j_offset_1)) * 8));
                    index_t t_2372 = thread_72 % 64;
                    index_t t_2373 = thread_72 / 64;
                    index_t t_2374 = j_origin_1 + t_2372;
                    index_t t_2376 = j_extent_1 - 1;
                    index_t t_2377 = t_2376 < t_2374 ? t_2376 : t_2374;
                    index_t t_2375 = t_2373 + 4;
                    index_t t_2379 = a_dim1_1 - 1;
                    index_t t_2380 = t_2379 < t_2375 ? t_2379 : t_2375;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_2373 + 4) * 64 + t_2372], AT(double, b_1, (int64_t)((t_2380 > 0 ? t_2380 : 0) * b_1_s0 + (t_2377 > j_offset_1 ? t_2377 : j_offset_1)) * 8));
                }
                wait_late(0);
                __syncthreads();
                {
                    index_t i_thread_21 = (index_t)threadIdx.y;
                    index_t j_thread_21 = (index_t)threadIdx.x;
                    index_t t_2385 = (i_thread_21 * 16 + j_thread_21) % 32;
                    index_t t_2395 = (i_thread_21 * 16 + j_thread_21) / 32 / 2 * 4 + t_2385 / 8;
                    index_t t_2404 = (i_thread_21 * 16 + j_thread_21) / 32 % 2 * 8 + t_2385 % 8;
#pragma unroll 1
                    for (index_t within_6 = 0; within_6 < left_1; within_6++) {
                        double a_tile_part_6[8];
                        index_t t_2405 = t_2395 * 2;
                        double2 run_78 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2405]);
                        a_tile_part_6[0] = run_78.x;
                        a_tile_part_6[1] = run_78.y;
                        index_t t_2409 = t_2395 * 2 + 32;
                        double2 run_79 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2409]);
                        a_tile_part_6[2] = run_79.x;
                        a_tile_part_6[3] = run_79.y;
                        index_t t_2413 = t_2395 * 2 + 64;
                        double2 run_80 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2413]);
                        a_tile_part_6[4] = run_80.x;
                        a_tile_part_6[5] = run_80.y;
                        index_t t_2417 = t_2395 * 2 + 96;
                        double2 run_81 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2417]);
                        a_tile_part_6[6] = run_81.x;
                        a_tile_part_6[7] = run_81.y;
                        double b_tile_part_6[4];
                        index_t t_2420 = t_2404 * 2;
                        double2 run_82 = *(double2 *)(&b_tile_1[within_6 * 64 + t_2420]);
                        b_tile_part_6[0] = run_82.x;
                        b_tile_part_6[1] = run_82.y;
                        index_t t_2424 = t_2404 * 2 + 32;
                        double2 run_83 = *(double2 *)(&b_tile_1[within_6 * 64 + t_2424]);
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
                    index_t thread_76 = i_thread_22 * 16 + j_thread_22;
                    index_t t_2432 = thread_76 % 8;
                    index_t t_2433 = thread_76 / 8;
                    index_t t_2434 = i_origin_1 + t_2433;
                    index_t t_2436 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2432 * 130 + t_2433], AT(double, a_1, (int64_t)((t_2436 < t_2434 ? t_2436 : t_2434) * a_1_s0 + (left_1 + t_2432)) * 8));
                    index_t t_2439 = thread_76 % 8;
                    index_t t_2440 = thread_76 / 8;
                    index_t t_2442 = i_origin_1 + t_2440 + 32;
                    index_t t_2444 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2439 * 130 + (t_2440 + 32)], AT(double, a_1, (int64_t)((t_2444 < t_2442 ? t_2444 : t_2442) * a_1_s0 + (left_1 + t_2439)) * 8));
                    index_t t_2448 = thread_76 % 8;
                    index_t t_2449 = thread_76 / 8;
                    index_t t_2451 = i_origin_1 + t_2449 + 64;
                    index_t t_2453 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2448 * 130 + (t_2449 + 64)], AT(double, a_1, (int64_t)((t_2453 < t_2451 ? t_2453 : t_2451) * a_1_s0 + (left_1 + t_2448)) * 8));
                    index_t t_2457 = thread_76 % 8;
                    index_t t_2458 = thread_76 / 8;
                    index_t t_2460 = i_origin_1 + t_2458 + 96;
                    index_t t_2462 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2457 * 130 + (t_2458 + 96)], AT(double, a_1, (int64_t)((t_2462 < t_2460 ? t_2462 : t_2460) * a_1_s0 + (left_1 + t_2457)) * 8));
                    index_t thread_77 = i_thread_22 * 16 + j_thread_22;
                    index_t t_2467 = thread_77 % 64;
                    index_t t_2468 = thread_77 / 64;
                    index_t t_2469 = j_origin_1 + t_2467;
                    index_t t_2471 = j_extent_1 - 1;
                    index_t t_2472 = t_2471 < t_2469 ? t_2471 : t_2469;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_2468 * 64 + t_2467], AT(double, b_1, (int64_t)((left_1 + t_2468) * b_1_s0 + (t_2472 > j_offset_1 ? t_2472 : j_offset_1)) * 8));
                    index_t t_2475 = thread_77 % 64;
                    index_t t_2476 = thread_77 / 64;
                    index_t t_2477 = j_origin_1 + t_2475;
                    index_t t_2480 = j_extent_1 - 1;
                    index_t t_2481 = t_2480 < t_2477 ? t_2480 : t_2477;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_2476 + 4) * 64 + t_2475], AT(double, b_1, (int64_t)((left_1 + t_2476 + 4) * b_1_s0 + (t_2481 > j_offset_1 ? t_2481 : j_offset_1)) * 8));
                }
            }
            wait_late(0);
            __syncthreads();
            index_t carried_4 = 0;
            index_t carried_5 = 1;
            for (index_t tile_3 = 0; tile_3 < tiles_1; tile_3++) {
                index_t t_2487 = carried_4 + 1;
                index_t t_2488 = carried_5 + 1;
                index_t t_2489 = tile_3 + 1;
                index_t t_2490 = tiles_1 - 1;
                index_t t_2491 = t_2490 < t_2489 ? t_2490 : t_2489;
                {
                    index_t i_thread_23 = (index_t)threadIdx.y;
                    index_t j_thread_23 = (index_t)threadIdx.x;
                    index_t t_2493 = left_1 + t_2491 * 8;
                    index_t thread_78 = i_thread_23 * 16 + j_thread_23;
                    index_t t_2495 = thread_78 % 8;
                    index_t t_2496 = thread_78 / 8;
                    index_t t_2497 = i_origin_1 + t_2496;
                    index_t t_2499 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2495 * 130 + t_2496], AT(double, a_1, (int64_t)((t_2499 < t_2497 ? t_2499 : t_2497) * a_1_s0 + (t_2493 + t_2495)) * 8));
                    index_t t_2502 = thread_78 % 8;
                    index_t t_2503 = thread_78 / 8;
                    index_t t_2505 = i_origin_1 + t_2503 + 32;
                    index_t t_2507 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2502 * 130 + (t_2503 + 32)], AT(double, a_1, (int64_t)((t_2507 < t_2505 ? t_2507 : t_2505) * a_1_s0 + (t_2493 + t_2502)) * 8));
                    index_t t_2511 = thread_78 % 8;
                    index_t t_2512 = thread_78 / 8;
                    index_t t_2514 = i_origin_1 + t_2512 + 64;
                    index_t t_2516 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2511 * 130 + (t_2512 + 64)], AT(double, a_1, (int64_t)((t_2516 < t_2514 ? t_2516 : t_2514) * a_1_s0 + (t_2493 + t_2511)) * 8));
                    index_t t_2520 = thread_78 % 8;
                    index_t t_2521 = thread_78 / 8;
                    index_t t_2523 = i_origin_1 + t_2521 + 96;
                    index_t t_2525 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2520 * 130 + (t_2521 + 96)], AT(double, a_1, (int64_t)((t_2525 < t_2523 ? t_2525 : t_2523) * a_1_s0 + (t_2493 + t_2520)) * 8));
                    index_t thread_79 = i_thread_23 * 16 + j_thread_23;
                    index_t t_2530 = thread_79 % 64;
                    index_t t_2531 = thread_79 / 64;
                    index_t t_2532 = j_origin_1 + t_2530;
                    index_t t_2534 = j_extent_1 - 1;
                    index_t t_2535 = t_2534 < t_2532 ? t_2534 : t_2532;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_5 * 512 + t_2531 * 64 + t_2530], AT(double, b_1, (int64_t)((t_2493 + t_2531) * b_1_s0 + (t_2535 > j_offset_1 ? t_2535 : j_offset_1)) * 8));
                    index_t t_2538 = thread_79 % 64;
                    index_t t_2539 = thread_79 / 64;
                    index_t t_2540 = j_origin_1 + t_2538;
                    index_t t_2543 = j_extent_1 - 1;
                    index_t t_2544 = t_2543 < t_2540 ? t_2543 : t_2540;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_5 * 512 + (t_2539 + 4) * 64 + t_2538], AT(double, b_1, (int64_t)((t_2493 + t_2539 + 4) * b_1_s0 + (t_2544 > j_offset_1 ? t_2544 : j_offset_1)) * 8));
                    index_t t_2549 = (i_thread_23 * 16 + j_thread_23) % 32;
                    index_t t_2559 = (i_thread_23 * 16 + j_thread_23) / 32 / 2 * 4 + t_2549 / 8;
                    index_t t_2568 = (i_thread_23 * 16 + j_thread_23) / 32 % 2 * 8 + t_2549 % 8;
#pragma unroll
                    for (index_t within_7 = 0; within_7 < 8; within_7++) {
                        double a_tile_part_7[8];
                        index_t t_2569 = t_2559 * 2;
                        double2 run_84 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2569]);
                        a_tile_part_7[0] = run_84.x;
                        a_tile_part_7[1] = run_84.y;
                        index_t t_2573 = t_2559 * 2 + 32;
                        double2 run_85 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2573]);
                        a_tile_part_7[2] = run_85.x;
                        a_tile_part_7[3] = run_85.y;
                        index_t t_2577 = t_2559 * 2 + 64;
                        double2 run_86 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2577]);
                        a_tile_part_7[4] = run_86.x;
                        a_tile_part_7[5] = run_86.y;
                        index_t t_2581 = t_2559 * 2 + 96;
                        double2 run_87 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2581]);
                        a_tile_part_7[6] = run_87.x;
                        a_tile_part_7[7] = run_87.y;
                        double b_tile_part_7[4];
                        index_t t_2584 = t_2568 * 2;
                        double2 run_88 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_7 * 64 + t_2584]);
                        b_tile_part_7[0] = run_88.x;
                        b_tile_part_7[1] = run_88.y;
                        index_t t_2588 = t_2568 * 2 + 32;
                        double2 run_89 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_7 * 64 + t_2588]);
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
                carried_4 = t_2487 == 2 ? 0LL : t_2487;
                carried_5 = t_2488 == 2 ? 0LL : t_2488;
            }
            {
                index_t i_thread_24 = (index_t)threadIdx.y;
                index_t j_thread_24 = (index_t)threadIdx.x;
                index_t t_2597 = (i_thread_24 * 16 + j_thread_24) % 32;
                index_t t_2607 = (i_thread_24 * 16 + j_thread_24) / 32 / 2 * 4 + t_2597 / 8;
                index_t t_2616 = (i_thread_24 * 16 + j_thread_24) / 32 % 2 * 8 + t_2597 % 8;
#pragma unroll
                for (index_t point_36 = 0; point_36 < 8; point_36++) {
                    index_t i_21 = i_origin_1 + t_2607 * 2 + point_36 / 2 * 32 + point_36 % 2;
                    if (i_21 < i_extent_1) {
#pragma unroll
                        for (index_t point_37 = 0; point_37 < 4; point_37++) {
                            index_t j_49 = j_origin_1 + t_2616 * 2 + point_37 / 2 * 32 + point_37 % 2;
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
