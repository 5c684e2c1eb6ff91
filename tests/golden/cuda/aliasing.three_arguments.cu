#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void three_arguments_0(char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *y_1_memory,
        int64_t y_1_offset,
        int64_t y_1_n0,
        char *z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0,
        int64_t x_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *y_1 = AT(double, y_1_memory, y_1_offset);
    double *z_1 = AT(double, z_1_memory, z_1_offset);
    /* line 51 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 52 */
        z_1[i_1] = x_1[i_1] - y_1[i_1];
    }
}
