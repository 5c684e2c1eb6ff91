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

typedef long int64_t;

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

__kernel __attribute__((reqd_work_group_size(16, 16, 1))) void matrix_product_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        const __global char *restrict b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0,
        int64_t b_1_n1,
        int64_t b_1_s0,
        __global char *restrict c_1_memory,
        int64_t c_1_offset,
        int64_t c_1_n0,
        int64_t c_1_n1,
        int64_t c_1_s0,
        int64_t a_dim0_1,
        int64_t b_dim1_1,
        int64_t a_dim1_1,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    __global double *b_1 = AT(double, b_1_memory, b_1_offset);
    __global double *c_1 = AT(double, c_1_memory, c_1_offset);
    /* line 128 */
    int64_t j_first = j_offset - mod_by_positive(j_offset, 2);
    int64_t i_block = (int64_t)get_group_id(1);
    /* line 129 */
    int64_t j_block = (int64_t)get_group_id(0);
    /* line 128 */
    int64_t i_origin = i_block * 128 + i_offset;
    /* line 129 */
    int64_t j_origin = j_block * 64 + j_first;
    /* line 128 */
    double s_6[32];
    __local double a_tile[2080];
    double a_held[4];
    __local double b_tile[1024];
    double b_held[2];
    if ((i_origin < i_extent) & (j_origin < j_extent)) {
        int64_t trip = 0 > a_dim1_1 ? 0 : a_dim1_1;
        int64_t tiles = trip / 8;
        int64_t left = trip - tiles * 8;
        bool inside_7 = (i_origin + 128 <= i_extent) & (j_origin >= j_offset) & (j_origin + 64 <= j_extent);
        bool inside_10 = inside_7 & (((int64_t)(size_t)c_1 | c_1_s0) & 15) == 0 & (((int64_t)(size_t)a_1 | a_1_s0) & 15) == 0;
        if (inside_10 & (((int64_t)(size_t)b_1 | b_1_s0) & 15) == 0 & 0L == 0) {
            {
                int64_t i_thread = (int64_t)get_local_id(1);
                int64_t j_thread = (int64_t)get_local_id(0);
#pragma unroll
                for (int64_t point = 0; point < 8; point++) {
#pragma unroll
                    for (int64_t point_1 = 0; point_1 < 4; point_1++) {
                        s_6[point * 4 + point_1] = 0.0;
                    }
                }
                if (tiles > 0) {
                    int64_t thread = i_thread * 16 + j_thread;
                    /* line 132 */
                    int64_t t_43 = thread % 4 * 2;
                    double2 run = vload2(0, AT(double, a_1, (i_origin + thread / 4) * a_1_s0 + t_43 * 8));
                    /* line 128 */
                    a_held[0] = run.x;
                    a_held[1] = run.y;
                    int64_t t_49 = i_thread * 16 + j_thread + 256;
                    /* line 132 */
                    int64_t t_51 = t_49 % 4 * 2;
                    double2 run_1 = vload2(0, AT(double, a_1, (i_origin + t_49 / 4) * a_1_s0 + t_51 * 8));
                    /* line 128 */
                    a_held[2] = run_1.x;
                    a_held[3] = run_1.y;
                    int64_t thread_2 = i_thread * 16 + j_thread;
                    /* line 132 */
                    int64_t t_60 = j_origin + thread_2 % 32 * 2;
                    double2 run_2 = vload2(0, AT(double, b_1, thread_2 / 32 * b_1_s0 + t_60 * 8));
                    /* line 128 */
                    b_held[0] = run_2.x;
                    b_held[1] = run_2.y;
                    int64_t thread_3 = i_thread * 16 + j_thread;
                    int64_t t_65 = thread_3 % 4 * 2;
                    int64_t t_66 = thread_3 / 4;
                    double t_68 = a_held[1];
                    a_tile[t_65 * 130 + t_66] = a_held[0];
                    a_tile[(t_65 + 1) * 130 + t_66] = t_68;
                    int64_t t_71 = i_thread * 16 + j_thread + 256;
                    int64_t t_73 = t_71 % 4 * 2;
                    int64_t t_74 = t_71 / 4;
                    double t_76 = a_held[3];
                    a_tile[t_73 * 130 + t_74] = a_held[2];
                    a_tile[(t_73 + 1) * 130 + t_74] = t_76;
                    int64_t thread_5 = i_thread * 16 + j_thread;
                    int64_t t_80 = thread_5 % 32 * 2;
                    vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[thread_5 / 32 * 64 + t_80]);
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int64_t tile = 0; tile < tiles; tile++) {
                int64_t buffer = tile & 1;
                int64_t t_85 = tile * 8;
                bool inside_19 = tile + 1 < tiles;
                {
                    int64_t i_thread_1 = (int64_t)get_local_id(1);
                    int64_t j_thread_1 = (int64_t)get_local_id(0);
                    if (inside_19) {
                        int64_t t_86 = t_85 + 8;
                        int64_t thread_6 = i_thread_1 * 16 + j_thread_1;
                        /* line 132 */
                        int64_t t_91 = t_86 + thread_6 % 4 * 2;
                        double2 run_4 = vload2(0, AT(double, a_1, (i_origin + thread_6 / 4) * a_1_s0 + t_91 * 8));
                        /* line 128 */
                        a_held[0] = run_4.x;
                        a_held[1] = run_4.y;
                        int64_t t_96 = i_thread_1 * 16 + j_thread_1 + 256;
                        /* line 132 */
                        int64_t t_100 = t_86 + t_96 % 4 * 2;
                        double2 run_5 = vload2(0, AT(double, a_1, (i_origin + t_96 / 4) * a_1_s0 + t_100 * 8));
                        /* line 128 */
                        a_held[2] = run_5.x;
                        a_held[3] = run_5.y;
                        int64_t thread_8 = i_thread_1 * 16 + j_thread_1;
                        /* line 132 */
                        int64_t t_109 = j_origin + thread_8 % 32 * 2;
                        double2 run_6 = vload2(0, AT(double, b_1, (t_86 + thread_8 / 32) * b_1_s0 + t_109 * 8));
                        /* line 128 */
                        b_held[0] = run_6.x;
                        b_held[1] = run_6.y;
                    }
#pragma unroll
                    for (int64_t within = 0; within < 8; within++) {
                        double a_tile_part[8];
                        int64_t t_112 = i_thread_1 * 2;
                        double2 run_7 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_112]);
                        a_tile_part[0] = run_7.x;
                        a_tile_part[1] = run_7.y;
                        int64_t t_116 = i_thread_1 * 2 + 32;
                        double2 run_8 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_116]);
                        a_tile_part[2] = run_8.x;
                        a_tile_part[3] = run_8.y;
                        int64_t t_120 = i_thread_1 * 2 + 64;
                        double2 run_9 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_120]);
                        a_tile_part[4] = run_9.x;
                        a_tile_part[5] = run_9.y;
                        int64_t t_124 = i_thread_1 * 2 + 96;
                        double2 run_10 = vload2(0, &a_tile[buffer * 1040 + within * 130 + t_124]);
                        a_tile_part[6] = run_10.x;
                        a_tile_part[7] = run_10.y;
                        double b_tile_part[4];
                        int64_t t_127 = j_thread_1 * 2;
                        double2 run_11 = vload2(0, &b_tile[buffer * 512 + within * 64 + t_127]);
                        b_tile_part[0] = run_11.x;
                        b_tile_part[1] = run_11.y;
                        int64_t t_131 = j_thread_1 * 2 + 32;
                        double2 run_12 = vload2(0, &b_tile[buffer * 512 + within * 64 + t_131]);
                        b_tile_part[2] = run_12.x;
                        b_tile_part[3] = run_12.y;
