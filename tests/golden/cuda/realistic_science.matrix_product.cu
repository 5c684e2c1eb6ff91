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
                    index_t t_2057 = i_origin_1 + thread_47 / 4;
                    index_t t_2056 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_2055 = thread_47 % 4 * 2;
                    double2 run_56 = *(double2 *)(AT(double, a_1, (int64_t)((t_2056 < t_2057 ? t_2056 : t_2057) * a_1_s0 + t_2055) * 8));
                    /* line 128 */
                    a_held_1[0] = run_56.x;
                    a_held_1[1] = run_56.y;
                    index_t t_2066 = i_origin_1 + thread_47 / 4 + 64;
                    index_t t_2064 = i_extent_1 - 1;
                    /* line 132 */
                    index_t t_2063 = thread_47 % 4 * 2;
                    double2 run_57 = *(double2 *)(AT(double, a_1, (int64_t)((t_2064 < t_2066 ? t_2064 : t_2066) * a_1_s0 + t_2063) * 8));
                    /* line 128 */
                    a_held_1[2] = run_57.x;
                    a_held_1[3] = run_57.y;
                    index_t thread_48 = i_thread_14 * 16 + j_thread_14;
                    index_t t_2075 = j_origin_1 + thread_48 % 32 * 2;
                    index_t t_2074 = j_extent_1 - 2;
                    /* line 132 */
                    index_t t_2076 = t_2074 < t_2075 ? t_2074 : t_2075;
                    double2 run_58 = *(double2 *)(AT(double, b_1, (int64_t)(thread_48 / 32 * b_1_s0 + t_2076) * 8));
                    /* line 128 */
                    b_held_1[0] = run_58.x;
                    b_held_1[1] = run_58.y;
                    index_t thread_49 = i_thread_14 * 16 + j_thread_14;
                    index_t t_2081 = thread_49 / 4;
                    index_t t_2082 = thread_49 % 4 * 2;
                    double t_2084 = a_held_1[1];
                    a_tile_1[t_2082 * 130 + t_2081] = a_held_1[0];
                    a_tile_1[(t_2082 + 1) * 130 + t_2081] = t_2084;
                    index_t t_2088 = thread_49 % 4 * 2;
                    index_t t_2091 = thread_49 / 4 + 64;
                    double t_2090 = a_held_1[3];
                    a_tile_1[t_2088 * 130 + t_2091] = a_held_1[2];
                    a_tile_1[(t_2088 + 1) * 130 + t_2091] = t_2090;
                    index_t thread_50 = i_thread_14 * 16 + j_thread_14;
                    index_t t_2096 = thread_50 % 32 * 2;
                    *(double2 *)(&b_tile_1[thread_50 / 32 * 64 + t_2096]) = make_double2(b_held_1[0], b_held_1[1]);
                }
            }
            __syncthreads();
            index_t carried_4 = 0;
            for (index_t tile_2 = 0; tile_2 < tiles_1; tile_2++) {
                index_t t_2099 = carried_4 + 1;
                index_t buffer_4 = t_2099 == 2 ? 0LL : t_2099;
                index_t t_2101 = tile_2 * 8;
                bool inside_53 = tile_2 + 1 < tiles_1;
                {
                    index_t i_thread_15 = (index_t)threadIdx.y;
                    index_t j_thread_15 = (index_t)threadIdx.x;
                    if (inside_53) {
                        index_t t_2102 = t_2101 + 8;
                        index_t thread_51 = i_thread_15 * 16 + j_thread_15;
                        index_t t_2109 = i_origin_1 + thread_51 / 4;
                        index_t t_2108 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_2107 = t_2102 + thread_51 % 4 * 2;
                        double2 run_60 = *(double2 *)(AT(double, a_1, (int64_t)((t_2108 < t_2109 ? t_2108 : t_2109) * a_1_s0 + t_2107) * 8));
                        /* line 128 */
                        a_held_1[0] = run_60.x;
                        a_held_1[1] = run_60.y;
                        index_t t_2119 = i_origin_1 + thread_51 / 4 + 64;
                        index_t t_2117 = i_extent_1 - 1;
                        /* line 132 */
                        index_t t_2116 = t_2102 + thread_51 % 4 * 2;
                        double2 run_61 = *(double2 *)(AT(double, a_1, (int64_t)((t_2117 < t_2119 ? t_2117 : t_2119) * a_1_s0 + t_2116) * 8));
                        /* line 128 */
                        a_held_1[2] = run_61.x;
                        a_held_1[3] = run_61.y;
                        index_t thread_52 = i_thread_15 * 16 + j_thread_15;
                        index_t t_2129 = j_origin_1 + thread_52 % 32 * 2;
                        index_t t_2128 = j_extent_1 - 2;
                        /* line 132 */
                        index_t t_2130 = t_2128 < t_2129 ? t_2128 : t_2129;
                        double2 run_62 = *(double2 *)(AT(double, b_1, (int64_t)((t_2102 + thread_52 / 32) * b_1_s0 + t_2130) * 8));
                        /* line 128 */
                        b_held_1[0] = run_62.x;
                        b_held_1[1] = run_62.y;
                    }
                    index_t t_2134 = (i_thread_15 * 16 + j_thread_15) % 32;
                    index_t t_2144 = (i_thread_15 * 16 + j_thread_15) / 32 / 2 * 4 + t_2134 / 8;
                    index_t t_2153 = (i_thread_15 * 16 + j_thread_15) / 32 % 2 * 8 + t_2134 % 8;
#pragma unroll
                    for (index_t within_4 = 0; within_4 < 8; within_4++) {
                        double a_tile_part_4[8];
                        index_t t_2154 = t_2144 * 2;
                        double2 run_63 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_2154]);
                        a_tile_part_4[0] = run_63.x;
                        a_tile_part_4[1] = run_63.y;
                        index_t t_2158 = t_2144 * 2 + 32;
                        double2 run_64 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_2158]);
                        a_tile_part_4[2] = run_64.x;
                        a_tile_part_4[3] = run_64.y;
                        index_t t_2162 = t_2144 * 2 + 64;
                        double2 run_65 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_2162]);
                        a_tile_part_4[4] = run_65.x;
                        a_tile_part_4[5] = run_65.y;
                        index_t t_2166 = t_2144 * 2 + 96;
                        double2 run_66 = *(double2 *)(&a_tile_1[carried_4 * 1040 + within_4 * 130 + t_2166]);
                        a_tile_part_4[6] = run_66.x;
                        a_tile_part_4[7] = run_66.y;
                        double b_tile_part_4[4];
                        index_t t_2169 = t_2153 * 2;
                        double2 run_67 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_4 * 64 + t_2169]);
                        b_tile_part_4[0] = run_67.x;
                        b_tile_part_4[1] = run_67.y;
                        index_t t_2173 = t_2153 * 2 + 32;
                        double2 run_68 = *(double2 *)(&b_tile_1[carried_4 * 512 + within_4 * 64 + t_2173]);
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
                        index_t t_2183 = thread_56 / 4;
                        index_t t_2184 = thread_56 % 4 * 2;
                        double t_2186 = a_held_1[1];
                        a_tile_1[buffer_4 * 1040 + t_2184 * 130 + t_2183] = a_held_1[0];
                        a_tile_1[buffer_4 * 1040 + (t_2184 + 1) * 130 + t_2183] = t_2186;
                        index_t t_2190 = thread_56 % 4 * 2;
                        index_t t_2193 = thread_56 / 4 + 64;
                        double t_2192 = a_held_1[3];
                        a_tile_1[buffer_4 * 1040 + t_2190 * 130 + t_2193] = a_held_1[2];
                        a_tile_1[buffer_4 * 1040 + (t_2190 + 1) * 130 + t_2193] = t_2192;
                        index_t thread_57 = i_thread_15 * 16 + j_thread_15;
                        index_t t_2198 = thread_57 % 32 * 2;
                        *(double2 *)(&b_tile_1[buffer_4 * 512 + thread_57 / 32 * 64 + t_2198]) = make_double2(b_held_1[0], b_held_1[1]);
                    }
                }
                __syncthreads();
                carried_4 = buffer_4;
            }
            if (left_1 > 0) {
                index_t t_2201 = tiles_1 * 8;
                {
                    index_t i_thread_16 = (index_t)threadIdx.y;
                    index_t j_thread_16 = (index_t)threadIdx.x;
                    index_t thread_58 = i_thread_16 * 16 + j_thread_16;
                    index_t t_2205 = i_origin_1 + thread_58 / 8;
                    index_t t_2207 = i_extent_1 - 1;
                    index_t t_2206 = t_2201 + thread_58 % 8;
                    index_t t_2209 = a_dim1_1 - 1;
                    index_t t_2210 = t_2209 < t_2206 ? t_2209 : t_2206;
                    /* line 132 */
                    double t_2212 = a_1[(t_2207 < t_2205 ? t_2207 : t_2205) * a_1_s0 + (t_2210 > t_2201 ? t_2210 : t_2201)];
                    /* line 128 */
                    a_held_1[0] = t_2212;
                    index_t t_2216 = i_origin_1 + thread_58 / 8 + 32;
                    index_t t_2218 = i_extent_1 - 1;
                    index_t t_2217 = t_2201 + thread_58 % 8;
                    index_t t_2220 = a_dim1_1 - 1;
                    index_t t_2221 = t_2220 < t_2217 ? t_2220 : t_2217;
                    /* line 132 */
                    double t_2223 = a_1[(t_2218 < t_2216 ? t_2218 : t_2216) * a_1_s0 + (t_2221 > t_2201 ? t_2221 : t_2201)];
                    /* line 128 */
                    a_held_1[1] = t_2223;
                    index_t t_2227 = i_origin_1 + thread_58 / 8 + 64;
                    index_t t_2229 = i_extent_1 - 1;
                    index_t t_2228 = t_2201 + thread_58 % 8;
                    index_t t_2231 = a_dim1_1 - 1;
                    index_t t_2232 = t_2231 < t_2228 ? t_2231 : t_2228;
                    /* line 132 */
                    double t_2234 = a_1[(t_2229 < t_2227 ? t_2229 : t_2227) * a_1_s0 + (t_2232 > t_2201 ? t_2232 : t_2201)];
                    /* line 128 */
                    a_held_1[2] = t_2234;
                    index_t t_2238 = i_origin_1 + thread_58 / 8 + 96;
                    index_t t_2240 = i_extent_1 - 1;
                    index_t t_2239 = t_2201 + thread_58 % 8;
                    index_t t_2242 = a_dim1_1 - 1;
                    index_t t_2243 = t_2242 < t_2239 ? t_2242 : t_2239;
                    /* line 132 */
                    double t_2245 = a_1[(t_2240 < t_2238 ? t_2240 : t_2238) * a_1_s0 + (t_2243 > t_2201 ? t_2243 : t_2201)];
                    /* line 128 */
                    a_held_1[3] = t_2245;
                    index_t thread_59 = i_thread_16 * 16 + j_thread_16;
                    index_t t_2249 = j_origin_1 + thread_59 % 64;
                    index_t t_2251 = j_extent_1 - 1;
                    index_t t_2252 = t_2251 < t_2249 ? t_2251 : t_2249;
                    index_t t_2250 = t_2201 + thread_59 / 64;
                    index_t t_2254 = a_dim1_1 - 1;
                    index_t t_2255 = t_2254 < t_2250 ? t_2254 : t_2250;
                    /* line 132 */
                    double t_2257 = b_1[(t_2255 > t_2201 ? t_2255 : t_2201) * b_1_s0 + (t_2252 > j_offset_1 ? t_2252 : j_offset_1)];
                    /* line 128 */
                    b_held_1[0] = t_2257;
                    index_t t_2260 = j_origin_1 + thread_59 % 64;
                    index_t t_2263 = j_extent_1 - 1;
                    index_t t_2264 = t_2263 < t_2260 ? t_2263 : t_2260;
                    index_t t_2262 = t_2201 + thread_59 / 64 + 4;
                    index_t t_2266 = a_dim1_1 - 1;
                    index_t t_2267 = t_2266 < t_2262 ? t_2266 : t_2262;
                    /* line 132 */
                    double t_2269 = b_1[(t_2267 > t_2201 ? t_2267 : t_2201) * b_1_s0 + (t_2264 > j_offset_1 ? t_2264 : j_offset_1)];
                    /* line 128 */
                    b_held_1[1] = t_2269;
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
                    index_t t_2295 = (i_thread_17 * 16 + j_thread_17) % 32;
                    index_t t_2305 = (i_thread_17 * 16 + j_thread_17) / 32 / 2 * 4 + t_2295 / 8;
                    index_t t_2314 = (i_thread_17 * 16 + j_thread_17) / 32 % 2 * 8 + t_2295 % 8;
#pragma unroll 1
                    for (index_t within_5 = 0; within_5 < left_1; within_5++) {
                        double a_tile_part_5[8];
                        index_t t_2315 = t_2305 * 2;
                        double2 run_70 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2315]);
                        a_tile_part_5[0] = run_70.x;
                        a_tile_part_5[1] = run_70.y;
                        index_t t_2319 = t_2305 * 2 + 32;
                        double2 run_71 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2319]);
                        a_tile_part_5[2] = run_71.x;
                        a_tile_part_5[3] = run_71.y;
                        index_t t_2323 = t_2305 * 2 + 64;
                        double2 run_72 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2323]);
                        a_tile_part_5[4] = run_72.x;
                        a_tile_part_5[5] = run_72.y;
                        index_t t_2327 = t_2305 * 2 + 96;
                        double2 run_73 = *(double2 *)(&a_tile_1[within_5 * 130 + t_2327]);
                        a_tile_part_5[6] = run_73.x;
                        a_tile_part_5[7] = run_73.y;
                        double b_tile_part_5[4];
                        index_t t_2330 = t_2314 * 2;
                        double2 run_74 = *(double2 *)(&b_tile_1[within_5 * 64 + t_2330]);
                        b_tile_part_5[0] = run_74.x;
                        b_tile_part_5[1] = run_74.y;
                        index_t t_2334 = t_2314 * 2 + 32;
                        double2 run_75 = *(double2 *)(&b_tile_1[within_5 * 64 + t_2334]);
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
                index_t t_2343 = (i_thread_18 * 16 + j_thread_18) % 32;
                index_t t_2353 = (i_thread_18 * 16 + j_thread_18) / 32 / 2 * 4 + t_2343 / 8;
                index_t t_2362 = (i_thread_18 * 16 + j_thread_18) / 32 % 2 * 8 + t_2343 % 8;
