/* cuBLASLt, and what a product of matrices is to it. Its matrices lie column after column. */
#include "vendor.h"
#include <dlfcn.h>
#include <stdlib.h>

static struct {
    int (*make_handle)(void **);
    size_t (*version)(void);
    int (*make_operation)(void **, int, int);
    int (*set_operation)(void *, int, const void *, size_t);
    int (*drop_operation)(void *);
    int (*make_layout)(void **, int, uint64_t, uint64_t, int64_t);
    int (*drop_layout)(void *);
    int (*make_wish)(void **);
    int (*set_wish)(void *, int, const void *, size_t);
    int (*drop_wish)(void *);
    int (*find)(void *, void *, void *, void *, void *, void *, void *, int, void *, int *);
    int (*check)(void *, void *, void *, void *, void *, void *, const void *, void *);
    int (*run)(void *, void *, const void *, const void *, void *, const void *, void *, const void *, const void *, void *,
               void *, void *, const void *, void *, size_t, void *);
} lt;

static const weft_symbol symbols[] = {
    {"cublasLtCreate", &lt.make_handle},
    {"cublasLtGetVersion", &lt.version},
    {"cublasLtMatmulDescCreate", &lt.make_operation},
    {"cublasLtMatmulDescSetAttribute", &lt.set_operation},
    {"cublasLtMatmulDescDestroy", &lt.drop_operation},
    {"cublasLtMatrixLayoutCreate", &lt.make_layout},
    {"cublasLtMatrixLayoutDestroy", &lt.drop_layout},
    {"cublasLtMatmulPreferenceCreate", &lt.make_wish},
    {"cublasLtMatmulPreferenceSetAttribute", &lt.set_wish},
    {"cublasLtMatmulPreferenceDestroy", &lt.drop_wish},
    {"cublasLtMatmulAlgoGetHeuristic", &lt.find},
    {"cublasLtMatmulAlgoCheck", &lt.check},
    {"cublasLtMatmul", &lt.run},
};

static int is_loaded;

size_t weft_vendor_load(const char *path) {
    void *library = is_loaded ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library) is_loaded = !weft_load_symbols(library, symbols, sizeof symbols / sizeof *symbols);
    return is_loaded ? lt.version() : 0;
}

/* Numbers of the library's interface. */
enum { FLOAT32 = 0, FLOAT64 = 1 };
enum { IN_FLOAT32 = 68, IN_FLOAT64 = 70, IN_TF32 = 77 };
enum { TURN_FIRST = 3, TURN_SECOND = 4 };
enum { WORKSPACE = 1, SPLIT_SUMS = 3, ALIGNMENT_OF_FIRST = 5, MATRICES = 4 };
enum { NO_SPLIT_SUMS = 0, ALL_SPLIT_SUMS = 7 };
enum { WIDEST = 16 };

/* A matrix column after column, of which the library is to take the transposed one where it is `turned`. */
typedef struct {
    int64_t rows, columns, between;
    uint64_t place;
    int turned;
} matrix;

/* The matrix with `inner` elements along one direction and `outer` along the other, of which the library wants the first
   direction down the columns; whether it can have that. */
static int describe(int64_t size, int64_t inner, int64_t inner_stride, int64_t outer, int64_t outer_stride, uint64_t place,
                    matrix *made) {
    made->turned = inner_stride != size;
    made->rows = made->turned ? outer : inner;
    made->columns = made->turned ? inner : outer;
    int64_t unit = made->turned ? outer_stride : inner_stride, stride = made->turned ? inner_stride : outer_stride;
    made->between = stride / size;
    made->place = place;
    return unit == size && stride % size == 0 && made->between >= made->rows;
}

/* What the library multiplies: first (m, k) times second (k, n) becomes the result (m, n), whose columns lie together. */
typedef struct {
    matrix first, second, result;
    int by_rows; /* the rows of the result lie together: its transposed one is computed, of the transposed factors */
} problem;

static int describe_all(const weft_product *p, problem *made) {
    const int64_t size = p->size, *extents = p->extents;
    const int by_rows = made->by_rows = p->strides[0][1] == size;
    const int inner = by_rows, outer = !by_rows, x = by_rows ? 2 : 1, y = by_rows ? 1 : 2;
    return describe(size, extents[inner], p->strides[x][inner], extents[2], p->strides[x][outer], p->places[x], &made->first) &&
           describe(size, extents[2], p->strides[y][inner], extents[outer], p->strides[y][outer], p->places[y],
                    &made->second) &&
           describe(size, extents[inner], p->strides[0][inner], extents[outer], p->strides[0][outer], p->places[0],
                    &made->result) &&
           !made->result.turned;
}

static int type_of(const weft_product *product) { return product->size == 8 ? FLOAT64 : FLOAT32; }

/* The library's own descriptions of a problem. */
typedef struct {
    void *operation, *first, *second, *result;
} descriptions;

static void drop(descriptions *made) {
    if (made->operation) lt.drop_operation(made->operation);
    if (made->first) lt.drop_layout(made->first);
    if (made->second) lt.drop_layout(made->second);
    if (made->result) lt.drop_layout(made->result);
    *made = (descriptions){NULL, NULL, NULL, NULL};
}

static int make_layout(void **made, int type, const matrix *of) {
    return lt.make_layout(made, type, (uint64_t)of->rows, (uint64_t)of->columns, of->between);
}

