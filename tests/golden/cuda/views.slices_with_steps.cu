#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void slices_with_steps_0(const char *__restrict__ backwards_1_memory,
        int64_t backwards_1_offset,
        int64_t backwards_1_n0_given,
        int64_t backwards_1_s0_given,
        char *__restrict__ every_third_1_memory,
        int64_t every_third_1_offset,
        int64_t every_third_1_n0_given,
        int64_t every_third_1_s0_given,
        int64_t t_12,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    double *backwards_1 = AT(double, backwards_1_memory, backwards_1_offset);
    index_t backwards_1_n0 = (index_t)backwards_1_n0_given;
    index_t backwards_1_s0 = (index_t)(backwards_1_s0_given >> 3);
    double *every_third_1 = AT(double, every_third_1_memory, every_third_1_offset);
    index_t every_third_1_n0 = (index_t)every_third_1_n0_given;
    index_t every_third_1_s0 = (index_t)(every_third_1_s0_given >> 3);
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 21 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 22 */
        every_third_1[i_2 * every_third_1_s0] = backwards_1[i_2 * backwards_1_s0];
    }
}
