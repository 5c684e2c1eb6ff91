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
                        index_t t_192 = thread_12 / 4;
                        index_t t_193 = thread_12 % 4 * 2;
                        double t_195 = a_held[1];
                        a_tile[buffer * 1040 + t_193 * 130 + t_192] = a_held[0];
                        a_tile[buffer * 1040 + (t_193 + 1) * 130 + t_192] = t_195;
                        index_t t_199 = thread_12 % 4 * 2;
                        index_t t_202 = thread_12 / 4 + 64;
                        double t_201 = a_held[3];
                        a_tile[buffer * 1040 + t_199 * 130 + t_202] = a_held[2];
                        a_tile[buffer * 1040 + (t_199 + 1) * 130 + t_202] = t_201;
                        index_t thread_13 = i_thread_1 * 16 + j_thread_1;
                        index_t t_207 = thread_13 % 32 * 2;
                        vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[buffer * 512 + thread_13 / 32 * 64 + t_207]);
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                carried = buffer;
            }
            if (left > 0) {
                index_t t_210 = tiles * 8;
                {
                    index_t i_thread_2 = (index_t)get_local_id(1);
                    index_t j_thread_2 = (index_t)get_local_id(0);
#pragma unroll 1
                    for (index_t piece = 0; piece < 4; piece++) {
                        index_t thread_14 = i_thread_2 * 16 + j_thread_2;
                        index_t t_214 = thread_14 / 8 + piece * 32;
                        index_t t_215 = thread_14 % 8;
                        index_t t_216 = i_origin + t_214;
                        index_t t_218 = i_extent - 1;
                        index_t t_217 = t_210 + t_215;
                        index_t t_220 = a_dim1_1 - 1;
                        index_t t_221 = t_220 < t_217 ? t_220 : t_217;
                        /* line 128 */
                        a_tile[t_215 * 130 + t_214] = a_1[(t_218 < t_216 ? t_218 : t_216) * a_1_s0 + (t_221 > t_210 ? t_221 : t_210)];
                    }
#pragma unroll 1
                    for (index_t piece_1 = 0; piece_1 < 2; piece_1++) {
                        index_t thread_15 = i_thread_2 * 16 + j_thread_2;
                        index_t t_227 = thread_15 / 64 + piece_1 * 4;
                        index_t t_228 = thread_15 % 64;
                        index_t t_229 = j_origin + t_228;
                        index_t t_231 = j_extent - 1;
                        index_t t_232 = t_231 < t_229 ? t_231 : t_229;
                        index_t t_230 = t_210 + t_227;
                        index_t t_234 = a_dim1_1 - 1;
                        index_t t_235 = t_234 < t_230 ? t_234 : t_230;
                        /* line 132 */
                        double t_237 = b_1[(t_235 > t_210 ? t_235 : t_210) * b_1_s0 + (t_232 > j_offset ? t_232 : j_offset)];
                        /* line 128 */
                        b_tile[t_227 * 64 + t_228] = t_237;
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_3 = (index_t)get_local_id(1);
                    index_t j_thread_3 = (index_t)get_local_id(0);
                    index_t t_239 = (i_thread_3 * 16 + j_thread_3) % 32;
                    index_t t_249 = (i_thread_3 * 16 + j_thread_3) / 32 / 2 * 4 + t_239 / 8;
                    index_t t_258 = (i_thread_3 * 16 + j_thread_3) / 32 % 2 * 8 + t_239 % 8;
#pragma unroll 1
                    for (index_t within_1 = 0; within_1 < left; within_1++) {
                        double a_tile_part_1[8];
                        double b_tile_part_1[4];
                        index_t t_259 = t_249 * 2;
                        double2 run_14 = vload2(0, &a_tile[within_1 * 130 + t_259]);
                        a_tile_part_1[0] = run_14.x;
                        a_tile_part_1[1] = run_14.y;
                        index_t t_263 = t_249 * 2 + 32;
                        double2 run_15 = vload2(0, &a_tile[within_1 * 130 + t_263]);
                        a_tile_part_1[2] = run_15.x;
                        a_tile_part_1[3] = run_15.y;
                        index_t t_267 = t_249 * 2 + 64;
                        double2 run_16 = vload2(0, &a_tile[within_1 * 130 + t_267]);
                        a_tile_part_1[4] = run_16.x;
                        a_tile_part_1[5] = run_16.y;
                        index_t t_271 = t_249 * 2 + 96;
                        double2 run_17 = vload2(0, &a_tile[within_1 * 130 + t_271]);
                        a_tile_part_1[6] = run_17.x;
                        a_tile_part_1[7] = run_17.y;
                        index_t t_274 = t_258 * 2;
                        double2 run_18 = vload2(0, &b_tile[within_1 * 64 + t_274]);
                        b_tile_part_1[0] = run_18.x;
                        b_tile_part_1[1] = run_18.y;
                        index_t t_278 = t_258 * 2 + 32;
                        double2 run_19 = vload2(0, &b_tile[within_1 * 64 + t_278]);
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
                index_t t_286 = (i_thread_4 * 16 + j_thread_4) % 32;
                index_t t_296 = (i_thread_4 * 16 + j_thread_4) / 32 / 2 * 4 + t_286 / 8;
                index_t t_305 = (i_thread_4 * 16 + j_thread_4) / 32 % 2 * 8 + t_286 % 8;
#pragma unroll
                for (index_t point_8 = 0; point_8 < 8; point_8++) {
                    index_t i_7 = i_origin + t_296 * 2 + point_8 / 2 * 32 + point_8 % 2;
                    if (i_7 < i_extent) {
                        index_t j_7 = j_origin + t_305 * 2;
                        double t_311 = s_6[point_8 * 4];
                        double t_312 = s_6[point_8 * 4 + 1];
                        if (j_7 < j_extent) {
                            /* line 133 */
                            vstore2((double2)(t_311, t_312), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_7) * 8));
                        }
                        index_t j_10 = j_origin + t_305 * 2 + 32;
                        double t_314 = s_6[point_8 * 4 + 2];
                        double t_315 = s_6[point_8 * 4 + 3];
                        if (j_10 < j_extent) {
                            /* line 133 */
                            vstore2((double2)(t_314, t_315), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_10) * 8));
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
                        index_t t_348 = thread_25 / 8 + piece_2 * 32;
                        index_t t_349 = thread_25 % 8;
                        index_t t_350 = i_origin + t_348;
                        index_t t_351 = i_extent - 1;
                        index_t t_353 = a_dim1_1 - 1;
                        index_t t_354 = t_353 < t_349 ? t_353 : t_349;
                        /* line 128 */
                        a_tile[t_349 * 130 + t_348] = a_1[(t_351 < t_350 ? t_351 : t_350) * a_1_s0 + (t_354 > 0 ? t_354 : 0)];
                    }
#pragma unroll 1
                    for (index_t piece_3 = 0; piece_3 < 2; piece_3++) {
                        index_t thread_26 = i_thread_6 * 16 + j_thread_6;
                        index_t t_360 = thread_26 / 64 + piece_3 * 4;
                        index_t t_361 = thread_26 % 64;
                        index_t t_362 = j_origin + t_361;
                        index_t t_363 = j_extent - 1;
                        index_t t_364 = t_363 < t_362 ? t_363 : t_362;
                        index_t t_366 = a_dim1_1 - 1;
                        index_t t_367 = t_366 < t_360 ? t_366 : t_360;
                        /* line 128 */
                        b_tile[t_360 * 64 + t_361] = b_1[(t_367 > 0 ? t_367 : 0) * b_1_s0 + (t_364 > j_offset ? t_364 : j_offset)];
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_7 = (index_t)get_local_id(1);
                    index_t j_thread_7 = (index_t)get_local_id(0);
                    index_t t_371 = (i_thread_7 * 16 + j_thread_7) % 32;
                    index_t t_381 = (i_thread_7 * 16 + j_thread_7) / 32 / 2 * 4 + t_371 / 8;
                    index_t t_390 = (i_thread_7 * 16 + j_thread_7) / 32 % 2 * 8 + t_371 % 8;
#pragma unroll 1
                    for (index_t within_2 = 0; within_2 < left; within_2++) {
                        double a_tile_part_2[8];
                        double b_tile_part_2[4];
                        index_t t_391 = t_381 * 2;
                        double2 run_22 = vload2(0, &a_tile[within_2 * 130 + t_391]);
                        a_tile_part_2[0] = run_22.x;
                        a_tile_part_2[1] = run_22.y;
                        index_t t_395 = t_381 * 2 + 32;
                        double2 run_23 = vload2(0, &a_tile[within_2 * 130 + t_395]);
                        a_tile_part_2[2] = run_23.x;
                        a_tile_part_2[3] = run_23.y;
                        index_t t_399 = t_381 * 2 + 64;
                        double2 run_24 = vload2(0, &a_tile[within_2 * 130 + t_399]);
                        a_tile_part_2[4] = run_24.x;
                        a_tile_part_2[5] = run_24.y;
                        index_t t_403 = t_381 * 2 + 96;
                        double2 run_25 = vload2(0, &a_tile[within_2 * 130 + t_403]);
                        a_tile_part_2[6] = run_25.x;
                        a_tile_part_2[7] = run_25.y;
                        index_t t_406 = t_390 * 2;
                        double2 run_26 = vload2(0, &b_tile[within_2 * 64 + t_406]);
                        b_tile_part_2[0] = run_26.x;
                        b_tile_part_2[1] = run_26.y;
                        index_t t_410 = t_390 * 2 + 32;
                        double2 run_27 = vload2(0, &b_tile[within_2 * 64 + t_410]);
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
                    index_t t_417 = thread_30 % 8;
                    index_t t_418 = thread_30 / 8;
                    index_t t_419 = i_origin + t_418;
                    index_t t_421 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_417 * 130 + t_418] = a_1[(t_421 < t_419 ? t_421 : t_419) * a_1_s0 + (left + t_417)];
                    index_t t_424 = thread_30 % 8;
                    index_t t_425 = thread_30 / 8;
                    index_t t_427 = i_origin + t_425 + 32;
                    index_t t_429 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_424 * 130 + (t_425 + 32)] = a_1[(t_429 < t_427 ? t_429 : t_427) * a_1_s0 + (left + t_424)];
                    index_t t_433 = thread_30 % 8;
                    index_t t_434 = thread_30 / 8;
                    index_t t_436 = i_origin + t_434 + 64;
                    index_t t_438 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_433 * 130 + (t_434 + 64)] = a_1[(t_438 < t_436 ? t_438 : t_436) * a_1_s0 + (left + t_433)];
                    index_t t_442 = thread_30 % 8;
                    index_t t_443 = thread_30 / 8;
                    index_t t_445 = i_origin + t_443 + 96;
                    index_t t_447 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_442 * 130 + (t_443 + 96)] = a_1[(t_447 < t_445 ? t_447 : t_445) * a_1_s0 + (left + t_442)];
                    index_t thread_31 = i_thread_8 * 16 + j_thread_8;
                    index_t t_452 = thread_31 % 64;
                    index_t t_453 = thread_31 / 64;
                    index_t t_454 = j_origin + t_452;
                    index_t t_456 = j_extent - 1;
                    index_t t_457 = t_456 < t_454 ? t_456 : t_454;
                    /* line 128 */
                    b_tile[t_453 * 64 + t_452] = b_1[(left + t_453) * b_1_s0 + (t_457 > j_offset ? t_457 : j_offset)];
                    index_t t_460 = thread_31 % 64;
                    index_t t_461 = thread_31 / 64;
                    index_t t_462 = j_origin + t_460;
                    index_t t_465 = j_extent - 1;
                    index_t t_466 = t_465 < t_462 ? t_465 : t_462;
                    /* line 128 */
                    b_tile[(t_461 + 4) * 64 + t_460] = b_1[(left + t_461 + 4) * b_1_s0 + (t_466 > j_offset ? t_466 : j_offset)];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            index_t v_carried_1 = 0;
            index_t v_carried_2 = 1;
            for (index_t tile_1 = 0; tile_1 < tiles; tile_1++) {
                index_t t_472 = v_carried_1 + 1;
                index_t t_473 = v_carried_2 + 1;
                index_t t_474 = tile_1 + 1;
                index_t t_475 = tiles - 1;
                index_t t_476 = t_475 < t_474 ? t_475 : t_474;
                {
                    index_t i_thread_9 = (index_t)get_local_id(1);
                    index_t j_thread_9 = (index_t)get_local_id(0);
                    index_t t_478 = left + t_476 * 8;
                    index_t thread_32 = i_thread_9 * 16 + j_thread_9;
                    index_t t_480 = thread_32 % 8;
                    index_t t_481 = thread_32 / 8;
                    index_t t_482 = i_origin + t_481;
                    index_t t_484 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_480 * 130 + t_481] = a_1[(t_484 < t_482 ? t_484 : t_482) * a_1_s0 + (t_478 + t_480)];
                    index_t t_487 = thread_32 % 8;
                    index_t t_488 = thread_32 / 8;
                    index_t t_490 = i_origin + t_488 + 32;
                    index_t t_492 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_487 * 130 + (t_488 + 32)] = a_1[(t_492 < t_490 ? t_492 : t_490) * a_1_s0 + (t_478 + t_487)];
                    index_t t_496 = thread_32 % 8;
                    index_t t_497 = thread_32 / 8;
                    index_t t_499 = i_origin + t_497 + 64;
                    index_t t_501 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_496 * 130 + (t_497 + 64)] = a_1[(t_501 < t_499 ? t_501 : t_499) * a_1_s0 + (t_478 + t_496)];
                    index_t t_505 = thread_32 % 8;
                    index_t t_506 = thread_32 / 8;
                    index_t t_508 = i_origin + t_506 + 96;
                    index_t t_510 = i_extent - 1;
                    /* line 128 */
                    a_tile[v_carried_2 * 1040 + t_505 * 130 + (t_506 + 96)] = a_1[(t_510 < t_508 ? t_510 : t_508) * a_1_s0 + (t_478 + t_505)];
                    index_t thread_33 = i_thread_9 * 16 + j_thread_9;
                    index_t t_515 = thread_33 % 64;
                    index_t t_516 = thread_33 / 64;
                    index_t t_517 = j_origin + t_515;
                    index_t t_519 = j_extent - 1;
                    index_t t_520 = t_519 < t_517 ? t_519 : t_517;
                    /* line 128 */
                    b_tile[v_carried_2 * 512 + t_516 * 64 + t_515] = b_1[(t_478 + t_516) * b_1_s0 + (t_520 > j_offset ? t_520 : j_offset)];
                    index_t t_523 = thread_33 % 64;
                    index_t t_524 = thread_33 / 64;
                    index_t t_525 = j_origin + t_523;
                    index_t t_528 = j_extent - 1;
                    index_t t_529 = t_528 < t_525 ? t_528 : t_525;
                    /* line 128 */
                    b_tile[v_carried_2 * 512 + (t_524 + 4) * 64 + t_523] = b_1[(t_478 + t_524 + 4) * b_1_s0 + (t_529 > j_offset ? t_529 : j_offset)];
                    index_t t_534 = (i_thread_9 * 16 + j_thread_9) % 32;
                    index_t t_544 = (i_thread_9 * 16 + j_thread_9) / 32 / 2 * 4 + t_534 / 8;
                    index_t t_553 = (i_thread_9 * 16 + j_thread_9) / 32 % 2 * 8 + t_534 % 8;
