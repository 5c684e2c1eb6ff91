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
        bool inside_7 = (i_origin + 128 <= i_extent) & (j_origin >= j_offset) & (j_origin + 64 <= j_extent);
        bool inside_10 = inside_7 & (((int64_t)(size_t)c_1 | (int64_t)c_1_s0 * 8) & 15) == 0 & (((int64_t)(size_t)a_1 | (int64_t)a_1_s0 * 8) & 15) == 0;
        if (inside_10 & (((int64_t)(size_t)b_1 | (int64_t)b_1_s0 * 8) & 15) == 0 & 0L == 0) {
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
                    /* line 132 */
                    index_t t_65 = thread_3 % 4 * 2;
                    double2 run = vload2(0, AT(double, a_1, (int64_t)((i_origin + thread_3 / 4) * a_1_s0 + t_65) * 8));
                    /* line 128 */
                    a_held[0] = run.x;
                    a_held[1] = run.y;
                    /* line 132 */
                    index_t t_71 = thread_3 % 4 * 2;
                    double2 run_1 = vload2(0, AT(double, a_1, (int64_t)((i_origin + thread_3 / 4 + 64) * a_1_s0 + t_71) * 8));
                    /* line 128 */
                    a_held[2] = run_1.x;
                    a_held[3] = run_1.y;
                    index_t thread_4 = i_thread * 16 + j_thread;
                    /* line 132 */
                    index_t t_80 = j_origin + thread_4 % 32 * 2;
                    double2 run_2 = vload2(0, AT(double, b_1, (int64_t)(thread_4 / 32 * b_1_s0 + t_80) * 8));
                    /* line 128 */
                    b_held[0] = run_2.x;
                    b_held[1] = run_2.y;
                    index_t thread_5 = i_thread * 16 + j_thread;
                    index_t t_85 = thread_5 / 4;
                    index_t t_86 = thread_5 % 4 * 2;
                    double t_88 = a_held[1];
                    a_tile[t_86 * 130 + t_85] = a_held[0];
                    a_tile[(t_86 + 1) * 130 + t_85] = t_88;
                    index_t t_92 = thread_5 % 4 * 2;
                    index_t t_95 = thread_5 / 4 + 64;
                    double t_94 = a_held[3];
                    a_tile[t_92 * 130 + t_95] = a_held[2];
                    a_tile[(t_92 + 1) * 130 + t_95] = t_94;
                    index_t thread_6 = i_thread * 16 + j_thread;
                    index_t t_100 = thread_6 % 32 * 2;
                    vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[thread_6 / 32 * 64 + t_100]);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            for (index_t tile = 0; tile < tiles; tile++) {
                index_t buffer = tile & 1;
                index_t t_104 = tile * 8;
                bool inside_14 = tile + 1 < tiles;
                {
                    index_t i_thread_1 = (index_t)get_local_id(1);
                    index_t j_thread_1 = (index_t)get_local_id(0);
                    if (inside_14) {
                        index_t t_105 = t_104 + 8;
                        index_t thread_7 = i_thread_1 * 16 + j_thread_1;
                        /* line 132 */
                        index_t t_110 = t_105 + thread_7 % 4 * 2;
                        double2 run_4 = vload2(0, AT(double, a_1, (int64_t)((i_origin + thread_7 / 4) * a_1_s0 + t_110) * 8));
                        /* line 128 */
                        a_held[0] = run_4.x;
                        a_held[1] = run_4.y;
                        /* line 132 */
                        index_t t_117 = t_105 + thread_7 % 4 * 2;
                        double2 run_5 = vload2(0, AT(double, a_1, (int64_t)((i_origin + thread_7 / 4 + 64) * a_1_s0 + t_117) * 8));
                        /* line 128 */
                        a_held[2] = run_5.x;
                        a_held[3] = run_5.y;
                        index_t thread_8 = i_thread_1 * 16 + j_thread_1;
                        /* line 132 */
                        index_t t_127 = j_origin + thread_8 % 32 * 2;
                        double2 run_6 = vload2(0, AT(double, b_1, (int64_t)((t_105 + thread_8 / 32) * b_1_s0 + t_127) * 8));
                        /* line 128 */
                        b_held[0] = run_6.x;
                        b_held[1] = run_6.y;
                    }
                    index_t t_131 = (i_thread_1 * 16 + j_thread_1) % 32;
                    index_t t_141 = (i_thread_1 * 16 + j_thread_1) / 32 / 2 * 4 + t_131 / 8;
                    index_t t_150 = (i_thread_1 * 16 + j_thread_1) / 32 % 2 * 8 + t_131 % 8;
#pragma unroll
                    for (index_t within = 0; within < 8; within++) {
                        double a_tile_part[8];
                        index_t t_151 = t_141 * 2;
                        double2 run_7 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_151]);
                        a_tile_part[0] = run_7.x;
                        a_tile_part[1] = run_7.y;
                        index_t t_155 = t_141 * 2 + 32;
                        double2 run_8 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_155]);
                        a_tile_part[2] = run_8.x;
                        a_tile_part[3] = run_8.y;
                        index_t t_159 = t_141 * 2 + 64;
                        double2 run_9 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_159]);
                        a_tile_part[4] = run_9.x;
                        a_tile_part[5] = run_9.y;
                        index_t t_163 = t_141 * 2 + 96;
                        double2 run_10 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_163]);
                        a_tile_part[6] = run_10.x;
                        a_tile_part[7] = run_10.y;
                        double b_tile_part[4];
                        index_t t_166 = t_150 * 2;
                        double2 run_11 = vload2(0, &b_tile[buffer * 512 + within * 64 + t_166]);
                        b_tile_part[0] = run_11.x;
                        b_tile_part[1] = run_11.y;
                        index_t t_170 = t_150 * 2 + 32;
                        double2 run_12 = vload2(0, &b_tile[buffer * 512 + within * 64 + t_170]);
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
                    if (inside_14) {
                        index_t t_178 = 1 - buffer;
                        index_t thread_12 = i_thread_1 * 16 + j_thread_1;
                        index_t t_181 = thread_12 / 4;
                        index_t t_182 = thread_12 % 4 * 2;
                        double t_184 = a_held[1];
                        a_tile[t_178 * 1040 + t_182 * 130 + t_181] = a_held[0];
                        a_tile[t_178 * 1040 + (t_182 + 1) * 130 + t_181] = t_184;
                        index_t t_188 = thread_12 % 4 * 2;
                        index_t t_191 = thread_12 / 4 + 64;
                        double t_190 = a_held[3];
                        a_tile[t_178 * 1040 + t_188 * 130 + t_191] = a_held[2];
                        a_tile[t_178 * 1040 + (t_188 + 1) * 130 + t_191] = t_190;
                        index_t thread_13 = i_thread_1 * 16 + j_thread_1;
                        index_t t_196 = thread_13 % 32 * 2;
                        vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[t_178 * 512 + thread_13 / 32 * 64 + t_196]);
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            }
            if (left > 0) {
                index_t t_199 = tiles * 8;
                {
                    index_t i_thread_2 = (index_t)get_local_id(1);
                    index_t j_thread_2 = (index_t)get_local_id(0);
                    index_t thread_14 = i_thread_2 * 16 + j_thread_2;
                    index_t t_203 = i_origin + thread_14 / 8;
                    index_t t_205 = i_extent - 1;
                    index_t t_204 = t_199 + thread_14 % 8;
                    index_t t_207 = a_dim1_1 - 1;
                    index_t t_208 = t_207 < t_204 ? t_207 : t_204;
                    /* line 128 */
                    a_held[0] = a_1[(t_205 < t_203 ? t_205 : t_203) * a_1_s0 + (t_208 > t_199 ? t_208 : t_199)];
                    index_t t_214 = i_origin + thread_14 / 8 + 32;
                    index_t t_216 = i_extent - 1;
                    index_t t_215 = t_199 + thread_14 % 8;
                    index_t t_218 = a_dim1_1 - 1;
                    index_t t_219 = t_218 < t_215 ? t_218 : t_215;
                    /* line 128 */
                    a_held[1] = a_1[(t_216 < t_214 ? t_216 : t_214) * a_1_s0 + (t_219 > t_199 ? t_219 : t_199)];
                    index_t t_225 = i_origin + thread_14 / 8 + 64;
                    index_t t_227 = i_extent - 1;
                    index_t t_226 = t_199 + thread_14 % 8;
                    index_t t_229 = a_dim1_1 - 1;
                    index_t t_230 = t_229 < t_226 ? t_229 : t_226;
                    /* line 128 */
                    a_held[2] = a_1[(t_227 < t_225 ? t_227 : t_225) * a_1_s0 + (t_230 > t_199 ? t_230 : t_199)];
                    index_t t_236 = i_origin + thread_14 / 8 + 96;
                    index_t t_238 = i_extent - 1;
                    index_t t_237 = t_199 + thread_14 % 8;
                    index_t t_240 = a_dim1_1 - 1;
                    index_t t_241 = t_240 < t_237 ? t_240 : t_237;
                    /* line 128 */
                    a_held[3] = a_1[(t_238 < t_236 ? t_238 : t_236) * a_1_s0 + (t_241 > t_199 ? t_241 : t_199)];
                    index_t thread_15 = i_thread_2 * 16 + j_thread_2;
                    index_t t_247 = j_origin + thread_15 % 64;
                    index_t t_249 = j_extent - 1;
                    index_t t_250 = t_249 < t_247 ? t_249 : t_247;
                    index_t t_248 = t_199 + thread_15 / 64;
                    index_t t_252 = a_dim1_1 - 1;
                    index_t t_253 = t_252 < t_248 ? t_252 : t_248;
                    /* line 132 */
                    double t_255 = b_1[(t_253 > t_199 ? t_253 : t_199) * b_1_s0 + (t_250 > j_offset ? t_250 : j_offset)];
                    /* line 128 */
                    b_held[0] = t_255;
                    index_t t_258 = j_origin + thread_15 % 64;
                    index_t t_261 = j_extent - 1;
                    index_t t_262 = t_261 < t_258 ? t_261 : t_258;
                    index_t t_260 = t_199 + thread_15 / 64 + 4;
                    index_t t_264 = a_dim1_1 - 1;
                    index_t t_265 = t_264 < t_260 ? t_264 : t_260;
                    /* line 132 */
                    double t_267 = b_1[(t_265 > t_199 ? t_265 : t_199) * b_1_s0 + (t_262 > j_offset ? t_262 : j_offset)];
                    /* line 128 */
                    b_held[1] = t_267;
                    index_t thread_16 = i_thread_2 * 16 + j_thread_2;
                    a_tile[thread_16 % 8 * 130 + thread_16 / 8] = a_held[0];
                    a_tile[thread_16 % 8 * 130 + (thread_16 / 8 + 32)] = a_held[1];
                    a_tile[thread_16 % 8 * 130 + (thread_16 / 8 + 64)] = a_held[2];
                    a_tile[thread_16 % 8 * 130 + (thread_16 / 8 + 96)] = a_held[3];
                    index_t thread_17 = i_thread_2 * 16 + j_thread_2;
                    b_tile[thread_17 / 64 * 64 + thread_17 % 64] = b_held[0];
                    b_tile[(thread_17 / 64 + 4) * 64 + thread_17 % 64] = b_held[1];
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_3 = (index_t)get_local_id(1);
                    index_t j_thread_3 = (index_t)get_local_id(0);
                    index_t t_293 = (i_thread_3 * 16 + j_thread_3) % 32;
                    index_t t_303 = (i_thread_3 * 16 + j_thread_3) / 32 / 2 * 4 + t_293 / 8;
                    index_t t_312 = (i_thread_3 * 16 + j_thread_3) / 32 % 2 * 8 + t_293 % 8;
#pragma unroll 1
                    for (index_t within_1 = 0; within_1 < left; within_1++) {
                        double a_tile_part_1[8];
                        index_t t_313 = t_303 * 2;
                        double2 run_14 = vload2(0, &a_tile[within_1 * 130 + t_313]);
                        a_tile_part_1[0] = run_14.x;
                        a_tile_part_1[1] = run_14.y;
                        index_t t_317 = t_303 * 2 + 32;
                        double2 run_15 = vload2(0, &a_tile[within_1 * 130 + t_317]);
                        a_tile_part_1[2] = run_15.x;
                        a_tile_part_1[3] = run_15.y;
                        index_t t_321 = t_303 * 2 + 64;
                        double2 run_16 = vload2(0, &a_tile[within_1 * 130 + t_321]);
                        a_tile_part_1[4] = run_16.x;
                        a_tile_part_1[5] = run_16.y;
                        index_t t_325 = t_303 * 2 + 96;
                        double2 run_17 = vload2(0, &a_tile[within_1 * 130 + t_325]);
                        a_tile_part_1[6] = run_17.x;
                        a_tile_part_1[7] = run_17.y;
                        double b_tile_part_1[4];
                        index_t t_328 = t_312 * 2;
                        double2 run_18 = vload2(0, &b_tile[within_1 * 64 + t_328]);
                        b_tile_part_1[0] = run_18.x;
                        b_tile_part_1[1] = run_18.y;
                        index_t t_332 = t_312 * 2 + 32;
                        double2 run_19 = vload2(0, &b_tile[within_1 * 64 + t_332]);
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
                index_t t_341 = (i_thread_4 * 16 + j_thread_4) % 32;
                index_t t_351 = (i_thread_4 * 16 + j_thread_4) / 32 / 2 * 4 + t_341 / 8;
                index_t t_360 = (i_thread_4 * 16 + j_thread_4) / 32 % 2 * 8 + t_341 % 8;
#pragma unroll
                for (index_t point_8 = 0; point_8 < 8; point_8++) {
                    index_t i_7 = i_origin + t_351 * 2 + point_8 / 2 * 32 + point_8 % 2;
                    /* line 133 */
                    index_t j_7 = j_origin + t_360 * 2;
                    vstore2((double2)(s_6[point_8 * 4], s_6[point_8 * 4 + 1]), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_7) * 8));
                    /* line 133 */
                    index_t j_10 = j_origin + t_360 * 2 + 32;
                    vstore2((double2)(s_6[point_8 * 4 + 2], s_6[point_8 * 4 + 3]), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_10) * 8));
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
                    index_t thread_27 = i_thread_6 * 16 + j_thread_6;
                    index_t t_401 = thread_27 % 8;
                    index_t t_402 = thread_27 / 8;
                    index_t t_403 = i_origin + t_402;
                    index_t t_404 = i_extent - 1;
                    index_t t_406 = a_dim1_1 - 1;
                    index_t t_407 = t_406 < t_401 ? t_406 : t_401;
                    /* line 128 */
                    a_tile[t_401 * 130 + t_402] = a_1[(t_404 < t_403 ? t_404 : t_403) * a_1_s0 + (t_407 > 0 ? t_407 : 0)];
                    index_t t_410 = thread_27 % 8;
                    index_t t_411 = thread_27 / 8;
                    index_t t_413 = i_origin + t_411 + 32;
                    index_t t_414 = i_extent - 1;
                    index_t t_416 = a_dim1_1 - 1;
                    index_t t_417 = t_416 < t_410 ? t_416 : t_410;
                    /* line 128 */
                    a_tile[t_410 * 130 + (t_411 + 32)] = a_1[(t_414 < t_413 ? t_414 : t_413) * a_1_s0 + (t_417 > 0 ? t_417 : 0)];
                    index_t t_421 = thread_27 % 8;
                    index_t t_422 = thread_27 / 8;
                    index_t t_424 = i_origin + t_422 + 64;
                    index_t t_425 = i_extent - 1;
                    index_t t_427 = a_dim1_1 - 1;
                    index_t t_428 = t_427 < t_421 ? t_427 : t_421;
                    /* line 128 */
                    a_tile[t_421 * 130 + (t_422 + 64)] = a_1[(t_425 < t_424 ? t_425 : t_424) * a_1_s0 + (t_428 > 0 ? t_428 : 0)];
                    index_t t_432 = thread_27 % 8;
                    index_t t_433 = thread_27 / 8;
                    index_t t_435 = i_origin + t_433 + 96;
                    index_t t_436 = i_extent - 1;
                    index_t t_438 = a_dim1_1 - 1;
                    index_t t_439 = t_438 < t_432 ? t_438 : t_432;
                    /* line 128 */
                    a_tile[t_432 * 130 + (t_433 + 96)] = a_1[(t_436 < t_435 ? t_436 : t_435) * a_1_s0 + (t_439 > 0 ? t_439 : 0)];
                    index_t thread_28 = i_thread_6 * 16 + j_thread_6;
                    index_t t_444 = thread_28 % 64;
                    index_t t_445 = thread_28 / 64;
                    index_t t_446 = j_origin + t_444;
                    index_t t_447 = j_extent - 1;
                    index_t t_448 = t_447 < t_446 ? t_447 : t_446;
                    index_t t_450 = a_dim1_1 - 1;
                    index_t t_451 = t_450 < t_445 ? t_450 : t_445;
                    /* line 128 */
                    b_tile[t_445 * 64 + t_444] = b_1[(t_451 > 0 ? t_451 : 0) * b_1_s0 + (t_448 > j_offset ? t_448 : j_offset)];
                    index_t t_454 = thread_28 % 64;
                    index_t t_455 = thread_28 / 64;
                    index_t t_456 = j_origin + t_454;
                    index_t t_458 = j_extent - 1;
                    index_t t_459 = t_458 < t_456 ? t_458 : t_456;
                    index_t t_457 = t_455 + 4;
                    index_t t_461 = a_dim1_1 - 1;
                    index_t t_462 = t_461 < t_457 ? t_461 : t_457;
                    /* line 128 */
                    b_tile[(t_455 + 4) * 64 + t_454] = b_1[(t_462 > 0 ? t_462 : 0) * b_1_s0 + (t_459 > j_offset ? t_459 : j_offset)];
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_7 = (index_t)get_local_id(1);
                    index_t j_thread_7 = (index_t)get_local_id(0);
                    index_t t_467 = (i_thread_7 * 16 + j_thread_7) % 32;
                    index_t t_477 = (i_thread_7 * 16 + j_thread_7) / 32 / 2 * 4 + t_467 / 8;
                    index_t t_486 = (i_thread_7 * 16 + j_thread_7) / 32 % 2 * 8 + t_467 % 8;
