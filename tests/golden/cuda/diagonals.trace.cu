#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

extern "C" __global__ __launch_bounds__(256) void trace_0(const char *__restrict__ a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        char *__restrict__ partials_1_memory,
        int64_t partials_1_offset,
        int64_t partials_1_n0,
        int64_t pieces_1,
        int64_t chunk_1,
        int64_t a_dim0_1,
        int64_t piece_offset,
        int64_t piece_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *partials_1 = AT(double, partials_1_memory, partials_1_offset);
    /* line 30 */
    int64_t piece_block = (int64_t)blockIdx.x;
    int64_t piece_origin = piece_block * 8 + piece_offset;
    __shared__ __align__(16) double partial_1[256];
    double own[2];
    {
        int64_t i_thread = (int64_t)threadIdx.y;
        int64_t i_thread_1 = (int64_t)threadIdx.x;
        int64_t piece_3 = piece_origin + i_thread;
        if (piece_3 < piece_extent) {
            int64_t first_2 = 0 + piece_3 * chunk_1;
            int64_t end_2 = first_2 + chunk_1;
            int64_t stop_2 = a_dim0_1 < end_2 ? a_dim0_1 : end_2;
            own[0] = -0.0;
            own[1] = -0.0;
            int64_t t_8 = stop_2 - first_2;
            int64_t rounds = (0 > t_8 ? 0 : t_8) / 64;
            int64_t t_10 = first_2 + i_thread_1 * 2;
            for (int64_t round = 0; round < rounds; round++) {
                int64_t t_12 = t_10 + round * 64;
                int64_t i_2 = t_12 + 1;
                /* line 30 */
                double s_10 = own[1] + AT(double, a_1, i_2 * a_1_s0)[i_2];
                own[0] = own[0] + AT(double, a_1, t_12 * a_1_s0)[t_12];
                own[1] = s_10;
            }
            int64_t t_19 = first_2 + rounds * 64 + i_thread_1;
            for (int64_t rest = 0; rest < 2; rest++) {
                int64_t t_21 = t_19 + rest * 32;
                if (t_21 < stop_2) {
                    /* line 30 */
                    own[0] = own[0] + AT(double, a_1, t_21 * a_1_s0)[t_21];
                }
            }
            partial_1[i_thread * 32 + i_thread_1] = own[0] + own[1];
        }
    }
    __syncthreads();
    {
        int64_t i_thread_2 = (int64_t)threadIdx.y;
        int64_t i_thread_3 = (int64_t)threadIdx.x;
        int64_t piece_4 = piece_origin + i_thread_2;
        if (piece_4 < piece_extent) {
            if (i_thread_3 == 0) {
                double carried = -0.0;
#pragma unroll
                for (int64_t part_2 = 0; part_2 < 32; part_2++) {
                    carried = carried + partial_1[i_thread_2 * 32 + part_2];
                }
                partials_1[piece_4] = carried;
            }
        }
    }
    __syncthreads();
}
