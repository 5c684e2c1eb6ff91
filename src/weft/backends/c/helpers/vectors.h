HELPER @ splat_@(TYPE a) { return a - (@){0}; }

HELPER @ lanes_@(int64_t start) { return (@){COUNT} + (TYPE)start; }

/* A comparison's elements are as wide as what was compared. */
HELPER MASK mask_of_@(INTEGERS comparison) { return __builtin_convertvector(comparison, MASK); }

HELPER MASK lt_@(@ a, @ b) { return mask_of_@(a < b); }

HELPER MASK le_@(@ a, @ b) { return mask_of_@(a <= b); }

HELPER MASK gt_@(@ a, @ b) { return mask_of_@(a > b); }

HELPER MASK ge_@(@ a, @ b) { return mask_of_@(a >= b); }

HELPER MASK eq_@(@ a, @ b) { return mask_of_@(a == b); }

HELPER MASK ne_@(@ a, @ b) { return mask_of_@(a != b); }

/* gcc moves the outcome of its own comparisons from one mask register to another before it makes a vector of it. */
#if defined(__AVX512DQ__) && !defined(__clang__)
#define COMPARED(a, b, how) (boolx8)__builtin_ia32_cvtmask2q512(__builtin_ia32_cmppd512_mask(a, b, how, -1, 4))
HELPER boolx8 lt_float64x8(float64x8 a, float64x8 b) { return COMPARED(a, b, 1); }
HELPER boolx8 le_float64x8(float64x8 a, float64x8 b) { return COMPARED(a, b, 2); }
HELPER boolx8 gt_float64x8(float64x8 a, float64x8 b) { return COMPARED(a, b, 14); }
HELPER boolx8 ge_float64x8(float64x8 a, float64x8 b) { return COMPARED(a, b, 13); }
HELPER boolx8 eq_float64x8(float64x8 a, float64x8 b) { return COMPARED(a, b, 0); }
HELPER boolx8 ne_float64x8(float64x8 a, float64x8 b) { return COMPARED(a, b, 4); }
#else
HELPER boolx8 lt_float64x8(float64x8 a, float64x8 b) { return mask_of_float64x8(a < b); }
HELPER boolx8 le_float64x8(float64x8 a, float64x8 b) { return mask_of_float64x8(a <= b); }
HELPER boolx8 gt_float64x8(float64x8 a, float64x8 b) { return mask_of_float64x8(a > b); }
HELPER boolx8 ge_float64x8(float64x8 a, float64x8 b) { return mask_of_float64x8(a >= b); }
HELPER boolx8 eq_float64x8(float64x8 a, float64x8 b) { return mask_of_float64x8(a == b); }
HELPER boolx8 ne_float64x8(float64x8 a, float64x8 b) { return mask_of_float64x8(a != b); }
#endif

HELPER @ select_@(MASK mask, @ a, @ b) {
    INTEGERS narrow = __builtin_convertvector(mask, INTEGERS);
    return (@)((narrow & (INTEGERS)a) | (~narrow & (INTEGERS)b));
}

HELPER @ load_@(const TYPE *from) { return *(const @_at *)from; }

HELPER void store_@(TYPE *to, @ a) { *(@_at *)to = a; }

HELPER @ load_masked_@(const TYPE *from, MASK mask) { return load_in_turn_@(from, mask); }

HELPER @ load_in_turn_@(const TYPE *from, MASK mask) {
    if (LIKELY(all_boolxLANES(mask))) return load_@(from);
    @ a = {0};
    for (int k = 0; k < LANES; k++)
        if (mask[k]) a[k] = from[k];
    return a;
}

HELPER void store_masked_@(TYPE *to, @ a, MASK mask) { store_in_turn_@(to, a, mask); }

HELPER void store_in_turn_@(TYPE *to, @ a, MASK mask) {
    if (LIKELY(all_boolxLANES(mask))) {
        store_@(to, a);
        return;
    }
    for (int k = 0; k < LANES; k++)
        if (mask[k]) to[k] = a[k];
}

