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

#define bool bool

#define HELPER static inline __attribute__((unused))

#define __builtin_fma fma

HELPER double fma_float64(double a, double b, double c) { return __builtin_fma(a, b, c); }

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void matrix_product_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_s0_given,
        const __global char *restrict b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0_given,
        int64_t b_1_n1_given,
        int64_t b_1_s0_given,
        __global char *restrict c_1_memory,
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
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    __global double *b_1 = AT(double, b_1_memory, b_1_offset);
    index_t b_1_n0 = (index_t)b_1_n0_given;
    index_t b_1_n1 = (index_t)b_1_n1_given;
    index_t b_1_s0 = (index_t)(b_1_s0_given >> 3);
    __global double *c_1 = AT(double, c_1_memory, c_1_offset);
    index_t c_1_n0 = (index_t)c_1_n0_given;
    index_t c_1_n1 = (index_t)c_1_n1_given;
    index_t c_1_s0 = (index_t)(c_1_s0_given >> 3);
    index_t a_dim1_1 = (index_t)a_dim1_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    index_t j_offset = (index_t)j_offset_given;
    index_t j_extent = (index_t)j_extent_given;
    /* line 128 */
    index_t j_first = j_offset - j_offset % 2;
    index_t i_block = (index_t)get_group_id(1);
    /* line 129 */
    index_t j_block = (index_t)get_group_id(0);
    /* line 128 */
    index_t i_origin = i_block * 128 + i_offset;
    /* line 129 */
    index_t j_origin = j_block * 64 + j_first;
    /* line 128 */
    double s_6[32];
    __local double a_tile[2080];
    double a_held[4];
    __local double b_tile[1024];
    double b_held[2];
    if ((i_origin < i_extent) & (j_origin < j_extent)) {
        index_t trip = 0 > a_dim1_1 ? 0 : a_dim1_1;
        index_t tiles = trip / 8;
        index_t left = trip - tiles * 8;
        bool inside_5 = ((((int64_t)(size_t)c_1 | (int64_t)c_1_s0 * 8) & 15) == 0) & (((int64_t)(size_t)a_1 | (int64_t)a_1_s0 * 8) & 15) == 0;
        bool inside_7 = inside_5 & (((int64_t)(size_t)b_1 | (int64_t)b_1_s0 * 8) & 15) == 0 & (int64_t)j_offset % 2 == 0;
        if (inside_7 & (int64_t)j_extent % 2 == 0) {
            {
                index_t i_thread = (index_t)get_local_id(1);
                index_t j_thread = (index_t)get_local_id(0);
#pragma unroll
                for (index_t point = 0; point < 8; point++) {
#pragma unroll
                    for (index_t point_1 = 0; point_1 < 4; point_1++) {
                        s_6[point * 4 + point_1] = 0.0;
                    }
                }
                if (tiles > 0) {
                    index_t thread_3 = i_thread * 16 + j_thread;
                    index_t t_67 = i_origin + thread_3 / 4;
                    index_t t_66 = i_extent - 1;
                    /* line 132 */
                    index_t t_65 = thread_3 % 4 * 2;
                    double2 run = vload2(0, AT(double, a_1, (int64_t)((t_66 < t_67 ? t_66 : t_67) * a_1_s0 + t_65) * 8));
                    /* line 128 */
                    a_held[0] = run.x;
                    a_held[1] = run.y;
                    index_t t_76 = i_origin + thread_3 / 4 + 64;
                    index_t t_74 = i_extent - 1;
                    /* line 132 */
                    index_t t_73 = thread_3 % 4 * 2;
                    double2 run_1 = vload2(0, AT(double, a_1, (int64_t)((t_74 < t_76 ? t_74 : t_76) * a_1_s0 + t_73) * 8));
                    /* line 128 */
                    a_held[2] = run_1.x;
                    a_held[3] = run_1.y;
                    index_t thread_4 = i_thread * 16 + j_thread;
                    index_t t_85 = j_origin + thread_4 % 32 * 2;
                    index_t t_84 = j_extent - 2;
                    /* line 132 */
                    index_t t_86 = t_84 < t_85 ? t_84 : t_85;
                    double2 run_2 = vload2(0, AT(double, b_1, (int64_t)(thread_4 / 32 * b_1_s0 + t_86) * 8));
                    /* line 128 */
                    b_held[0] = run_2.x;
                    b_held[1] = run_2.y;
                    index_t thread_5 = i_thread * 16 + j_thread;
                    index_t t_91 = thread_5 / 4;
                    index_t t_92 = thread_5 % 4 * 2;
                    double t_94 = a_held[1];
                    a_tile[t_92 * 130 + t_91] = a_held[0];
                    a_tile[(t_92 + 1) * 130 + t_91] = t_94;
                    index_t t_98 = thread_5 % 4 * 2;
                    index_t t_101 = thread_5 / 4 + 64;
                    double t_100 = a_held[3];
                    a_tile[t_98 * 130 + t_101] = a_held[2];
                    a_tile[(t_98 + 1) * 130 + t_101] = t_100;
                    index_t thread_6 = i_thread * 16 + j_thread;
                    index_t t_106 = thread_6 % 32 * 2;
                    vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[thread_6 / 32 * 64 + t_106]);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            index_t carried = 0;
            for (index_t tile = 0; tile < tiles; tile++) {
                index_t t_109 = carried + 1;
                index_t buffer = t_109 == 2 ? 0L : t_109;
                index_t t_110 = tile * 8;
                bool inside_15 = tile + 1 < tiles;
                {
                    index_t i_thread_1 = (index_t)get_local_id(1);
                    index_t j_thread_1 = (index_t)get_local_id(0);
                    if (inside_15) {
                        index_t t_112 = t_110 + 8;
                        index_t thread_7 = i_thread_1 * 16 + j_thread_1;
                        index_t t_119 = i_origin + thread_7 / 4;
                        index_t t_118 = i_extent - 1;
                        /* line 132 */
                        index_t t_117 = t_112 + thread_7 % 4 * 2;
                        double2 run_4 = vload2(0, AT(double, a_1, (int64_t)((t_118 < t_119 ? t_118 : t_119) * a_1_s0 + t_117) * 8));
                        /* line 128 */
                        a_held[0] = run_4.x;
                        a_held[1] = run_4.y;
                        index_t t_129 = i_origin + thread_7 / 4 + 64;
                        index_t t_127 = i_extent - 1;
                        /* line 132 */
                        index_t t_126 = t_112 + thread_7 % 4 * 2;
                        double2 run_5 = vload2(0, AT(double, a_1, (int64_t)((t_127 < t_129 ? t_127 : t_129) * a_1_s0 + t_126) * 8));
                        /* line 128 */
                        a_held[2] = run_5.x;
                        a_held[3] = run_5.y;
                        index_t thread_8 = i_thread_1 * 16 + j_thread_1;
                        index_t t_139 = j_origin + thread_8 % 32 * 2;
                        index_t t_138 = j_extent - 2;
                        /* line 132 */
                        index_t t_140 = t_138 < t_139 ? t_138 : t_139;
                        double2 run_6 = vload2(0, AT(double, b_1, (int64_t)((t_112 + thread_8 / 32) * b_1_s0 + t_140) * 8));
                        /* line 128 */
                        b_held[0] = run_6.x;
                        b_held[1] = run_6.y;
                    }
                    index_t t_144 = (i_thread_1 * 16 + j_thread_1) % 32;
                    index_t t_154 = (i_thread_1 * 16 + j_thread_1) / 32 / 2 * 4 + t_144 / 8;
                    index_t t_163 = (i_thread_1 * 16 + j_thread_1) / 32 % 2 * 8 + t_144 % 8;
#pragma unroll
                    for (index_t within = 0; within < 8; within++) {
                        double a_tile_part[8];
                        double b_tile_part[4];
                        index_t t_164 = t_154 * 2;
                        double2 run_7 = vload2(0, &a_tile[carried * 1040 + within * 130 + t_164]);
                        a_tile_part[0] = run_7.x;
                        a_tile_part[1] = run_7.y;
                        index_t t_168 = t_154 * 2 + 32;
                        double2 run_8 = vload2(0, &a_tile[carried * 1040 + within * 130 + t_168]);
                        a_tile_part[2] = run_8.x;
                        a_tile_part[3] = run_8.y;
                        index_t t_172 = t_154 * 2 + 64;
                        double2 run_9 = vload2(0, &a_tile[carried * 1040 + within * 130 + t_172]);
                        a_tile_part[4] = run_9.x;
                        a_tile_part[5] = run_9.y;
                        index_t t_176 = t_154 * 2 + 96;
                        double2 run_10 = vload2(0, &a_tile[carried * 1040 + within * 130 + t_176]);
                        a_tile_part[6] = run_10.x;
                        a_tile_part[7] = run_10.y;
                        index_t t_179 = t_163 * 2;
                        double2 run_11 = vload2(0, &b_tile[carried * 512 + within * 64 + t_179]);
                        b_tile_part[0] = run_11.x;
                        b_tile_part[1] = run_11.y;
                        index_t t_183 = t_163 * 2 + 32;
                        double2 run_12 = vload2(0, &b_tile[carried * 512 + within * 64 + t_183]);
                        b_tile_part[2] = run_12.x;
                        b_tile_part[3] = run_12.y;
#pragma unroll
                        for (index_t point_4 = 0; point_4 < 8; point_4++) {
#pragma unroll
                            for (index_t point_5 = 0; point_5 < 4; point_5++) {
                                /* line 132 */
                                double s_7 = fma_float64(a_tile_part[point_4], b_tile_part[point_5], s_6[point_4 * 4 + point_5]);
                                /* line 128 */
                                s_6[point_4 * 4 + point_5] = s_7;
                            }
                        }
                    }
                    if (inside_15) {
                        index_t thread_12 = i_thread_1 * 16 + j_thread_1;
                        index_t t_193 = thread_12 / 4;
                        index_t t_194 = thread_12 % 4 * 2;
                        double t_196 = a_held[1];
                        a_tile[buffer * 1040 + t_194 * 130 + t_193] = a_held[0];
                        a_tile[buffer * 1040 + (t_194 + 1) * 130 + t_193] = t_196;
                        index_t t_200 = thread_12 % 4 * 2;
                        index_t t_203 = thread_12 / 4 + 64;
                        double t_202 = a_held[3];
                        a_tile[buffer * 1040 + t_200 * 130 + t_203] = a_held[2];
                        a_tile[buffer * 1040 + (t_200 + 1) * 130 + t_203] = t_202;
                        index_t thread_13 = i_thread_1 * 16 + j_thread_1;
                        index_t t_208 = thread_13 % 32 * 2;
                        vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[buffer * 512 + thread_13 / 32 * 64 + t_208]);
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                carried = buffer;
            }
            if (left > 0) {
                index_t t_211 = tiles * 8;
                {
                    index_t i_thread_2 = (index_t)get_local_id(1);
                    index_t j_thread_2 = (index_t)get_local_id(0);
#pragma unroll 1
                    for (index_t piece = 0; piece < 4; piece++) {
                        index_t thread_14 = i_thread_2 * 16 + j_thread_2;
                        index_t t_215 = thread_14 / 8 + piece * 32;
                        index_t t_216 = thread_14 % 8;
                        index_t t_217 = i_origin + t_215;
                        index_t t_219 = i_extent - 1;
                        index_t t_218 = t_211 + t_216;
                        index_t t_221 = a_dim1_1 - 1;
                        index_t t_222 = t_221 < t_218 ? t_221 : t_218;
                        /* line 128 */
                        a_tile[t_216 * 130 + t_215] = a_1[(t_219 < t_217 ? t_219 : t_217) * a_1_s0 + (t_222 > t_211 ? t_222 : t_211)];
                    }
#pragma unroll 1
                    for (index_t piece_1 = 0; piece_1 < 2; piece_1++) {
                        index_t thread_15 = i_thread_2 * 16 + j_thread_2;
                        index_t t_228 = thread_15 / 64 + piece_1 * 4;
                        index_t t_229 = thread_15 % 64;
                        index_t t_230 = j_origin + t_229;
                        index_t t_232 = j_extent - 1;
                        index_t t_233 = t_232 < t_230 ? t_232 : t_230;
                        index_t t_231 = t_211 + t_228;
                        index_t t_235 = a_dim1_1 - 1;
                        index_t t_236 = t_235 < t_231 ? t_235 : t_231;
                        /* line 132 */
                        double t_238 = b_1[(t_236 > t_211 ? t_236 : t_211) * b_1_s0 + (t_233 > j_offset ? t_233 : j_offset)];
                        /* line 128 */
                        b_tile[t_228 * 64 + t_229] = t_238;
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_3 = (index_t)get_local_id(1);
                    index_t j_thread_3 = (index_t)get_local_id(0);
                    index_t t_240 = (i_thread_3 * 16 + j_thread_3) % 32;
                    index_t t_250 = (i_thread_3 * 16 + j_thread_3) / 32 / 2 * 4 + t_240 / 8;
                    index_t t_259 = (i_thread_3 * 16 + j_thread_3) / 32 % 2 * 8 + t_240 % 8;
#pragma unroll 1
                    for (index_t within_1 = 0; within_1 < left; within_1++) {
                        double a_tile_part_1[8];
                        double b_tile_part_1[4];
                        index_t t_260 = t_250 * 2;
                        double2 run_14 = vload2(0, &a_tile[within_1 * 130 + t_260]);
                        a_tile_part_1[0] = run_14.x;
                        a_tile_part_1[1] = run_14.y;
                        index_t t_264 = t_250 * 2 + 32;
                        double2 run_15 = vload2(0, &a_tile[within_1 * 130 + t_264]);
                        a_tile_part_1[2] = run_15.x;
                        a_tile_part_1[3] = run_15.y;
                        index_t t_268 = t_250 * 2 + 64;
                        double2 run_16 = vload2(0, &a_tile[within_1 * 130 + t_268]);
                        a_tile_part_1[4] = run_16.x;
                        a_tile_part_1[5] = run_16.y;
                        index_t t_272 = t_250 * 2 + 96;
                        double2 run_17 = vload2(0, &a_tile[within_1 * 130 + t_272]);
                        a_tile_part_1[6] = run_17.x;
                        a_tile_part_1[7] = run_17.y;
                        index_t t_275 = t_259 * 2;
                        double2 run_18 = vload2(0, &b_tile[within_1 * 64 + t_275]);
                        b_tile_part_1[0] = run_18.x;
                        b_tile_part_1[1] = run_18.y;
                        index_t t_279 = t_259 * 2 + 32;
                        double2 run_19 = vload2(0, &b_tile[within_1 * 64 + t_279]);
                        b_tile_part_1[2] = run_19.x;
                        b_tile_part_1[3] = run_19.y;
#pragma unroll
                        for (index_t point_6 = 0; point_6 < 8; point_6++) {
#pragma unroll
                            for (index_t point_7 = 0; point_7 < 4; point_7++) {
                                /* line 132 */
                                double s_8 = fma_float64(a_tile_part_1[point_6], b_tile_part_1[point_7], s_6[point_6 * 4 + point_7]);
                                /* line 128 */
                                s_6[point_6 * 4 + point_7] = s_8;
                            }
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            }
            {
                index_t i_thread_4 = (index_t)get_local_id(1);
                index_t j_thread_4 = (index_t)get_local_id(0);
                index_t t_288 = (i_thread_4 * 16 + j_thread_4) % 32;
                index_t t_298 = (i_thread_4 * 16 + j_thread_4) / 32 / 2 * 4 + t_288 / 8;
                index_t t_307 = (i_thread_4 * 16 + j_thread_4) / 32 % 2 * 8 + t_288 % 8;
#pragma unroll
                for (index_t point_8 = 0; point_8 < 8; point_8++) {
                    index_t i_7 = i_origin + t_298 * 2 + point_8 / 2 * 32 + point_8 % 2;
                    if (i_7 < i_extent) {
                        index_t j_7 = j_origin + t_307 * 2;
                        double t_313 = s_6[point_8 * 4];
                        double t_314 = s_6[point_8 * 4 + 1];
                        if (j_7 < j_extent) {
                            /* line 133 */
                            vstore2((double2)(t_313, t_314), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_7) * 8));
                        }
                        index_t j_10 = j_origin + t_307 * 2 + 32;
                        double t_316 = s_6[point_8 * 4 + 2];
                        double t_317 = s_6[point_8 * 4 + 3];
                        if (j_10 < j_extent) {
                            /* line 133 */
                            vstore2((double2)(t_316, t_317), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_10) * 8));
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        } else {
            {
                index_t i_thread_5 = (index_t)get_local_id(1);
                index_t j_thread_5 = (index_t)get_local_id(0);
#pragma unroll
                for (index_t point_9 = 0; point_9 < 8; point_9++) {
#pragma unroll
                    for (index_t point_10 = 0; point_10 < 4; point_10++) {
                        s_6[point_9 * 4 + point_10] = 0.0;
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            if (left > 0) {
                {
                    index_t i_thread_6 = (index_t)get_local_id(1);
                    index_t j_thread_6 = (index_t)get_local_id(0);
#pragma unroll 1
                    for (index_t piece_2 = 0; piece_2 < 4; piece_2++) {
                        index_t thread_25 = i_thread_6 * 16 + j_thread_6;
                        index_t t_350 = thread_25 / 8 + piece_2 * 32;
                        index_t t_351 = thread_25 % 8;
                        index_t t_352 = i_origin + t_350;
                        index_t t_353 = i_extent - 1;
                        index_t t_355 = a_dim1_1 - 1;
                        index_t t_356 = t_355 < t_351 ? t_355 : t_351;
                        /* line 128 */
                        a_tile[t_351 * 130 + t_350] = a_1[(t_353 < t_352 ? t_353 : t_352) * a_1_s0 + (t_356 > 0 ? t_356 : 0)];
                    }
#pragma unroll 1
                    for (index_t piece_3 = 0; piece_3 < 2; piece_3++) {
                        index_t thread_26 = i_thread_6 * 16 + j_thread_6;
                        index_t t_362 = thread_26 / 64 + piece_3 * 4;
                        index_t t_363 = thread_26 % 64;
                        index_t t_364 = j_origin + t_363;
                        index_t t_365 = j_extent - 1;
                        index_t t_366 = t_365 < t_364 ? t_365 : t_364;
                        index_t t_368 = a_dim1_1 - 1;
                        index_t t_369 = t_368 < t_362 ? t_368 : t_362;
                        /* line 128 */
                        b_tile[t_362 * 64 + t_363] = b_1[(t_369 > 0 ? t_369 : 0) * b_1_s0 + (t_366 > j_offset ? t_366 : j_offset)];
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_7 = (index_t)get_local_id(1);
                    index_t j_thread_7 = (index_t)get_local_id(0);
                    index_t t_373 = (i_thread_7 * 16 + j_thread_7) % 32;
                    index_t t_383 = (i_thread_7 * 16 + j_thread_7) / 32 / 2 * 4 + t_373 / 8;
                    index_t t_392 = (i_thread_7 * 16 + j_thread_7) / 32 % 2 * 8 + t_373 % 8;
#pragma unroll 1
                    for (index_t within_2 = 0; within_2 < left; within_2++) {
                        double a_tile_part_2[8];
                        double b_tile_part_2[4];
                        index_t t_393 = t_383 * 2;
                        double2 run_22 = vload2(0, &a_tile[within_2 * 130 + t_393]);
                        a_tile_part_2[0] = run_22.x;
                        a_tile_part_2[1] = run_22.y;
                        index_t t_397 = t_383 * 2 + 32;
                        double2 run_23 = vload2(0, &a_tile[within_2 * 130 + t_397]);
                        a_tile_part_2[2] = run_23.x;
                        a_tile_part_2[3] = run_23.y;
                        index_t t_401 = t_383 * 2 + 64;
                        double2 run_24 = vload2(0, &a_tile[within_2 * 130 + t_401]);
                        a_tile_part_2[4] = run_24.x;
                        a_tile_part_2[5] = run_24.y;
                        index_t t_405 = t_383 * 2 + 96;
                        double2 run_25 = vload2(0, &a_tile[within_2 * 130 + t_405]);
                        a_tile_part_2[6] = run_25.x;
                        a_tile_part_2[7] = run_25.y;
                        index_t t_408 = t_392 * 2;
                        double2 run_26 = vload2(0, &b_tile[within_2 * 64 + t_408]);
                        b_tile_part_2[0] = run_26.x;
                        b_tile_part_2[1] = run_26.y;
                        index_t t_412 = t_392 * 2 + 32;
                        double2 run_27 = vload2(0, &b_tile[within_2 * 64 + t_412]);
                        b_tile_part_2[2] = run_27.x;
                        b_tile_part_2[3] = run_27.y;
#pragma unroll
                        for (index_t point_13 = 0; point_13 < 8; point_13++) {
#pragma unroll
                            for (index_t point_14 = 0; point_14 < 4; point_14++) {
                                /* line 132 */
                                double s_9 = fma_float64(a_tile_part_2[point_13], b_tile_part_2[point_14], s_6[point_13 * 4 + point_14]);
                                /* line 128 */
                                s_6[point_13 * 4 + point_14] = s_9;
                            }
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            }
            {
                index_t i_thread_8 = (index_t)get_local_id(1);
                index_t j_thread_8 = (index_t)get_local_id(0);
                if (tiles > 0) {
                    index_t thread_30 = i_thread_8 * 16 + j_thread_8;
                    index_t t_420 = thread_30 % 8;
                    index_t t_421 = thread_30 / 8;
                    index_t t_422 = i_origin + t_421;
                    index_t t_424 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_420 * 130 + t_421] = a_1[(t_424 < t_422 ? t_424 : t_422) * a_1_s0 + (left + t_420)];
                    index_t t_427 = thread_30 % 8;
                    index_t t_428 = thread_30 / 8;
                    index_t t_430 = i_origin + t_428 + 32;
                    index_t t_432 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_427 * 130 + (t_428 + 32)] = a_1[(t_432 < t_430 ? t_432 : t_430) * a_1_s0 + (left + t_427)];
                    index_t t_436 = thread_30 % 8;
                    index_t t_437 = thread_30 / 8;
                    index_t t_439 = i_origin + t_437 + 64;
                    index_t t_441 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_436 * 130 + (t_437 + 64)] = a_1[(t_441 < t_439 ? t_441 : t_439) * a_1_s0 + (left + t_436)];
                    index_t t_445 = thread_30 % 8;
                    index_t t_446 = thread_30 / 8;
                    index_t t_448 = i_origin + t_446 + 96;
                    index_t t_450 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_445 * 130 + (t_446 + 96)] = a_1[(t_450 < t_448 ? t_450 : t_448) * a_1_s0 + (left + t_445)];
                    index_t thread_31 = i_thread_8 * 16 + j_thread_8;
                    index_t t_455 = thread_31 % 64;
                    index_t t_456 = thread_31 / 64;
                    index_t t_457 = j_origin + t_455;
                    index_t t_459 = j_extent - 1;
                    index_t t_460 = t_459 < t_457 ? t_459 : t_457;
                    /* line 128 */
                    b_tile[t_456 * 64 + t_455] = b_1[(left + t_456) * b_1_s0 + (t_460 > j_offset ? t_460 : j_offset)];
                    index_t t_463 = thread_31 % 64;
                    index_t t_464 = thread_31 / 64;
                    index_t t_465 = j_origin + t_463;
                    index_t t_468 = j_extent - 1;
                    index_t t_469 = t_468 < t_465 ? t_468 : t_465;
                    /* line 128 */
                    b_tile[(t_464 + 4) * 64 + t_463] = b_1[(left + t_464 + 4) * b_1_s0 + (t_469 > j_offset ? t_469 : j_offset)];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            index_t v_carried_1 = 0;
            index_t v_carried_2 = 1;
            for (index_t tile_1 = 0; tile_1 < tiles; tile_1++) {
                index_t t_475 = v_carried_1 + 1;
                index_t t_476 = v_carried_2 + 1;
                index_t t_477 = tile_1 + 1;
                index_t t_478 = tiles - 1;
                index_t t_479 = t_478 < t_477 ? t_478 : t_477;
                {
                    index_t i_thread_9 = (index_t)get_local_id(1);
                    index_t j_thread_9 = (index_t)get_local_id(0);
                    index_t t_481 = left + t_479 * 8;
                    index_t thread_32 = i_thread_9 * 16 + j_thread_9;
                    index_t t_483 = thread_32 % 8;
                    index_t t_484 = thread_32 / 8;
                    index_t t_485 = i_origin + t_484;
                    index_t t_487 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_483 * 130 + t_484] = a_1[(t_487 < t_485 ? t_487 : t_485) * a_1_s0 + (t_481 + t_483)];
                    index_t t_490 = thread_32 % 8;
                    index_t t_491 = thread_32 / 8;
                    index_t t_493 = i_origin + t_491 + 32;
                    index_t t_495 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_490 * 130 + (t_491 + 32)] = a_1[(t_495 < t_493 ? t_495 : t_493) * a_1_s0 + (t_481 + t_490)];
                    index_t t_499 = thread_32 % 8;
                    index_t t_500 = thread_32 / 8;
                    index_t t_502 = i_origin + t_500 + 64;
                    index_t t_504 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_499 * 130 + (t_500 + 64)] = a_1[(t_504 < t_502 ? t_504 : t_502) * a_1_s0 + (t_481 + t_499)];
                    index_t t_508 = thread_32 % 8;
                    index_t t_509 = thread_32 / 8;
                    index_t t_511 = i_origin + t_509 + 96;
                    index_t t_513 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_508 * 130 + (t_509 + 96)] = a_1[(t_513 < t_511 ? t_513 : t_511) * a_1_s0 + (t_481 + t_508)];
                    index_t thread_33 = i_thread_9 * 16 + j_thread_9;
                    index_t t_518 = thread_33 % 64;
                    index_t t_519 = thread_33 / 64;
                    index_t t_520 = j_origin + t_518;
                    index_t t_522 = j_extent - 1;
                    index_t t_523 = t_522 < t_520 ? t_522 : t_520;
                    /* line 128 */
                    b_tile[v_carried_2 * 512 + t_519 * 64 + t_518] = b_1[(t_481 + t_519) * b_1_s0 + (t_523 > j_offset ? t_523 : j_offset)];
                    index_t t_526 = thread_33 % 64;
                    index_t t_527 = thread_33 / 64;
                    index_t t_528 = j_origin + t_526;
                    index_t t_531 = j_extent - 1;
                    index_t t_532 = t_531 < t_528 ? t_531 : t_528;
                    /* line 128 */
                    b_tile[v_carried_2 * 512 + (t_527 + 4) * 64 + t_526] = b_1[(t_481 + t_527 + 4) * b_1_s0 + (t_532 > j_offset ? t_532 : j_offset)];
                    index_t t_537 = (i_thread_9 * 16 + j_thread_9) % 32;
                    index_t t_547 = (i_thread_9 * 16 + j_thread_9) / 32 / 2 * 4 + t_537 / 8;
                    index_t t_556 = (i_thread_9 * 16 + j_thread_9) / 32 % 2 * 8 + t_537 % 8;
#pragma unroll
                    for (index_t within_3 = 0; within_3 < 8; within_3++) {
                        double a_tile_part_3[8];
                        double b_tile_part_3[4];
                        index_t t_557 = t_547 * 2;
                        double2 run_28 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_557]);
                        a_tile_part_3[0] = run_28.x;
                        a_tile_part_3[1] = run_28.y;
                        index_t t_561 = t_547 * 2 + 32;
                        double2 run_29 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_561]);
                        a_tile_part_3[2] = run_29.x;
                        a_tile_part_3[3] = run_29.y;
                        index_t t_565 = t_547 * 2 + 64;
                        double2 run_30 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_565]);
                        a_tile_part_3[4] = run_30.x;
                        a_tile_part_3[5] = run_30.y;
                        index_t t_569 = t_547 * 2 + 96;
                        double2 run_31 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_569]);
                        a_tile_part_3[6] = run_31.x;
                        a_tile_part_3[7] = run_31.y;
                        index_t t_572 = t_556 * 2;
                        double2 run_32 = vload2(0, &b_tile[v_carried_1 * 512 + within_3 * 64 + t_572]);
                        b_tile_part_3[0] = run_32.x;
                        b_tile_part_3[1] = run_32.y;
                        index_t t_576 = t_556 * 2 + 32;
                        double2 run_33 = vload2(0, &b_tile[v_carried_1 * 512 + within_3 * 64 + t_576]);
                        b_tile_part_3[2] = run_33.x;
                        b_tile_part_3[3] = run_33.y;
#pragma unroll
                        for (index_t point_15 = 0; point_15 < 8; point_15++) {
#pragma unroll
                            for (index_t point_16 = 0; point_16 < 4; point_16++) {
                                /* line 132 */
                                double s_10 = fma_float64(a_tile_part_3[point_15], b_tile_part_3[point_16], s_6[point_15 * 4 + point_16]);
                                /* line 128 */
                                s_6[point_15 * 4 + point_16] = s_10;
                            }
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                v_carried_1 = t_475 == 2 ? 0L : t_475;
                v_carried_2 = t_476 == 2 ? 0L : t_476;
            }
            {
                index_t i_thread_10 = (index_t)get_local_id(1);
                index_t j_thread_10 = (index_t)get_local_id(0);
                index_t t_585 = (i_thread_10 * 16 + j_thread_10) % 32;
                index_t t_595 = (i_thread_10 * 16 + j_thread_10) / 32 / 2 * 4 + t_585 / 8;
                index_t t_604 = (i_thread_10 * 16 + j_thread_10) / 32 % 2 * 8 + t_585 % 8;
#pragma unroll
                for (index_t point_17 = 0; point_17 < 8; point_17++) {
                    index_t i_13 = i_origin + t_595 * 2 + point_17 / 2 * 32 + point_17 % 2;
                    if (i_13 < i_extent) {
#pragma unroll
                        for (index_t point_18 = 0; point_18 < 4; point_18++) {
                            index_t j_17 = j_origin + t_604 * 2 + point_18 / 2 * 32 + point_18 % 2;
                            if ((j_17 >= j_offset) & (j_17 < j_extent)) {
                                /* line 133 */
                                c_1[i_13 * c_1_s0 + j_17] = s_6[point_17 * 4 + point_18];
                            }
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        }
    }
}
