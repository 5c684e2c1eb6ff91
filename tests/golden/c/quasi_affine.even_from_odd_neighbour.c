/* even_from_odd_neighbour, quasi_affine.py:42 */

static int32_t even_from_odd_neighbour_i(const weft_runtime *runtime, double *restrict a, int64x8 v_2, int64_t begin,
                                         int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    INDEPENDENT
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        /* line 43 */
        int64_t v_1 = 0 + i_1 * 8;
        int64x8 i = lanes_int64x8(v_1);
        /* line 44 */
        boolx8 mask_1 = lt_int64x8(i, v_2) & eq_int64x8(i & splat_int64x8(1L), splat_int64x8(0L));
        /* line 45 */
        int64_t v_3 = v_1 + 1;
        store_masked_float64x8(&a[v_1], load_masked_float64x8(&a[v_3], mask_1) * splat_float64x8(2.0), mask_1);
    }
    return WEFT_OK;
}

struct even_from_odd_neighbour_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64x8 v_2;
};

static int32_t even_from_odd_neighbour_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct even_from_odd_neighbour_i *c = context;
    (void)part;
    int32_t status = even_from_odd_neighbour_i(c->runtime, c->a, c->v_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t even_from_odd_neighbour_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0) {
    /* line 43 */
    int64_t t = a_n0 - 1;
    int64x8 v_2 = splat_int64x8(t);
    int64_t tiles = floordiv_by_positive_int64(t - 0 + 7, 8);
    struct even_from_odd_neighbour_i i_loop = {WEFT_OK, runtime, a, v_2};
    runtime->parallel(even_from_odd_neighbour_i_piece, &i_loop, 0, tiles, 0, (double)tiles * 1.44);
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_even_from_odd_neighbour(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                      weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int32_t status = even_from_odd_neighbour_body(runtime, a, a_n0);
    return status > 0 ? fault->site : status;
}
