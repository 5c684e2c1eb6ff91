#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(128) void stencil_in_three_dimensions_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_n2,
        int64_t a_1_s0,
        int64_t a_1_s1,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_n2,
        int64_t out_1_s0,
        int64_t out_1_s1,
        int64_t t_63,
        int64_t t_64,
        int64_t t_65,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent,
        int64_t k_offset,
        int64_t k_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 82 */
    int64_t i_low = 1 + i_offset;
    int64_t i_high = 1 + i_extent;
    int64_t j_low = 1 + j_offset;
    int64_t j_high = 1 + j_extent;
    int64_t k_low = 1 + k_offset;
    int64_t k_high = 1 + k_extent;
    int64_t k_first = k_low - mod_by_positive(k_low, 2);
    int64_t i_block = (int64_t)blockIdx.z;
    /* line 83 */
    int64_t j_block = (int64_t)blockIdx.y;
    /* line 84 */
    int64_t k_block = (int64_t)blockIdx.x;
    /* line 82 */
    int64_t i_origin = i_block * 4 + i_low;
    /* line 83 */
    int64_t j_origin = j_block * 4 + j_low;
    /* line 84 */
    int64_t k_origin = k_block * 64 + k_first;
    /* line 82 */
    bool inside = ((((int64_t)a_1 | a_1_s0 | a_1_s1) & 15) == 0) & (((int64_t)out_1 | out_1_s0 | out_1_s1) & 15) == 0;
    if (inside) {
        int64_t i_thread = (int64_t)threadIdx.z;
        int64_t j_thread = (int64_t)threadIdx.y;
        int64_t k_thread = (int64_t)threadIdx.x;
        int64_t k_2 = k_origin + k_thread * 2;
        int64_t t_78 = k_2 + 2;
        bool inside_9 = (k_2 < k_high) & (k_2 + 2 > k_low) & (k_2 >= 0) & (t_78 <= a_1_n2) & (t_78 <= out_1_n2);
        if (inside_9) {
            if ((i_origin + i_thread * 4 + 3 < i_high) & (j_origin + j_thread < j_high)) {
                int64_t i_4 = i_origin + i_thread * 4;
#pragma unroll
                for (int64_t point = 0; point < 4; point++) {
                    int64_t i_5 = i_4 + point;
                    int64_t j_3 = j_origin + j_thread;
                    int64_t k_3 = k_origin + k_thread * 2;
#pragma unroll
                    for (int64_t run = 0; run < 1; run++) {
                        int64_t t_83 = k_3 + run * 64;
                        /* line 85 */
                        double2 run_1 = *(double2 *)(AT(double, a_1, (i_5 - 1) * a_1_s0 + j_3 * a_1_s1 + t_83 * 8));
                        double2 run_2 = *(double2 *)(AT(double, a_1, (i_5 + 1) * a_1_s0 + j_3 * a_1_s1 + t_83 * 8));
                        double2 run_3 = *(double2 *)(AT(double, a_1, i_5 * a_1_s0 + (j_3 - 1) * a_1_s1 + t_83 * 8));
                        double2 run_4 = *(double2 *)(AT(double, a_1, i_5 * a_1_s0 + (j_3 + 1) * a_1_s1 + t_83 * 8));
                        /* line 86 */
                        int64_t t_102 = t_83 + -1;
                        int64_t t_103 = a_1_n2 - 1;
                        int64_t t_104 = t_103 < t_102 ? t_103 : t_102;
                        double2 run_5 = *(double2 *)(AT(double, a_1, i_5 * a_1_s0 + j_3 * a_1_s1 + t_83 * 8));
                        double t_109 = run_1.x + run_2.x + run_3.x + run_4.x + AT(double, a_1, i_5 * a_1_s0 + j_3 * a_1_s1)[t_104 > 0 ? t_104 : 0];
                        int64_t t_113 = t_83 + 2;
                        int64_t t_114 = a_1_n2 - 1;
                        int64_t t_115 = t_114 < t_113 ? t_114 : t_113;
                        double t_119 = run_1.y + run_2.y + run_3.y + run_4.y + run_5.x + AT(double, a_1, i_5 * a_1_s0 + j_3 * a_1_s1)[t_115 > 0 ? t_115 : 0];
                        double t_120 = (t_109 + run_5.y) / 6.0;
                        double t_121 = t_119 / 6.0;
                        if ((t_83 >= k_low) & (t_83 + 2 <= k_high)) {
                            *(double2 *)(AT(double, out_1, i_5 * out_1_s0 + j_3 * out_1_s1 + t_83 * 8)) = make_double2(t_120, t_121);
                        } else {
                            if ((t_83 >= k_low) & (t_83 < k_high)) {
                                AT(double, out_1, i_5 * out_1_s0 + j_3 * out_1_s1)[t_83] = t_120;
                            }
                            int64_t t_123 = t_83 + 1;
                            if ((t_123 >= k_low) & (t_123 < k_high)) {
                                AT(double, out_1, i_5 * out_1_s0 + j_3 * out_1_s1)[t_123] = t_121;
                            }
                        }
                    }
                }
            } else {
                for (int64_t point_1 = 0; point_1 < 4; point_1++) {
                    int64_t i_7 = i_origin + i_thread * 4 + point_1;
                    if (i_7 < i_high) {
                        int64_t j_4 = j_origin + j_thread;
                        if (j_4 < j_high) {
                            int64_t k_5 = k_origin + k_thread * 2;
#pragma unroll
                            for (int64_t run_7 = 0; run_7 < 1; run_7++) {
                                int64_t t_127 = k_5 + run_7 * 64;
                                /* line 85 */
                                double2 run_8 = *(double2 *)(AT(double, a_1, (i_7 - 1) * a_1_s0 + j_4 * a_1_s1 + t_127 * 8));
                                double2 run_9 = *(double2 *)(AT(double, a_1, (i_7 + 1) * a_1_s0 + j_4 * a_1_s1 + t_127 * 8));
                                double2 run_10 = *(double2 *)(AT(double, a_1, i_7 * a_1_s0 + (j_4 - 1) * a_1_s1 + t_127 * 8));
                                double2 run_11 = *(double2 *)(AT(double, a_1, i_7 * a_1_s0 + (j_4 + 1) * a_1_s1 + t_127 * 8));
                                /* line 86 */
                                int64_t t_146 = t_127 + -1;
                                int64_t t_147 = a_1_n2 - 1;
                                int64_t t_148 = t_147 < t_146 ? t_147 : t_146;
                                double2 run_12 = *(double2 *)(AT(double, a_1, i_7 * a_1_s0 + j_4 * a_1_s1 + t_127 * 8));
                                double t_153 = run_8.x + run_9.x + run_10.x + run_11.x + AT(double, a_1, i_7 * a_1_s0 + j_4 * a_1_s1)[t_148 > 0 ? t_148 : 0];
                                int64_t t_157 = t_127 + 2;
                                int64_t t_158 = a_1_n2 - 1;
                                int64_t t_159 = t_158 < t_157 ? t_158 : t_157;
                                double t_163 = run_8.y + run_9.y + run_10.y + run_11.y + run_12.x + AT(double, a_1, i_7 * a_1_s0 + j_4 * a_1_s1)[t_159 > 0 ? t_159 : 0];
                                double t_164 = (t_153 + run_12.y) / 6.0;
                                double t_165 = t_163 / 6.0;
                                if ((t_127 >= k_low) & (t_127 + 2 <= k_high)) {
                                    *(double2 *)(AT(double, out_1, i_7 * out_1_s0 + j_4 * out_1_s1 + t_127 * 8)) = make_double2(t_164, t_165);
                                } else {
                                    if ((t_127 >= k_low) & (t_127 < k_high)) {
                                        AT(double, out_1, i_7 * out_1_s0 + j_4 * out_1_s1)[t_127] = t_164;
                                    }
                                    int64_t t_167 = t_127 + 1;
                                    if ((t_167 >= k_low) & (t_167 < k_high)) {
                                        AT(double, out_1, i_7 * out_1_s0 + j_4 * out_1_s1)[t_167] = t_165;
                                    }
                                }
                            }
                        }
                    }
                }
            }
        } else {
            for (int64_t point_2 = 0; point_2 < 4; point_2++) {
                int64_t i_9 = i_origin + i_thread * 4 + point_2;
                if (i_9 < i_high) {
                    int64_t j_5 = j_origin + j_thread;
                    if (j_5 < j_high) {
                        for (int64_t point_3 = 0; point_3 < 2; point_3++) {
                            int64_t k_8 = k_origin + k_thread * 2 + point_3;
                            if ((k_8 >= k_low) & (k_8 < k_high)) {
                                /* line 85 */
                                double t_176 = AT(double, a_1, (i_9 - 1) * a_1_s0 + j_5 * a_1_s1)[k_8] + AT(double, a_1, (i_9 + 1) * a_1_s0 + j_5 * a_1_s1)[k_8];
                                double sides_6 = t_176 + AT(double, a_1, i_9 * a_1_s0 + (j_5 - 1) * a_1_s1)[k_8] + AT(double, a_1, i_9 * a_1_s0 + (j_5 + 1) * a_1_s1)[k_8];
                                /* line 86 */
                                double t_185 = sides_6 + AT(double, a_1, i_9 * a_1_s0 + j_5 * a_1_s1)[k_8 - 1] + AT(double, a_1, i_9 * a_1_s0 + j_5 * a_1_s1)[k_8 + 1];
                                AT(double, out_1, i_9 * out_1_s0 + j_5 * out_1_s1)[k_8] = t_185 / 6.0;
                            }
                        }
                    }
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.z;
        int64_t j_thread_1 = (int64_t)threadIdx.y;
        int64_t k_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_4 = 0; point_4 < 4; point_4++) {
            int64_t i_11 = i_origin + point_4 + i_thread_1;
            if (i_11 < i_high) {
                int64_t j_6 = j_origin + j_thread_1;
                if (j_6 < j_high) {
                    for (int64_t point_5 = 0; point_5 < 2; point_5++) {
                        int64_t k_10 = k_origin + point_5 * 32 + k_thread_1;
                        if ((k_10 >= k_low) & (k_10 < k_high)) {
                            /* line 85 */
                            double t_194 = AT(double, a_1, (i_11 - 1) * a_1_s0 + j_6 * a_1_s1)[k_10] + AT(double, a_1, (i_11 + 1) * a_1_s0 + j_6 * a_1_s1)[k_10];
                            double sides_7 = t_194 + AT(double, a_1, i_11 * a_1_s0 + (j_6 - 1) * a_1_s1)[k_10] + AT(double, a_1, i_11 * a_1_s0 + (j_6 + 1) * a_1_s1)[k_10];
                            /* line 86 */
                            double t_203 = sides_7 + AT(double, a_1, i_11 * a_1_s0 + j_6 * a_1_s1)[k_10 - 1] + AT(double, a_1, i_11 * a_1_s0 + j_6 * a_1_s1)[k_10 + 1];
                            AT(double, out_1, i_11 * out_1_s0 + j_6 * out_1_s1)[k_10] = t_203 / 6.0;
                        }
                    }
                }
            }
        }
    }
}
