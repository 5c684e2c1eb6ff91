#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

typedef int int32_t;

typedef long long int64_t;

typedef unsigned long long uint64_t;

extern "C" __global__ __launch_bounds__(256) void time_steps_1(char *u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0,
        char *v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0,
        int64_t t_38,
        int64_t i_offset,
        int64_t i_extent) {
    double *u_3 = AT(double, u_3_memory, u_3_offset);
    double *v_3 = AT(double, v_3_memory, v_3_offset);
    /* line 15 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_thread = (int64_t)threadIdx.x;
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_2 = 1 + position;
        /* line 16 */
        v_3[i_2] = 0.25 * u_3[i_2 - 1] + 0.5 * u_3[i_2] + 0.25 * u_3[i_2 + 1];
    }
}

extern "C" __global__ __launch_bounds__(256) void time_steps_2(char *u_4_memory,
        int64_t u_4_offset,
        int64_t u_4_n0,
        char *v_4_memory,
        int64_t v_4_offset,
        int64_t v_4_n0,
        int64_t t_49,
        int64_t i_offset_1,
        int64_t i_extent_1,
        int32_t *weft_flag) {
    double *u_4 = AT(double, u_4_memory, u_4_offset);
    double *v_4 = AT(double, v_4_memory, v_4_offset);
    /* line 15 */
    int64_t i_block_1 = (int64_t)blockIdx.x;
    int64_t i_thread_1 = (int64_t)threadIdx.x;
    int64_t position_1 = i_block_1 * 256 + i_thread_1 + i_offset_1;
    if (position_1 < i_extent_1) {
        int64_t i_3 = 1 + position_1;
        /* line 16 */
        if (UNLIKELY((uint64_t)i_3 >= (uint64_t)v_4_n0)) {
            *weft_flag = 1;
            return;
        }
        v_4[i_3] = 0.25 * u_4[i_3 - 1] + 0.5 * u_4[i_3] + 0.25 * u_4[i_3 + 1];
    }
}
