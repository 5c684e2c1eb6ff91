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

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

#if __CUDA_ARCH__ >= 800
#define wait_late(count) asm volatile("cp.async.commit_group;\ncp.async.wait_group %0;" ::"n"(count) : "memory")
#else
#define wait_late(count)
#endif

extern "C" __global__ __launch_bounds__(256, 2) void matrix_product_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        const char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0,
        int64_t b_1_n1,
        int64_t b_1_s0,
        char *__restrict__ c_1_memory,
        int64_t c_1_offset,
        int64_t c_1_n0,
        int64_t c_1_n1,
        int64_t c_1_s0,
        int64_t a_dim0_1,
        int64_t b_dim1_1,
        int64_t a_dim1_1,
        int64_t i_offset_1,
        int64_t i_extent_1,
        int64_t j_offset_1,
        int64_t j_extent_1) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    double *c_1 = AT(double, c_1_memory, c_1_offset);
    /* line 128 */
    int64_t j_first_1 = j_offset_1 - mod_by_positive(j_offset_1, 2);
    int64_t i_block_1 = (int64_t)blockIdx.y;
    /* line 129 */
    int64_t j_block_1 = (int64_t)blockIdx.x;
    /* line 128 */
    int64_t i_origin_1 = i_block_1 * 128 + i_offset_1;
    /* line 129 */
    int64_t j_origin_1 = j_block_1 * 64 + j_first_1;
    /* line 128 */
    double s_11[32];
    __shared__ __align__(16) double a_tile_1[2080];
    double a_held_1[4];
    __shared__ __align__(16) double b_tile_1[1024];
    double b_held_1[2];
    if ((i_origin_1 < i_extent_1) & (j_origin_1 < j_extent_1)) {
        int64_t trip_1 = 0 > a_dim1_1 ? 0 : a_dim1_1;
        int64_t tiles_1 = trip_1 / 8;
        int64_t left_1 = trip_1 - tiles_1 * 8;
        bool inside_38 = (i_origin_1 + 128 <= i_extent_1) & (j_origin_1 >= j_offset_1) & (j_origin_1 + 64 <= j_extent_1);
        bool inside_41 = inside_38 & (((int64_t)c_1 | c_1_s0) & 15) == 0 & (((int64_t)a_1 | a_1_s0) & 15) == 0;
        if (inside_41 & (((int64_t)b_1 | b_1_s0) & 15) == 0 & 0LL == 0) {
            {
                int64_t i_thread_14 = (int64_t)threadIdx.y;
                int64_t j_thread_14 = (int64_t)threadIdx.x;
#pragma unroll
                for (int64_t point_19 = 0; point_19 < 8; point_19++) {
#pragma unroll
                    for (int64_t point_20 = 0; point_20 < 4; point_20++) {
                        s_11[point_19 * 4 + point_20] = 0.0;
                    }
                }
                if (tiles_1 > 0) {
                    int64_t thread_47 = i_thread_14 * 16 + j_thread_14;
                    /* line 132 */
                    int64_t t_1982 = thread_47 % 4 * 2;
                    double2 run_56 = *(double2 *)(AT(double, a_1, (i_origin_1 + thread_47 / 4) * a_1_s0 + t_1982 * 8));
                    /* line 128 */
                    a_held_1[0] = run_56.x;
                    a_held_1[1] = run_56.y;
                    /* line 132 */
                    int64_t t_1988 = thread_47 % 4 * 2;
                    double2 run_57 = *(double2 *)(AT(double, a_1, (i_origin_1 + thread_47 / 4 + 64) * a_1_s0 + t_1988 * 8));
                    /* line 128 */
                    a_held_1[2] = run_57.x;
                    a_held_1[3] = run_57.y;
                    int64_t thread_48 = i_thread_14 * 16 + j_thread_14;
                    /* line 132 */
                    int64_t t_1997 = j_origin_1 + thread_48 % 32 * 2;
                    double2 run_58 = *(double2 *)(AT(double, b_1, thread_48 / 32 * b_1_s0 + t_1997 * 8));
                    /* line 128 */
                    b_held_1[0] = run_58.x;
                    b_held_1[1] = run_58.y;
                    int64_t thread_49 = i_thread_14 * 16 + j_thread_14;
                    int64_t t_2002 = thread_49 / 4;
                    int64_t t_2003 = thread_49 % 4 * 2;
                    double t_2005 = a_held_1[1];
                    a_tile_1[t_2003 * 130 + t_2002] = a_held_1[0];
                    a_tile_1[(t_2003 + 1) * 130 + t_2002] = t_2005;
                    int64_t t_2009 = thread_49 % 4 * 2;
                    int64_t t_2012 = thread_49 / 4 + 64;
                    double t_2011 = a_held_1[3];
                    a_tile_1[t_2009 * 130 + t_2012] = a_held_1[2];
                    a_tile_1[(t_2009 + 1) * 130 + t_2012] = t_2011;
                    int64_t thread_50 = i_thread_14 * 16 + j_thread_14;
                    int64_t t_2017 = thread_50 % 32 * 2;
                    *(double2 *)(&b_tile_1[thread_50 / 32 * 64 + t_2017]) = make_double2(b_held_1[0], b_held_1[1]);
                }
            }
            __syncthreads();
            for (int64_t tile_2 = 0; tile_2 < tiles_1; tile_2++) {
                int64_t buffer_4 = tile_2 & 1;
                int64_t t_2021 = tile_2 * 8;
                bool inside_45 = tile_2 + 1 < tiles_1;
                {
                    int64_t i_thread_15 = (int64_t)threadIdx.y;
                    int64_t j_thread_15 = (int64_t)threadIdx.x;
                    if (inside_45) {
                        int64_t t_2022 = t_2021 + 8;
                        int64_t thread_51 = i_thread_15 * 16 + j_thread_15;
                        /* line 132 */
                        int64_t t_2027 = t_2022 + thread_51 % 4 * 2;
                        double2 run_60 = *(double2 *)(AT(double, a_1, (i_origin_1 + thread_51 / 4) * a_1_s0 + t_2027 * 8));
                        /* line 128 */
                        a_held_1[0] = run_60.x;
                        a_held_1[1] = run_60.y;
                        /* line 132 */
                        int64_t t_2034 = t_2022 + thread_51 % 4 * 2;
                        double2 run_61 = *(double2 *)(AT(double, a_1, (i_origin_1 + thread_51 / 4 + 64) * a_1_s0 + t_2034 * 8));
                        /* line 128 */
                        a_held_1[2] = run_61.x;
                        a_held_1[3] = run_61.y;
                        int64_t thread_52 = i_thread_15 * 16 + j_thread_15;
                        /* line 132 */
                        int64_t t_2044 = j_origin_1 + thread_52 % 32 * 2;
                        double2 run_62 = *(double2 *)(AT(double, b_1, (t_2022 + thread_52 / 32) * b_1_s0 + t_2044 * 8));
                        /* line 128 */
                        b_held_1[0] = run_62.x;
                        b_held_1[1] = run_62.y;
                    }
                    int64_t t_2048 = (i_thread_15 * 16 + j_thread_15) % 32;
                    int64_t t_2058 = (i_thread_15 * 16 + j_thread_15) / 32 / 2 * 4 + t_2048 / 8;
                    int64_t t_2067 = (i_thread_15 * 16 + j_thread_15) / 32 % 2 * 8 + t_2048 % 8;
#pragma unroll
                    for (int64_t within_4 = 0; within_4 < 8; within_4++) {
                        double a_tile_part_4[8];
                        int64_t t_2068 = t_2058 * 2;
                        double2 run_63 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2068]);
                        a_tile_part_4[0] = run_63.x;
                        a_tile_part_4[1] = run_63.y;
                        int64_t t_2072 = t_2058 * 2 + 32;
                        double2 run_64 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2072]);
                        a_tile_part_4[2] = run_64.x;
                        a_tile_part_4[3] = run_64.y;
                        int64_t t_2076 = t_2058 * 2 + 64;
                        double2 run_65 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2076]);
                        a_tile_part_4[4] = run_65.x;
                        a_tile_part_4[5] = run_65.y;
                        int64_t t_2080 = t_2058 * 2 + 96;
                        double2 run_66 = *(double2 *)(&a_tile_1[buffer_4 * 1040 + within_4 * 130 + t_2080]);
                        a_tile_part_4[6] = run_66.x;
                        a_tile_part_4[7] = run_66.y;
                        double b_tile_part_4[4];
                        int64_t t_2083 = t_2067 * 2;
                        double2 run_67 = *(double2 *)(&b_tile_1[buffer_4 * 512 + within_4 * 64 + t_2083]);
                        b_tile_part_4[0] = run_67.x;
                        b_tile_part_4[1] = run_67.y;
                        int64_t t_2087 = t_2067 * 2 + 32;
                        double2 run_68 = *(double2 *)(&b_tile_1[buffer_4 * 512 + within_4 * 64 + t_2087]);
                        b_tile_part_4[2] = run_68.x;
                        b_tile_part_4[3] = run_68.y;
