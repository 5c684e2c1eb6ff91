#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void reverses_in_place_0(char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t t_8,
        int64_t t_given,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t t_9 = (index_t)t_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 12 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 13 */
        index_t t_13 = t_9 - i_2;
        double t_15 = a_1[i_2];
        a_1[i_2] = a_1[t_13];
        a_1[t_13] = t_15;
    }
}
