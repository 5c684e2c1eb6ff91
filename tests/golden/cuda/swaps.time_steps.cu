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

typedef int int32_t;

typedef int32_t index_t;

extern "C" __global__ __launch_bounds__(256) void time_steps_1(const char *__restrict__ u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0_given,
        char *__restrict__ v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0_given,
        int64_t t_28,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    begin_kernel(u_3_offset, v_3_offset);
    double *u_3 = AT(double, u_3_memory, u_3_offset);
    index_t u_3_n0 = (index_t)u_3_n0_given;
    double *v_3 = AT(double, v_3_memory, v_3_offset);
    index_t v_3_n0 = (index_t)v_3_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 15 */
    index_t i_low = 1 + i_offset;
    index_t i_high = 1 + i_extent;
    index_t i_first = i_low - i_low % 2;
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)u_3) & 15) == 0) & (((int64_t)v_3) & 15) == 0) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_low) & (i_2 + 1 < i_high)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_36 = i_4 + run * 512;
                /* line 16 */
                double2 run_1 = __ldg((double2 *)(AT(double, u_3, (int64_t)(t_36) * 8)));
                double2 run_2 = make_double2(0.25 * __ldg(&u_3[t_36 - 1]) + 0.5 * run_1.x + 0.25 * run_1.y, 0.25 * run_1.x + 0.5 * run_1.y + 0.25 * __ldg(&u_3[t_36 + 1 + 1]));
                *(double2 *)(AT(double, v_3, (int64_t)(t_36) * 8)) = run_2;
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_low) & (i_7 < i_high)) {
                    /* line 16 */
                    double t_65 = 0.25 * __ldg(&u_3[i_7 - 1]) + 0.5 * __ldg(&u_3[i_7]) + 0.25 * __ldg(&u_3[i_7 + 1]);
                    v_3[i_7] = t_65;
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_low) & (i_9 < i_high)) {
                /* line 16 */
                double t_76 = 0.25 * __ldg(&u_3[i_9 - 1]) + 0.5 * __ldg(&u_3[i_9]) + 0.25 * __ldg(&u_3[i_9 + 1]);
                v_3[i_9] = t_76;
            }
        }
    }
}