#pragma unroll
                    for (index_t within_3 = 0; within_3 < 8; within_3++) {
                        double a_tile_part_3[8];
                        double b_tile_part_3[4];
                        index_t t_554 = t_544 * 2;
                        double2 run_28 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_554]);
                        a_tile_part_3[0] = run_28.x;
                        a_tile_part_3[1] = run_28.y;
                        index_t t_558 = t_544 * 2 + 32;
                        double2 run_29 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_558]);
                        a_tile_part_3[2] = run_29.x;
                        a_tile_part_3[3] = run_29.y;
                        index_t t_562 = t_544 * 2 + 64;
                        double2 run_30 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_562]);
                        a_tile_part_3[4] = run_30.x;
                        a_tile_part_3[5] = run_30.y;
                        index_t t_566 = t_544 * 2 + 96;
                        double2 run_31 = vload2(0, &a_tile[v_carried_1 * 1040 + within_3 * 130 + t_566]);
                        a_tile_part_3[6] = run_31.x;
                        a_tile_part_3[7] = run_31.y;
                        index_t t_569 = t_553 * 2;
                        double2 run_32 = vload2(0, &b_tile[v_carried_1 * 512 + within_3 * 64 + t_569]);
                        b_tile_part_3[0] = run_32.x;
                        b_tile_part_3[1] = run_32.y;
                        index_t t_573 = t_553 * 2 + 32;
                        double2 run_33 = vload2(0, &b_tile[v_carried_1 * 512 + within_3 * 64 + t_573]);
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
                v_carried_1 = t_472 == 2 ? 0L : t_472;
                v_carried_2 = t_473 == 2 ? 0L : t_473;
            }
            {
                index_t i_thread_10 = (index_t)get_local_id(1);
                index_t j_thread_10 = (index_t)get_local_id(0);
                index_t t_581 = (i_thread_10 * 16 + j_thread_10) % 32;
                index_t t_591 = (i_thread_10 * 16 + j_thread_10) / 32 / 2 * 4 + t_581 / 8;
                index_t t_600 = (i_thread_10 * 16 + j_thread_10) / 32 % 2 * 8 + t_581 % 8;
#pragma unroll
                for (index_t point_17 = 0; point_17 < 8; point_17++) {
                    index_t i_13 = i_origin + t_591 * 2 + point_17 / 2 * 32 + point_17 % 2;
                    if (i_13 < i_extent) {
#pragma unroll
                        for (index_t point_18 = 0; point_18 < 4; point_18++) {
                            index_t j_17 = j_origin + t_600 * 2 + point_18 / 2 * 32 + point_18 % 2;
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
