#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

#define UNLIKELY(condition) (condition)

typedef int int32_t;

typedef long long int64_t;

typedef unsigned long long uint64_t;

extern "C" __global__ __launch_bounds__(256) void jacobi_1(char *u_3_memory,
        int64_t u_3_offset,
        int64_t u_3_n0,
        int64_t u_3_n1,
        int64_t u_3_s0,
        char *v_3_memory,
        int64_t v_3_offset,
        int64_t v_3_n0,
        int64_t v_3_n1,
        int64_t v_3_s0,
        int64_t t_30,
        int64_t t_31,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent,
        int32_t *weft_flag) {
    double *u_3 = AT(double, u_3_memory, u_3_offset);
    double *v_3 = AT(double, v_3_memory, v_3_offset);
    /* line 19 */
    int64_t i_block = (int64_t)blockIdx.y;
    /* line 20 */
    int64_t j_block = (int64_t)blockIdx.x;
    /* line 19 */
    int64_t i_thread = (int64_t)threadIdx.y;
    /* line 20 */
    int64_t j_thread = (int64_t)threadIdx.x;
    /* line 19 */
    int64_t position_1 = i_block * 4 + i_thread + i_offset;
    if (position_1 < i_extent) {
        int64_t i_1 = 1 + position_1;
        /* line 21 */
        int64_t t_18 = i_1 - 1;
        int64_t t_19 = i_1 + 1;
        /* line 20 */
        int64_t position = j_block * 64 + j_thread + j_offset;
        if (position < j_extent) {
            int64_t j_1 = 1 + position;
            /* line 21 */
            double t_25 = AT(double, u_3, t_18 * u_3_s0)[j_1] + AT(double, u_3, t_19 * u_3_s0)[j_1] + AT(double, u_3, i_1 * u_3_s0)[j_1 - 1];
            if (UNLIKELY((uint64_t)i_1 >= (uint64_t)v_3_n0)) {
                *weft_flag = 1;
                return;
            }
            if (UNLIKELY((uint64_t)j_1 >= (uint64_t)v_3_n1)) {
                *weft_flag = 1;
                return;
            }
            AT(double, v_3, i_1 * v_3_s0)[j_1] = 0.25 * (t_25 + AT(double, u_3, i_1 * u_3_s0)[j_1 + 1]);
        }
    }
}