HELPER @ gather_@(const TYPE *at, int64xLANES offsets) {
    @ a;
    for (int k = 0; k < LANES; k++) a[k] = *AT(const TYPE, at, offsets[k]);
    return a;
}

HELPER @ gather_masked_@(const TYPE *at, int64xLANES offsets, MASK mask) { return gather_in_turn_@(at, offsets, mask); }

HELPER @ gather_in_turn_@(const TYPE *at, int64xLANES offsets, MASK mask) {
    @ a = {0};
    for (int k = 0; k < LANES; k++)
        if (mask[k]) a[k] = *AT(const TYPE, at, offsets[k]);
    return a;
}

/* Elements at equal distances. */
HELPER @ strided_@(const TYPE *at, int64_t start, int64_t stride) {
    @ a;
    for (int k = 0; k < LANES; k++) a[k] = *AT(const TYPE, at, (start + k) * stride);
    return a;
}

HELPER @ strided_masked_@(const TYPE *at, int64_t start, int64_t stride, MASK mask) {
    if (LIKELY(all_boolxLANES(mask))) return strided_@(at, start, stride);
    @ a = {0};
    for (int k = 0; k < LANES; k++)
        if (mask[k]) a[k] = *AT(const TYPE, at, (start + k) * stride);
    return a;
}

HELPER void scatter_@(TYPE *at, int64xLANES offsets, @ a) {
    for (int k = 0; k < LANES; k++) *AT(TYPE, at, offsets[k]) = a[k];
}

HELPER void scatter_masked_@(TYPE *at, int64xLANES offsets, @ a, MASK mask) {
    for (int k = 0; k < LANES; k++)
        if (mask[k]) *AT(TYPE, at, offsets[k]) = a[k];
}

#if defined(__AVX512F__) && !defined(__clang__)
HELPER bool any_boolx8(boolx8 mask) { return __builtin_ia32_ptestmq512((long long __attribute__((vector_size(64))))mask, (long long __attribute__((vector_size(64))))mask, -1) != 0; }
#elif defined(__AVX2__) && !defined(__clang__)
HELPER bool any_boolx8(boolx8 mask) {
    typedef long long half __attribute__((vector_size(32)));
    half *halves = (half *)&mask, both = halves[0] | halves[1];
    return !__builtin_ia32_ptestz256(both, both);
}
#else
HELPER bool any_boolx8(boolx8 mask) {
    int64_t some = 0;
    for (int k = 0; k < 8; k++) some |= mask[k];
    return some != 0;
}
#endif

/* AMD's processors take a gather apart: eight loads are two to three times as fast there. */
#if defined(__znver1__) || defined(__znver2__) || defined(__znver3__) || defined(__znver4__) || defined(__znver5__)
#define TAKES_GATHERS_APART 1
#else
#define TAKES_GATHERS_APART 0
#endif

/* Whether eight elements are read at once, of which a mask says which are wanted. */
#if defined(__AVX512DQ__) && defined(__AVX512VL__) && !defined(__clang__) && !TAKES_GATHERS_APART
#define HAS_GATHERS 1
#else
#define HAS_GATHERS 0
#endif

#if HAS_GATHERS
HELPER uint8_t lanes_on(int64_t left) { return left >= 8 ? 255 : (uint8_t)((1u << left) - 1); }
#endif

/* Elements that lie one after the other; those that are not wanted are 0, and their memory is not touched. */
#if HAS_GATHERS
typedef long long wide_integers __attribute__((vector_size(64)));
HELPER float64x8 some_float64x8(const double *from, uint8_t on) {
    return __builtin_ia32_loadupd512_mask(from, (float64x8){0}, on);
}
HELPER float32x8 some_float32x8(const float *from, uint8_t on) {
    return __builtin_ia32_loadups256_mask(from, (float32x8){0}, on);
}
HELPER int64x8 some_int64x8(const int64_t *from, uint8_t on) {
    return (int64x8)__builtin_ia32_loaddqudi512_mask((const long long *)from, (wide_integers){0}, on);
}
HELPER int32x8 some_int32x8(const int32_t *from, uint8_t on) {
    return __builtin_ia32_loaddqusi256_mask(from, (int32x8){0}, on);
}
#endif

