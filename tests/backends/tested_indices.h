/* A narrow index whose every value is tested: what a kernel computes of such indices is one again. */
#include <cstdio>
#include <cstdlib>

struct index_t {
    int value;
    index_t() = default;
    template <typename T> explicit index_t(T given) : value((int)given) {
        if ((long long)given > MOST_INDEX || (long long)given < -(long long)MOST_INDEX) {
            fprintf(stderr, "an index of %lld where %d is the most\n", (long long)given, MOST_INDEX);
            abort();
        }
    }
    operator int() const { return value; }
    template <typename T> index_t &operator=(T given) { return *this = index_t(given); }
    index_t &operator=(const index_t &) = default;
    index_t(const index_t &) = default;
    void operator++(int) { *this = index_t(value + 1); }
    template <typename T> void operator+=(T more) { *this = index_t(*this + more); }
    template <typename T> void operator-=(T less) { *this = index_t(*this - less); }
    template <typename T> void operator*=(T times) { *this = index_t(*this * times); }
};

#define TESTED(op)                                                                                                       \
    inline index_t operator op(index_t a, index_t b) { return index_t((long long)a.value op (long long)b.value); }       \
    inline index_t operator op(index_t a, int b) { return index_t((long long)a.value op (long long)b); }                 \
    inline index_t operator op(int a, index_t b) { return index_t((long long)a op (long long)b.value); }                 \
    inline int64_t operator op(index_t a, int64_t b) { return (int64_t)a.value op b; }                                   \
    inline int64_t operator op(int64_t a, index_t b) { return a op (int64_t)b.value; }
TESTED(+)
TESTED(-)
TESTED(*)
TESTED(/)
TESTED(%)
#undef TESTED
