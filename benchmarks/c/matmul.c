/* Matrix product in float32: see product.h. */
#define REAL float
#define FMA fmaf
#define PLAIN matmul
#define TILED matmul_tiled
#define VECTOR_256 __m256
#define VECTOR_512 __m512
#define VECTOR_FMA_256 _mm256_fmadd_ps
#define VECTOR_FMA_512 _mm512_fmadd_ps
#include "product.h"
