#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void slices_with_steps_0(const char *__restrict__ backwards_1_memory,
        int64_t backwards_1_offset,
        int64_t backwards_1_n0,
        int64_t backwards_1_s0,
        char *__restrict__ every_third_1_memory,
        int64_t every_third_1_offset,
        int64_t every_third_1_n0,
        int64_t every_third_1_s0,
        int64_t t_15,
        int64_t i_offset,
        int64_t i_extent) {
    double *backwards_1 = AT(double, backwards_1_memory, backwards_1_offset);
    double *every_third_1 = AT(double, every_third_1_memory, every_third_1_offset);
    /* line 21 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 22 */
        *AT(double, every_third_1, i_2 * every_third_1_s0) = *AT(double, backwards_1, i_2 * backwards_1_s0);
    }
}
