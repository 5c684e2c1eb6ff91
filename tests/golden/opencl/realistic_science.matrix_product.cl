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
                index_t t_111 = tile * 8;
                bool inside_15 = tile + 1 < tiles;
                {
                    index_t i_thread_1 = (index_t)get_local_id(1);
                    index_t j_thread_1 = (index_t)get_local_id(0);
                    if (inside_15) {
                        index_t t_112 = t_111 + 8;
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
                        double b_tile_part[4];
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
                    index_t thread_14 = i_thread_2 * 16 + j_thread_2;
                    index_t t_215 = i_origin + thread_14 / 8;
                    index_t t_217 = i_extent - 1;
                    index_t t_216 = t_211 + thread_14 % 8;
                    index_t t_219 = a_dim1_1 - 1;
                    index_t t_220 = t_219 < t_216 ? t_219 : t_216;
                    /* line 128 */
                    a_held[0] = a_1[(t_217 < t_215 ? t_217 : t_215) * a_1_s0 + (t_220 > t_211 ? t_220 : t_211)];
                    index_t t_226 = i_origin + thread_14 / 8 + 32;
                    index_t t_228 = i_extent - 1;
                    index_t t_227 = t_211 + thread_14 % 8;
                    index_t t_230 = a_dim1_1 - 1;
                    index_t t_231 = t_230 < t_227 ? t_230 : t_227;
                    /* line 128 */
                    a_held[1] = a_1[(t_228 < t_226 ? t_228 : t_226) * a_1_s0 + (t_231 > t_211 ? t_231 : t_211)];
                    index_t t_237 = i_origin + thread_14 / 8 + 64;
                    index_t t_239 = i_extent - 1;
                    index_t t_238 = t_211 + thread_14 % 8;
                    index_t t_241 = a_dim1_1 - 1;
                    index_t t_242 = t_241 < t_238 ? t_241 : t_238;
                    /* line 128 */
                    a_held[2] = a_1[(t_239 < t_237 ? t_239 : t_237) * a_1_s0 + (t_242 > t_211 ? t_242 : t_211)];
                    index_t t_248 = i_origin + thread_14 / 8 + 96;
                    index_t t_250 = i_extent - 1;
                    index_t t_249 = t_211 + thread_14 % 8;
                    index_t t_252 = a_dim1_1 - 1;
                    index_t t_253 = t_252 < t_249 ? t_252 : t_249;
                    /* line 128 */
                    a_held[3] = a_1[(t_250 < t_248 ? t_250 : t_248) * a_1_s0 + (t_253 > t_211 ? t_253 : t_211)];
                    index_t thread_15 = i_thread_2 * 16 + j_thread_2;
                    index_t t_259 = j_origin + thread_15 % 64;
                    index_t t_261 = j_extent - 1;
                    index_t t_262 = t_261 < t_259 ? t_261 : t_259;
                    index_t t_260 = t_211 + thread_15 / 64;
                    index_t t_264 = a_dim1_1 - 1;
                    index_t t_265 = t_264 < t_260 ? t_264 : t_260;
                    /* line 132 */
                    double t_267 = b_1[(t_265 > t_211 ? t_265 : t_211) * b_1_s0 + (t_262 > j_offset ? t_262 : j_offset)];
                    /* line 128 */
                    b_held[0] = t_267;
                    index_t t_270 = j_origin + thread_15 % 64;
                    index_t t_273 = j_extent - 1;
                    index_t t_274 = t_273 < t_270 ? t_273 : t_270;
                    index_t t_272 = t_211 + thread_15 / 64 + 4;
                    index_t t_276 = a_dim1_1 - 1;
                    index_t t_277 = t_276 < t_272 ? t_276 : t_272;
                    /* line 132 */
                    double t_279 = b_1[(t_277 > t_211 ? t_277 : t_211) * b_1_s0 + (t_274 > j_offset ? t_274 : j_offset)];
                    /* line 128 */
                    b_held[1] = t_279;
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
                    index_t t_305 = (i_thread_3 * 16 + j_thread_3) % 32;
                    index_t t_315 = (i_thread_3 * 16 + j_thread_3) / 32 / 2 * 4 + t_305 / 8;
                    index_t t_324 = (i_thread_3 * 16 + j_thread_3) / 32 % 2 * 8 + t_305 % 8;
#pragma unroll 1
                    for (index_t within_1 = 0; within_1 < left; within_1++) {
                        double a_tile_part_1[8];
                        index_t t_325 = t_315 * 2;
                        double2 run_14 = vload2(0, &a_tile[within_1 * 130 + t_325]);
                        a_tile_part_1[0] = run_14.x;
                        a_tile_part_1[1] = run_14.y;
                        index_t t_329 = t_315 * 2 + 32;
                        double2 run_15 = vload2(0, &a_tile[within_1 * 130 + t_329]);
                        a_tile_part_1[2] = run_15.x;
                        a_tile_part_1[3] = run_15.y;
                        index_t t_333 = t_315 * 2 + 64;
                        double2 run_16 = vload2(0, &a_tile[within_1 * 130 + t_333]);
                        a_tile_part_1[4] = run_16.x;
                        a_tile_part_1[5] = run_16.y;
                        index_t t_337 = t_315 * 2 + 96;
                        double2 run_17 = vload2(0, &a_tile[within_1 * 130 + t_337]);
                        a_tile_part_1[6] = run_17.x;
                        a_tile_part_1[7] = run_17.y;
                        double b_tile_part_1[4];
                        index_t t_340 = t_324 * 2;
                        double2 run_18 = vload2(0, &b_tile[within_1 * 64 + t_340]);
                        b_tile_part_1[0] = run_18.x;
                        b_tile_part_1[1] = run_18.y;
                        index_t t_344 = t_324 * 2 + 32;
                        double2 run_19 = vload2(0, &b_tile[within_1 * 64 + t_344]);
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
                index_t t_353 = (i_thread_4 * 16 + j_thread_4) % 32;
                index_t t_363 = (i_thread_4 * 16 + j_thread_4) / 32 / 2 * 4 + t_353 / 8;
                index_t t_372 = (i_thread_4 * 16 + j_thread_4) / 32 % 2 * 8 + t_353 % 8;
#pragma unroll
                for (index_t point_8 = 0; point_8 < 8; point_8++) {
                    index_t i_7 = i_origin + t_363 * 2 + point_8 / 2 * 32 + point_8 % 2;
                    if (i_7 < i_extent) {
                        index_t j_7 = j_origin + t_372 * 2;
                        double t_378 = s_6[point_8 * 4];
                        double t_379 = s_6[point_8 * 4 + 1];
                        if (j_7 < j_extent) {
                            /* line 133 */
                            vstore2((double2)(t_378, t_379), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_7) * 8));
                        }
                        index_t j_10 = j_origin + t_372 * 2 + 32;
                        double t_381 = s_6[point_8 * 4 + 2];
                        double t_382 = s_6[point_8 * 4 + 3];
                        if (j_10 < j_extent) {
                            /* line 133 */
                            vstore2((double2)(t_381, t_382), 0, AT(double, c_1, (int64_t)(i_7 * c_1_s0 + j_10) * 8));
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
                    index_t thread_27 = i_thread_6 * 16 + j_thread_6;
                    index_t t_413 = thread_27 % 8;
                    index_t t_414 = thread_27 / 8;
                    index_t t_415 = i_origin + t_414;
                    index_t t_416 = i_extent - 1;
                    index_t t_418 = a_dim1_1 - 1;
                    index_t t_419 = t_418 < t_413 ? t_418 : t_413;
                    /* line 128 */
                    a_tile[t_413 * 130 + t_414] = a_1[(t_416 < t_415 ? t_416 : t_415) * a_1_s0 + (t_419 > 0 ? t_419 : 0)];
                    index_t t_422 = thread_27 % 8;
                    index_t t_423 = thread_27 / 8;
                    index_t t_425 = i_origin + t_423 + 32;
                    index_t t_426 = i_extent - 1;
                    index_t t_428 = a_dim1_1 - 1;
                    index_t t_429 = t_428 < t_422 ? t_428 : t_422;
                    /* line 128 */
                    a_tile[t_422 * 130 + (t_423 + 32)] = a_1[(t_426 < t_425 ? t_426 : t_425) * a_1_s0 + (t_429 > 0 ? t_429 : 0)];
                    index_t t_433 = thread_27 % 8;
                    index_t t_434 = thread_27 / 8;
                    index_t t_436 = i_origin + t_434 + 64;
                    index_t t_437 = i_extent - 1;
                    index_t t_439 = a_dim1_1 - 1;
                    index_t t_440 = t_439 < t_433 ? t_439 : t_433;
                    /* line 128 */
                    a_tile[t_433 * 130 + (t_434 + 64)] = a_1[(t_437 < t_436 ? t_437 : t_436) * a_1_s0 + (t_440 > 0 ? t_440 : 0)];
                    index_t t_444 = thread_27 % 8;
                    index_t t_445 = thread_27 / 8;
                    index_t t_447 = i_origin + t_445 + 96;
                    index_t t_448 = i_extent - 1;
                    index_t t_450 = a_dim1_1 - 1;
                    index_t t_451 = t_450 < t_444 ? t_450 : t_444;
                    /* line 128 */
                    a_tile[t_444 * 130 + (t_445 + 96)] = a_1[(t_448 < t_447 ? t_448 : t_447) * a_1_s0 + (t_451 > 0 ? t_451 : 0)];
                    index_t thread_28 = i_thread_6 * 16 + j_thread_6;
                    index_t t_456 = thread_28 % 64;
                    index_t t_457 = thread_28 / 64;
                    index_t t_458 = j_origin + t_456;
                    index_t t_459 = j_extent - 1;
                    index_t t_460 = t_459 < t_458 ? t_459 : t_458;
                    index_t t_462 = a_dim1_1 - 1;
                    index_t t_463 = t_462 < t_457 ? t_462 : t_457;
                    /* line 128 */
                    b_tile[t_457 * 64 + t_456] = b_1[(t_463 > 0 ? t_463 : 0) * b_1_s0 + (t_460 > j_offset ? t_460 : j_offset)];
                    index_t t_466 = thread_28 % 64;
                    index_t t_467 = thread_28 / 64;
                    index_t t_468 = j_origin + t_466;
                    index_t t_470 = j_extent - 1;
                    index_t t_471 = t_470 < t_468 ? t_470 : t_468;
                    index_t t_469 = t_467 + 4;
                    index_t t_473 = a_dim1_1 - 1;
                    index_t t_474 = t_473 < t_469 ? t_473 : t_469;
                    /* line 128 */
                    b_tile[(t_467 + 4) * 64 + t_466] = b_1[(t_474 > 0 ? t_474 : 0) * b_1_s0 + (t_471 > j_offset ? t_471 : j_offset)];
                }
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
                {
                    index_t i_thread_7 = (index_t)get_local_id(1);
                    index_t j_thread_7 = (index_t)get_local_id(0);
                    index_t t_479 = (i_thread_7 * 16 + j_thread_7) % 32;
                    index_t t_489 = (i_thread_7 * 16 + j_thread_7) / 32 / 2 * 4 + t_479 / 8;
                    index_t t_498 = (i_thread_7 * 16 + j_thread_7) / 32 % 2 * 8 + t_479 % 8;
#pragma unroll 1
                    for (index_t within_2 = 0; within_2 < left; within_2++) {
                        double a_tile_part_2[8];
                        index_t t_499 = t_489 * 2;
                        double2 run_22 = vload2(0, &a_tile[within_2 * 130 + t_499]);
                        a_tile_part_2[0] = run_22.x;
                        a_tile_part_2[1] = run_22.y;
                        index_t t_503 = t_489 * 2 + 32;
                        double2 run_23 = vload2(0, &a_tile[within_2 * 130 + t_503]);
                        a_tile_part_2[2] = run_23.x;
                        a_tile_part_2[3] = run_23.y;
                        index_t t_507 = t_489 * 2 + 64;
                        double2 run_24 = vload2(0, &a_tile[within_2 * 130 + t_507]);
                        a_tile_part_2[4] = run_24.x;
                        a_tile_part_2[5] = run_24.y;
                        index_t t_511 = t_489 * 2 + 96;
                        double2 run_25 = vload2(0, &a_tile[within_2 * 130 + t_511]);
                        a_tile_part_2[6] = run_25.x;
                        a_tile_part_2[7] = run_25.y;
                        double b_tile_part_2[4];
                        index_t t_514 = t_498 * 2;
                        double2 run_26 = vload2(0, &b_tile[within_2 * 64 + t_514]);
                        b_tile_part_2[0] = run_26.x;
                        b_tile_part_2[1] = run_26.y;
                        index_t t_518 = t_498 * 2 + 32;
                        double2 run_27 = vload2(0, &b_tile[within_2 * 64 + t_518]);
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
                    index_t t_526 = thread_32 % 8;
                    index_t t_527 = thread_32 / 8;
                    index_t t_528 = i_origin + t_527;
                    index_t t_530 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_526 * 130 + t_527] = a_1[(t_530 < t_528 ? t_530 : t_528) * a_1_s0 + (left + t_526)];
                    index_t t_533 = thread_32 % 8;
                    index_t t_534 = thread_32 / 8;
                    index_t t_536 = i_origin + t_534 + 32;
                    index_t t_538 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_533 * 130 + (t_534 + 32)] = a_1[(t_538 < t_536 ? t_538 : t_536) * a_1_s0 + (left + t_533)];
                    index_t t_542 = thread_32 % 8;
                    index_t t_543 = thread_32 / 8;
                    index_t t_545 = i_origin + t_543 + 64;
                    index_t t_547 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_542 * 130 + (t_543 + 64)] = a_1[(t_547 < t_545 ? t_547 : t_545) * a_1_s0 + (left + t_542)];
                    index_t t_551 = thread_32 % 8;
                    index_t t_552 = thread_32 / 8;
                    index_t t_554 = i_origin + t_552 + 96;
                    index_t t_556 = i_extent - 1;
                    /* line 128 */
                    a_tile[t_551 * 130 + (t_552 + 96)] = a_1[(t_556 < t_554 ? t_556 : t_554) * a_1_s0 + (left + t_551)];
                    index_t thread_33 = i_thread_8 * 16 + j_thread_8;
                    index_t t_561 = thread_33 % 64;
                    index_t t_562 = thread_33 / 64;
                    index_t t_563 = j_origin + t_561;
                    index_t t_565 = j_extent - 1;
                    index_t t_566 = t_565 < t_563 ? t_565 : t_563;
                    /* line 128 */
                    b_tile[t_562 * 64 + t_561] = b_1[(left + t_562) * b_1_s0 + (t_566 > j_offset ? t_566 : j_offset)];
                    index_t t_569 = thread_33 % 64;
                    index_t t_570 = thread_33 / 64;
                    index_t t_571 = j_origin + t_569;
                    index_t t_574 = j_extent - 1;
                    index_t t_575 = t_574 < t_571 ? t_574 : t_571;
                    /* line 128 */
                    b_tile[(t_570 + 4) * 64 + t_569] = b_1[(left + t_570 + 4) * b_1_s0 + (t_575 > j_offset ? t_575 : j_offset)];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            index_t carried_1 = 0;
            index_t carried_2 = 1;
            for (index_t tile_1 = 0; tile_1 < tiles; tile_1++) {
                index_t t_581 = carried_1 + 1;
                index_t t_582 = carried_2 + 1;
                index_t t_583 = tile_1 + 1;
                index_t t_584 = tiles - 1;
                index_t t_585 = t_584 < t_583 ? t_584 : t_583;
                {
                    index_t i_thread_9 = (index_t)get_local_id(1);
                    index_t j_thread_9 = (index_t)get_local_id(0);
                    index_t t_587 = left + t_585 * 8;
                    index_t thread_34 = i_thread_9 * 16 + j_thread_9;
                    index_t t_589 = thread_34 % 8;
                    index_t t_590 = thread_34 / 8;
                    index_t t_591 = i_origin + t_590;
                    index_t t_593 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_2 * 1040 + t_589 * 130 + t_590] = a_1[(t_593 < t_591 ? t_593 : t_591) * a_1_s0 + (t_587 + t_589)];
                    index_t t_596 = thread_34 % 8;
                    index_t t_597 = thread_34 / 8;
                    index_t t_599 = i_origin + t_597 + 32;
                    index_t t_601 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_2 * 1040 + t_596 * 130 + (t_597 + 32)] = a_1[(t_601 < t_599 ? t_601 : t_599) * a_1_s0 + (t_587 + t_596)];
                    index_t t_605 = thread_34 % 8;
                    index_t t_606 = thread_34 / 8;
                    index_t t_608 = i_origin + t_606 + 64;
                    index_t t_610 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_2 * 1040 + t_605 * 130 + (t_606 + 64)] = a_1[(t_610 < t_608 ? t_610 : t_608) * a_1_s0 + (t_587 + t_605)];
                    index_t t_614 = thread_34 % 8;
                    index_t t_615 = thread_34 / 8;
                    index_t t_617 = i_origin + t_615 + 96;
                    index_t t_619 = i_extent - 1;
                    /* line 128 */
                    a_tile[carried_2 * 1040 + t_614 * 130 + (t_615 + 96)] = a_1[(t_619 < t_617 ? t_619 : t_617) * a_1_s0 + (t_587 + t_614)];
                    index_t thread_35 = i_thread_9 * 16 + j_thread_9;
                    index_t t_624 = thread_35 % 64;
                    index_t t_625 = thread_35 / 64;
                    index_t t_626 = j_origin + t_624;
                    index_t t_628 = j_extent - 1;
                    index_t t_629 = t_628 < t_626 ? t_628 : t_626;
                    /* line 128 */
                    b_tile[carried_2 * 512 + t_625 * 64 + t_624] = b_1[(t_587 + t_625) * b_1_s0 + (t_629 > j_offset ? t_629 : j_offset)];
                    index_t t_632 = thread_35 % 64;
                    index_t t_633 = thread_35 / 64;
                    index_t t_634 = j_origin + t_632;
                    index_t t_637 = j_extent - 1;
                    index_t t_638 = t_637 < t_634 ? t_637 : t_634;
                    /* line 128 */
                    b_tile[carried_2 * 512 + (t_633 + 4) * 64 + t_632] = b_1[(t_587 + t_633 + 4) * b_1_s0 + (t_638 > j_offset ? t_638 : j_offset)];
                    index_t t_643 = (i_thread_9 * 16 + j_thread_9) % 32;
                    index_t t_653 = (i_thread_9 * 16 + j_thread_9) / 32 / 2 * 4 + t_643 / 8;
                    index_t t_662 = (i_thread_9 * 16 + j_thread_9) / 32 % 2 * 8 + t_643 % 8;
#pragma unroll
                    for (index_t within_3 = 0; within_3 < 8; within_3++) {
                        double a_tile_part_3[8];
                        index_t t_663 = t_653 * 2;
                        double2 run_28 = vload2(0, &a_tile[carried_1 * 1040 + within_3 * 130 + t_663]);
                        a_tile_part_3[0] = run_28.x;
                        a_tile_part_3[1] = run_28.y;
                        index_t t_667 = t_653 * 2 + 32;
                        double2 run_29 = vload2(0, &a_tile[carried_1 * 1040 + within_3 * 130 + t_667]);
                        a_tile_part_3[2] = run_29.x;
                        a_tile_part_3[3] = run_29.y;
                        index_t t_671 = t_653 * 2 + 64;
                        double2 run_30 = vload2(0, &a_tile[carried_1 * 1040 + within_3 * 130 + t_671]);
                        a_tile_part_3[4] = run_30.x;
                        a_tile_part_3[5] = run_30.y;
                        index_t t_675 = t_653 * 2 + 96;
                        double2 run_31 = vload2(0, &a_tile[carried_1 * 1040 + within_3 * 130 + t_675]);
                        a_tile_part_3[6] = run_31.x;
                        a_tile_part_3[7] = run_31.y;
                        double b_tile_part_3[4];
                        index_t t_678 = t_662 * 2;
                        double2 run_32 = vload2(0, &b_tile[carried_1 * 512 + within_3 * 64 + t_678]);
                        b_tile_part_3[0] = run_32.x;
                        b_tile_part_3[1] = run_32.y;
                        index_t t_682 = t_662 * 2 + 32;
                        double2 run_33 = vload2(0, &b_tile[carried_1 * 512 + within_3 * 64 + t_682]);
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
                carried_1 = t_581 == 2 ? 0L : t_581;
                carried_2 = t_582 == 2 ? 0L : t_582;
            }
            {
                index_t i_thread_10 = (index_t)get_local_id(1);
                index_t j_thread_10 = (index_t)get_local_id(0);
                index_t t_691 = (i_thread_10 * 16 + j_thread_10) % 32;
                index_t t_701 = (i_thread_10 * 16 + j_thread_10) / 32 / 2 * 4 + t_691 / 8;
                index_t t_710 = (i_thread_10 * 16 + j_thread_10) / 32 % 2 * 8 + t_691 % 8;
#pragma unroll
                for (index_t point_17 = 0; point_17 < 8; point_17++) {
                    index_t i_13 = i_origin + t_701 * 2 + point_17 / 2 * 32 + point_17 % 2;
                    if (i_13 < i_extent) {
#pragma unroll
                        for (index_t point_18 = 0; point_18 < 4; point_18++) {
                            index_t j_17 = j_origin + t_710 * 2 + point_18 / 2 * 32 + point_18 % 2;
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