#pragma unroll
                        for (int64_t point_23 = 0; point_23 < 8; point_23++) {
#pragma unroll
                            for (int64_t point_24 = 0; point_24 < 4; point_24++) {
                                /* line 132 */
                                double s_12 = fma_float64(a_tile_part_4[point_23], b_tile_part_4[point_24], s_11[point_23 * 4 + point_24]);
                                /* line 128 */
                                s_11[point_23 * 4 + point_24] = s_12;
                            }
                        }
                    }
                    if (inside_45) {
                        int64_t t_2095 = 1 - buffer_4;
                        int64_t thread_56 = i_thread_15 * 16 + j_thread_15;
                        int64_t t_2098 = thread_56 / 4;
                        int64_t t_2099 = thread_56 % 4 * 2;
                        double t_2101 = a_held_1[1];
                        a_tile_1[t_2095 * 1040 + t_2099 * 130 + t_2098] = a_held_1[0];
                        a_tile_1[t_2095 * 1040 + (t_2099 + 1) * 130 + t_2098] = t_2101;
                        int64_t t_2105 = thread_56 % 4 * 2;
                        int64_t t_2108 = thread_56 / 4 + 64;
                        double t_2107 = a_held_1[3];
                        a_tile_1[t_2095 * 1040 + t_2105 * 130 + t_2108] = a_held_1[2];
                        a_tile_1[t_2095 * 1040 + (t_2105 + 1) * 130 + t_2108] = t_2107;
                        int64_t thread_57 = i_thread_15 * 16 + j_thread_15;
                        int64_t t_2113 = thread_57 % 32 * 2;
                        *(double2 *)(&b_tile_1[t_2095 * 512 + thread_57 / 32 * 64 + t_2113]) = make_double2(b_held_1[0], b_held_1[1]);
                    }
                }
                __syncthreads();
            }
            if (left_1 > 0) {
                int64_t t_2116 = tiles_1 * 8;
                {
                    int64_t i_thread_16 = (int64_t)threadIdx.y;
                    int64_t j_thread_16 = (int64_t)threadIdx.x;
                    int64_t thread_58 = i_thread_16 * 16 + j_thread_16;
                    int64_t t_2120 = i_origin_1 + thread_58 / 8;
                    int64_t t_2122 = i_extent_1 - 1;
                    int64_t t_2121 = t_2116 + thread_58 % 8;
                    int64_t t_2124 = a_dim1_1 - 1;
                    int64_t t_2125 = t_2124 < t_2121 ? t_2124 : t_2121;
                    /* line 132 */
                    double t_2127 = AT(double, a_1, (t_2122 < t_2120 ? t_2122 : t_2120) * a_1_s0)[t_2125 > t_2116 ? t_2125 : t_2116];
                    /* line 128 */
                    a_held_1[0] = t_2127;
                    int64_t t_2131 = i_origin_1 + thread_58 / 8 + 32;
                    int64_t t_2133 = i_extent_1 - 1;
                    int64_t t_2132 = t_2116 + thread_58 % 8;
                    int64_t t_2135 = a_dim1_1 - 1;
                    int64_t t_2136 = t_2135 < t_2132 ? t_2135 : t_2132;
                    /* line 132 */
                    double t_2138 = AT(double, a_1, (t_2133 < t_2131 ? t_2133 : t_2131) * a_1_s0)[t_2136 > t_2116 ? t_2136 : t_2116];
                    /* line 128 */
                    a_held_1[1] = t_2138;
                    int64_t t_2142 = i_origin_1 + thread_58 / 8 + 64;
                    int64_t t_2144 = i_extent_1 - 1;
                    int64_t t_2143 = t_2116 + thread_58 % 8;
                    int64_t t_2146 = a_dim1_1 - 1;
                    int64_t t_2147 = t_2146 < t_2143 ? t_2146 : t_2143;
                    /* line 132 */
                    double t_2149 = AT(double, a_1, (t_2144 < t_2142 ? t_2144 : t_2142) * a_1_s0)[t_2147 > t_2116 ? t_2147 : t_2116];
                    /* line 128 */
                    a_held_1[2] = t_2149;
                    int64_t t_2153 = i_origin_1 + thread_58 / 8 + 96;
                    int64_t t_2155 = i_extent_1 - 1;
                    int64_t t_2154 = t_2116 + thread_58 % 8;
                    int64_t t_2157 = a_dim1_1 - 1;
                    int64_t t_2158 = t_2157 < t_2154 ? t_2157 : t_2154;
                    /* line 132 */
                    double t_2160 = AT(double, a_1, (t_2155 < t_2153 ? t_2155 : t_2153) * a_1_s0)[t_2158 > t_2116 ? t_2158 : t_2116];
                    /* line 128 */
                    a_held_1[3] = t_2160;
                    int64_t thread_59 = i_thread_16 * 16 + j_thread_16;
                    int64_t t_2164 = j_origin_1 + thread_59 % 64;
                    int64_t t_2166 = j_extent_1 - 1;
                    int64_t t_2167 = t_2166 < t_2164 ? t_2166 : t_2164;
                    int64_t t_2165 = t_2116 + thread_59 / 64;
                    int64_t t_2169 = a_dim1_1 - 1;
                    int64_t t_2170 = t_2169 < t_2165 ? t_2169 : t_2165;
                    /* line 132 */
                    double t_2172 = AT(double, b_1, (t_2170 > t_2116 ? t_2170 : t_2116) * b_1_s0)[t_2167 > j_offset_1 ? t_2167 : j_offset_1];
                    /* line 128 */
                    b_held_1[0] = t_2172;
                    int64_t t_2175 = j_origin_1 + thread_59 % 64;
                    int64_t t_2178 = j_extent_1 - 1;
                    int64_t t_2179 = t_2178 < t_2175 ? t_2178 : t_2175;
                    int64_t t_2177 = t_2116 + thread_59 / 64 + 4;
                    int64_t t_2181 = a_dim1_1 - 1;
                    int64_t t_2182 = t_2181 < t_2177 ? t_2181 : t_2177;
                    /* line 132 */
                    double t_2184 = AT(double, b_1, (t_2182 > t_2116 ? t_2182 : t_2116) * b_1_s0)[t_2179 > j_offset_1 ? t_2179 : j_offset_1];
                    /* line 128 */
                    b_held_1[1] = t_2184;
                    int64_t thread_60 = i_thread_16 * 16 + j_thread_16;
                    a_tile_1[thread_60 % 8 * 130 + thread_60 / 8] = a_held_1[0];
                    a_tile_1[thread_60 % 8 * 130 + (thread_60 / 8 + 32)] = a_held_1[1];
                    a_tile_1[thread_60 % 8 * 130 + (thread_60 / 8 + 64)] = a_held_1[2];
                    a_tile_1[thread_60 % 8 * 130 + (thread_60 / 8 + 96)] = a_held_1[3];
                    int64_t thread_61 = i_thread_16 * 16 + j_thread_16;
                    b_tile_1[thread_61 / 64 * 64 + thread_61 % 64] = b_held_1[0];
                    b_tile_1[(thread_61 / 64 + 4) * 64 + thread_61 % 64] = b_held_1[1];
                }
                __syncthreads();
                {
                    int64_t i_thread_17 = (int64_t)threadIdx.y;
                    int64_t j_thread_17 = (int64_t)threadIdx.x;
                    int64_t t_2210 = (i_thread_17 * 16 + j_thread_17) % 32;
                    int64_t t_2220 = (i_thread_17 * 16 + j_thread_17) / 32 / 2 * 4 + t_2210 / 8;
                    int64_t t_2229 = (i_thread_17 * 16 + j_thread_17) / 32 % 2 * 8 + t_2210 % 8;
                    for (int64_t within_5 = 0; within_5 < left_1; within_5++) {
                        double a_tile_part_5[8];
                        int64_t t_2230 = t_2220 * 2;
                        double2 run_70 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2230]);
                        a_tile_part_5[0] = run_70.x;
                        a_tile_part_5[1] = run_70.y;
                        int64_t t_2234 = t_2220 * 2 + 32;
                        double2 run_71 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2234]);
                        a_tile_part_5[2] = run_71.x;
                        a_tile_part_5[3] = run_71.y;
                        int64_t t_2238 = t_2220 * 2 + 64;
                        double2 run_72 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2238]);
                        a_tile_part_5[4] = run_72.x;
                        a_tile_part_5[5] = run_72.y;
                        int64_t t_2242 = t_2220 * 2 + 96;
                        double2 run_73 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2242]);
                        a_tile_part_5[6] = run_73.x;
                        a_tile_part_5[7] = run_73.y;
                        double b_tile_part_5[4];
                        int64_t t_2245 = t_2229 * 2;
                        double2 run_74 = *(double2 *)(&b_tile_1[within_5 * 64 + t_2245]);
                        b_tile_part_5[0] = run_74.x;
                        b_tile_part_5[1] = run_74.y;
                        int64_t t_2249 = t_2229 * 2 + 32;
                        double2 run_75 = *(double2 *)(&b_tile_1[within_5 * 64 + t_2249]);
                        b_tile_part_5[2] = run_75.x;
                        b_tile_part_5[3] = run_75.y;