#pragma unroll 1
                    for (index_t within_2 = 0; within_2 < left; within_2++) {
                        double a_tile_part_2[8];
                        index_t t_487 = t_477 * 2;
                        double2 run_22 = vload2(0, &a_tile[within_2 * 130 + t_487]);
                        a_tile_part_2[0] = run_22.x;
                        a_tile_part_2[1] = run_22.y;
                        index_t t_491 = t_477 * 2 + 32;
                        double2 run_23 = vload2(0, &a_tile[within_2 * 130 + t_491]);
                        a_tile_part_2[2] = run_23.x;
                        a_tile_part_2[3] = run_23.y;
                        index_t t_495 = t_477 * 2 + 64;
                        double2 run_24 = vload2(0, &a_tile[within_2 * 130 + t_495]);
                        a_tile_part_2[4] = run_24.x;
                        a_tile_part_2[5] = run_24.y;
                        index_t t_499 = t_477 * 2 + 96;
                        double2 run_25 = vload2(0, &a_tile[within_2 * 130 + t_499]);
                        a_tile_part_2[6] = run_25.x;
                        a_tile_part_2[7] = run_25.y;
                        double b_tile_part_2[4];
                        index_t t_502 = t_486 * 2;
                        double2 run_26 = vload2(0, &b_tile[within_2 * 64 + t_502]);
                        b_tile_part_2[0] = run_26.x;
                        b_tile_part_2[1] = run_26.y;
                        index_t t_506 = t_486 * 2 + 32;
                        double2 run_27 = vload2(0, &b_tile[within_2 * 64 + t_506]);
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
                    index_t thread_32 = i_thread_8 * 16 + j_thread_8;
                    index_t t_514 = thread_32 % 8;
                    index_t t_515 = thread_32 / 8;
                    index_t t_516 = i_origin + t_515;
                    index_t t_518 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_514 * 130 + t_515] = a_1[(t_518 < t_516 ? t_518 : t_516) * a_1_s0 + (left + t_514)];
                    index_t t_521 = thread_32 % 8;
                    index_t t_522 = thread_32 / 8;
                    index_t t_524 = i_origin + t_522 + 32;
                    index_t t_526 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_521 * 130 + (t_522 + 32)] = a_1[(t_526 < t_524 ? t_526 : t_524) * a_1_s0 + (left + t_521)];
                    index_t t_530 = thread_32 % 8;
                    index_t t_531 = thread_32 / 8;
                    index_t t_533 = i_origin + t_531 + 64;
                    index_t t_535 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_530 * 130 + (t_531 + 64)] = a_1[(t_535 < t_533 ? t_535 : t_533) * a_1_s0 + (left + t_530)];
                    index_t t_539 = thread_32 % 8;
                    index_t t_540 = thread_32 / 8;
                    index_t t_542 = i_origin + t_540 + 96;
                    index_t t_544 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_539 * 130 + (t_540 + 96)] = a_1[(t_544 < t_542 ? t_544 : t_542) * a_1_s0 + (left + t_539)];
                    index_t thread_33 = i_thread_8 * 16 + j_thread_8;
                    index_t t_549 = thread_33 % 64;
                    index_t t_550 = thread_33 / 64;
                    index_t t_551 = j_origin + t_549;
                    index_t t_553 = j_extent - 1;
                    index_t t_554 = t_553 < t_551 ? t_553 : t_551;
                    /* line 128 */
                    b_tile[t_550 * 64 + t_549] = b_1[(left + t_550) * b_1_s0 + (t_554 > j_offset ? t_554 : j_offset)];
                    index_t t_557 = thread_33 % 64;
                    index_t t_558 = thread_33 / 64;
                    index_t t_559 = j_origin + t_557;
                    index_t t_562 = j_extent - 1;
                    index_t t_563 = t_562 < t_559 ? t_562 : t_559;
                    /* line 128 */
                    b_tile[(t_558 + 4) * 64 + t_557] = b_1[(left + t_558 + 4) * b_1_s0 + (t_563 > j_offset ? t_563 : j_offset)];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            index_t carried = 0;
            index_t carried_1 = 1;
            for (index_t tile_1 = 0; tile_1 < tiles; tile_1++) {
                index_t t_569 = carried + 1;
                index_t t_570 = carried_1 + 1;
                index_t t_571 = tile_1 + 1;
                index_t t_572 = tiles - 1;
                index_t t_573 = t_572 < t_571 ? t_572 : t_571;
                {
                    index_t i_thread_9 = (index_t)get_local_id(1);
                    index_t j_thread_9 = (index_t)get_local_id(0);
                    index_t t_575 = left + t_573 * 8;
                    index_t thread_34 = i_thread_9 * 16 + j_thread_9;
                    index_t t_577 = thread_34 % 8;
                    index_t t_578 = thread_34 / 8;
                    index_t t_579 = i_origin + t_578;
                    index_t t_581 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_1 * 1040 + t_577 * 130 + t_578] = a_1[(t_581 < t_579 ? t_581 : t_579) * a_1_s0 + (t_575 + t_577)];
                    index_t t_584 = thread_34 % 8;
                    index_t t_585 = thread_34 / 8;
                    index_t t_587 = i_origin + t_585 + 32;
                    index_t t_589 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_1 * 1040 + t_584 * 130 + (t_585 + 32)] = a_1[(t_589 < t_587 ? t_589 : t_587) * a_1_s0 + (t_575 + t_584)];
                    index_t t_593 = thread_34 % 8;
                    index_t t_594 = thread_34 / 8;
                    index_t t_596 = i_origin + t_594 + 64;
                    index_t t_598 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_1 * 1040 + t_593 * 130 + (t_594 + 64)] = a_1[(t_598 < t_596 ? t_598 : t_596) * a_1_s0 + (t_575 + t_593)];
                    index_t t_602 = thread_34 % 8;
                    index_t t_603 = thread_34 / 8;
                    index_t t_605 = i_origin + t_603 + 96;
                    index_t t_607 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_1 * 1040 + t_602 * 130 + (t_603 + 96)] = a_1[(t_607 < t_605 ? t_607 : t_605) * a_1_s0 + (t_575 + t_602)];
                    index_t thread_35 = i_thread_9 * 16 + j_thread_9;
                    index_t t_612 = thread_35 % 64;
                    index_t t_613 = thread_35 / 64;
                    index_t t_614 = j_origin + t_612;
                    index_t t_616 = j_extent - 1;
                    index_t t_617 = t_616 < t_614 ? t_616 : t_614;
                    /* line 128 */
                    b_tile[carried_1 * 512 + t_613 * 64 + t_612] = b_1[(t_575 + t_613) * b_1_s0 + (t_617 > j_offset ? t_617 : j_offset)];
                    index_t t_620 = thread_35 % 64;
                    index_t t_621 = thread_35 / 64;
                    index_t t_622 = j_origin + t_620;
                    index_t t_625 = j_extent - 1;
                    index_t t_626 = t_625 < t_622 ? t_625 : t_622;
                    /* line 128 */
                    b_tile[carried_1 * 512 + (t_621 + 4) * 64 + t_620] = b_1[(t_575 + t_621 + 4) * b_1_s0 + (t_626 > j_offset ? t_626 : j_offset)];
                    index_t t_631 = (i_thread_9 * 16 + j_thread_9) % 32;
                    index_t t_641 = (i_thread_9 * 16 + j_thread_9) / 32 / 2 * 4 + t_631 / 8;
                    index_t t_650 = (i_thread_9 * 16 + j_thread_9) / 32 % 2 * 8 + t_631 % 8;
