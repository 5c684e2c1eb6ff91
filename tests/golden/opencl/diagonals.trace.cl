#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
#ifdef cl_khr_int64_base_atomics
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#endif
#ifdef cl_khr_int64_extended_atomics
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#endif
#pragma OPENCL FP_CONTRACT OFF

#define AT(type, pointer, bytes) ((__global type *)((__global char *)(pointer) + (bytes)))

typedef long int64_t;

#define HELPER static inline __attribute__((unused))

typedef ulong uint64_t;

HELPER int64_t python_floordiv(int64_t a, int64_t b) {
    if (b == -1) return (int64_t)(0 - (uint64_t)a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void trace_0(__global char *a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        int64_t a_1_n1,
        int64_t a_1_s0,
        __global char *partials_1_memory,
        int64_t partials_1_offset,
        int64_t partials_1_n0,
        int64_t pieces_1,
        int64_t trip_1,
        int64_t piece_offset,
        int64_t piece_extent) {
    __global double *a_1 = AT(double, a_1_memory, a_1_offset);
    __global double *partials_1 = AT(double, partials_1_memory, partials_1_offset);
    /* line 30 */
    int64_t piece_block = (int64_t)get_group_id(0);
    int64_t piece_thread = (int64_t)get_local_id(0);
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
