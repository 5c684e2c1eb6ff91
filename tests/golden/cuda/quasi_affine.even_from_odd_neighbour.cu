#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

HELPER int64_t mod_by_positive(int64_t a, int64_t b) {
    int64_t rest = a % b;
    return rest < 0 ? rest + b : rest;
}

extern "C" __global__ __launch_bounds__(256) void even_from_odd_neighbour_0(char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t t_11,
        int64_t i_offset,
        int64_t i_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    /* line 43 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block * 256 + i_offset;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 44 */
        if (mod_by_positive(i_2, 2) == 0) {
            /* line 45 */
            a_1[i_2] = a_1[i_2 + 1] * 2.0;
        }
    }
}