static int make(const weft_product *product, const problem *of, descriptions *made) {
    const int type = type_of(product);
    const int compute = type == FLOAT64 ? IN_FLOAT64 : product->freedom == WEFT_TF32 ? IN_TF32 : IN_FLOAT32;
    *made = (descriptions){NULL, NULL, NULL, NULL};
    int status = lt.make_operation(&made->operation, compute, type);
    if (!status) status = lt.set_operation(made->operation, TURN_FIRST, &of->first.turned, sizeof of->first.turned);
    if (!status) status = lt.set_operation(made->operation, TURN_SECOND, &of->second.turned, sizeof of->second.turned);
    if (!status) status = make_layout(&made->first, type, &of->first);
    if (!status) status = make_layout(&made->second, type, &of->second);
    if (!status) status = make_layout(&made->result, type, &of->result);
    if (status) drop(made);
    return status;
}

static uint32_t alignment_of(const weft_product *product, const problem *of) {
    const matrix *all[] = {&of->first, &of->second, &of->result};
    uint64_t bits = 0;
    for (int k = 0; k < 3; k++) bits |= all[k]->place | (uint64_t)(all[k]->between * product->size);
    return bits % WIDEST ? (uint32_t)product->size : WIDEST;
}

/* Where sums keep their order none are split, and no memory is needed. */
static int make_wish(const weft_product *product, const problem *of, void **made) {
    const uint64_t workspace = product->freedom == WEFT_EXACT ? 0 : WEFT_WORKSPACE;
    const uint32_t split = product->freedom == WEFT_EXACT ? NO_SPLIT_SUMS : ALL_SPLIT_SUMS;
    const uint32_t alignment = alignment_of(product, of);
    int status = lt.make_wish(made);
    if (!status) status = lt.set_wish(*made, WORKSPACE, &workspace, sizeof workspace);
    if (!status) status = lt.set_wish(*made, SPLIT_SUMS, &split, sizeof split);
    for (int k = 0; !status && k < MATRICES; k++)
        status = lt.set_wish(*made, ALIGNMENT_OF_FIRST + k, &alignment, sizeof alignment);
    return status;
}

/* cublasLtMatmulHeuristicResult_t of the library's interface. */
typedef struct {
    weft_algorithm algorithm;
    size_t workspace;
    int status;
    float waves;
    int reserved[4];
} proposal;

enum { MOST_PROPOSALS = 16 };

static int find(void *handle, const weft_product *product, const problem *of, proposal *found, int most, int *count) {
    descriptions made;
    void *wish = NULL;
    int status = make(product, of, &made);
    if (status) return status;
    status = make_wish(product, of, &wish);
    if (!status)
        status = lt.find(handle, made.operation, made.first, made.second, made.result, made.result, wish, most, found, count);
    if (wish) lt.drop_wish(wish);
    drop(&made);
    return status;
}

static int open_library(void **handle) {
    if (!is_loaded) return WEFT_NOT_OURS;
    return *handle ? 0 : lt.make_handle(handle);
}

int weft_vendor_algorithms(void **handle, const weft_product *product, weft_algorithm *found, int most, int *count) {
    proposal proposals[MOST_PROPOSALS];
    problem of;
    int given = 0;
    *count = 0;
    if (!describe_all(product, &of)) return 0;
    int status = open_library(handle);
    if (!status) status = find(*handle, product, &of, proposals, most < MOST_PROPOSALS ? most : MOST_PROPOSALS, &given);
    for (int k = 0; !status && k < given; k++)
        if (!proposals[k].status) found[(*count)++] = proposals[k].algorithm;
    return status;
}

/* A product that is computed again and again: only the addresses of its matrices change. */
typedef struct {
    descriptions described;
    weft_algorithm algorithm;
    size_t workspace;
    int wide, first, second; /* whether it is of float64, and which of the matrices the library takes for its first and second */
} prepared_product;

static prepared_product *new_product(const weft_product *product, const problem *of, const weft_algorithm *algorithm) {
    prepared_product *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    made->algorithm = *algorithm;
    made->wide = type_of(product) == FLOAT64;
    made->first = of->by_rows ? 2 : 1;
    made->second = of->by_rows ? 1 : 2;
    return made;
}

int weft_vendor_prepare(void **handle, const weft_product *product, const weft_algorithm *algorithm, void **prepared) {
    problem of;
    proposal checked;
    if (!describe_all(product, &of)) return WEFT_NOT_OURS;
    int status = open_library(handle);
    if (status) return status;
    prepared_product *made = new_product(product, &of, algorithm);
    if (!made) return WEFT_NOT_OURS;
    const descriptions *d = &made->described;
    status = make(product, &of, &made->described);
    if (!status)
        status = lt.check(*handle, d->operation, d->first, d->second, d->result, d->result, algorithm, &checked);
    if (!status && checked.workspace > WEFT_WORKSPACE) status = WEFT_NOT_OURS;
    if (status) {
        weft_vendor_forget(made);
        return status;
    }
    made->workspace = checked.workspace;
    *prepared = made;
    return 0;
}

size_t weft_vendor_needs(const void *prepared) { return ((const prepared_product *)prepared)->workspace; }

int weft_vendor_multiply(void *handle, void *prepared, const uint64_t places[3], uint64_t workspace, void *stream) {
    static const double one = 1, zero = 0;
    static const float short_one = 1, short_zero = 0;
    const prepared_product *p = prepared;
    const descriptions *d = &p->described;
    const void *alpha = p->wide ? (const void *)&one : &short_one, *beta = p->wide ? (const void *)&zero : &short_zero;
    void *first = (void *)(size_t)places[p->first], *second = (void *)(size_t)places[p->second];
    void *result = (void *)(size_t)places[0];
    return lt.run(handle, d->operation, alpha, first, d->first, second, d->second, beta, result, d->result, result, d->result,
                  &p->algorithm, (void *)(size_t)workspace, p->workspace, stream);
}

void weft_vendor_forget(void *prepared) {
    drop(&((prepared_product *)prepared)->described);
    free(prepared);
}
