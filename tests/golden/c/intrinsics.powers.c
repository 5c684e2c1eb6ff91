/* powers, intrinsics.py:68 */

static int32_t powers_i(const weft_runtime *runtime, weft_fault *fault, double *restrict x, double *restrict y,
                        double *restrict out, int64_t out_s0, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    int32_t over = weft_is_over(fault, begin);
    if (UNLIKELY(over)) {
        return over;
    }
    for (int64_t i = begin; i < end; i++) {
        /* line 70 */
        double t = x[i];
        double t_1 = y[i];
        out[i] = pow_float64(t, t_1);
        /* line 71 */
        double t_5 = python_pow_float64(t, 2.5);
        if (UNLIKELY(argument2_raises(t_5, t, 2.5))) {
            return weft_raise(fault, 1, i, 3, (weft_value[]){{.f = t}, {.f = 2.5}, {.i = i}});
        }
        AT(double, out, 1 * out_s0)[i] = t_5;
        /* line 72 */
        AT(double, out, 2 * out_s0)[i] = t * t * t;
    }
    return WEFT_OK;
}

static int32_t powers_i_ahead(const weft_runtime *runtime, weft_fault *fault, double *restrict x, int64_t begin,
                              int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_2 = begin; i_2 < end; i_2++) {
        /* line 70 */
        double t = x[i_2];
        /* line 71 */
        double t_5 = python_pow_float64(t, 2.5);
        if (UNLIKELY(argument2_raises(t_5, t, 2.5))) {
            return weft_raise(fault, 1, i_2, 3, (weft_value[]){{.f = t}, {.f = 2.5}, {.i = i_2}});
        }
    }
    return WEFT_OK;
}

struct powers_i {
    int32_t status;
    int64_t turn;
    const weft_runtime *runtime;
    weft_fault *fault;
    double *x;
    double *y;
    double *out;
    int64_t out_s0;
};

static int32_t powers_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct powers_i *c = context;
    (void)part;
    int32_t status = powers_i(c->runtime, c->fault, c->x, c->y, c->out, c->out_s0, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t powers_i_in_turn(void *context, int64_t begin, int64_t end, int64_t part) {
    struct powers_i *c = context;
    int32_t status = __atomic_load_n(&c->status, __ATOMIC_RELAXED);
    if (status) return status;
    weft_fault fault = {0};
    status = powers_i_ahead(c->runtime, &fault, c->x, begin, end);
    if (!c->runtime->await_turn(&c->turn, begin, &c->status)) return WEFT_INTERRUPTED;
    if (LIKELY(!status)) {
        __atomic_store_n(&c->turn, end, __ATOMIC_RELEASE);
    } else {
        __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
        if (status < 0) return status;
        end = fault.iteration + 1;
    }
    return powers_i_piece(context, begin, end, part);
}

static int32_t powers_body(const weft_runtime *runtime, weft_fault *fault, double *restrict x, int64_t x_n0,
                           double *restrict y, double *restrict out, int64_t out_s0) {
    /* line 69 */
    struct powers_i i_loop = {WEFT_OK, 0, runtime, fault, x, y, out, out_s0};
    double work = (double)x_n0 * 8.28;
    if (runtime->is_shared(work)) {
        runtime->in_order(powers_i_in_turn, &i_loop, 0, x_n0, 0, 8192, work);
    } else {
        runtime->parallel(powers_i_piece, &i_loop, 0, x_n0, 0, work);
    }
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_powers(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                     weft_fault *fault) {
    double *x = (double *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    double *y = (double *)arguments[1].view->data;
    int64_t y_n0 = arguments[1].view->shape[0];
    double *out = (double *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    int64_t out_n1 = arguments[2].view->shape[1];
    int64_t out_s0 = arguments[2].view->strides[0];
    /* line 68 */
    if (!((y_n0 >= x_n0) & ((out_n0 >= 3) | (0 >= x_n0)) & (out_n1 >= x_n0))) return WEFT_OTHER_VARIANT;
    int32_t status = powers_body(runtime, fault, x, x_n0, y, out, out_s0);
    return status > 0 ? fault->site : status;
}