#pragma unroll
                        for (int64_t point_25 = 0; point_25 < 8; point_25++) {
#pragma unroll
                            for (int64_t point_26 = 0; point_26 < 4; point_26++) {
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
                int64_t i_thread_18 = (int64_t)threadIdx.y;
                int64_t j_thread_18 = (int64_t)threadIdx.x;
                int64_t t_2258 = (i_thread_18 * 16 + j_thread_18) % 32;
                int64_t t_2268 = (i_thread_18 * 16 + j_thread_18) / 32 / 2 * 4 + t_2258 / 8;
                int64_t t_2277 = (i_thread_18 * 16 + j_thread_18) / 32 % 2 * 8 + t_2258 % 8;
#pragma unroll
                for (int64_t point_27 = 0; point_27 < 8; point_27++) {
                    int64_t i_15 = i_origin_1 + t_2268 * 2 + point_27 / 2 * 32 + point_27 % 2;
                    /* line 133 */
                    int64_t j_39 = j_origin_1 + t_2277 * 2;
                    *(double2 *)(AT(double, c_1, i_15 * c_1_s0 + j_39 * 8)) = make_double2(s_11[point_27 * 4], s_11[point_27 * 4 + 1]);
                    /* line 133 */
                    int64_t j_42 = j_origin_1 + t_2277 * 2 + 32;
                    *(double2 *)(AT(double, c_1, i_15 * c_1_s0 + j_42 * 8)) = make_double2(s_11[point_27 * 4 + 2], s_11[point_27 * 4 + 3]);
                }
            }
            __syncthreads();
        } else {
            {
                int64_t i_thread_19 = (int64_t)threadIdx.y;
                int64_t j_thread_19 = (int64_t)threadIdx.x;
#pragma unroll
                for (int64_t point_28 = 0; point_28 < 8; point_28++) {
#pragma unroll
                    for (int64_t point_29 = 0; point_29 < 4; point_29++) {
                        s_11[point_28 * 4 + point_29] = 0.0;
                    }
                }
            }
            __syncthreads();
            if (left_1 > 0) {
                {
                    int64_t i_thread_20 = (int64_t)threadIdx.y;
                    int64_t j_thread_20 = (int64_t)threadIdx.x;
                    int64_t thread_71 = i_thread_20 * 16 + j_thread_20;
                    int64_t t_2318 = thread_71 % 8;
                    int64_t t_2319 = thread_71 / 8;
                    int64_t t_2320 = i_origin_1 + t_2319;
                    int64_t t_2321 = i_extent_1 - 1;
                    int64_t t_2323 = a_dim1_1 - 1;
                    int64_t t_2324 = t_2323 < t_2318 ? t_2323 : t_2318;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2318 * 130 + t_2319], AT(double, a_1, (t_2321 < t_2320 ? t_2321 : t_2320) * a_1_s0 + (t_2324 > 0 ? t_2324 : 0) * 8));
                    int64_t t_2327 = thread_71 % 8;
                    int64_t t_2328 = thread_71 / 8;
                    int64_t t_2330 = i_origin_1 + t_2328 + 32;
                    int64_t t_2331 = i_extent_1 - 1;
                    int64_t t_2333 = a_dim1_1 - 1;
                    int64_t t_2334 = t_2333 < t_2327 ? t_2333 : t_2327;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2327 * 130 + (t_2328 + 32)], AT(double, a_1, (t_2331 < t_2330 ? t_2331 : t_2330) * a_1_s0 + (t_2334 > 0 ? t_2334 : 0) * 8));
                    int64_t t_2338 = thread_71 % 8;
                    int64_t t_2339 = thread_71 / 8;
                    int64_t t_2341 = i_origin_1 + t_2339 + 64;
                    int64_t t_2342 = i_extent_1 - 1;
                    int64_t t_2344 = a_dim1_1 - 1;
                    int64_t t_2345 = t_2344 < t_2338 ? t_2344 : t_2338;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2338 * 130 + (t_2339 + 64)], AT(double, a_1, (t_2342 < t_2341 ? t_2342 : t_2341) * a_1_s0 + (t_2345 > 0 ? t_2345 : 0) * 8));
                    int64_t t_2349 = thread_71 % 8;
                    int64_t t_2350 = thread_71 / 8;
                    int64_t t_2352 = i_origin_1 + t_2350 + 96;
                    int64_t t_2353 = i_extent_1 - 1;
                    int64_t t_2355 = a_dim1_1 - 1;
                    int64_t t_2356 = t_2355 < t_2349 ? t_2355 : t_2349;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2349 * 130 + (t_2350 + 96)], AT(double, a_1, (t_2353 < t_2352 ? t_2353 : t_2352) * a_1_s0 + (t_2356 > 0 ? t_2356 : 0) * 8));
                    int64_t thread_72 = i_thread_20 * 16 + j_thread_20;
                    int64_t t_2361 = thread_72 % 64;
                    int64_t t_2362 = thread_72 / 64;
                    int64_t t_2363 = j_origin_1 + t_2361;
                    int64_t t_2364 = j_extent_1 - 1;
                    int64_t t_2365 = t_2364 < t_2363 ? t_2364 : t_2363;
                    int64_t t_2367 = a_dim1_1 - 1;
                    int64_t t_2368 = t_2367 < t_2362 ? t_2367 : t_2362;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_2362 * 64 + t_2361], AT(double, b_1, (t_2368 > 0 ? t_2368 : 0) * b_1_s0 + (t_2365 > j_offset_1 ? t_2365 : j_offset_1) * 8));
                    int64_t t_2371 = thread_72 % 64;
                    int64_t t_2372 = thread_72 / 64;
                    int64_t t_2373 = j_origin_1 + t_2371;
                    int64_t t_2375 = j_extent_1 - 1;
                    int64_t t_2376 = t_2375 < t_2373 ? t_2375 : t_2373;
                    int64_t t_2374 = t_2372 + 4;
                    int64_t t_2378 = a_dim1_1 - 1;
                    int64_t t_2379 = t_2378 < t_2374 ? t_2378 : t_2374;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_2372 + 4) * 64 + t_2371], AT(double, b_1, (t_2379 > 0 ? t_2379 : 0) * b_1_s0 + (t_2376 > j_offset_1 ? t_2376 : j_offset_1) * 8));
                }
                wait_late(0);
                __syncthreads();
                {
                    int64_t i_thread_21 = (int64_t)threadIdx.y;
                    int64_t j_thread_21 = (int64_t)threadIdx.x;
                    int64_t t_2384 = (i_thread_21 * 16 + j_thread_21) % 32;
                    int64_t t_2394 = (i_thread_21 * 16 + j_thread_21) / 32 / 2 * 4 + t_2384 / 8;
                    int64_t t_2403 = (i_thread_21 * 16 + j_thread_21) / 32 % 2 * 8 + t_2384 % 8;
                    for (int64_t within_6 = 0; within_6 < left_1; within_6++) {
                        double a_tile_part_6[8];
                        int64_t t_2404 = t_2394 * 2;
                        double2 run_78 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2404]);
                        a_tile_part_6[0] = run_78.x;
                        a_tile_part_6[1] = run_78.y;
                        int64_t t_2408 = t_2394 * 2 + 32;
                        double2 run_79 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2408]);
                        a_tile_part_6[2] = run_79.x;
                        a_tile_part_6[3] = run_79.y;
                        int64_t t_2412 = t_2394 * 2 + 64;
                        double2 run_80 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2412]);
                        a_tile_part_6[4] = run_80.x;
                        a_tile_part_6[5] = run_80.y;
                        int64_t t_2416 = t_2394 * 2 + 96;
                        double2 run_81 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2416]);
                        a_tile_part_6[6] = run_81.x;
                        a_tile_part_6[7] = run_81.y;
                        double b_tile_part_6[4];
                        int64_t t_2419 = t_2403 * 2;
                        double2 run_82 = *(double2 *)(&b_tile_1[within_6 * 64 + t_2419]);
                        b_tile_part_6[0] = run_82.x;
                        b_tile_part_6[1] = run_82.y;
                        int64_t t_2423 = t_2403 * 2 + 32;
                        double2 run_83 = *(double2 *)(&b_tile_1[within_6 * 64 + t_2423]);
                        b_tile_part_6[2] = run_83.x;
                        b_tile_part_6[3] = run_83.y;
