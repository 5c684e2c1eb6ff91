/* Matrix product in float64: see product.h. */
#define REAL double
#define FMA fma
#define PLAIN matmul_double
#define TILED matmul_double_tiled
#define VECTOR_256 __m256d
#define VECTOR_512 __m512d
#define VECTOR_FMA_256 _mm256_fmadd_pd
#define VECTOR_FMA_512 _mm512_fmadd_pd
#include "product.h"
