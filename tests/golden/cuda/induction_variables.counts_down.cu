#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void counts_down_0(const char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0,
        char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t b_dim0_1,
        int64_t a_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    /* line 20 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 22 */
        a_1[a_dim0_1 + i_2 * -1 - 1] = b_1[i_2] + 1.0;
    }
}
