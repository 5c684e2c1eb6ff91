#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void raises_on_a_value_0(char *x_1_memory,
        int64_t x_1_offset,
        int64_t x_1_n0,
        char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t x_dim0_1,
        int64_t i_offset,
        int64_t i_extent,
        int32_t *weft_flag) {
    double *x_1 = AT(double, x_1_memory, x_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 31 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 32 */
        double t_6 = x_1[i_1];
        if (t_6 < 0.0) {
            /* line 33 */
            *weft_flag = 1;
            return;
        }
        /* line 34 */
        out_1[i_1] = t_6 * 2.0;
    }
}