#pragma unroll
                    for (index_t within_3 = 0; within_3 < 8; within_3++) {
                        double a_tile_part_3[8];
                        index_t t_651 = t_641 * 2;
                        double2 run_28 = vload2(0, &a_tile[carried * 1040 + within_3 * 130 + t_651]);
                        a_tile_part_3[0] = run_28.x;
                        a_tile_part_3[1] = run_28.y;
                        index_t t_655 = t_641 * 2 + 32;
                        double2 run_29 = vload2(0, &a_tile[carried * 1040 + within_3 * 130 + t_655]);
                        a_tile_part_3[2] = run_29.x;
                        a_tile_part_3[3] = run_29.y;
                        index_t t_659 = t_641 * 2 + 64;
                        double2 run_30 = vload2(0, &a_tile[carried * 1040 + within_3 * 130 + t_659]);
                        a_tile_part_3[4] = run_30.x;
                        a_tile_part_3[5] = run_30.y;
                        index_t t_663 = t_641 * 2 + 96;
                        double2 run_31 = vload2(0, &a_tile[carried * 1040 + within_3 * 130 + t_663]);
                        a_tile_part_3[6] = run_31.x;
                        a_tile_part_3[7] = run_31.y;
                        double b_tile_part_3[4];
                        index_t t_666 = t_650 * 2;
                        double2 run_32 = vload2(0, &b_tile[carried * 512 + within_3 * 64 + t_666]);
                        b_tile_part_3[0] = run_32.x;
                        b_tile_part_3[1] = run_32.y;
                        index_t t_670 = t_650 * 2 + 32;
                        double2 run_33 = vload2(0, &b_tile[carried * 512 + within_3 * 64 + t_670]);
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
                carried = t_569 == 2 ? 0L : t_569;
                carried_1 = t_570 == 2 ? 0L : t_570;
            }
            {
                index_t i_thread_10 = (index_t)get_local_id(1);
                index_t j_thread_10 = (index_t)get_local_id(0);
                index_t t_679 = (i_thread_10 * 16 + j_thread_10) % 32;
                index_t t_689 = (i_thread_10 * 16 + j_thread_10) / 32 / 2 * 4 + t_679 / 8;
                index_t t_698 = (i_thread_10 * 16 + j_thread_10) / 32 % 2 * 8 + t_679 % 8;
#pragma unroll
                for (index_t point_17 = 0; point_17 < 8; point_17++) {
                    index_t i_13 = i_origin + t_689 * 2 + point_17 / 2 * 32 + point_17 % 2;
                    if (i_13 < i_extent) {
#pragma unroll
                        for (index_t point_18 = 0; point_18 < 4; point_18++) {
                            index_t j_17 = j_origin + t_698 * 2 + point_18 / 2 * 32 + point_18 % 2;
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
