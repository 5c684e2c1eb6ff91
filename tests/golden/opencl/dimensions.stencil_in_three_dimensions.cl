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

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

__kernel __attribute__((reqd_work_group_size(32, 8, 1))) void stencil_in_three_dimensions_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_n2_given,
        int64_t a_1_s0_given,
        int64_t a_1_s1_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t out_1_n1_given,
        int64_t out_1_n2_given,
        int64_t out_1_s0_given,
        int64_t out_1_s1_given,
        int64_t t_63,
        int64_t t_64,
        int64_t t_65,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int64_t j_offset_given,
        int64_t j_extent_given,
        int64_t k_offset_given,
        int64_t k_extent_given) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_n2 = (index_t)a_1_n2_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    index_t a_1_s1 = (index_t)(a_1_s1_given >> 3);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t out_1_n1 = (index_t)out_1_n1_given;
    index_t out_1_n2 = (index_t)out_1_n2_given;
    index_t out_1_s0 = (index_t)(out_1_s0_given >> 3);
    index_t out_1_s1 = (index_t)(out_1_s1_given >> 3);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    index_t j_offset = (index_t)j_offset_given;
    index_t j_extent = (index_t)j_extent_given;
    index_t k_offset = (index_t)k_offset_given;
    index_t k_extent = (index_t)k_extent_given;
    /* line 82 */
    index_t i_low = 1 + i_offset;
    index_t i_high = 1 + i_extent;
    index_t j_low = 1 + j_offset;
    index_t j_high = 1 + j_extent;
    index_t k_low = 1 + k_offset;
    index_t k_high = 1 + k_extent;
    index_t k_first = k_low - k_low % 2;
    index_t i_block = (index_t)get_group_id(2);
    /* line 83 */
    index_t j_block = (index_t)get_group_id(1);
    /* line 84 */
    index_t k_block = (index_t)get_group_id(0);
    /* line 82 */
    index_t i_origin = i_block * 4 + i_low;
    /* line 83 */
    index_t j_origin = j_block * 8 + j_low;
    /* line 84 */
    index_t k_origin = k_block * 64 + k_first;
    /* line 82 */
    bool aligned_1 = (((int64_t)(size_t)out_1 | (int64_t)out_1_s0 * 8 | (int64_t)out_1_s1 * 8) & 15) == 0;
    bool inside = ((((int64_t)(size_t)a_1 | (int64_t)a_1_s0 * 8 | (int64_t)a_1_s1 * 8) & 15) == 0) & aligned_1;
    if (inside) {
        index_t i_thread = (index_t)get_local_id(2);
        index_t j_thread = (index_t)get_local_id(1);
        index_t k_thread = (index_t)get_local_id(0);
        index_t k_2 = k_origin + k_thread * 2;
        int64_t t_78 = (int64_t)k_2 + 2;
        bool inside_9 = (k_2 < k_high) & (k_2 + 2 > k_low) & (k_2 >= 0) & (t_78 <= a_1_n2) & (t_78 <= out_1_n2);
        if (inside_9) {
            bool inside_14 = (i_origin + i_thread * 4 < i_high) & ((int64_t)i_high - (int64_t)i_low >= 4) & (j_origin + j_thread < j_high);
            if (inside_14) {
                index_t k_3 = k_origin + k_thread * 2;
                index_t i_3 = i_origin + i_thread * 4;
                index_t t_83 = i_high - 4;
                index_t t_84 = t_83 < i_3 ? t_83 : i_3;
                index_t i_4 = t_84 + 1;
                index_t i_5 = t_84 + 2;
                index_t i_6 = t_84 + 3;
                index_t j_3 = j_origin + j_thread;
                /* line 85 */
                double2 run = vload2(0, AT(double, a_1, (int64_t)((t_84 - 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_1 = vload2(0, AT(double, a_1, (int64_t)((t_84 + 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_2 = vload2(0, AT(double, a_1, (int64_t)(t_84 * a_1_s0 + (j_3 - 1) * a_1_s1 + k_3) * 8));
                double2 run_3 = vload2(0, AT(double, a_1, (int64_t)(t_84 * a_1_s0 + (j_3 + 1) * a_1_s1 + k_3) * 8));
                /* line 86 */
                index_t t_99 = k_3 + -1;
                index_t t_100 = a_1_n2 - 1;
                index_t t_101 = t_100 < t_99 ? t_100 : t_99;
                double2 run_4 = vload2(0, AT(double, a_1, (int64_t)(t_84 * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                index_t t_108 = k_3 + 2;
                index_t t_109 = a_1_n2 - 1;
                index_t t_110 = t_109 < t_108 ? t_109 : t_108;
                /* line 85 */
                double2 run_5 = vload2(0, AT(double, a_1, (int64_t)((i_4 - 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_6 = vload2(0, AT(double, a_1, (int64_t)((i_4 + 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_7 = vload2(0, AT(double, a_1, (int64_t)(i_4 * a_1_s0 + (j_3 - 1) * a_1_s1 + k_3) * 8));
                double2 run_8 = vload2(0, AT(double, a_1, (int64_t)(i_4 * a_1_s0 + (j_3 + 1) * a_1_s1 + k_3) * 8));
                /* line 86 */
                index_t t_127 = k_3 + -1;
                index_t t_128 = a_1_n2 - 1;
                index_t t_129 = t_128 < t_127 ? t_128 : t_127;
                double2 run_9 = vload2(0, AT(double, a_1, (int64_t)(i_4 * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                index_t t_136 = k_3 + 2;
                index_t t_137 = a_1_n2 - 1;
                index_t t_138 = t_137 < t_136 ? t_137 : t_136;
                /* line 85 */
                double2 run_10 = vload2(0, AT(double, a_1, (int64_t)((i_5 - 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_11 = vload2(0, AT(double, a_1, (int64_t)((i_5 + 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_12 = vload2(0, AT(double, a_1, (int64_t)(i_5 * a_1_s0 + (j_3 - 1) * a_1_s1 + k_3) * 8));
                double2 run_13 = vload2(0, AT(double, a_1, (int64_t)(i_5 * a_1_s0 + (j_3 + 1) * a_1_s1 + k_3) * 8));
                /* line 86 */
                index_t t_155 = k_3 + -1;
                index_t t_156 = a_1_n2 - 1;
                index_t t_157 = t_156 < t_155 ? t_156 : t_155;
                double2 run_14 = vload2(0, AT(double, a_1, (int64_t)(i_5 * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                index_t t_164 = k_3 + 2;
                index_t t_165 = a_1_n2 - 1;
                index_t t_166 = t_165 < t_164 ? t_165 : t_164;
                /* line 85 */
                double2 run_15 = vload2(0, AT(double, a_1, (int64_t)((i_6 - 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_16 = vload2(0, AT(double, a_1, (int64_t)((i_6 + 1) * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                double2 run_17 = vload2(0, AT(double, a_1, (int64_t)(i_6 * a_1_s0 + (j_3 - 1) * a_1_s1 + k_3) * 8));
                double2 run_18 = vload2(0, AT(double, a_1, (int64_t)(i_6 * a_1_s0 + (j_3 + 1) * a_1_s1 + k_3) * 8));
                /* line 86 */
                index_t t_183 = k_3 + -1;
                index_t t_184 = a_1_n2 - 1;
                index_t t_185 = t_184 < t_183 ? t_184 : t_183;
                double2 run_19 = vload2(0, AT(double, a_1, (int64_t)(i_6 * a_1_s0 + j_3 * a_1_s1 + k_3) * 8));
                index_t t_192 = k_3 + 2;
                index_t t_193 = a_1_n2 - 1;
                index_t t_194 = t_193 < t_192 ? t_193 : t_192;
                /* line 86 */
                double t_201 = run.x + run_1.x + run_2.x + run_3.x + a_1[t_84 * a_1_s0 + j_3 * a_1_s1 + (t_101 > 0 ? t_101 : 0)];
                double t_204 = run.y + run_1.y + run_2.y + run_3.y + run_4.x + a_1[t_84 * a_1_s0 + j_3 * a_1_s1 + (t_110 > 0 ? t_110 : 0)];
                double t_205 = (t_201 + run_4.y) / 6.0;
                double t_206 = t_204 / 6.0;
                /* line 82 */
                double t_131 = a_1[i_4 * a_1_s0 + j_3 * a_1_s1 + (t_129 > 0 ? t_129 : 0)];
                double t_140 = a_1[i_4 * a_1_s0 + j_3 * a_1_s1 + (t_138 > 0 ? t_138 : 0)];
                double t_159 = a_1[i_5 * a_1_s0 + j_3 * a_1_s1 + (t_157 > 0 ? t_157 : 0)];
                double t_168 = a_1[i_5 * a_1_s0 + j_3 * a_1_s1 + (t_166 > 0 ? t_166 : 0)];
                double t_187 = a_1[i_6 * a_1_s0 + j_3 * a_1_s1 + (t_185 > 0 ? t_185 : 0)];
                double t_196 = a_1[i_6 * a_1_s0 + j_3 * a_1_s1 + (t_194 > 0 ? t_194 : 0)];
                if (t_84 >= i_3) {
                    /* line 86 */
                    bool inside_20 = (k_3 >= k_low) & (k_3 + 2 <= k_high);
                    if (inside_20) {
                        vstore2((double2)(t_205, t_206), 0, AT(double, out_1, (int64_t)(t_84 * out_1_s0 + j_3 * out_1_s1 + k_3) * 8));
                    }
                    bool t_208 = !inside_20;
                    if (t_208 & (k_3 >= k_low) & (k_3 < k_high)) {
                        out_1[t_84 * out_1_s0 + j_3 * out_1_s1 + k_3] = t_205;
                    }
                    index_t t_209 = k_3 + 1;
                    if (t_208 & (t_209 >= k_low) & (t_209 < k_high)) {
                        out_1[t_84 * out_1_s0 + j_3 * out_1_s1 + t_209] = t_206;
                    }
                }
                /* line 86 */
                double t_218 = (run_5.x + run_6.x + run_7.x + run_8.x + t_131 + run_9.y) / 6.0;
                double t_219 = (run_5.y + run_6.y + run_7.y + run_8.y + run_9.x + t_140) / 6.0;
                /* line 82 */
                if (i_4 >= i_3) {
                    /* line 86 */
                    bool inside_31 = (k_3 >= k_low) & (k_3 + 2 <= k_high);
                    if (inside_31) {
                        vstore2((double2)(t_218, t_219), 0, AT(double, out_1, (int64_t)(i_4 * out_1_s0 + j_3 * out_1_s1 + k_3) * 8));
                    }
                    bool t_221 = !inside_31;
                    if (t_221 & (k_3 >= k_low) & (k_3 < k_high)) {
                        out_1[i_4 * out_1_s0 + j_3 * out_1_s1 + k_3] = t_218;
                    }
                    index_t t_222 = k_3 + 1;
                    if (t_221 & (t_222 >= k_low) & (t_222 < k_high)) {
                        out_1[i_4 * out_1_s0 + j_3 * out_1_s1 + t_222] = t_219;
                    }
                }
                /* line 86 */
                double t_231 = (run_10.x + run_11.x + run_12.x + run_13.x + t_159 + run_14.y) / 6.0;
                double t_232 = (run_10.y + run_11.y + run_12.y + run_13.y + run_14.x + t_168) / 6.0;
                /* line 82 */
                if (i_5 >= i_3) {
                    /* line 86 */
                    bool inside_42 = (k_3 >= k_low) & (k_3 + 2 <= k_high);
                    if (inside_42) {
                        vstore2((double2)(t_231, t_232), 0, AT(double, out_1, (int64_t)(i_5 * out_1_s0 + j_3 * out_1_s1 + k_3) * 8));
                    }
                    bool t_234 = !inside_42;
                    if (t_234 & (k_3 >= k_low) & (k_3 < k_high)) {
                        out_1[i_5 * out_1_s0 + j_3 * out_1_s1 + k_3] = t_231;
                    }
                    index_t t_235 = k_3 + 1;
                    if (t_234 & (t_235 >= k_low) & (t_235 < k_high)) {
                        out_1[i_5 * out_1_s0 + j_3 * out_1_s1 + t_235] = t_232;
                    }
                }
                /* line 86 */
                double t_244 = (run_15.x + run_16.x + run_17.x + run_18.x + t_187 + run_19.y) / 6.0;
                double t_245 = (run_15.y + run_16.y + run_17.y + run_18.y + run_19.x + t_196) / 6.0;
                bool inside_53 = (k_3 >= k_low) & (k_3 + 2 <= k_high);
                if (inside_53) {
                    vstore2((double2)(t_244, t_245), 0, AT(double, out_1, (int64_t)(i_6 * out_1_s0 + j_3 * out_1_s1 + k_3) * 8));
                }
                bool t_247 = !inside_53;
                if (t_247 & (k_3 >= k_low) & (k_3 < k_high)) {
                    out_1[i_6 * out_1_s0 + j_3 * out_1_s1 + k_3] = t_244;
                }
                index_t t_248 = k_3 + 1;
                if (t_247 & (t_248 >= k_low) & (t_248 < k_high)) {
                    out_1[i_6 * out_1_s0 + j_3 * out_1_s1 + t_248] = t_245;
                }
            } else {
                for (index_t point = 0; point < 4; point++) {
                    index_t i_8 = i_origin + i_thread * 4 + point;
                    if (i_8 < i_high) {
                        index_t j_4 = j_origin + j_thread;
                        if (j_4 < j_high) {
                            index_t k_5 = k_origin + k_thread * 2;
#pragma unroll
                            for (index_t run_24 = 0; run_24 < 1; run_24++) {
                                index_t t_252 = k_5 + run_24 * 64;
                                /* line 85 */
                                double2 run_25 = vload2(0, AT(double, a_1, (int64_t)((i_8 - 1) * a_1_s0 + j_4 * a_1_s1 + t_252) * 8));
                                double2 run_26 = vload2(0, AT(double, a_1, (int64_t)((i_8 + 1) * a_1_s0 + j_4 * a_1_s1 + t_252) * 8));
                                double2 run_27 = vload2(0, AT(double, a_1, (int64_t)(i_8 * a_1_s0 + (j_4 - 1) * a_1_s1 + t_252) * 8));
                                double2 run_28 = vload2(0, AT(double, a_1, (int64_t)(i_8 * a_1_s0 + (j_4 + 1) * a_1_s1 + t_252) * 8));
                                /* line 86 */
                                index_t t_271 = t_252 + -1;
                                index_t t_272 = a_1_n2 - 1;
                                index_t t_273 = t_272 < t_271 ? t_272 : t_271;
                                double2 run_29 = vload2(0, AT(double, a_1, (int64_t)(i_8 * a_1_s0 + j_4 * a_1_s1 + t_252) * 8));
                                double t_278 = run_25.x + run_26.x + run_27.x + run_28.x + a_1[i_8 * a_1_s0 + j_4 * a_1_s1 + (t_273 > 0 ? t_273 : 0)];
                                index_t t_282 = t_252 + 2;
                                index_t t_283 = a_1_n2 - 1;
                                index_t t_284 = t_283 < t_282 ? t_283 : t_282;
                                double t_288 = run_25.y + run_26.y + run_27.y + run_28.y + run_29.x + a_1[i_8 * a_1_s0 + j_4 * a_1_s1 + (t_284 > 0 ? t_284 : 0)];
                                double t_289 = (t_278 + run_29.y) / 6.0;
                                double t_290 = t_288 / 6.0;
                                bool inside_66 = (t_252 >= k_low) & (t_252 + 2 <= k_high);
                                if (inside_66) {
                                    vstore2((double2)(t_289, t_290), 0, AT(double, out_1, (int64_t)(i_8 * out_1_s0 + j_4 * out_1_s1 + t_252) * 8));
                                }
                                bool t_292 = !inside_66;
                                if (t_292 & (t_252 >= k_low) & (t_252 < k_high)) {
                                    out_1[i_8 * out_1_s0 + j_4 * out_1_s1 + t_252] = t_289;
                                }
                                index_t t_293 = t_252 + 1;
                                if (t_292 & (t_293 >= k_low) & (t_293 < k_high)) {
                                    out_1[i_8 * out_1_s0 + j_4 * out_1_s1 + t_293] = t_290;
                                }
                            }
                        }
                    }
                }
            }
        } else {
            for (index_t point_1 = 0; point_1 < 4; point_1++) {
                index_t i_10 = i_origin + i_thread * 4 + point_1;
                if (i_10 < i_high) {
                    index_t j_5 = j_origin + j_thread;
                    if (j_5 < j_high) {
                        for (index_t point_2 = 0; point_2 < 2; point_2++) {
                            index_t k_8 = k_origin + k_thread * 2 + point_2;
                            if ((k_8 >= k_low) & (k_8 < k_high)) {
                                /* line 85 */
                                double t_302 = a_1[(i_10 - 1) * a_1_s0 + j_5 * a_1_s1 + k_8] + a_1[(i_10 + 1) * a_1_s0 + j_5 * a_1_s1 + k_8];
                                double sides_12 = t_302 + a_1[i_10 * a_1_s0 + (j_5 - 1) * a_1_s1 + k_8] + a_1[i_10 * a_1_s0 + (j_5 + 1) * a_1_s1 + k_8];
                                /* line 86 */
                                double t_311 = sides_12 + a_1[i_10 * a_1_s0 + j_5 * a_1_s1 + (k_8 - 1)] + a_1[i_10 * a_1_s0 + j_5 * a_1_s1 + (k_8 + 1)];
                                out_1[i_10 * out_1_s0 + j_5 * out_1_s1 + k_8] = t_311 / 6.0;
                            }
                        }
                    }
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)get_local_id(2);
        index_t j_thread_1 = (index_t)get_local_id(1);
        index_t k_thread_1 = (index_t)get_local_id(0);
        for (index_t point_3 = 0; point_3 < 4; point_3++) {
            index_t i_12 = i_origin + point_3 + i_thread_1;
            if (i_12 < i_high) {
                index_t j_6 = j_origin + j_thread_1;
                if (j_6 < j_high) {
                    for (index_t point_4 = 0; point_4 < 2; point_4++) {
                        index_t k_10 = k_origin + point_4 * 32 + k_thread_1;
                        if ((k_10 >= k_low) & (k_10 < k_high)) {
                            /* line 85 */
                            double t_320 = a_1[(i_12 - 1) * a_1_s0 + j_6 * a_1_s1 + k_10] + a_1[(i_12 + 1) * a_1_s0 + j_6 * a_1_s1 + k_10];
                            double sides_13 = t_320 + a_1[i_12 * a_1_s0 + (j_6 - 1) * a_1_s1 + k_10] + a_1[i_12 * a_1_s0 + (j_6 + 1) * a_1_s1 + k_10];
                            /* line 86 */
                            double t_329 = sides_13 + a_1[i_12 * a_1_s0 + j_6 * a_1_s1 + (k_10 - 1)] + a_1[i_12 * a_1_s0 + j_6 * a_1_s1 + (k_10 + 1)];
                            out_1[i_12 * out_1_s0 + j_6 * out_1_s1 + k_10] = t_329 / 6.0;
                        }
                    }
                }
            }
        }
    }
}
