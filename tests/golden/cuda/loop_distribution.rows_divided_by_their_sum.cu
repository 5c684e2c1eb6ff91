#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(128) void rows_divided_by_their_sum_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_s0,
        int64_t a_dim0_1,
        int64_t a_dim1_1,
        int64_t i_offset,
        int64_t i_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *out_1 = AT(double, out_1_memory, out_1_offset);
    /* line 47 */
    int64_t i_block = (int64_t)blockIdx.x;
    int64_t i_origin = i_block + i_offset;
    __shared__ __align__(16) double partial[128];
    double s_6[1];
    double own[1];
    {
        int64_t i_thread = (int64_t)threadIdx.y;
        int64_t j_thread = (int64_t)threadIdx.x;
        own[0] = -0.0;
        int64_t round_stop = ((0 > a_dim1_1 ? 0 : a_dim1_1) + 127) / 128;
        for (int64_t round = 0; round < round_stop; round++) {
            int64_t t_22 = j_thread + round * 128;
            if (t_22 < a_dim1_1) {
                /* line 47 */
                own[0] = own[0] + AT(double, a_1, i_origin * a_1_s0)[t_22];
            }
        }
        partial[j_thread] = own[0];
    }
    __syncthreads();
    {
        int64_t i_thread_1 = (int64_t)threadIdx.y;
        int64_t j_thread_1 = (int64_t)threadIdx.x;
        double carried = 0.0;
        for (int64_t part_2 = 0; part_2 < 128; part_2++) {
            carried += partial[part_2];
        }
        s_6[0] = carried;
    }
    __syncthreads();
    {
        int64_t i_thread_2 = (int64_t)threadIdx.y;
        int64_t j_thread_2 = (int64_t)threadIdx.x;
        double t_27 = s_6[0];
        int64_t round_stop_2 = ((0 > a_dim1_1 ? 0 : a_dim1_1) + 127) / 128;
        for (int64_t round_1 = 0; round_1 < round_stop_2; round_1++) {
            int64_t t_32 = j_thread_2 + round_1 * 128;
            if (t_32 < a_dim1_1) {
                /* line 52 */
                AT(double, out_1, i_origin * out_1_s0)[t_32] = AT(double, a_1, i_origin * a_1_s0)[t_32] / t_27;
            }
        }
    }
    __syncthreads();
}
