#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void swaps_through_a_scalar_0(char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0_given,
        int64_t a_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    index_t b_1_n0 = (index_t)b_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 11 */
    index_t i_first = i_offset - i_offset % 2;
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)a_1) & 15) == 0) & (((int64_t)b_1) & 15) == 0) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_14 = i_4 + run * 512;
                /* line 13 */
                double2 run_1 = *(double2 *)(AT(double, a_1, (int64_t)(t_14) * 8));
                *(double2 *)(AT(double, a_1, (int64_t)(t_14) * 8)) = *(double2 *)(AT(double, b_1, (int64_t)(t_14) * 8));
                /* line 14 */
                *(double2 *)(AT(double, b_1, (int64_t)(t_14) * 8)) = run_1;
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
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
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
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