/* A mask in a mask register. */
#if HAS_GATHERS
#define ON(mask) (uint8_t)__builtin_ia32_cvtq2mask512((wide_integers)(mask))
#endif

HELPER @ load_masked_of_8_times_64_@(const TYPE *from, MASK mask) {
#if HAS_GATHERS
    return (@)some_int64x8((const int64_t *)from, ON(mask));
#else
    return load_in_turn_@(from, mask);
#endif
}

HELPER @ load_masked_of_8_times_32_@(const TYPE *from, MASK mask) {
#if HAS_GATHERS
    return (@)some_int32x8((const int32_t *)from, ON(mask));
#else
    return load_in_turn_@(from, mask);
#endif
}

HELPER void store_masked_of_8_times_64_@(TYPE *to, @ a, MASK mask) {
#if HAS_GATHERS
    if (LIKELY(all_boolxLANES(mask)))
        store_@(to, a);
    else
        __builtin_ia32_storedqudi512_mask((long long *)to, (wide_integers)a, ON(mask));
#else
    store_in_turn_@(to, a, mask);
#endif
}

HELPER void store_masked_of_8_times_32_@(TYPE *to, @ a, MASK mask) {
#if HAS_GATHERS
    if (LIKELY(all_boolxLANES(mask)))
        store_@(to, a);
    else
        __builtin_ia32_storedqusi256_mask((int *)to, (int32x8)a, ON(mask));
#else
    store_in_turn_@(to, a, mask);
#endif
}

/* Registers of four: AVX2 reads, writes and gathers under masks that are as wide as the elements. */
#if defined(__AVX2__) && !defined(__clang__)
#define HAS_MASKED_FOUR 1
#else
#define HAS_MASKED_FOUR 0
#endif

typedef long long four_wide_integers __attribute__((vector_size(32)));

typedef int four_integers __attribute__((vector_size(16)));

#define NARROW_MASK(mask) __builtin_convertvector(mask, four_integers)

