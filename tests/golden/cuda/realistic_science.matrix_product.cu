#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void matrix_product_0(char *a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        char *b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0,
        int64_t b_1_n1,
        int64_t b_1_s0,
        char *c_1_memory,
        int64_t c_1_offset,
        int64_t c_1_n0,
        int64_t c_1_n1,
        int64_t c_1_s0,
        int64_t a_dim0_1,
        int64_t b_dim1_1,
        int64_t a_dim1_1,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *b_1 = AT(double, b_1_memory, b_1_offset);
    double *c_1 = AT(double, c_1_memory, c_1_offset);
    /* line 128 */
    int64_t i_block = (int64_t)blockIdx.y;
    /* line 129 */
    int64_t j_block = (int64_t)blockIdx.x;
    /* line 128 */
    int64_t i_thread = (int64_t)threadIdx.y;
    /* line 129 */
    int64_t j_thread = (int64_t)threadIdx.x;
    /* line 128 */
    int64_t position_1 = i_block * 4 + i_thread + i_offset;
    if (position_1 < i_extent) {
        int64_t i_1 = 0 + position_1;
        /* line 129 */
        int64_t position = j_block * 64 + j_thread + j_offset;
        if (position < j_extent) {
            int64_t j_1 = 0 + position;
            /* line 131 */
            double s_4 = 0.0;
            for (int64_t k_1 = 0; k_1 < a_dim1_1; k_1++) {
                /* line 132 */
                s_4 = s_4 + AT(double, a_1, i_1 * a_1_s0)[k_1] * AT(double, b_1, k_1 * b_1_s0)[j_1];
            }
            /* line 133 */
            AT(double, c_1, i_1 * c_1_s0)[j_1] = s_4;
        }
    }
}