#pragma unroll
                for (index_t point_27 = 0; point_27 < 8; point_27++) {
                    index_t i_15 = i_origin_1 + t_2353 * 2 + point_27 / 2 * 32 + point_27 % 2;
                    if (i_15 < i_extent_1) {
                        index_t j_39 = j_origin_1 + t_2362 * 2;
                        double t_2368 = s_11[point_27 * 4];
                        double t_2369 = s_11[point_27 * 4 + 1];
                        if (j_39 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_39) * 8)) = make_double2(t_2368, t_2369);
                        }
                        index_t j_42 = j_origin_1 + t_2362 * 2 + 32;
                        double t_2371 = s_11[point_27 * 4 + 2];
                        double t_2372 = s_11[point_27 * 4 + 3];
                        if (j_42 < j_extent_1) {
                            /* line 133 */
                            *(double2 *)(AT(double, c_1, (int64_t)(i_15 * c_1_s0 + j_42) * 8)) = make_double2(t_2371, t_2372);
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
                    index_t thread_71 = i_thread_20 * 16 + j_thread_20;
                    index_t t_2403 = thread_71 % 8;
                    index_t t_2404 = thread_71 / 8;
                    index_t t_2405 = i_origin_1 + t_2404;
                    index_t t_2406 = i_extent_1 - 1;
                    index_t t_2408 = a_dim1_1 - 1;
                    index_t t_2409 = t_2408 < t_2403 ? t_2408 : t_2403;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2403 * 130 + t_2404], AT(double, a_1, (int64_t)((t_2406 < t_2405 ? t_2406 : t_2405) * a_1_s0 + (t_2409 > 0 ? t_2409 : 0)) * 8));
                    index_t t_2412 = thread_71 % 8;
                    index_t t_2413 = thread_71 / 8;
                    index_t t_2415 = i_origin_1 + t_2413 + 32;
                    index_t t_2416 = i_extent_1 - 1;
                    index_t t_2418 = a_dim1_1 - 1;
                    index_t t_2419 = t_2418 < t_2412 ? t_2418 : t_2412;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2412 * 130 + (t_2413 + 32)], AT(double, a_1, (int64_t)((t_2416 < t_2415 ? t_2416 : t_2415) * a_1_s0 + (t_2419 > 0 ? t_2419 : 0)) * 8));
                    index_t t_2423 = thread_71 % 8;
                    index_t t_2424 = thread_71 / 8;
                    index_t t_2426 = i_origin_1 + t_2424 + 64;
                    index_t t_2427 = i_extent_1 - 1;
                    index_t t_2429 = a_dim1_1 - 1;
                    index_t t_2430 = t_2429 < t_2423 ? t_2429 : t_2423;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2423 * 130 + (t_2424 + 64)], AT(double, a_1, (int64_t)((t_2427 < t_2426 ? t_2427 : t_2426) * a_1_s0 + (t_2430 > 0 ? t_2430 : 0)) * 8));
                    index_t t_2434 = thread_71 % 8;
                    index_t t_2435 = thread_71 / 8;
                    index_t t_2437 = i_origin_1 + t_2435 + 96;
                    index_t t_2438 = i_extent_1 - 1;
                    index_t t_2440 = a_dim1_1 - 1;
                    index_t t_2441 = t_2440 < t_2434 ? t_2440 : t_2434;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2434 * 130 + (t_2435 + 96)], AT(double, a_1, (int64_t)((t_2438 < t_2437 ? t_2438 : t_2437) * a_1_s0 + (t_2441 > 0 ? t_2441 : 0)) * 8));
                    index_t thread_72 = i_thread_20 * 16 + j_thread_20;
                    index_t t_2446 = thread_72 % 64;
                    index_t t_2447 = thread_72 / 64;
                    index_t t_2448 = j_origin_1 + t_2446;
                    index_t t_2449 = j_extent_1 - 1;
                    index_t t_2450 = t_2449 < t_2448 ? t_2449 : t_2448;
                    index_t t_2452 = a_dim1_1 - 1;
                    index_t t_2453 = t_2452 < t_2447 ? t_2452 : t_2447;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_2447 * 64 + t_2446], AT(double, b_1, (int64_t)((t_2453 > 0 ? t_2453 : 0) * b_1_s0 + (t_2450 > j_offset_1 ? t_2450 : j_offset_1)) * 8));
                    index_t t_2456 = thread_72 % 64;
                    index_t t_2457 = thread_72 / 64;
                    index_t t_2458 = j_origin_1 + t_2456;
                    index_t t_2460 = j_extent_1 - 1;
                    index_t t_2461 = t_2460 < t_2458 ? t_2460 : t_2458;
                    index_t t_2459 = t_2457 + 4;
                    index_t t_2463 = a_dim1_1 - 1;
                    index_t t_2464 = t_2463 < t_2459 ? t_2463 : t_2459;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_2457 + 4) * 64 + t_2456], AT(double, b_1, (int64_t)((t_2464 > 0 ? t_2464 : 0) * b_1_s0 + (t_2461 > j_offset_1 ? t_2461 : j_offset_1)) * 8));
                }
                wait_late(0);
                __syncthreads();
                {
                    index_t i_thread_21 = (index_t)threadIdx.y;
                    index_t j_thread_21 = (index_t)threadIdx.x;
                    index_t t_2469 = (i_thread_21 * 16 + j_thread_21) % 32;
                    index_t t_2479 = (i_thread_21 * 16 + j_thread_21) / 32 / 2 * 4 + t_2469 / 8;
                    index_t t_2488 = (i_thread_21 * 16 + j_thread_21) / 32 % 2 * 8 + t_2469 % 8;
#pragma unroll 1
                    for (index_t within_6 = 0; within_6 < left_1; within_6++) {
                        double a_tile_part_6[8];
                        index_t t_2489 = t_2479 * 2;
                        double2 run_78 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2489]);
                        a_tile_part_6[0] = run_78.x;
                        a_tile_part_6[1] = run_78.y;
                        index_t t_2493 = t_2479 * 2 + 32;
                        double2 run_79 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2493]);
                        a_tile_part_6[2] = run_79.x;
                        a_tile_part_6[3] = run_79.y;
                        index_t t_2497 = t_2479 * 2 + 64;
                        double2 run_80 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2497]);
                        a_tile_part_6[4] = run_80.x;
                        a_tile_part_6[5] = run_80.y;
                        index_t t_2501 = t_2479 * 2 + 96;
                        double2 run_81 = *(double2 *)(&a_tile_1[within_6 * 130 + t_2501]);
                        a_tile_part_6[6] = run_81.x;
                        a_tile_part_6[7] = run_81.y;
                        double b_tile_part_6[4];
                        index_t t_2504 = t_2488 * 2;
                        double2 run_82 = *(double2 *)(&b_tile_1[within_6 * 64 + t_2504]);
                        b_tile_part_6[0] = run_82.x;
                        b_tile_part_6[1] = run_82.y;
                        index_t t_2508 = t_2488 * 2 + 32;
                        double2 run_83 = *(double2 *)(&b_tile_1[within_6 * 64 + t_2508]);
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
                    index_t t_2516 = thread_76 % 8;
                    index_t t_2517 = thread_76 / 8;
                    index_t t_2518 = i_origin_1 + t_2517;
                    index_t t_2520 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2516 * 130 + t_2517], AT(double, a_1, (int64_t)((t_2520 < t_2518 ? t_2520 : t_2518) * a_1_s0 + (left_1 + t_2516)) * 8));
                    index_t t_2523 = thread_76 % 8;
                    index_t t_2524 = thread_76 / 8;
                    index_t t_2526 = i_origin_1 + t_2524 + 32;
                    index_t t_2528 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2523 * 130 + (t_2524 + 32)], AT(double, a_1, (int64_t)((t_2528 < t_2526 ? t_2528 : t_2526) * a_1_s0 + (left_1 + t_2523)) * 8));
                    index_t t_2532 = thread_76 % 8;
                    index_t t_2533 = thread_76 / 8;
                    index_t t_2535 = i_origin_1 + t_2533 + 64;
                    index_t t_2537 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2532 * 130 + (t_2533 + 64)], AT(double, a_1, (int64_t)((t_2537 < t_2535 ? t_2537 : t_2535) * a_1_s0 + (left_1 + t_2532)) * 8));
                    index_t t_2541 = thread_76 % 8;
                    index_t t_2542 = thread_76 / 8;
                    index_t t_2544 = i_origin_1 + t_2542 + 96;
                    index_t t_2546 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[t_2541 * 130 + (t_2542 + 96)], AT(double, a_1, (int64_t)((t_2546 < t_2544 ? t_2546 : t_2544) * a_1_s0 + (left_1 + t_2541)) * 8));
                    index_t thread_77 = i_thread_22 * 16 + j_thread_22;
                    index_t t_2551 = thread_77 % 64;
                    index_t t_2552 = thread_77 / 64;
                    index_t t_2553 = j_origin_1 + t_2551;
                    index_t t_2555 = j_extent_1 - 1;
                    index_t t_2556 = t_2555 < t_2553 ? t_2555 : t_2553;
                    /* line 128 */
                    copy_late_8(&b_tile_1[t_2552 * 64 + t_2551], AT(double, b_1, (int64_t)((left_1 + t_2552) * b_1_s0 + (t_2556 > j_offset_1 ? t_2556 : j_offset_1)) * 8));
                    index_t t_2559 = thread_77 % 64;
                    index_t t_2560 = thread_77 / 64;
                    index_t t_2561 = j_origin_1 + t_2559;
                    index_t t_2564 = j_extent_1 - 1;
                    index_t t_2565 = t_2564 < t_2561 ? t_2564 : t_2561;
                    /* line 128 */
                    copy_late_8(&b_tile_1[(t_2560 + 4) * 64 + t_2559], AT(double, b_1, (int64_t)((left_1 + t_2560 + 4) * b_1_s0 + (t_2565 > j_offset_1 ? t_2565 : j_offset_1)) * 8));
                }
            }
            wait_late(0);
            __syncthreads();
            index_t carried_5 = 0;
            index_t carried_6 = 1;
            for (index_t tile_3 = 0; tile_3 < tiles_1; tile_3++) {
                index_t t_2571 = carried_5 + 1;
                index_t t_2572 = carried_6 + 1;
                index_t t_2573 = tile_3 + 1;
                index_t t_2574 = tiles_1 - 1;
                index_t t_2575 = t_2574 < t_2573 ? t_2574 : t_2573;
                {
                    index_t i_thread_23 = (index_t)threadIdx.y;
                    index_t j_thread_23 = (index_t)threadIdx.x;
                    index_t t_2577 = left_1 + t_2575 * 8;
                    index_t thread_78 = i_thread_23 * 16 + j_thread_23;
                    index_t t_2579 = thread_78 % 8;
                    index_t t_2580 = thread_78 / 8;
                    index_t t_2581 = i_origin_1 + t_2580;
                    index_t t_2583 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_2579 * 130 + t_2580], AT(double, a_1, (int64_t)((t_2583 < t_2581 ? t_2583 : t_2581) * a_1_s0 + (t_2577 + t_2579)) * 8));
                    index_t t_2586 = thread_78 % 8;
                    index_t t_2587 = thread_78 / 8;
                    index_t t_2589 = i_origin_1 + t_2587 + 32;
                    index_t t_2591 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_2586 * 130 + (t_2587 + 32)], AT(double, a_1, (int64_t)((t_2591 < t_2589 ? t_2591 : t_2589) * a_1_s0 + (t_2577 + t_2586)) * 8));
                    index_t t_2595 = thread_78 % 8;
                    index_t t_2596 = thread_78 / 8;
                    index_t t_2598 = i_origin_1 + t_2596 + 64;
                    index_t t_2600 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_2595 * 130 + (t_2596 + 64)], AT(double, a_1, (int64_t)((t_2600 < t_2598 ? t_2600 : t_2598) * a_1_s0 + (t_2577 + t_2595)) * 8));
                    index_t t_2604 = thread_78 % 8;
                    index_t t_2605 = thread_78 / 8;
                    index_t t_2607 = i_origin_1 + t_2605 + 96;
                    index_t t_2609 = i_extent_1 - 1;
                    /* line 128 */
                    copy_late_8(&a_tile_1[carried_6 * 1040 + t_2604 * 130 + (t_2605 + 96)], AT(double, a_1, (int64_t)((t_2609 < t_2607 ? t_2609 : t_2607) * a_1_s0 + (t_2577 + t_2604)) * 8));
                    index_t thread_79 = i_thread_23 * 16 + j_thread_23;
                    index_t t_2614 = thread_79 % 64;
                    index_t t_2615 = thread_79 / 64;
                    index_t t_2616 = j_origin_1 + t_2614;
                    index_t t_2618 = j_extent_1 - 1;
                    index_t t_2619 = t_2618 < t_2616 ? t_2618 : t_2616;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_6 * 512 + t_2615 * 64 + t_2614], AT(double, b_1, (int64_t)((t_2577 + t_2615) * b_1_s0 + (t_2619 > j_offset_1 ? t_2619 : j_offset_1)) * 8));
                    index_t t_2622 = thread_79 % 64;
                    index_t t_2623 = thread_79 / 64;
                    index_t t_2624 = j_origin_1 + t_2622;
                    index_t t_2627 = j_extent_1 - 1;
                    index_t t_2628 = t_2627 < t_2624 ? t_2627 : t_2624;
                    /* line 128 */
                    copy_late_8(&b_tile_1[carried_6 * 512 + (t_2623 + 4) * 64 + t_2622], AT(double, b_1, (int64_t)((t_2577 + t_2623 + 4) * b_1_s0 + (t_2628 > j_offset_1 ? t_2628 : j_offset_1)) * 8));
                    index_t t_2633 = (i_thread_23 * 16 + j_thread_23) % 32;
                    index_t t_2643 = (i_thread_23 * 16 + j_thread_23) / 32 / 2 * 4 + t_2633 / 8;
                    index_t t_2652 = (i_thread_23 * 16 + j_thread_23) / 32 % 2 * 8 + t_2633 % 8;
