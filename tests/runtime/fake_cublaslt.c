/* cuBLASLt without a GPU: the memory of `fake_cuda.c` is the host's. Its first way to multiply adds from the last product to
   the first one, its second way in the order of the source. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { BACKWARDS, IN_ORDER, WAYS };

static int products, refuses;
int fake_products(void) { return products; }
void fake_refuses(int on) { refuses = on; }

typedef struct {
    int compute, type, turn_first, turn_second;
} operation;

typedef struct {
    int type;
    uint64_t rows, columns;
    int64_t between;
} layout;

typedef struct {
    uint64_t way[8];
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
} proposal;

typedef struct {
    uint32_t split;
} wish;

size_t cublasLtGetVersion(void) { return 130200; }
int cublasLtCreate(void **made) { return (*made = &products) ? 0 : 1; }
int cublasLtMatmulDescCreate(void **made, int compute, int type) {
    operation *op = *made = calloc(1, sizeof *op);
    op->compute = compute;
    op->type = type;
    return 0;
}
int cublasLtMatmulDescSetAttribute(operation *op, int which, const int *value, size_t size) {
    if (size != sizeof *value || (which != 3 && which != 4)) return 1;
    *(which == 3 ? &op->turn_first : &op->turn_second) = *value;
    return 0;
}
int cublasLtMatmulDescDestroy(void *op) { free(op); return 0; }
int cublasLtMatrixLayoutCreate(void **made, int type, uint64_t rows, uint64_t columns, int64_t between) {
    layout *of = *made = calloc(1, sizeof *of);
    *of = (layout){type, rows, columns, between};
    return between < (int64_t)rows;
}
int cublasLtMatrixLayoutDestroy(void *of) { free(of); return 0; }
int cublasLtMatmulPreferenceCreate(void **made) { return (*made = calloc(1, sizeof(wish))) ? 0 : 1; }
int cublasLtMatmulPreferenceSetAttribute(wish *of, int which, const void *value, size_t size) {
    if (which == 3) memcpy(&of->split, value, size);
    return 0;
}
int cublasLtMatmulPreferenceDestroy(void *of) { free(of); return 0; }

int cublasLtMatmulAlgoGetHeuristic(void *handle, operation *op, layout *a, layout *b, layout *c, layout *d, wish *of, int most,
                                   proposal *found, int *count) {
    *count = most < WAYS ? most : WAYS;
    memset(found, 0, sizeof *found * (size_t)*count);
    for (int k = 0; k < *count; k++) found[k].way[0] = (uint64_t)k;
    return 0;
}
int cublasLtMatmulAlgoCheck(void *handle, operation *op, layout *a, layout *b, layout *c, layout *d, const uint64_t *way,
                            proposal *checked) {
    memset(checked, 0, sizeof *checked);
    return refuses;
}

static double element(const void *memory, int type, const layout *of, int turned, uint64_t row, uint64_t column) {
    const uint64_t place = turned ? column + row * (uint64_t)of->between : row + column * (uint64_t)of->between;
    return type ? ((const double *)memory)[place] : (double)((const float *)memory)[place];
}

int cublasLtMatmul(void *handle, operation *op, const void *alpha, const void *a, layout *la, const void *b, layout *lb,
                   const void *beta, const void *c, layout *lc, void *d, layout *ld, const uint64_t *way, void *workspace,
                   size_t bytes, void *stream) {
    const uint64_t depth = op->turn_first ? la->rows : la->columns;
    products++;
    for (uint64_t row = 0; row < ld->rows; row++)
        for (uint64_t column = 0; column < ld->columns; column++) {
            double sum = 0;
            for (uint64_t k = 0; k < depth; k++) {
                const uint64_t at = way[0] == BACKWARDS ? depth - 1 - k : k;
                const double x = element(a, op->type, la, op->turn_first, row, at);
                const double y = element(b, op->type, lb, op->turn_second, at, column);
                sum = op->type ? fma(x, y, sum) : fmaf((float)x, (float)y, (float)sum);
            }
            const uint64_t place = row + column * (uint64_t)ld->between;
            if (op->type) ((double *)d)[place] = sum;
            else ((float *)d)[place] = (float)sum;
        }
    return 0;
}
