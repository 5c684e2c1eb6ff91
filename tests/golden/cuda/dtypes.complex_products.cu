#define AT(type, pointer, bytes) ((type *)((char *)(pointer) + (bytes)))

typedef struct {
    float re, im;
} complex64;

typedef int int32_t;

typedef int32_t index_t;

typedef long long int64_t;

#define HELPER static __device__ __forceinline__

typedef unsigned int uint32_t;

HELPER uint32_t bits_of_float32(float a) { return (uint32_t)__float_as_int(a); }

HELPER float float32_of_bits(uint32_t bits) { return __int_as_float((int32_t)bits); }

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
    return complex64{difference_float32(a.re * b.re, a.im * b.im), a.re * b.im + a.im * b.re};
}

extern "C" __global__ __launch_bounds__(256) void complex_products_0(const char *__restrict__ z_1_memory,
        int64_t z_1_offset,
        int64_t z_1_n0_given,
        const char *__restrict__ w_1_memory,
        int64_t w_1_offset,
        int64_t w_1_n0_given,
        char *__restrict__ out_1_memory,
        int64_t out_1_offset,
        int64_t out_1_n0_given,
        int64_t z_dim0_1,
        int64_t i_offset_given,
        int64_t i_extent_given) {
    complex64 *z_1 = AT(complex64, z_1_memory, z_1_offset);
    index_t z_1_n0 = (index_t)z_1_n0_given;
    complex64 *w_1 = AT(complex64, w_1_memory, w_1_offset);
    index_t w_1_n0 = (index_t)w_1_n0_given;
    complex64 *out_1 = AT(complex64, out_1_memory, out_1_offset);
    index_t out_1_n0 = (index_t)out_1_n0_given;
    index_t i_offset = (index_t)i_offset_given;
    index_t i_extent = (index_t)i_extent_given;
    /* line 102 */
    index_t i_block = (index_t)blockIdx.x;
    index_t i_origin = i_block * 256 + i_offset;
    index_t i_thread = (index_t)threadIdx.x;
    index_t i_2 = i_origin + i_thread;
    if (i_2 < i_extent) {
        /* line 103 */
        out_1[i_2] = mul_complex64(z_1[i_2], w_1[i_2]);
    }
}
