#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void stencil_in_three_dimensions_0(char *a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_n2,
        int64_t a_1_s0,
        int64_t a_1_s1,
        char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_n2,
        int64_t out_1_s0,
        int64_t out_1_s1,
        int64_t t_63,
        int64_t t_64,
        int64_t t_65,
        int64_t i_offset,
        int64_t i_extent,
        int64_t j_offset,
        int64_t j_extent,
        int64_t k_offset,
        int64_t k_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 82 */
    int64_t i_block = (int64_t)blockIdx.z;
    /* line 83 */
    int64_t j_block = (int64_t)blockIdx.y;
    /* line 84 */
    int64_t k_block = (int64_t)blockIdx.x;
    /* line 82 */
    int64_t i_thread = (int64_t)threadIdx.z;
    /* line 83 */
    int64_t j_thread = (int64_t)threadIdx.y;
    /* line 84 */
    int64_t k_thread = (int64_t)threadIdx.x;
    /* line 82 */
    int64_t position_2 = i_block * 2 + i_thread + i_offset;
    if (position_2 < i_extent) {
        int64_t i_1 = 1 + position_2;
        /* line 85 */
        int64_t t_46 = i_1 - 1;
        int64_t t_47 = i_1 + 1;
        /* line 83 */
        int64_t position_1 = j_block * 2 + j_thread + j_offset;
        if (position_1 < j_extent) {
            int64_t j_1 = 1 + position_1;
            /* line 85 */
            int64_t t_48 = j_1 - 1;
            int64_t t_49 = j_1 + 1;
            /* line 84 */
            int64_t position = k_block * 64 + k_thread + k_offset;
            if (position < k_extent) {
                int64_t k_1 = 1 + position;
                /* line 85 */
                double t_52 = AT(double, a_1, t_46 * a_1_s0 + j_1 * a_1_s1)[k_1] + AT(double, a_1, t_47 * a_1_s0 + j_1 * a_1_s1)[k_1];
                double sides_1 = t_52 + AT(double, a_1, i_1 * a_1_s0 + t_48 * a_1_s1)[k_1] + AT(double, a_1, i_1 * a_1_s0 + t_49 * a_1_s1)[k_1];
                /* line 86 */
                double t_61 = sides_1 + AT(double, a_1, i_1 * a_1_s0 + j_1 * a_1_s1)[k_1 - 1] + AT(double, a_1, i_1 * a_1_s0 + j_1 * a_1_s1)[k_1 + 1];
                AT(double, out_1, i_1 * out_1_s0 + j_1 * out_1_s1)[k_1] = t_61 / 6.0;
            }
        }
    }
}
