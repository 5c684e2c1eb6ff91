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

typedef long int64_t;

#define HELPER static inline __attribute__((unused))

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

__kernel __attribute__((reqd_work_group_size(32, 4, 1))) void stencil_in_three_dimensions_0(const __global char *restrict a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_n2,
        int64_t a_1_s0,
        int64_t a_1_s1,
        __global char *restrict out_1_memory,
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
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    __global double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 82 */
    int64_t i_low = 1 + i_offset;
    int64_t i_high = 1 + i_extent;
    int64_t j_low = 1 + j_offset;
    int64_t j_high = 1 + j_extent;
    int64_t k_low = 1 + k_offset;
    int64_t k_high = 1 + k_extent;
    int64_t k_first = k_low - mod_by_positive(k_low, 2);
    int64_t i_block = (int64_t)get_group_id(2);
    /* line 83 */
    int64_t j_block = (int64_t)get_group_id(1);
    /* line 84 */
    int64_t k_block = (int64_t)get_group_id(0);
    /* line 82 */
    int64_t i_origin = i_block * 4 + i_low;
    /* line 83 */
    int64_t j_origin = j_block * 4 + j_low;
    /* line 84 */
    int64_t k_origin = k_block * 64 + k_first;
    /* line 82 */
    bool inside = ((((int64_t)(size_t)a_1 | a_1_s0 | a_1_s1) & 15) == 0) & (((int64_t)(size_t)out_1 | out_1_s0 | out_1_s1) & 15) == 0;
    if (inside) {
        int64_t i_thread = (int64_t)get_local_id(2);
        int64_t j_thread = (int64_t)get_local_id(1);
        int64_t k_thread = (int64_t)get_local_id(0);
        int64_t k_2 = k_origin + k_thread * 2;
        bool inside_6 = (i_origin + i_thread * 4 + 3 < i_high) & (j_origin + j_thread < j_high) & (k_2 >= k_low);
        if (inside_6 & (k_2 + 1 < k_high)) {
            int64_t i_4 = i_origin + i_thread * 4;
#pragma unroll
            for (int64_t point = 0; point < 4; point++) {
                int64_t i_5 = i_4 + point;
                int64_t j_3 = j_origin + j_thread;
                int64_t k_4 = k_origin + k_thread * 2;
#pragma unroll
                for (int64_t run = 0; run < 1; run++) {
                    int64_t t_81 = k_4 + run * 64;
                    /* line 85 */
                    double2 run_1 = vload2(0, AT(double, a_1, (i_5 - 1) * a_1_s0 + j_3 * a_1_s1 + t_81 * 8));
                    double2 run_2 = vload2(0, AT(double, a_1, (i_5 + 1) * a_1_s0 + j_3 * a_1_s1 + t_81 * 8));
                    double2 run_3 = vload2(0, AT(double, a_1, i_5 * a_1_s0 + (j_3 - 1) * a_1_s1 + t_81 * 8));
                    double2 run_4 = vload2(0, AT(double, a_1, i_5 * a_1_s0 + (j_3 + 1) * a_1_s1 + t_81 * 8));
                    /* line 86 */
                    double2 run_5 = vload2(0, AT(double, a_1, i_5 * a_1_s0 + j_3 * a_1_s1 + t_81 * 8));
                    double t_103 = run_1.x + run_2.x + run_3.x + run_4.x + AT(double, a_1, i_5 * a_1_s0 + j_3 * a_1_s1)[t_81 - 1];
                    double t_109 = run_1.y + run_2.y + run_3.y + run_4.y + run_5.x + AT(double, a_1, i_5 * a_1_s0 + j_3 * a_1_s1)[t_81 + 1 + 1];
                    vstore2((double2)((t_103 + run_5.y) / 6.0, t_109 / 6.0), 0, AT(double, out_1, i_5 * out_1_s0 + j_3 * out_1_s1 + t_81 * 8));
                }
            }
        } else {
            if ((i_origin + i_thread * 4 + 3 < i_high) & (j_origin + j_thread < j_high)) {
                for (int64_t point_1 = 0; point_1 < 2; point_1++) {
                    int64_t k_7 = k_origin + k_thread * 2 + point_1;
                    if ((k_7 >= k_low) & (k_7 < k_high)) {
                        int64_t i_8 = i_origin + i_thread * 4;
#pragma unroll
                        for (int64_t point_2 = 0; point_2 < 4; point_2++) {
                            int64_t i_9 = i_8 + point_2;
                            int64_t j_5 = j_origin + j_thread;
                            /* line 85 */
                            double t_121 = AT(double, a_1, (i_9 - 1) * a_1_s0 + j_5 * a_1_s1)[k_7] + AT(double, a_1, (i_9 + 1) * a_1_s0 + j_5 * a_1_s1)[k_7];
                            double sides_4 = t_121 + AT(double, a_1, i_9 * a_1_s0 + (j_5 - 1) * a_1_s1)[k_7] + AT(double, a_1, i_9 * a_1_s0 + (j_5 + 1) * a_1_s1)[k_7];
                            /* line 86 */
                            double t_130 = sides_4 + AT(double, a_1, i_9 * a_1_s0 + j_5 * a_1_s1)[k_7 - 1] + AT(double, a_1, i_9 * a_1_s0 + j_5 * a_1_s1)[k_7 + 1];
                            AT(double, out_1, i_9 * out_1_s0 + j_5 * out_1_s1)[k_7] = t_130 / 6.0;
                        }
                    }
                }
            } else {
                for (int64_t point_3 = 0; point_3 < 4; point_3++) {
                    int64_t i_11 = i_origin + i_thread * 4 + point_3;
                    if (i_11 < i_high) {
                        int64_t j_6 = j_origin + j_thread;
                        if (j_6 < j_high) {
                            for (int64_t point_4 = 0; point_4 < 2; point_4++) {
                                int64_t k_9 = k_origin + k_thread * 2 + point_4;
                                if ((k_9 >= k_low) & (k_9 < k_high)) {
                                    /* line 85 */
                                    double t_140 = AT(double, a_1, (i_11 - 1) * a_1_s0 + j_6 * a_1_s1)[k_9] + AT(double, a_1, (i_11 + 1) * a_1_s0 + j_6 * a_1_s1)[k_9];
                                    double sides_5 = t_140 + AT(double, a_1, i_11 * a_1_s0 + (j_6 - 1) * a_1_s1)[k_9] + AT(double, a_1, i_11 * a_1_s0 + (j_6 + 1) * a_1_s1)[k_9];
                                    /* line 86 */
                                    double t_149 = sides_5 + AT(double, a_1, i_11 * a_1_s0 + j_6 * a_1_s1)[k_9 - 1] + AT(double, a_1, i_11 * a_1_s0 + j_6 * a_1_s1)[k_9 + 1];
                                    AT(double, out_1, i_11 * out_1_s0 + j_6 * out_1_s1)[k_9] = t_149 / 6.0;
                                }
                            }
                        }
                    }
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)get_local_id(2);
        int64_t j_thread_1 = (int64_t)get_local_id(1);
        int64_t k_thread_1 = (int64_t)get_local_id(0);
        for (int64_t point_5 = 0; point_5 < 4; point_5++) {
            int64_t i_13 = i_origin + point_5 + i_thread_1;
            if (i_13 < i_high) {
                int64_t j_7 = j_origin + j_thread_1;
                if (j_7 < j_high) {
                    for (int64_t point_6 = 0; point_6 < 2; point_6++) {
                        int64_t k_11 = k_origin + point_6 * 32 + k_thread_1;
                        if ((k_11 >= k_low) & (k_11 < k_high)) {
                            /* line 85 */
                            double t_158 = AT(double, a_1, (i_13 - 1) * a_1_s0 + j_7 * a_1_s1)[k_11] + AT(double, a_1, (i_13 + 1) * a_1_s0 + j_7 * a_1_s1)[k_11];
                            double sides_6 = t_158 + AT(double, a_1, i_13 * a_1_s0 + (j_7 - 1) * a_1_s1)[k_11] + AT(double, a_1, i_13 * a_1_s0 + (j_7 + 1) * a_1_s1)[k_11];
                            /* line 86 */
                            double t_167 = sides_6 + AT(double, a_1, i_13 * a_1_s0 + j_7 * a_1_s1)[k_11 - 1] + AT(double, a_1, i_13 * a_1_s0 + j_7 * a_1_s1)[k_11 + 1];
                            AT(double, out_1, i_13 * out_1_s0 + j_7 * out_1_s1)[k_11] = t_167 / 6.0;
                        }
                    }
                }
            }
        }
    }
}
