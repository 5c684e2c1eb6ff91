#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void reverses_in_place_0(char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t t_8,
        int64_t t_9,
        int64_t i_offset,
        int64_t i_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    /* line 12 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 13 */
        int64_t t_13 = t_9 - i_2;
        double t_15 = a_1[i_2];
        a_1[i_2] = a_1[t_13];
        a_1[t_13] = t_15;
    }
}
