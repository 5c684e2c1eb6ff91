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

#define HELPER static inline __attribute__((unused))

typedef char int8_t;

typedef uchar uint8_t;

HELPER int8_t floordiv_signed_int8(int8_t a, int8_t b) {
    if (b == 0) return 0;
    if (b == -1) return (int8_t)(0 - (uint8_t)a);
    return (int8_t)(a / b - (a % b != 0 && (a < 0) != (b < 0)));
}

HELPER int8_t floordiv_int8(int8_t a, int8_t b) { return floordiv_signed_int8(a, b); }

typedef long int64_t;

HELPER int8_t mod_signed_int8(int8_t a, int8_t b) {
    if (b == 0 || b == -1) return 0;
    int8_t rest = (int8_t)(a % b);
    return (int8_t)(rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest);
}

HELPER int8_t mod_int8(int8_t a, int8_t b) { return mod_signed_int8(a, b); }

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void integers_divide_0(__global char *a_1_memory,
        int64_t a_1_offset,
        int64_t a_1_n0,
        __global char *b_1_memory,
        int64_t b_1_offset,
        int64_t b_1_n0,
        __global char *out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0,
        int64_t out_1_n1,
        int64_t out_1_s0,
        int64_t a_dim0_1,
        int64_t i_offset,
        int64_t i_extent) {
    __global int8_t *a_1 = AT(int8_t, a_1_memory, a_1_offset);
    __global int8_t *b_1 = AT(int8_t, b_1_memory, b_1_offset);
    __global int8_t *out_1 = AT(int8_t, out_1_memory, out_1_offset);
    /* line 51 */
    int64_t i_block = (int64_t)get_group_id(0);
    int64_t i_thread = (int64_t)get_local_id(0);
    int64_t position = i_block * 256 + i_thread + i_offset;
    if (position < i_extent) {
        int64_t i_1 = 0 + position;
        /* line 52 */
        int8_t t_18 = a_1[i_1];
        int8_t t_19 = b_1[i_1];
        out_1[i_1] = floordiv_int8(t_18, t_19);
        /* line 53 */
        AT(int8_t, out_1, 1 * out_1_s0)[i_1] = mod_int8(t_18, t_19);
        /* line 54 */
        AT(int8_t, out_1, 2 * out_1_s0)[i_1] = (int8_t)(floordiv_int8(t_18, 3) + mod_int8(t_18, 7));
    }
}