HELPER bool any_boolx4(boolx4 mask) {
#if HAS_MASKED_FOUR
    return !__builtin_ia32_ptestz256((four_wide_integers)mask, (four_wide_integers)mask);
#else
    return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

HELPER @ select_of_4_times_64_@(MASK mask, @ a, @ b) {
#if HAS_MASKED_FOUR
    return (@)__builtin_ia32_blendvpd256((float64x4)b, (float64x4)a, (float64x4)mask);
#else
    return (@)((mask & (INTEGERS)a) | (~mask & (INTEGERS)b));
#endif
}

HELPER @ load_masked_of_4_times_64_@(const TYPE *from, MASK mask) {
#if HAS_MASKED_FOUR
    return (@)__builtin_ia32_maskloadq256((const four_wide_integers *)from, (four_wide_integers)mask);
#else
    return load_in_turn_@(from, mask);
#endif
}

HELPER @ load_masked_of_4_times_32_@(const TYPE *from, MASK mask) {
#if HAS_MASKED_FOUR
    return (@)__builtin_ia32_maskloadd((const four_integers *)from, NARROW_MASK(mask));
#else
    return load_in_turn_@(from, mask);
#endif
}

HELPER void store_masked_of_4_times_64_@(TYPE *to, @ a, MASK mask) {
#if HAS_MASKED_FOUR
    if (LIKELY(all_boolxLANES(mask)))
        store_@(to, a);
    else if (any_boolxLANES(mask))
        __builtin_ia32_maskstoreq256((four_wide_integers *)to, (four_wide_integers)mask, (four_wide_integers)a);
#else
    store_in_turn_@(to, a, mask);
#endif
}

HELPER void store_masked_of_4_times_32_@(TYPE *to, @ a, MASK mask) {
#if HAS_MASKED_FOUR
    if (LIKELY(all_boolxLANES(mask)))
        store_@(to, a);
    else if (any_boolxLANES(mask))
        __builtin_ia32_maskstored((four_integers *)to, NARROW_MASK(mask), (four_integers)a);
#else
    store_in_turn_@(to, a, mask);
#endif
}

HELPER @ gather_masked_of_4_times_64_@(const TYPE *at, int64x4 offsets, MASK mask) {
#if HAS_MASKED_FOUR
    if (LIKELY(all_boolxLANES(mask))) return gather_@(at, offsets);
    return (@)__builtin_ia32_gatherdiv4di((four_wide_integers){0}, (const void *)at, (four_wide_integers)offsets,
            (four_wide_integers)mask, 1);
#else
    return gather_in_turn_@(at, offsets, mask);
#endif
}

HELPER @ gather_masked_of_4_times_32_@(const TYPE *at, int64x4 offsets, MASK mask) {
#if HAS_MASKED_FOUR
    if (LIKELY(all_boolxLANES(mask))) return gather_@(at, offsets);
    return (@)__builtin_ia32_gatherdiv4si256((four_integers){0}, (const void *)at, (four_wide_integers)offsets,
            NARROW_MASK(mask), 1);
#else
    return gather_in_turn_@(at, offsets, mask);
#endif
}

HELPER @ gather_masked_of_8_times_64_@(const TYPE *at, int64x8 offsets, MASK mask) {
#if HAS_GATHERS
    return (@)__builtin_ia32_gatherdiv8di((wide_integers){0}, (void *)at, (wide_integers)offsets, ON(mask), 1);
#else
    return gather_in_turn_@(at, offsets, mask);
#endif
}

HELPER @ gather_masked_of_8_times_32_@(const TYPE *at, int64x8 offsets, MASK mask) {
#if HAS_GATHERS
    return (@)__builtin_ia32_gatherdiv16si((int32x8){0}, (void *)at, (wide_integers)offsets, ON(mask), 1);
#else
    return gather_in_turn_@(at, offsets, mask);
#endif
}

/* The same of elements anywhere in an array, by their indices. */
#if HAS_GATHERS
HELPER float64x8 gather_some_float64x8(const double *from, int64x8 indices, uint8_t on) {
    return __builtin_ia32_gatherdiv8df((float64x8){0}, from, (wide_integers)indices, on, 8);
}
HELPER float32x8 gather_some_float32x8(const float *from, int64x8 indices, uint8_t on) {
    return __builtin_ia32_gatherdiv16sf((float32x8){0}, from, (wide_integers)indices, on, 4);
}
#endif

/* Which indices are inside an axis: negative ones, as unsigned ones, are not. */
#if HAS_GATHERS
HELPER uint8_t inside_int64x8(int64x8 indices, int64_t extent) {
    return __builtin_ia32_ucmpq512_mask((wide_integers)indices, (wide_integers)splat_int64x8(extent), 1, -1);
}
#endif

/* `then` in the lanes that are on, `orelse` in the others. */
#if HAS_GATHERS
HELPER float64x8 blend_float64x8(uint8_t on, float64x8 then, float64x8 orelse) {
    return __builtin_ia32_blendmpd_512_mask(orelse, then, on);
}
HELPER float32x8 blend_float32x8(uint8_t on, float32x8 then, float32x8 orelse) {
    return __builtin_ia32_blendmps_256_mask(orelse, then, on);
}
#endif

/* All lanes added, each with the one four further on, then two, then one. */
HELPER double sum_float64x8(float64x8 a) {
    a += SHUFFLE(int64x8, a, a, 4, 5, 6, 7, 4, 5, 6, 7);
    a += SHUFFLE(int64x8, a, a, 2, 3, 2, 3, 2, 3, 2, 3);
    return a[0] + a[1];
}

HELPER float sum_float32x8(float32x8 a) {
    a += SHUFFLE(int32x8, a, a, 4, 5, 6, 7, 4, 5, 6, 7);
    a += SHUFFLE(int32x8, a, a, 2, 3, 2, 3, 2, 3, 2, 3);
    return a[0] + a[1];
}
