#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(256) void swaps_through_a_scalar_0(char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0,
        int64_t a_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    /* line 11 */
    int64_t i_first = i_offset - mod_by_positive(i_offset, 2);
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)a_1) & 15) == 0) & (((int64_t)b_1) & 15) == 0) {
        int64_t i_thread = (int64_t)threadIdx.x;
        int64_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            int64_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (int64_t run = 0; run < 1; run++) {
                int64_t t_14 = i_4 + run * 512;
                /* line 13 */
                double2 run_1 = *(double2 *)(AT(double, a_1, t_14 * 8));
                *(double2 *)(AT(double, a_1, t_14 * 8)) = *(double2 *)(AT(double, b_1, t_14 * 8));
                /* line 14 */
                *(double2 *)(AT(double, b_1, t_14 * 8)) = run_1;
            }
        } else {
            for (int64_t point = 0; point < 2; point++) {
                int64_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 13 */
                    double t_20 = a_1[i_7];
                    a_1[i_7] = b_1[i_7];
                    /* line 14 */
                    b_1[i_7] = t_20;
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_1 = 0; point_1 < 2; point_1++) {
            int64_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 13 */
                double t_23 = a_1[i_9];
                a_1[i_9] = b_1[i_9];
                /* line 14 */
                b_1[i_9] = t_23;
            }
        }
    }
}
