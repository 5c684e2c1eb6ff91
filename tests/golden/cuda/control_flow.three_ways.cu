#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void three_ways_0(const char *__restrict__ b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0_given,
        const char *__restrict__ c_1_memory,
        int64_t c_1_offset,
        int64_t c_1_n0_given,
        char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0_given,
        int64_t a_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    index_t b_1_n0 = (index_t)b_1_n0_given;
    double *c_1 = AT(double, c_1_memory, c_1_offset);
    index_t c_1_n0 = (index_t)c_1_n0_given;
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    index_t a_1_n0 = (index_t)a_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 18 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 19 */
        double t_25 = b_1[i_2];
        /* line 20 */
        a_1[i_2] = t_25 > 0.5 ? t_25 + c_1[i_2] : (t_25 > -0.25 ? t_25 * c_1[i_2] : c_1[i_2]);
    }
}