#pragma unroll
                        for (int64_t point_32 = 0; point_32 < 8; point_32++) {
#pragma unroll
                            for (int64_t point_33 = 0; point_33 < 4; point_33++) {
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
                int64_t i_thread_22 = (int64_t)threadIdx.y;
                int64_t j_thread_22 = (int64_t)threadIdx.x;
                if (tiles_1 > 0) {
                    int64_t thread_76 = i_thread_22 * 16 + j_thread_22;
                    int64_t t_2431 = thread_76 % 8;
                    int64_t t_2432 = thread_76 / 8;
                    int64_t t_2433 = i_origin_1 + t_2432;
                    int64_t t_2435 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2431 * 130 + t_2432], AT(double, a_1, (t_2435 < t_2433 ? t_2435 : t_2433) * a_1_s0 + (left_1 + t_2431) * 8));
                    int64_t t_2438 = thread_76 % 8;
                    int64_t t_2439 = thread_76 / 8;
                    int64_t t_2441 = i_origin_1 + t_2439 + 32;
                    int64_t t_2443 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2438 * 130 + (t_2439 + 32)], AT(double, a_1, (t_2443 < t_2441 ? t_2443 : t_2441) * a_1_s0 + (left_1 + t_2438) * 8));
                    int64_t t_2447 = thread_76 % 8;
                    int64_t t_2448 = thread_76 / 8;
                    int64_t t_2450 = i_origin_1 + t_2448 + 64;
                    int64_t t_2452 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2447 * 130 + (t_2448 + 64)], AT(double, a_1, (t_2452 < t_2450 ? t_2452 : t_2450) * a_1_s0 + (left_1 + t_2447) * 8));
                    int64_t t_2456 = thread_76 % 8;
                    int64_t t_2457 = thread_76 / 8;
                    int64_t t_2459 = i_origin_1 + t_2457 + 96;
                    int64_t t_2461 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2456 * 130 + (t_2457 + 96)], AT(double, a_1, (t_2461 < t_2459 ? t_2461 : t_2459) * a_1_s0 + (left_1 + t_2456) * 8));
                    int64_t thread_77 = i_thread_22 * 16 + j_thread_22;
                    int64_t t_2466 = thread_77 % 64;
                    int64_t t_2467 = thread_77 / 64;
                    int64_t t_2468 = j_origin_1 + t_2466;
                    int64_t t_2470 = j_extent_1 - 1;
                    int64_t t_2471 = t_2470 < t_2468 ? t_2470 : t_2468;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_2467 * 64 + t_2466], AT(double, b_1, (left_1 + t_2467) * b_1_s0 + (t_2471 > j_offset_1 ? t_2471 : j_offset_1) * 8));
                    int64_t t_2474 = thread_77 % 64;
                    int64_t t_2475 = thread_77 / 64;
                    int64_t t_2476 = j_origin_1 + t_2474;
                    int64_t t_2479 = j_extent_1 - 1;
                    int64_t t_2480 = t_2479 < t_2476 ? t_2479 : t_2476;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_2475 + 4) * 64 + t_2474], AT(double, b_1, (left_1 + t_2475 + 4) * b_1_s0 + (t_2480 > j_offset_1 ? t_2480 : j_offset_1) * 8));
                }
            }
            wait_late(0);
            __syncthreads();
            int64_t carried_4 = 0;
            int64_t carried_5 = 1;
            for (int64_t tile_3 = 0; tile_3 < tiles_1; tile_3++) {
                int64_t t_2486 = carried_4 + 1;
                int64_t t_2487 = carried_5 + 1;
                int64_t t_2488 = tile_3 + 1;
                int64_t t_2489 = tiles_1 - 1;
                int64_t t_2490 = t_2489 < t_2488 ? t_2489 : t_2488;
                {
                    int64_t i_thread_23 = (int64_t)threadIdx.y;
                    int64_t j_thread_23 = (int64_t)threadIdx.x;
                    int64_t t_2492 = left_1 + t_2490 * 8;
                    int64_t thread_78 = i_thread_23 * 16 + j_thread_23;
                    int64_t t_2494 = thread_78 % 8;
                    int64_t t_2495 = thread_78 / 8;
                    int64_t t_2496 = i_origin_1 + t_2495;
                    int64_t t_2498 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2494 * 130 + t_2495], AT(double, a_1, (t_2498 < t_2496 ? t_2498 : t_2496) * a_1_s0 + (t_2492 + t_2494) * 8));
                    int64_t t_2501 = thread_78 % 8;
                    int64_t t_2502 = thread_78 / 8;
                    int64_t t_2504 = i_origin_1 + t_2502 + 32;
                    int64_t t_2506 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2501 * 130 + (t_2502 + 32)], AT(double, a_1, (t_2506 < t_2504 ? t_2506 : t_2504) * a_1_s0 + (t_2492 + t_2501) * 8));
                    int64_t t_2510 = thread_78 % 8;
                    int64_t t_2511 = thread_78 / 8;
                    int64_t t_2513 = i_origin_1 + t_2511 + 64;
                    int64_t t_2515 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2510 * 130 + (t_2511 + 64)], AT(double, a_1, (t_2515 < t_2513 ? t_2515 : t_2513) * a_1_s0 + (t_2492 + t_2510) * 8));
                    int64_t t_2519 = thread_78 % 8;
                    int64_t t_2520 = thread_78 / 8;
                    int64_t t_2522 = i_origin_1 + t_2520 + 96;
                    int64_t t_2524 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_5 * 1040 + t_2519 * 130 + (t_2520 + 96)], AT(double, a_1, (t_2524 < t_2522 ? t_2524 : t_2522) * a_1_s0 + (t_2492 + t_2519) * 8));
                    int64_t thread_79 = i_thread_23 * 16 + j_thread_23;
                    int64_t t_2529 = thread_79 % 64;
                    int64_t t_2530 = thread_79 / 64;
                    int64_t t_2531 = j_origin_1 + t_2529;
                    int64_t t_2533 = j_extent_1 - 1;
                    int64_t t_2534 = t_2533 < t_2531 ? t_2533 : t_2531;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_5 * 512 + t_2530 * 64 + t_2529], AT(double, b_1, (t_2492 + t_2530) * b_1_s0 + (t_2534 > j_offset_1 ? t_2534 : j_offset_1) * 8));
                    int64_t t_2537 = thread_79 % 64;
                    int64_t t_2538 = thread_79 / 64;
                    int64_t t_2539 = j_origin_1 + t_2537;
                    int64_t t_2542 = j_extent_1 - 1;
                    int64_t t_2543 = t_2542 < t_2539 ? t_2542 : t_2539;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_5 * 512 + (t_2538 + 4) * 64 + t_2537], AT(double, b_1, (t_2492 + t_2538 + 4) * b_1_s0 + (t_2543 > j_offset_1 ? t_2543 : j_offset_1) * 8));
                    int64_t t_2548 = (i_thread_23 * 16 + j_thread_23) % 32;
                    int64_t t_2558 = (i_thread_23 * 16 + j_thread_23) / 32 / 2 * 4 + t_2548 / 8;
                    int64_t t_2567 = (i_thread_23 * 16 + j_thread_23) / 32 % 2 * 8 + t_2548 % 8;