#pragma unroll
                    for (index_t within_7 = 0; within_7 < 8; within_7++) {
                        double a_tile_part_7[8];
                        index_t t_2653 = t_2643 * 2;
                        double2 run_84 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2653]);
                        a_tile_part_7[0] = run_84.x;
                        a_tile_part_7[1] = run_84.y;
                        index_t t_2657 = t_2643 * 2 + 32;
                        double2 run_85 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2657]);
                        a_tile_part_7[2] = run_85.x;
                        a_tile_part_7[3] = run_85.y;
                        index_t t_2661 = t_2643 * 2 + 64;
                        double2 run_86 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2661]);
                        a_tile_part_7[4] = run_86.x;
                        a_tile_part_7[5] = run_86.y;
                        index_t t_2665 = t_2643 * 2 + 96;
                        double2 run_87 = *(double2 *)(&a_tile_1[carried_5 * 1040 + within_7 * 130 + t_2665]);
                        a_tile_part_7[6] = run_87.x;
                        a_tile_part_7[7] = run_87.y;
                        double b_tile_part_7[4];
                        index_t t_2668 = t_2652 * 2;
                        double2 run_88 = *(double2 *)(&b_tile_1[carried_5 * 512 + within_7 * 64 + t_2668]);
                        b_tile_part_7[0] = run_88.x;
                        b_tile_part_7[1] = run_88.y;
                        index_t t_2672 = t_2652 * 2 + 32;
                        double2 run_89 = *(double2 *)(&b_tile_1[carried_5 * 512 + within_7 * 64 + t_2672]);
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
                carried_5 = t_2571 == 2 ? 0LL : t_2571;
                carried_6 = t_2572 == 2 ? 0LL : t_2572;
            }
            {
                index_t i_thread_24 = (index_t)threadIdx.y;
                index_t j_thread_24 = (index_t)threadIdx.x;
                index_t t_2681 = (i_thread_24 * 16 + j_thread_24) % 32;
                index_t t_2691 = (i_thread_24 * 16 + j_thread_24) / 32 / 2 * 4 + t_2681 / 8;
                index_t t_2700 = (i_thread_24 * 16 + j_thread_24) / 32 % 2 * 8 + t_2681 % 8;
#pragma unroll
                for (index_t point_36 = 0; point_36 < 8; point_36++) {
                    index_t i_21 = i_origin_1 + t_2691 * 2 + point_36 / 2 * 32 + point_36 % 2;
                    if (i_21 < i_extent_1) {
#pragma unroll
                        for (index_t point_37 = 0; point_37 < 4; point_37++) {
                            index_t j_49 = j_origin_1 + t_2700 * 2 + point_37 / 2 * 32 + point_37 % 2;
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
