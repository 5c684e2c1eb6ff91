/* membership, search.py:152 */

static int32_t membership_i(const weft_runtime *runtime, int64_t *restrict x, int64_t *restrict members,
                            int64_t members_n0, uint8_t *restrict out, int64x8 v_2, int64_t begin, int64_t end) {
    volatile int *const stop = runtime->stop;
    if (UNLIKELY(*stop)) {
        return WEFT_INTERRUPTED;
    }
    for (int64_t i_1 = begin; i_1 < end; i_1++) {
        if (UNLIKELY(*stop)) {
            return WEFT_INTERRUPTED;
        }
        /* line 153 */
        int64_t v_1 = 0 + i_1 * 8;
        int64x8 i = lanes_int64x8(v_1);
        boolx8 mask = lt_int64x8(i, v_2);
        /* line 154 */
        store_masked_boolx8(&out[v_1], splat_boolx8(false), mask);
        /* line 155 */
        boolx8 active = mask;
        bool any = true;
        for (int64_t j = 0; j < members_n0; j++) {
            if (UNLIKELY(*stop)) {
                return WEFT_INTERRUPTED;
            }
            /* line 156 */
            boolx8 t_2 = eq_int64x8(gather_masked_int64x8(&members[0], splat_int64x8(j) * splat_int64x8(8), active), load_masked_int64x8(&x[v_1], active));
            /* line 157 */
            store_masked_boolx8(&out[v_1], splat_boolx8(true), active & t_2);
            /* line 156 */
            boolx8 mask_3 = active & select_boolx8(t_2, splat_boolx8(false), splat_boolx8(true));
            active = mask_3;
            any = any_boolx8(mask_3);
            if (!any) break;
        }
    }
    return WEFT_OK;
}

struct membership_i {
    int32_t status;
    const weft_runtime *runtime;
    int64_t *x;
    int64_t *members;
    int64_t members_n0;
    uint8_t *out;
    int64x8 v_2;
};

static int32_t membership_i_piece(void *context, int64_t begin, int64_t end, int64_t part) {
    struct membership_i *c = context;
    (void)part;
    int32_t status = membership_i(c->runtime, c->x, c->members, c->members_n0, c->out, c->v_2, begin, end);
    if (UNLIKELY(status)) __atomic_store_n(&c->status, status, __ATOMIC_RELAXED);
    return status;
}

static int32_t membership_body(const weft_runtime *runtime, int64_t *restrict x, int64_t x_n0,
                               int64_t *restrict members, int64_t members_n0, uint8_t *restrict out) {
    /* line 153 */
    int64x8 v_2 = splat_int64x8(x_n0);
    int64_t tiles = floordiv_by_positive_int64(x_n0 - 0 + 7, 8);
    struct membership_i i_loop = {WEFT_OK, runtime, x, members, members_n0, out, v_2};
    runtime->parallel(membership_i_piece, &i_loop, 0, tiles, 0, (double)tiles * (2.44 + (double)members_n0 * (2.4)));
    if (UNLIKELY(i_loop.status)) {
        return i_loop.status;
    }
    return WEFT_OK;
}

int32_t enter_membership(const weft_runtime *runtime, const weft_value *arguments, weft_value *results,
                         weft_fault *fault) {
    int64_t *x = (int64_t *)arguments[0].view->data;
    int64_t x_n0 = arguments[0].view->shape[0];
    int64_t *members = (int64_t *)arguments[1].view->data;
    int64_t members_n0 = arguments[1].view->shape[0];
    uint8_t *out = (uint8_t *)arguments[2].view->data;
    int64_t out_n0 = arguments[2].view->shape[0];
    /* line 152 */
    if (!(out_n0 >= x_n0)) return WEFT_OTHER_VARIANT;
    int32_t status = membership_body(runtime, x, x_n0, members, members_n0, out);
    return status > 0 ? fault->site : status;
}