#pragma unroll
                    for (int64_t within_7 = 0; within_7 < 8; within_7++) {
                        double a_tile_part_7[8];
                        int64_t t_2568 = t_2558 * 2;
                        double2 run_84 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2568]);
                        a_tile_part_7[0] = run_84.x;
                        a_tile_part_7[1] = run_84.y;
                        int64_t t_2572 = t_2558 * 2 + 32;
                        double2 run_85 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2572]);
                        a_tile_part_7[2] = run_85.x;
                        a_tile_part_7[3] = run_85.y;
                        int64_t t_2576 = t_2558 * 2 + 64;
                        double2 run_86 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2576]);
                        a_tile_part_7[4] = run_86.x;
                        a_tile_part_7[5] = run_86.y;
                        int64_t t_2580 = t_2558 * 2 + 96;
                        double2 run_87 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_7 * 130 + t_2580]);
                        a_tile_part_7[6] = run_87.x;
                        a_tile_part_7[7] = run_87.y;
                        double b_tile_part_7[4];
                        int64_t t_2583 = t_2567 * 2;
                        double2 run_88 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_7 * 64 + t_2583]);
                        b_tile_part_7[0] = run_88.x;
                        b_tile_part_7[1] = run_88.y;
                        int64_t t_2587 = t_2567 * 2 + 32;
                        double2 run_89 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_7 * 64 + t_2587]);
                        b_tile_part_7[2] = run_89.x;
                        b_tile_part_7[3] = run_89.y;
