#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

typedef unsigned long long uint64_t;

HELPER int64_t python_floordiv(int64_t a, int64_t b) {
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

extern "C" __global__ __launch_bounds__(256) void trace_0(char *a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        char *partials_1_memory,
        int64_t partials_1_offset,
        int64_t partials_1_n0,
        int64_t pieces_1,
        int64_t trip_1,
        int64_t piece_offset,
        int64_t piece_extent) {
    double *a_1 = AT(double, a_1_memory, a_1_offset);
    double *partials_1 = AT(double, partials_1_memory, partials_1_offset);
    /* line 30 */
    int64_t piece_block = (int64_t)blockIdx.x;
    int64_t piece_thread = (int64_t)threadIdx.x;
    int64_t position = piece_block * 256 + piece_thread + piece_offset;
    if (position < piece_extent) {
        int64_t piece_2 = 0 + position;
        int64_t i_stop = 0 + python_floordiv(trip_1 * (piece_2 + 1), pieces_1);
        double s_7 = -0.0;
        for (int64_t i_1 = 0 + python_floordiv(trip_1 * piece_2, pieces_1); i_1 < i_stop; i_1++) {
            /* line 31 */
            s_7 = s_7 + AT(double, a_1, i_1 * a_1_s0)[i_1];
        }
        /* line 30 */
        partials_1[piece_2] = s_7;
    }
}
