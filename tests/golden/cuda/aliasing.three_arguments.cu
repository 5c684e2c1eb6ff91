#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define bool bool

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(256) void three_arguments_0(const char *__restrict__ x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        const char *__restrict__ y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0,
        char *__restrict__ z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0,
        int64_t x_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *y_1 = AT(double, y_1_memory, y_1_offset);
    double *z_1 = AT(double, z_1_memory, z_1_offset);
    /* line 51 */
    int64_t i_first = i_offset - mod_by_positive(i_offset, 2);
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 512 + i_first;
    bool inside_1 = ((((int64_t)x_1) & 15) == 0) & (((int64_t)y_1) & 15) == 0 & (((int64_t)z_1) & 15) == 0;
    if (inside_1) {
        int64_t i_thread = (int64_t)threadIdx.x;
        int64_t i_2 = i_origin + i_thread * 2;
        if ((i_2 >= i_offset) & (i_2 + 1 < i_extent)) {
            int64_t i_4 = i_origin + i_thread * 2;
#pragma unroll
            for (int64_t run = 0; run < 1; run++) {
                int64_t t_19 = i_4 + run * 512;
                /* line 52 */
                double2 run_1 = *(double2 *)(AT(double, x_1, t_19 * 8));
                double2 run_2 = *(double2 *)(AT(double, y_1, t_19 * 8));
                *(double2 *)(AT(double, z_1, t_19 * 8)) = make_double2(run_1.x - run_2.x, run_1.y - run_2.y);
            }
        } else {
            for (int64_t point = 0; point < 2; point++) {
                int64_t i_7 = i_origin + i_thread * 2 + point;
                if ((i_7 >= i_offset) & (i_7 < i_extent)) {
                    /* line 52 */
                    z_1[i_7] = x_1[i_7] - y_1[i_7];
                }
            }
        }
    } else {
        int64_t i_thread_1 = (int64_t)threadIdx.x;
        for (int64_t point_1 = 0; point_1 < 2; point_1++) {
            int64_t i_9 = i_origin + point_1 * 256 + i_thread_1;
            if ((i_9 >= i_offset) & (i_9 < i_extent)) {
                /* line 52 */
                z_1[i_9] = x_1[i_9] - y_1[i_9];
            }
        }
    }
}
