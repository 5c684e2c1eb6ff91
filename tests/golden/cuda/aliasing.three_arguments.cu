#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void three_arguments_0(const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0_given,
        const char *__restrict__ y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0_given,
        char *__restrict__ z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0_given,
        int64_t x_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    index_t x_1_n0 = (index_t)x_1_n0_given;
    double *y_1 = AT(double, y_1_memory, y_1_offset);
    index_t y_1_n0 = (index_t)y_1_n0_given;
    double *z_1 = AT(double, z_1_memory, z_1_offset);
    index_t z_1_n0 = (index_t)z_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 51 */
    index_t i_first = i_offset - i_offset % 2;
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 512 + i_first;
    bool inside_1 = ((((int64_t)x_1) & 15) == 0) & (((int64_t)y_1) & 15) == 0 & (((int64_t)z_1) & 15) == 0;
    if (inside_1) {
        index_t i_thread = (index_t)threadIdx.x;
        index_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            index_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (index_t run = 0; run < 1; run++) {
                index_t t_19 = i_4 + run * 512;
                /* line 52 */
                double2 run_1 = *(double2 *)(AT(double, x_1, (int64_t)(t_19) * 8));
                double2 run_2 = *(double2 *)(AT(double, y_1, (int64_t)(t_19) * 8));
                *(double2 *)(AT(double, z_1, (int64_t)(t_19) * 8)) = make_double2(run_1.x - run_2.x, run_1.y - run_2.y);
            }
        } else {
            for (index_t point = 0; point < 2; point++) {
                index_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 52 */
                    z_1[i_7] = x_1[i_7] - y_1[i_7];
                }
            }
        }
    } else {
        index_t i_thread_1 = (index_t)threadIdx.x;
        for (index_t point_1 = 0; point_1 < 2; point_1++) {
            index_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 52 */
                z_1[i_9] = x_1[i_9] - y_1[i_9];
            }
        }
    }
}
