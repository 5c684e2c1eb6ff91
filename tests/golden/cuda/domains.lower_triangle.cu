#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void lower_triangle_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_s0,
        int64_t a_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 14 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 15 */
        for (int64_t j_2 = 0; j_2 < i_2 + 1; j_2++) {
            /* line 16 */
            AT(double, out_1, i_2 * out_1_s0)[j_2] = AT(double, a_1, i_2 * a_1_s0)[j_2] * 2.0;
        }
    }
}
