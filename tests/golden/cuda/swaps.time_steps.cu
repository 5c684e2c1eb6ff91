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

extern "C" __global__ __launch_bounds__(256) void time_steps_1(const char *__restrict__ u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0,
        char *__restrict__ v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0,
        int64_t t_28,
        int64_t i_offset,
        int64_t i_extent) {
    begin_kernel(u_3_offset, v_3_offset);
    double *u_3 = AT(double, u_3_memory, u_3_offset);
    double *v_3 = AT(double, v_3_memory, v_3_offset);
    /* line 15 */
    int64_t i_low = 1 + i_offset;
    int64_t i_high = 1 + i_extent;
    int64_t i_first = i_low - mod_by_positive(i_low, 2);
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)u_3) & 15) == 0) & (((int64_t)v_3) & 15) == 0) {
        int64_t i_thread = (int64_t)threadIdx.x;
        int64_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_low) & (i_2 + 1 < i_high)) {
            int64_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (int64_t run = 0; run < 1; run++) {
                int64_t t_36 = i_4 + run * 512;
                /* line 16 */
                double2 run_1 = __ldg((double2 *)(AT(double, u_3, t_36 * 8)));
                double2 run_2 = make_double2(0.25 * __ldg(&u_3[t_36 - 1]) + 0.5 * run_1.x + 0.25 * run_1.y, 0.25 * run_1.x + 0.5 * run_1.y + 0.25 * __ldg(&u_3[t_36 + 1 + 1]));
                *(double2 *)(AT(double, v_3, t_36 * 8)) = run_2;
            }
        } else {
            for (int64_t point = 0; point < 2; point++) {
                int64_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_low) & (i_7 < i_high)) {
                    /* line 16 */
                    double t_65 = 0.25 * __ldg(&u_3[i_7 - 1]) + 0.5 * __ldg(&u_3[i_7]) + 0.25 * __ldg(&u_3[i_7 + 1]);
                    v_3[i_7] = t_65;
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_1 = 0; point_1 < 2; point_1++) {
            int64_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_low) & (i_9 < i_high)) {
                /* line 16 */
                double t_76 = 0.25 * __ldg(&u_3[i_9 - 1]) + 0.5 * __ldg(&u_3[i_9]) + 0.25 * __ldg(&u_3[i_9 + 1]);
                v_3[i_9] = t_76;
            }
        }
    }
}
