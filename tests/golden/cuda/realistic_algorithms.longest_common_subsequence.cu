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

typedef unsigned long long uint64_t;

extern "C" __global__ __launch_bounds__(64) void longest_common_subsequence_3(const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const char *__restrict__ y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0_given,
        char *__restrict__ length_1_memory,
        int64_t length_1_offset,
        int64_t length_1_n0_given,
        int64_t length_1_n1_given,
        int64_t length_1_s0_given,
        int64_t t_given,
        int64_t t_75,
        int64_t front_given,
        int64_t t_given_2,
        int64_t t_given_3,
        int64_t tile_offset_given,
        int64_t tile_extent_given) {
    begin_kernel(x_1_offset, y_1_offset, length_1_offset);
    int64_t *x_1 = AT(int64_t, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    int64_t *y_1 = AT(int64_t, y_1_memory, y_1_offset);
    index_t y_1_n0 = (index_t)y_1_n0_given;
    int64_t *length_1 = AT(int64_t, length_1_memory, length_1_offset);
    index_t length_1_n0 = (index_t)length_1_n0_given;
    index_t length_1_n1 = (index_t)length_1_n1_given;
    index_t length_1_s0 = (index_t)(length_1_s0_given >> 3);
    index_t t_74 = (index_t)t_given;
    index_t front_1 = (index_t)front_given;
    index_t t_76 = (index_t)t_given_2;
    index_t t_77 = (index_t)t_given_3;
    index_t tile_offset = (index_t)tile_offset_given;
    index_t tile_extent = (index_t)tile_extent_given;
    /* line 121 */
    index_t tile_low = t_74 + tile_offset;
    index_t tile_block = (index_t)blockIdx.x;
    index_t tile_origin = tile_block + tile_low;
    index_t t_79 = tile_origin * 64;
    index_t t_81 = (front_1 - tile_origin) * 64;
    for (index_t step_2 = 0; step_2 < 127; step_2++) {
        {
            index_t i_thread = (index_t)threadIdx.y;
            index_t i_thread_1 = (index_t)threadIdx.x;
            for (index_t round = 0; round < 1; round++) {
                index_t t_83 = i_thread_1 + round * 64;
                if (t_83 < 64) {
                    index_t t_84 = step_2 - t_83;
                    index_t t_85 = t_79 + t_83;
                    if ((t_84 >= 0) & (t_84 < 64) & (t_85 < t_76)) {
                        index_t t_87 = 1 + (t_81 + t_84);
                        index_t t_88 = 1 + t_85;
                        /* line 123 */
                        index_t t_89 = t_88 - 1;
                        /* line 121 */
                        if ((1 <= t_87) & (t_87 < t_77)) {
                            /* line 123 */
                            index_t t_91 = t_87 - 1;
                            int64_t stored_3;
                            if (__ldg(&x_1[t_89]) == __ldg(&y_1[t_91])) {
                                stored_3 = (int64_t)((uint64_t)length_1[t_89 * length_1_s0 + t_91] + 1);
                            } else {
                                /* line 126 */
                                int64_t t_96 = length_1[t_89 * length_1_s0 + t_87];
                                int64_t t_97 = length_1[t_88 * length_1_s0 + t_91];
                                stored_3 = t_97 > t_96 ? t_97 : t_96;
                            }
                            /* line 124 */
                            length_1[t_88 * length_1_s0 + t_87] = stored_3;
                        }
                    }
                }
            }
        }
        __syncthreads();
    }
}
