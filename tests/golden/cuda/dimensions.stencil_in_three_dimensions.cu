#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(128) void stencil_in_three_dimensions_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_1_n1_given,
        int64_t a_1_n2_given,
        int64_t a_1_s0_given,
        int64_t a_1_s1_given,
        char *__restrict__ out_1_memory,
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
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t a_1_n1 = (index_t)a_1_n1_given;
    index_t a_1_n2 = (index_t)a_1_n2_given;
    index_t a_1_s0 = (index_t)(a_1_s0_given >> 3);
    index_t a_1_s1 = (index_t)(a_1_s1_given >> 3);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
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
    index_t i_block = (index_t)blockIdx.z;
    /* line 83 */
    index_t j_block = (index_t)blockIdx.y;
    /* line 84 */
    index_t k_block = (index_t)blockIdx.x;
    /* line 82 */
    index_t i_origin = i_block * 4 + i_low;
    /* line 83 */
    index_t j_origin = j_block * 4 + j_low;
    /* line 84 */
    index_t k_origin = k_block * 64 + k_first;
    /* line 82 */
    bool inside = ((((int64_t)a_1 | (int64_t)a_1_s0 * 8 | (int64_t)a_1_s1 * 8) & 15) == 0) & (((int64_t)out_1 | (int64_t)out_1_s0 * 8 | (int64_t)out_1_s1 * 8) & 15) == 0;
    if (inside) {
        index_t i_thread = (index_t)threadIdx.z;
        index_t j_thread = (index_t)threadIdx.y;
        index_t k_thread = (index_t)threadIdx.x;
        index_t k_2 = k_origin + k_thread * 2;
        int64_t t_78 = (int64_t)k_2 + 2;
        bool inside_9 = (k_2 < k_high) & (k_2 + 2 > k_low) & (k_2 >= 0) & (t_78 <= a_1_n2) & (t_78 <= out_1_n2);
        if (inside_9) {
            if ((i_origin + i_thread * 4 + 3 < i_high) & (j_origin + j_thread < j_high)) {
                index_t i_4 = i_origin + i_thread * 4;
#pragma unroll
                for (index_t point = 0; point < 4; point++) {
                    index_t i_5 = i_4 + point;
                    index_t j_3 = j_origin + j_thread;
                    index_t k_3 = k_origin + k_thread * 2;
#pragma unroll
                    for (index_t run = 0; run < 1; run++) {
                        index_t t_83 = k_3 + run * 64;
                        /* line 85 */
                        double2 run_1 = *(double2 *)(AT(double, a_1, (int64_t)((i_5 - 1) * a_1_s0 + j_3 * a_1_s1 + t_83) * 8));
                        double2 run_2 = *(double2 *)(AT(double, a_1, (int64_t)((i_5 + 1) * a_1_s0 + j_3 * a_1_s1 + t_83) * 8));
                        double2 run_3 = *(double2 *)(AT(double, a_1, (int64_t)(i_5 * a_1_s0 + (j_3 - 1) * a_1_s1 + t_83) * 8));
                        double2 run_4 = *(double2 *)(AT(double, a_1, (int64_t)(i_5 * a_1_s0 + (j_3 + 1) * a_1_s1 + t_83) * 8));
                        /* line 86 */
                        index_t t_102 = t_83 + -1;
                        index_t t_103 = a_1_n2 - 1;
                        index_t t_104 = t_103 < t_102 ? t_103 : t_102;
                        double2 run_5 = *(double2 *)(AT(double, a_1, (int64_t)(i_5 * a_1_s0 + j_3 * a_1_s1 + t_83) * 8));
                        double t_109 = run_1.x + run_2.x + run_3.x + run_4.x + a_1[i_5 * a_1_s0 + j_3 * a_1_s1 + (t_104 > 0 ? t_104 : 0)];
                        index_t t_113 = t_83 + 2;
                        index_t t_114 = a_1_n2 - 1;
                        index_t t_115 = t_114 < t_113 ? t_114 : t_113;
                        double t_119 = run_1.y + run_2.y + run_3.y + run_4.y + run_5.x + a_1[i_5 * a_1_s0 + j_3 * a_1_s1 + (t_115 > 0 ? t_115 : 0)];
                        double t_120 = (t_109 + run_5.y) / 6.0;
                        double t_121 = t_119 / 6.0;
                        if ((t_83 >= k_low) & (t_83 + 2 <= k_high)) {
                            *(double2 *)(AT(double, out_1, (int64_t)(i_5 * out_1_s0 + j_3 * out_1_s1 + t_83) * 8)) = make_double2(t_120, t_121);
                        } else {
                            if ((t_83 >= k_low) & (t_83 < k_high)) {
                                out_1[i_5 * out_1_s0 + j_3 * out_1_s1 + t_83] = t_120;
                            }
                            index_t t_123 = t_83 + 1;
                            if ((t_123 >= k_low) & (t_123 < k_high)) {
                                out_1[i_5 * out_1_s0 + j_3 * out_1_s1 + t_123] = t_121;
                            }
                        }
                    }
                }
            } else {
                for (index_t point_1 = 0; point_1 < 4; point_1++) {
                    index_t i_7 = i_origin + i_thread * 4 + point_1;
                    if (i_7 < i_high) {
                        index_t j_4 = j_origin + j_thread;
                        if (j_4 < j_high) {
                            index_t k_5 = k_origin + k_thread * 2;
#pragma unroll
                            for (index_t run_7 = 0; run_7 < 1; run_7++) {
                                index_t t_127 = k_5 + run_7 * 64;
                                /* line 85 */
                                double2 run_8 = *(double2 *)(AT(double, a_1, (int64_t)((i_7 - 1) * a_1_s0 + j_4 * a_1_s1 + t_127) * 8));
                                double2 run_9 = *(double2 *)(AT(double, a_1, (int64_t)((i_7 + 1) * a_1_s0 + j_4 * a_1_s1 + t_127) * 8));
                                double2 run_10 = *(double2 *)(AT(double, a_1, (int64_t)(i_7 * a_1_s0 + (j_4 - 1) * a_1_s1 + t_127) * 8));
                                double2 run_11 = *(double2 *)(AT(double, a_1, (int64_t)(i_7 * a_1_s0 + (j_4 + 1) * a_1_s1 + t_127) * 8));
                                /* line 86 */
                                index_t t_146 = t_127 + -1;
                                index_t t_147 = a_1_n2 - 1;
                                index_t t_148 = t_147 < t_146 ? t_147 : t_146;
                                double2 run_12 = *(double2 *)(AT(double, a_1, (int64_t)(i_7 * a_1_s0 + j_4 * a_1_s1 + t_127) * 8));
                                double t_153 = run_8.x + run_9.x + run_10.x + run_11.x + a_1[i_7 * a_1_s0 + j_4 * a_1_s1 + (t_148 > 0 ? t_148 : 0)];
                                index_t t_157 = t_127 + 2;
                                index_t t_158 = a_1_n2 - 1;
                                index_t t_159 = t_158 < t_157 ? t_158 : t_157;
                                double t_163 = run_8.y + run_9.y + run_10.y + run_11.y + run_12.x + a_1[i_7 * a_1_s0 + j_4 * a_1_s1 + (t_159 > 0 ? t_159 : 0)];
                                double t_164 = (t_153 + run_12.y) / 6.0;
                                double t_165 = t_163 / 6.0;
                                if ((t_127 >= k_low) & (t_127 + 2 <= k_high)) {
                                    *(double2 *)(AT(double, out_1, (int64_t)(i_7 * out_1_s0 + j_4 * out_1_s1 + t_127) * 8)) = make_double2(t_164, t_165);
                                } else {
                                    if ((t_127 >= k_low) & (t_127 < k_high)) {
                                        out_1[i_7 * out_1_s0 + j_4 * out_1_s1 + t_127] = t_164;
                                    }
                                    index_t t_167 = t_127 + 1;
                                    if ((t_167 >= k_low) & (t_167 < k_high)) {
                                        out_1[i_7 * out_1_s0 + j_4 * out_1_s1 + t_167] = t_165;
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
            for (index_t point_2 = 0; point_2 < 4; point_2++) {
                index_t i_9 = i_origin + i_thread * 4 + point_2;
                if (i_9 < i_high) {
                    index_t j_5 = j_origin + j_thread;
                    if (j_5 < j_high) {
                        for (index_t point_3 = 0; point_3 < 2; point_3++) {
                            index_t k_8 = k_origin + k_thread * 2 + point_3;
                            if ((k_8 >= k_low) & (k_8 < k_high)) {
                                /* line 85 */
                                double t_176 = a_1[(i_9 - 1) * a_1_s0 + j_5 * a_1_s1 + k_8] + a_1[(i_9 + 1) * a_1_s0 + j_5 * a_1_s1 + k_8];
                                double sides_6 = t_176 + a_1[i_9 * a_1_s0 + (j_5 - 1) * a_1_s1 + k_8] + a_1[i_9 * a_1_s0 + (j_5 + 1) * a_1_s1 + k_8];
                                /* line 86 */
                                double t_185 = sides_6 + a_1[i_9 * a_1_s0 + j_5 * a_1_s1 + (k_8 - 1)] + a_1[i_9 * a_1_s0 + j_5 * a_1_s1 + (k_8 + 1)];
                                out_1[i_9 * out_1_s0 + j_5 * out_1_s1 + k_8] = t_185 / 6.0;
                            }
                        }
                    }
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)threadIdx.z;
        index_t j_thread_1 = (index_t)threadIdx.y;
        index_t k_thread_1 = (index_t)threadIdx.x;
        for (index_t point_4 = 0; point_4 < 4; point_4++) {
            index_t i_11 = i_origin + point_4 + i_thread_1;
            if (i_11 < i_high) {
                index_t j_6 = j_origin + j_thread_1;
                if (j_6 < j_high) {
                    for (index_t point_5 = 0; point_5 < 2; point_5++) {
                        index_t k_10 = k_origin + point_5 * 32 + k_thread_1;
                        if ((k_10 >= k_low) & (k_10 < k_high)) {
                            /* line 85 */
                            double t_194 = a_1[(i_11 - 1) * a_1_s0 + j_6 * a_1_s1 + k_10] + a_1[(i_11 + 1) * a_1_s0 + j_6 * a_1_s1 + k_10];
                            double sides_7 = t_194 + a_1[i_11 * a_1_s0 + (j_6 - 1) * a_1_s1 + k_10] + a_1[i_11 * a_1_s0 + (j_6 + 1) * a_1_s1 + k_10];
                            /* line 86 */
                            double t_203 = sides_7 + a_1[i_11 * a_1_s0 + j_6 * a_1_s1 + (k_10 - 1)] + a_1[i_11 * a_1_s0 + j_6 * a_1_s1 + (k_10 + 1)];
                            out_1[i_11 * out_1_s0 + j_6 * out_1_s1 + k_10] = t_203 / 6.0;
                        }
                    }
                }
            }
        }
    }
}
