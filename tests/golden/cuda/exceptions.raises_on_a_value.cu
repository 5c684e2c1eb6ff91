#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void raises_on_a_value_0(const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t x_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given,
        int32_t *weft_flag) {
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 31 */
    index_t i_first = i_offset - i_offset % 2;
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 512 + i_first;
    if (((((int64_t)x_1) & 15) == 0) & (((int64_t)out_1) & 15) == 0) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_16 = i_4 + run * 512;
                /* line 32 */
                double2 run_1 = *(double2 *)(AT(double, x_1, (int64_t)(t_16) * 8));
                if (run_1.x < 0.0) {
                    /* line 33 */
                    *weft_flag = 1;
                    return;
                }
                if (run_1.y < 0.0) {
                    /* line 33 */
                    *weft_flag = 1;
                    return;
                }
                /* line 34 */
                *(double2 *)(AT(double, out_1, (int64_t)(t_16) * 8)) = make_double2(run_1.x * 2.0, run_1.y * 2.0);
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 32 */
                    double t_24 = x_1[i_7];
                    if (t_24 < 0.0) {
                        /* line 33 */
                        *weft_flag = 1;
                        return;
                    }
                    /* line 34 */
                    out_1[i_7] = t_24 * 2.0;
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 32 */
                double t_28 = x_1[i_9];
                if (t_28 < 0.0) {
                    /* line 33 */
                    *weft_flag = 1;
                    return;
                }
                /* line 34 */
                out_1[i_9] = t_28 * 2.0;
            }
        }
    }
}
