#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define HELPER static __device__ __forceinline__

typedef long long int64_t;

HELPER void keep_behind(int64_t &offset) { asm volatile("" : "+l"(offset)); }

/* Where the launch permits it, a kernel is started before the one before it is done. From here on that one is done, and what
   it wrote can be read. The offsets pass through, so that nothing is loaded earlier. */
template <typename... Offsets>
HELPER void begin_kernel(Offsets &...offsets) {
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
    asm volatile("griddepcontrol.wait;" ::: "memory");
    (keep_behind(offsets), ...);
#endif
}

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(256) void jacobi_1(const char *__restrict__ u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0,
        int64_t u_3_n1,
        int64_t u_3_s0,
        char *__restrict__ v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0,
        int64_t v_3_n1,
        int64_t v_3_s0,
        int64_t t_37,
        int64_t t_38,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent) {
    begin_kernel(u_3_offset, v_3_offset);
    double *u_3 = AT(double, u_3_memory, u_3_offset);
    double *v_3 = AT(double, v_3_memory, v_3_offset);
    /* line 19 */
    int64_t i_low = 1 + i_offset;
    int64_t i_high = 1 + i_extent;
    int64_t j_low = 1 + j_offset;
    int64_t j_high = 1 + j_extent;
    int64_t j_first = j_low - mod_by_positive(j_low, 2);
    int64_t i_block = (int64_t)blockIdx.y;
    /* line 20 */
    int64_t j_block = (int64_t)blockIdx.x;
    /* line 19 */
    int64_t i_origin = i_block * 16 + i_low;
    /* line 20 */
    int64_t j_origin = j_block * 64 + j_first;
    /* line 19 */
    if (((((int64_t)u_3 | u_3_s0) & 15) == 0) & (((int64_t)v_3 | v_3_s0) & 15) == 0) {
        int64_t i_thread = (int64_t)threadIdx.y;
        int64_t j_thread = (int64_t)threadIdx.x;
        int64_t j_2 = j_origin + j_thread * 2;
        if ((i_origin + i_thread * 2 + 1 < i_high) & (j_2 >= j_low) & (j_2 + 1 < j_high)) {
            int64_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (int64_t point = 0; point < 2; point++) {
                int64_t i_5 = i_4 + point;
                int64_t j_4 = j_origin + j_thread * 2;
#pragma unroll
                for (int64_t run = 0; run < 1; run++) {
                    int64_t t_51 = j_4 + run * 64;
                    /* line 21 */
                    double2 run_1 = __ldg((double2 *)(AT(double, u_3, (i_5 - 1) * u_3_s0 + t_51 * 8)));
                    double2 run_2 = __ldg((double2 *)(AT(double, u_3, (i_5 + 1) * u_3_s0 + t_51 * 8)));
                    double2 run_3 = __ldg((double2 *)(AT(double, u_3, i_5 * u_3_s0 + t_51 * 8)));
                    double t_71 = run_1.y + run_2.y + run_3.x + __ldg(&AT(double, u_3, i_5 * u_3_s0)[t_51 + 1 + 1]);
                    double t_72 = 0.25 * (run_1.x + run_2.x + __ldg(&AT(double, u_3, i_5 * u_3_s0)[t_51 - 1]) + run_3.y);
                    *(double2 *)(AT(double, v_3, i_5 * v_3_s0 + t_51 * 8)) = make_double2(t_72, 0.25 * t_71);
                }
            }
        } else {
            if (i_origin + i_thread * 2 + 1 < i_high) {
                for (int64_t point_1 = 0; point_1 < 2; point_1++) {
                    int64_t j_7 = j_origin + j_thread * 2 + point_1;
                    if ((j_7 >= j_low) & (j_7 < j_high)) {
                        int64_t i_8 = i_origin + i_thread * 2;
#pragma unroll
                        for (int64_t point_2 = 0; point_2 < 2; point_2++) {
                            int64_t i_9 = i_8 + point_2;
                            /* line 21 */
                            double t_81 = __ldg(&AT(double, u_3, (i_9 - 1) * u_3_s0)[j_7]) + __ldg(&AT(double, u_3, (i_9 + 1) * u_3_s0)[j_7]);
                            double t_87 = t_81 + __ldg(&AT(double, u_3, i_9 * u_3_s0)[j_7 - 1]) + __ldg(&AT(double, u_3, i_9 * u_3_s0)[j_7 + 1]);
                            AT(double, v_3, i_9 * v_3_s0)[j_7] = 0.25 * t_87;
                        }
                    }
                }
            } else {
                for (int64_t point_3 = 0; point_3 < 2; point_3++) {
                    int64_t i_11 = i_origin + i_thread * 2 + point_3;
                    if (i_11 < i_high) {
                        for (int64_t point_4 = 0; point_4 < 2; point_4++) {
                            int64_t j_9 = j_origin + j_thread * 2 + point_4;
                            if ((j_9 >= j_low) & (j_9 < j_high)) {
                                /* line 21 */
                                double t_95 = __ldg(&AT(double, u_3, (i_11 - 1) * u_3_s0)[j_9]) + __ldg(&AT(double, u_3, (i_11 + 1) * u_3_s0)[j_9]);
                                double t_101 = t_95 + __ldg(&AT(double, u_3, i_11 * u_3_s0)[j_9 - 1]) + __ldg(&AT(double, u_3, i_11 * u_3_s0)[j_9 + 1]);
                                AT(double, v_3, i_11 * v_3_s0)[j_9] = 0.25 * t_101;
                            }
                        }
                    }
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.y;
        int64_t j_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_5 = 0; point_5 < 2; point_5++) {
            int64_t i_13 = i_origin + point_5 * 8 + i_thread_1;
            if (i_13 < i_high) {
                for (int64_t point_6 = 0; point_6 < 2; point_6++) {
                    int64_t j_11 = j_origin + point_6 * 32 + j_thread_1;
                    if ((j_11 >= j_low) & (j_11 < j_high)) {
                        /* line 21 */
                        double t_109 = __ldg(&AT(double, u_3, (i_13 - 1) * u_3_s0)[j_11]) + __ldg(&AT(double, u_3, (i_13 + 1) * u_3_s0)[j_11]);
                        double t_115 = t_109 + __ldg(&AT(double, u_3, i_13 * u_3_s0)[j_11 - 1]) + __ldg(&AT(double, u_3, i_13 * u_3_s0)[j_11 + 1]);
                        AT(double, v_3, i_13 * v_3_s0)[j_11] = 0.25 * t_115;
                    }
                }
            }
        }
    }
}