#pragma unroll
                        for (int64_t point_2 = 0; point_2 < 8; point_2++) {
#pragma unroll
                            for (int64_t point_3 = 0; point_3 < 4; point_3++) {
                                /* line 132 */
                                double s_7 = fma_float64(a_tile_part[point_2], b_tile_part[point_3], s_6[point_2 * 4 + point_3]);
                                /* line 128 */
                                s_6[point_2 * 4 + point_3] = s_7;
                            }
                        }
                    }
                    if (inside_19) {
                        int64_t t_139 = 1 - buffer;
                        int64_t thread_9 = i_thread_1 * 16 + j_thread_1;
                        int64_t t_142 = thread_9 % 4 * 2;
                        int64_t t_143 = thread_9 / 4;
                        double t_145 = a_held[1];
                        a_tile[t_139 * 1040 + t_142 * 130 + t_143] = a_held[0];
                        a_tile[t_139 * 1040 + (t_142 + 1) * 130 + t_143] = t_145;
                        int64_t t_148 = i_thread_1 * 16 + j_thread_1 + 256;
                        int64_t t_150 = t_148 % 4 * 2;
                        int64_t t_151 = t_148 / 4;
                        double t_153 = a_held[3];
                        a_tile[t_139 * 1040 + t_150 * 130 + t_151] = a_held[2];
                        a_tile[t_139 * 1040 + (t_150 + 1) * 130 + t_151] = t_153;
                        int64_t thread_11 = i_thread_1 * 16 + j_thread_1;
                        int64_t t_157 = thread_11 % 32 * 2;
                        vstore2((double2)(b_held[0], b_held[1]), 0, &b_tile[t_139 * 512 + thread_11 / 32 * 64 + t_157]);
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (left > 0) {
                int64_t t_161 = tiles * 8;
                {
                    int64_t i_thread_2 = (int64_t)get_local_id(1);
                    int64_t j_thread_2 = (int64_t)get_local_id(0);
                    int64_t thread_12 = i_thread_2 * 16 + j_thread_2;
                    int64_t t_165 = i_origin + thread_12 / 8;
                    int64_t t_167 = i_extent - 1;
                    int64_t t_168 = t_167 < t_165 ? t_167 : t_165;
                    int64_t t_166 = t_161 + thread_12 % 8;
                    int64_t t_170 = a_dim1_1 - 1;
                    int64_t t_171 = t_170 < t_166 ? t_170 : t_166;
                    /* line 132 */
                    double t_173 = AT(double, a_1, (t_168 > i_offset ? t_168 : i_offset) * a_1_s0)[t_171 > t_161 ? t_171 : t_161];
                    /* line 128 */
                    a_held[0] = t_173;
                    int64_t t_175 = i_thread_2 * 16 + j_thread_2 + 256;
                    int64_t t_178 = i_origin + t_175 / 8;
                    int64_t t_180 = i_extent - 1;
                    int64_t t_181 = t_180 < t_178 ? t_180 : t_178;
                    int64_t t_179 = t_161 + t_175 % 8;
                    int64_t t_183 = a_dim1_1 - 1;
                    int64_t t_184 = t_183 < t_179 ? t_183 : t_179;
                    /* line 132 */
                    double t_186 = AT(double, a_1, (t_181 > i_offset ? t_181 : i_offset) * a_1_s0)[t_184 > t_161 ? t_184 : t_161];
                    /* line 128 */
                    a_held[1] = t_186;
                    int64_t t_188 = i_thread_2 * 16 + j_thread_2 + 512;
                    int64_t t_191 = i_origin + t_188 / 8;
                    int64_t t_193 = i_extent - 1;
                    int64_t t_194 = t_193 < t_191 ? t_193 : t_191;
                    int64_t t_192 = t_161 + t_188 % 8;
                    int64_t t_196 = a_dim1_1 - 1;
                    int64_t t_197 = t_196 < t_192 ? t_196 : t_192;
                    /* line 132 */
                    double t_199 = AT(double, a_1, (t_194 > i_offset ? t_194 : i_offset) * a_1_s0)[t_197 > t_161 ? t_197 : t_161];
                    /* line 128 */
                    a_held[2] = t_199;
                    int64_t t_201 = i_thread_2 * 16 + j_thread_2 + 768;
                    int64_t t_204 = i_origin + t_201 / 8;
                    int64_t t_206 = i_extent - 1;
                    int64_t t_207 = t_206 < t_204 ? t_206 : t_204;
                    int64_t t_205 = t_161 + t_201 % 8;
                    int64_t t_209 = a_dim1_1 - 1;
                    int64_t t_210 = t_209 < t_205 ? t_209 : t_205;
                    /* line 132 */
                    double t_212 = AT(double, a_1, (t_207 > i_offset ? t_207 : i_offset) * a_1_s0)[t_210 > t_161 ? t_210 : t_161];
                    /* line 128 */
                    a_held[3] = t_212;
                    int64_t thread_16 = i_thread_2 * 16 + j_thread_2;
                    int64_t t_216 = j_origin + thread_16 % 64;
                    int64_t t_218 = j_extent - 1;
                    int64_t t_219 = t_218 < t_216 ? t_218 : t_216;
                    int64_t t_217 = t_161 + thread_16 / 64;
                    int64_t t_221 = a_dim1_1 - 1;
                    int64_t t_222 = t_221 < t_217 ? t_221 : t_217;
                    /* line 132 */
                    double t_224 = AT(double, b_1, (t_222 > t_161 ? t_222 : t_161) * b_1_s0)[t_219 > j_offset ? t_219 : j_offset];
                    /* line 128 */
                    b_held[0] = t_224;
                    int64_t t_226 = i_thread_2 * 16 + j_thread_2 + 256;
                    int64_t t_229 = j_origin + t_226 % 64;
                    int64_t t_231 = j_extent - 1;
                    int64_t t_232 = t_231 < t_229 ? t_231 : t_229;
                    int64_t t_230 = t_161 + t_226 / 64;
                    int64_t t_234 = a_dim1_1 - 1;
                    int64_t t_235 = t_234 < t_230 ? t_234 : t_230;
                    /* line 132 */
                    double t_237 = AT(double, b_1, (t_235 > t_161 ? t_235 : t_161) * b_1_s0)[t_232 > j_offset ? t_232 : j_offset];
                    /* line 128 */
                    b_held[1] = t_237;
                    int64_t thread_18 = i_thread_2 * 16 + j_thread_2;
                    a_tile[thread_18 % 8 * 130 + thread_18 / 8] = a_held[0];
                    int64_t t_243 = i_thread_2 * 16 + j_thread_2 + 256;
                    a_tile[t_243 % 8 * 130 + t_243 / 8] = a_held[1];
                    int64_t t_248 = i_thread_2 * 16 + j_thread_2 + 512;
                    a_tile[t_248 % 8 * 130 + t_248 / 8] = a_held[2];
                    int64_t t_253 = i_thread_2 * 16 + j_thread_2 + 768;
                    a_tile[t_253 % 8 * 130 + t_253 / 8] = a_held[3];
                    int64_t thread_22 = i_thread_2 * 16 + j_thread_2;
                    b_tile[thread_22 / 64 * 64 + thread_22 % 64] = b_held[0];
                    int64_t t_262 = i_thread_2 * 16 + j_thread_2 + 256;
                    b_tile[t_262 / 64 * 64 + t_262 % 64] = b_held[1];
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                {
                    int64_t i_thread_3 = (int64_t)get_local_id(1);
                    int64_t j_thread_3 = (int64_t)get_local_id(0);
                    for (int64_t within_1 = 0; within_1 < left; within_1++) {
                        double a_tile_part_1[8];
                        int64_t t_266 = i_thread_3 * 2;
                        double2 run_14 = vload2(0, &a_tile[within_1 * 130 + t_266]);
                        a_tile_part_1[0] = run_14.x;
                        a_tile_part_1[1] = run_14.y;
                        int64_t t_270 = i_thread_3 * 2 + 32;
                        double2 run_15 = vload2(0, &a_tile[within_1 * 130 + t_270]);
                        a_tile_part_1[2] = run_15.x;
                        a_tile_part_1[3] = run_15.y;
                        int64_t t_274 = i_thread_3 * 2 + 64;
                        double2 run_16 = vload2(0, &a_tile[within_1 * 130 + t_274]);
                        a_tile_part_1[4] = run_16.x;
                        a_tile_part_1[5] = run_16.y;
                        int64_t t_278 = i_thread_3 * 2 + 96;
                        double2 run_17 = vload2(0, &a_tile[within_1 * 130 + t_278]);
                        a_tile_part_1[6] = run_17.x;
                        a_tile_part_1[7] = run_17.y;
                        double b_tile_part_1[4];
                        int64_t t_281 = j_thread_3 * 2;
                        double2 run_18 = vload2(0, &b_tile[within_1 * 64 + t_281]);
                        b_tile_part_1[0] = run_18.x;
                        b_tile_part_1[1] = run_18.y;
                        int64_t t_285 = j_thread_3 * 2 + 32;
                        double2 run_19 = vload2(0, &b_tile[within_1 * 64 + t_285]);
                        b_tile_part_1[2] = run_19.x;
                        b_tile_part_1[3] = run_19.y;
#pragma unroll
                        for (int64_t point_4 = 0; point_4 < 8; point_4++) {
#pragma unroll
                            for (int64_t point_5 = 0; point_5 < 4; point_5++) {
                                /* line 132 */
                                double s_8 = fma_float64(a_tile_part_1[point_4], b_tile_part_1[point_5], s_6[point_4 * 4 + point_5]);
                                /* line 128 */
                                s_6[point_4 * 4 + point_5] = s_8;
                            }
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            {
                int64_t i_thread_4 = (int64_t)get_local_id(1);
                int64_t j_thread_4 = (int64_t)get_local_id(0);
#pragma unroll
                for (int64_t point_6 = 0; point_6 < 8; point_6++) {
                    int64_t i_7 = i_origin + i_thread_4 * 2 + point_6 / 2 * 32 + point_6 % 2;
                    /* line 133 */
                    int64_t j_7 = j_origin + j_thread_4 * 2;
                    vstore2((double2)(s_6[point_6 * 4], s_6[point_6 * 4 + 1]), 0, AT(double, c_1, i_7 * c_1_s0 + j_7 * 8));
                    /* line 133 */
                    int64_t j_10 = j_origin + j_thread_4 * 2 + 32;
                    vstore2((double2)(s_6[point_6 * 4 + 2], s_6[point_6 * 4 + 3]), 0, AT(double, c_1, i_7 * c_1_s0 + j_10 * 8));
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        } else {
            {
                int64_t i_thread_5 = (int64_t)get_local_id(1);
                int64_t j_thread_5 = (int64_t)get_local_id(0);
#pragma unroll
                for (int64_t point_7 = 0; point_7 < 8; point_7++) {
#pragma unroll
                    for (int64_t point_8 = 0; point_8 < 4; point_8++) {
                        int64_t j_14 = j_origin + j_thread_5 * 2 + point_8 / 2 * 32 + point_8 % 2;
                        bool inside_25 = (i_origin + i_thread_5 * 2 + point_7 / 2 * 32 + point_7 % 2 < i_extent) & ((j_14 >= j_offset) & (j_14 < j_extent));
                        if (inside_25) {
                            s_6[point_7 * 4 + point_8] = 0.0;
                        }
                    }
                }
                if (tiles > 0) {
                    int64_t thread_24 = i_thread_5 * 16 + j_thread_5;
                    int64_t t_314 = i_origin + thread_24 / 8;
                    int64_t t_315 = i_extent - 1;
                    int64_t t_316 = t_315 < t_314 ? t_315 : t_314;
                    /* line 128 */
                    a_held[0] = AT(double, a_1, (t_316 > i_offset ? t_316 : i_offset) * a_1_s0)[thread_24 % 8];
                    int64_t t_320 = i_thread_5 * 16 + j_thread_5 + 256;
                    int64_t t_323 = i_origin + t_320 / 8;
                    int64_t t_324 = i_extent - 1;
                    int64_t t_325 = t_324 < t_323 ? t_324 : t_323;
                    /* line 128 */
                    a_held[1] = AT(double, a_1, (t_325 > i_offset ? t_325 : i_offset) * a_1_s0)[t_320 % 8];
                    int64_t t_329 = i_thread_5 * 16 + j_thread_5 + 512;
                    int64_t t_332 = i_origin + t_329 / 8;
                    int64_t t_333 = i_extent - 1;
                    int64_t t_334 = t_333 < t_332 ? t_333 : t_332;
                    /* line 128 */
                    a_held[2] = AT(double, a_1, (t_334 > i_offset ? t_334 : i_offset) * a_1_s0)[t_329 % 8];
                    int64_t t_338 = i_thread_5 * 16 + j_thread_5 + 768;
                    int64_t t_341 = i_origin + t_338 / 8;
                    int64_t t_342 = i_extent - 1;
                    int64_t t_343 = t_342 < t_341 ? t_342 : t_341;
                    /* line 128 */
                    a_held[3] = AT(double, a_1, (t_343 > i_offset ? t_343 : i_offset) * a_1_s0)[t_338 % 8];
                    int64_t thread_28 = i_thread_5 * 16 + j_thread_5;
                    int64_t t_349 = j_origin + thread_28 % 64;
                    int64_t t_350 = j_extent - 1;
                    int64_t t_351 = t_350 < t_349 ? t_350 : t_349;
                    /* line 128 */
                    b_held[0] = AT(double, b_1, thread_28 / 64 * b_1_s0)[t_351 > j_offset ? t_351 : j_offset];
                    int64_t t_355 = i_thread_5 * 16 + j_thread_5 + 256;
                    int64_t t_358 = j_origin + t_355 % 64;
                    int64_t t_359 = j_extent - 1;
                    int64_t t_360 = t_359 < t_358 ? t_359 : t_358;
                    /* line 128 */
                    b_held[1] = AT(double, b_1, t_355 / 64 * b_1_s0)[t_360 > j_offset ? t_360 : j_offset];
                    int64_t thread_30 = i_thread_5 * 16 + j_thread_5;
                    a_tile[thread_30 % 8 * 130 + thread_30 / 8] = a_held[0];
                    int64_t t_368 = i_thread_5 * 16 + j_thread_5 + 256;
                    a_tile[t_368 % 8 * 130 + t_368 / 8] = a_held[1];
                    int64_t t_373 = i_thread_5 * 16 + j_thread_5 + 512;
                    a_tile[t_373 % 8 * 130 + t_373 / 8] = a_held[2];
                    int64_t t_378 = i_thread_5 * 16 + j_thread_5 + 768;
                    a_tile[t_378 % 8 * 130 + t_378 / 8] = a_held[3];
                    int64_t thread_34 = i_thread_5 * 16 + j_thread_5;
                    b_tile[thread_34 / 64 * 64 + thread_34 % 64] = b_held[0];
                    int64_t t_387 = i_thread_5 * 16 + j_thread_5 + 256;
                    b_tile[t_387 / 64 * 64 + t_387 % 64] = b_held[1];
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int64_t tile_1 = 0; tile_1 < tiles; tile_1++) {
                int64_t buffer_1 = tile_1 & 1;
                int64_t t_392 = tile_1 * 8;
                bool inside_27 = tile_1 + 1 < tiles;
                {
                    int64_t i_thread_6 = (int64_t)get_local_id(1);
                    int64_t j_thread_6 = (int64_t)get_local_id(0);
                    if (inside_27) {
                        int64_t t_393 = t_392 + 8;
                        int64_t thread_36 = i_thread_6 * 16 + j_thread_6;
                        int64_t t_397 = i_origin + thread_36 / 8;
                        int64_t t_399 = i_extent - 1;
                        int64_t t_400 = t_399 < t_397 ? t_399 : t_397;
                        /* line 132 */
                        double t_402 = AT(double, a_1, (t_400 > i_offset ? t_400 : i_offset) * a_1_s0)[t_393 + thread_36 % 8];
                        /* line 128 */
                        a_held[0] = t_402;
                        int64_t t_404 = i_thread_6 * 16 + j_thread_6 + 256;
                        int64_t t_407 = i_origin + t_404 / 8;
                        int64_t t_409 = i_extent - 1;
                        int64_t t_410 = t_409 < t_407 ? t_409 : t_407;
                        /* line 132 */
                        double t_412 = AT(double, a_1, (t_410 > i_offset ? t_410 : i_offset) * a_1_s0)[t_393 + t_404 % 8];
                        /* line 128 */
                        a_held[1] = t_412;
                        int64_t t_414 = i_thread_6 * 16 + j_thread_6 + 512;
                        int64_t t_417 = i_origin + t_414 / 8;
                        int64_t t_419 = i_extent - 1;
                        int64_t t_420 = t_419 < t_417 ? t_419 : t_417;
                        /* line 132 */
                        double t_422 = AT(double, a_1, (t_420 > i_offset ? t_420 : i_offset) * a_1_s0)[t_393 + t_414 % 8];
                        /* line 128 */
                        a_held[2] = t_422;
                        int64_t t_424 = i_thread_6 * 16 + j_thread_6 + 768;
                        int64_t t_427 = i_origin + t_424 / 8;
                        int64_t t_429 = i_extent - 1;
                        int64_t t_430 = t_429 < t_427 ? t_429 : t_427;
                        /* line 132 */
                        double t_432 = AT(double, a_1, (t_430 > i_offset ? t_430 : i_offset) * a_1_s0)[t_393 + t_424 % 8];
                        /* line 128 */
                        a_held[3] = t_432;
                        int64_t thread_40 = i_thread_6 * 16 + j_thread_6;
                        int64_t t_436 = j_origin + thread_40 % 64;
                        int64_t t_438 = j_extent - 1;
                        int64_t t_439 = t_438 < t_436 ? t_438 : t_436;
                        /* line 132 */
                        double t_441 = AT(double, b_1, (t_393 + thread_40 / 64) * b_1_s0)[t_439 > j_offset ? t_439 : j_offset];
                        /* line 128 */
                        b_held[0] = t_441;
                        int64_t t_443 = i_thread_6 * 16 + j_thread_6 + 256;
                        int64_t t_446 = j_origin + t_443 % 64;
                        int64_t t_448 = j_extent - 1;
                        int64_t t_449 = t_448 < t_446 ? t_448 : t_446;
                        /* line 132 */
                        double t_451 = AT(double, b_1, (t_393 + t_443 / 64) * b_1_s0)[t_449 > j_offset ? t_449 : j_offset];
                        /* line 128 */
                        b_held[1] = t_451;
                    }
#pragma unroll
                    for (int64_t within_2 = 0; within_2 < 8; within_2++) {
                        double a_tile_part_2[8];
                        int64_t t_452 = i_thread_6 * 2;
                        double2 run_22 = vload2(0, &a_tile[buffer_1 * 1040 + within_2 * 130 + t_452]);
                        a_tile_part_2[0] = run_22.x;
                        a_tile_part_2[1] = run_22.y;
                        int64_t t_456 = i_thread_6 * 2 + 32;
                        double2 run_23 = vload2(0, &a_tile[buffer_1 * 1040 + within_2 * 130 + t_456]);
                        a_tile_part_2[2] = run_23.x;
                        a_tile_part_2[3] = run_23.y;
                        int64_t t_460 = i_thread_6 * 2 + 64;
                        double2 run_24 = vload2(0, &a_tile[buffer_1 * 1040 + within_2 * 130 + t_460]);
                        a_tile_part_2[4] = run_24.x;
                        a_tile_part_2[5] = run_24.y;
                        int64_t t_464 = i_thread_6 * 2 + 96;
                        double2 run_25 = vload2(0, &a_tile[buffer_1 * 1040 + within_2 * 130 + t_464]);
                        a_tile_part_2[6] = run_25.x;
                        a_tile_part_2[7] = run_25.y;
                        double b_tile_part_2[4];
                        int64_t t_467 = j_thread_6 * 2;
                        double2 run_26 = vload2(0, &b_tile[buffer_1 * 512 + within_2 * 64 + t_467]);
                        b_tile_part_2[0] = run_26.x;
                        b_tile_part_2[1] = run_26.y;
                        int64_t t_471 = j_thread_6 * 2 + 32;
                        double2 run_27 = vload2(0, &b_tile[buffer_1 * 512 + within_2 * 64 + t_471]);
                        b_tile_part_2[2] = run_27.x;
                        b_tile_part_2[3] = run_27.y;
#pragma unroll
                        for (int64_t point_9 = 0; point_9 < 8; point_9++) {
#pragma unroll
                            for (int64_t point_10 = 0; point_10 < 4; point_10++) {
                                /* line 132 */
                                double s_9 = fma_float64(a_tile_part_2[point_9], b_tile_part_2[point_10], s_6[point_9 * 4 + point_10]);
                                /* line 128 */
                                s_6[point_9 * 4 + point_10] = s_9;
                            }
                        }
                    }
                    if (inside_27) {
                        int64_t t_479 = 1 - buffer_1;
                        int64_t thread_42 = i_thread_6 * 16 + j_thread_6;
                        a_tile[t_479 * 1040 + thread_42 % 8 * 130 + thread_42 / 8] = a_held[0];
                        int64_t t_485 = i_thread_6 * 16 + j_thread_6 + 256;
                        a_tile[t_479 * 1040 + t_485 % 8 * 130 + t_485 / 8] = a_held[1];
                        int64_t t_490 = i_thread_6 * 16 + j_thread_6 + 512;
                        a_tile[t_479 * 1040 + t_490 % 8 * 130 + t_490 / 8] = a_held[2];
                        int64_t t_495 = i_thread_6 * 16 + j_thread_6 + 768;
                        a_tile[t_479 * 1040 + t_495 % 8 * 130 + t_495 / 8] = a_held[3];
                        int64_t thread_46 = i_thread_6 * 16 + j_thread_6;
                        b_tile[t_479 * 512 + thread_46 / 64 * 64 + thread_46 % 64] = b_held[0];
                        int64_t t_504 = i_thread_6 * 16 + j_thread_6 + 256;
                        b_tile[t_479 * 512 + t_504 / 64 * 64 + t_504 % 64] = b_held[1];
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            if (left > 0) {
                int64_t t_508 = tiles * 8;
                {
                    int64_t i_thread_7 = (int64_t)get_local_id(1);
                    int64_t j_thread_7 = (int64_t)get_local_id(0);
                    int64_t thread_48 = i_thread_7 * 16 + j_thread_7;
                    int64_t t_512 = i_origin + thread_48 / 8;
                    int64_t t_514 = i_extent - 1;
                    int64_t t_515 = t_514 < t_512 ? t_514 : t_512;
                    int64_t t_513 = t_508 + thread_48 % 8;
                    int64_t t_517 = a_dim1_1 - 1;
                    int64_t t_518 = t_517 < t_513 ? t_517 : t_513;
                    /* line 132 */
                    double t_520 = AT(double, a_1, (t_515 > i_offset ? t_515 : i_offset) * a_1_s0)[t_518 > t_508 ? t_518 : t_508];
                    /* line 128 */
                    a_held[0] = t_520;
                    int64_t t_522 = i_thread_7 * 16 + j_thread_7 + 256;
                    int64_t t_525 = i_origin + t_522 / 8;
                    int64_t t_527 = i_extent - 1;
                    int64_t t_528 = t_527 < t_525 ? t_527 : t_525;
                    int64_t t_526 = t_508 + t_522 % 8;
                    int64_t t_530 = a_dim1_1 - 1;
                    int64_t t_531 = t_530 < t_526 ? t_530 : t_526;
                    /* line 132 */
                    double t_533 = AT(double, a_1, (t_528 > i_offset ? t_528 : i_offset) * a_1_s0)[t_531 > t_508 ? t_531 : t_508];
                    /* line 128 */
                    a_held[1] = t_533;
                    int64_t t_535 = i_thread_7 * 16 + j_thread_7 + 512;
                    int64_t t_538 = i_origin + t_535 / 8;
                    int64_t t_540 = i_extent - 1;
                    int64_t t_541 = t_540 < t_538 ? t_540 : t_538;
                    int64_t t_539 = t_508 + t_535 % 8;
                    int64_t t_543 = a_dim1_1 - 1;
                    int64_t t_544 = t_543 < t_539 ? t_543 : t_539;
                    /* line 132 */
                    double t_546 = AT(double, a_1, (t_541 > i_offset ? t_541 : i_offset) * a_1_s0)[t_544 > t_508 ? t_544 : t_508];
                    /* line 128 */
                    a_held[2] = t_546;
                    int64_t t_548 = i_thread_7 * 16 + j_thread_7 + 768;
                    int64_t t_551 = i_origin + t_548 / 8;
                    int64_t t_553 = i_extent - 1;
                    int64_t t_554 = t_553 < t_551 ? t_553 : t_551;
                    int64_t t_552 = t_508 + t_548 % 8;
                    int64_t t_556 = a_dim1_1 - 1;
                    int64_t t_557 = t_556 < t_552 ? t_556 : t_552;
                    /* line 132 */
                    double t_559 = AT(double, a_1, (t_554 > i_offset ? t_554 : i_offset) * a_1_s0)[t_557 > t_508 ? t_557 : t_508];
                    /* line 128 */
                    a_held[3] = t_559;
                    int64_t thread_52 = i_thread_7 * 16 + j_thread_7;
                    int64_t t_563 = j_origin + thread_52 % 64;
                    int64_t t_565 = j_extent - 1;
                    int64_t t_566 = t_565 < t_563 ? t_565 : t_563;
                    int64_t t_564 = t_508 + thread_52 / 64;
                    int64_t t_568 = a_dim1_1 - 1;
                    int64_t t_569 = t_568 < t_564 ? t_568 : t_564;
                    /* line 132 */
                    double t_571 = AT(double, b_1, (t_569 > t_508 ? t_569 : t_508) * b_1_s0)[t_566 > j_offset ? t_566 : j_offset];
                    /* line 128 */
                    b_held[0] = t_571;
                    int64_t t_573 = i_thread_7 * 16 + j_thread_7 + 256;
                    int64_t t_576 = j_origin + t_573 % 64;
                    int64_t t_578 = j_extent - 1;
                    int64_t t_579 = t_578 < t_576 ? t_578 : t_576;
                    int64_t t_577 = t_508 + t_573 / 64;
                    int64_t t_581 = a_dim1_1 - 1;
                    int64_t t_582 = t_581 < t_577 ? t_581 : t_577;
                    /* line 132 */
                    double t_584 = AT(double, b_1, (t_582 > t_508 ? t_582 : t_508) * b_1_s0)[t_579 > j_offset ? t_579 : j_offset];
                    /* line 128 */
                    b_held[1] = t_584;
                    int64_t thread_54 = i_thread_7 * 16 + j_thread_7;
                    a_tile[thread_54 % 8 * 130 + thread_54 / 8] = a_held[0];
                    int64_t t_590 = i_thread_7 * 16 + j_thread_7 + 256;
                    a_tile[t_590 % 8 * 130 + t_590 / 8] = a_held[1];
                    int64_t t_595 = i_thread_7 * 16 + j_thread_7 + 512;
                    a_tile[t_595 % 8 * 130 + t_595 / 8] = a_held[2];
                    int64_t t_600 = i_thread_7 * 16 + j_thread_7 + 768;
                    a_tile[t_600 % 8 * 130 + t_600 / 8] = a_held[3];
                    int64_t thread_58 = i_thread_7 * 16 + j_thread_7;
                    b_tile[thread_58 / 64 * 64 + thread_58 % 64] = b_held[0];
                    int64_t t_609 = i_thread_7 * 16 + j_thread_7 + 256;
                    b_tile[t_609 / 64 * 64 + t_609 % 64] = b_held[1];
                }
                barrier(CLK_LOCAL_MEM_FENCE);
                {
                    int64_t i_thread_8 = (int64_t)get_local_id(1);
                    int64_t j_thread_8 = (int64_t)get_local_id(0);
                    for (int64_t within_3 = 0; within_3 < left; within_3++) {
                        double a_tile_part_3[8];
                        int64_t t_613 = i_thread_8 * 2;
                        double2 run_28 = vload2(0, &a_tile[within_3 * 130 + t_613]);
                        a_tile_part_3[0] = run_28.x;
                        a_tile_part_3[1] = run_28.y;
                        int64_t t_617 = i_thread_8 * 2 + 32;
                        double2 run_29 = vload2(0, &a_tile[within_3 * 130 + t_617]);
                        a_tile_part_3[2] = run_29.x;
                        a_tile_part_3[3] = run_29.y;
                        int64_t t_621 = i_thread_8 * 2 + 64;
                        double2 run_30 = vload2(0, &a_tile[within_3 * 130 + t_621]);
                        a_tile_part_3[4] = run_30.x;
                        a_tile_part_3[5] = run_30.y;
                        int64_t t_625 = i_thread_8 * 2 + 96;
                        double2 run_31 = vload2(0, &a_tile[within_3 * 130 + t_625]);
                        a_tile_part_3[6] = run_31.x;
                        a_tile_part_3[7] = run_31.y;
                        double b_tile_part_3[4];
                        int64_t t_628 = j_thread_8 * 2;
                        double2 run_32 = vload2(0, &b_tile[within_3 * 64 + t_628]);
                        b_tile_part_3[0] = run_32.x;
                        b_tile_part_3[1] = run_32.y;
                        int64_t t_632 = j_thread_8 * 2 + 32;
                        double2 run_33 = vload2(0, &b_tile[within_3 * 64 + t_632]);
                        b_tile_part_3[2] = run_33.x;
                        b_tile_part_3[3] = run_33.y;
#pragma unroll
                        for (int64_t point_11 = 0; point_11 < 8; point_11++) {
#pragma unroll
                            for (int64_t point_12 = 0; point_12 < 4; point_12++) {
                                /* line 132 */
                                double s_10 = fma_float64(a_tile_part_3[point_11], b_tile_part_3[point_12], s_6[point_11 * 4 + point_12]);
                                /* line 128 */
                                s_6[point_11 * 4 + point_12] = s_10;
                            }
                        }
                    }
                }
                barrier(CLK_LOCAL_MEM_FENCE);
            }
            {
                int64_t i_thread_9 = (int64_t)get_local_id(1);
                int64_t j_thread_9 = (int64_t)get_local_id(0);
#pragma unroll
                for (int64_t point_13 = 0; point_13 < 8; point_13++) {
#pragma unroll
                    for (int64_t point_14 = 0; point_14 < 4; point_14++) {
                        int64_t i_13 = i_origin + i_thread_9 * 2 + point_13 / 2 * 32 + point_13 % 2;
                        int64_t j_17 = j_origin + j_thread_9 * 2 + point_14 / 2 * 32 + point_14 % 2;
                        if ((i_13 < i_extent) & ((j_17 >= j_offset) & (j_17 < j_extent))) {
                            /* line 133 */
                            AT(double, c_1, i_13 * c_1_s0)[j_17] = s_6[point_13 * 4 + point_14];
                        }
                    }
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
}
