/* Prices of European options; the loop is vectorised with the vector functions of the C library (at most 4 ulp). */
#include "pool.h"

#include <math.h>

#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
/* gcc vectorises these without -ffast-math only if told that vector versions exist; clang is told by -fveclib. */
double exp(double) __attribute__((simd("notinbranch")));
double log(double) __attribute__((simd("notinbranch")));
#endif

struct options {
    const double *price, *strike, *years;
    double *call, *put, riskfree, volatility;
};

static inline double normal_distribution(double d) {
    double k = 1.0 / (1.0 + 0.2316419 * fabs(d));
    double sum = k * (0.31938153 + k * (-0.356563782 + k * (1.781477937 + k * (-1.821255978 + k * 1.330274429))));
    double tail = 0.3989422804014327 * exp(-0.5 * d * d) * sum;
    return d > 0.0 ? 1.0 - tail : tail;
}

static void price_chunk(int64_t begin, int64_t end, void *context) {
    const struct options *o = context;
    const double *restrict price = o->price, *restrict strike = o->strike, *restrict years = o->years;
    double *restrict call = o->call, *restrict put = o->put;
    double r = o->riskfree, v = o->volatility;
    for (int64_t i = begin; i < end; i++) {
        double spread = v * sqrt(years[i]);
        double d1 = (log(price[i] / strike[i]) + (r + 0.5 * v * v) * years[i]) / spread;
        double d2 = d1 - spread;
        double discounted = strike[i] * exp(-r * years[i]);
        double n1 = normal_distribution(d1), n2 = normal_distribution(d2);
        call[i] = price[i] * n1 - discounted * n2;
        put[i] = discounted * (1.0 - n2) - price[i] * (1.0 - n1);
    }
}

void black_scholes(const double *price, const double *strike, const double *years, double riskfree, double volatility,
                   double *call, double *put, int64_t n) {
    KERNEL;
    parallel_for(n, 4096, price_chunk, &(struct options){price, strike, years, call, put, riskfree, volatility});
}
