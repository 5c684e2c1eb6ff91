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

typedef struct {
    float re, im;
} complex64;

typedef int int32_t;

typedef int32_t index_t;

typedef long int64_t;

#define HELPER static inline __attribute__((unused))

typedef uint uint32_t;

HELPER uint32_t bits_of_float32(float a) { return as_uint(a); }

HELPER float float32_of_bits(uint32_t bits) { return as_float(bits); }

/* a - b. gcc makes a fused operation of a sum and a difference that are stored side by side, also where contraction is
   off, unless it does not see the difference. */
#if defined(__GNUC__) && !defined(__clang__)
HELPER float difference_float32(float a, float b) { return a + float32_of_bits(bits_of_float32(b) ^ (uint32_t)1 << (32 - 1)); }
#else
HELPER float difference_float32(float a, float b) { return a - b; }
#endif

/* a.re * b.re - a.im * b.im, written as a sum of products: gcc 12 turns the difference beside the sum into one fused
   instruction (vfmaddsub), although it is told not to contract. */
HELPER complex64 mul_complex64(complex64 a, complex64 b) {
    return (complex64){difference_float32(a.re * b.re, a.im * b.im), a.re * b.im + a.im * b.re};
}

__kernel __attribute__((reqd_work_group_size(256, 1, 1))) void complex_products_0(const __global char *restrict z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0_given,
        const __global char *restrict w_1_memory,
        int64_t w_1_offset,
        int64_t w_1_n0_given,
        __global char *restrict out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t z_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    __global complex64 *z_1 = AT(complex64, z_1_memory, z_1_offset);
    index_t z_1_n0 = (index_t)z_1_n0_given;
    __global complex64 *w_1 = AT(complex64, w_1_memory, w_1_offset);
    index_t w_1_n0 = (index_t)w_1_n0_given;
    __global complex64 *out_1 = AT(complex64, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_block = (index_t)get_group_id(0);
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)get_local_id(0);
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 103 */
        out_1[i_2] = mul_complex64(z_1[i_2], w_1[i_2]);
    }
}