#pragma unroll
                        for (int64_t point_34 = 0; point_34 < 8; point_34++) {
#pragma unroll
                            for (int64_t point_35 = 0; point_35 < 4; point_35++) {
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
                carried_4 = t_2486 == 2 ? 0LL : t_2486;
                carried_5 = t_2487 == 2 ? 0LL : t_2487;
            }
            {
                int64_t i_thread_24 = (int64_t)threadIdx.y;
                int64_t j_thread_24 = (int64_t)threadIdx.x;
                int64_t t_2596 = (i_thread_24 * 16 + j_thread_24) % 32;
                int64_t t_2606 = (i_thread_24 * 16 + j_thread_24) / 32 / 2 * 4 + t_2596 / 8;
                int64_t t_2615 = (i_thread_24 * 16 + j_thread_24) / 32 % 2 * 8 + t_2596 % 8;
#pragma unroll
                for (int64_t point_36 = 0; point_36 < 8; point_36++) {
                    int64_t i_21 = i_origin_1 + t_2606 * 2 + point_36 / 2 * 32 + point_36 % 2;
                    if (i_21 < i_extent_1) {
#pragma unroll
                        for (int64_t point_37 = 0; point_37 < 4; point_37++) {
                            int64_t j_49 = j_origin_1 + t_2615 * 2 + point_37 / 2 * 32 + point_37 % 2;
                            if ((j_49 >= j_offset_1) & (j_49 < j_extent_1)) {
                                /* line 133 */
                                AT(double, c_1, i_21 * c_1_s0)[j_49] = s_11[point_36 * 4 + point_37];
                            }
                        }
                    }
                }
            }
            __syncthreads();
        }
    }
}
