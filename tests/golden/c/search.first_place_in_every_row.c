/* first_place_in_every_row, search.py:94 */

static int32_t first_place_in_every_row_i(const weft_runtime *runtime, double *restrict a, int64_t a_n1,
                                          int64_t a_s0, int64_t *restrict out, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i = begin; i < end; i++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 96 */
        bool alive_1 = true;
        for (int64_t j = 0; j < a_n1; j++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 97 */
            bool alive;
            if (AT(double, a, i * a_s0)[j] > 0.8) {
                /* line 98 */
                out[i] = j;
                alive = false;
            } else {
                alive = true;
            }
            alive_1 = alive;
            if (!alive_1) break;
        }
    }
    return WEFT_OK;
}

struct first_place_in_every_row_i {
    int32_t status;
    const weft_runtime *runtime;
    double *a;
    int64_t a_n1;
    int64_t a_s0;
    int64_t *out;
};

static int32_t first_place_in_every_row_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct first_place_in_every_row_i *c = context;
    (void)part;
    int32_t status = first_place_in_every_row_i(c->runtime, c->a, c->a_n1, c->a_s0, c->out, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t first_place_in_every_row_body(const weft_runtime *runtime, double *restrict a, int64_t a_n0,
                                             int64_t a_n1, int64_t a_s0, int64_t *restrict out) {
    /* line 95 */
    struct first_place_in_every_row_i i_loop = {WEFT_OK, runtime, a, a_n1, a_s0, out};
    runtime->parallel(first_place_in_every_row_i_piece, &i_loop, 0, a_n0, 0, (double)a_n0 * (2 + (double)a_n1 * (1.2)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_first_place_in_every_row(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                                       weft_fault *fault) {
    double *a = (double *)arguments[0].view->data;
    int64_t a_n0 = arguments[0].view->shape[0];
    int64_t a_n1 = arguments[0].view->shape[1];
    int64_t a_s0 = arguments[0].view->strides[0];
    int64_t *out = (int64_t *)arguments[1].view->data;
    int64_t out_n0 = arguments[1].view->shape[0];
    /* line 94 */
    if (!((out_n0 >= a_n0) | (0 >= a_n1))) return WEFT_OTHER_VARIANT;
    int32_t status = first_place_in_every_row_body(runtime, a, a_n0, a_n1, a_s0, out);
    return status > 0 ? fault->site : status;
}
