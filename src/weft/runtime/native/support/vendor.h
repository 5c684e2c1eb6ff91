/* The vendor's library for products of matrices, cuBLASLt: loaded at run time, by the path that its package has. */
#ifndef WEFT_VENDOR_H
#define WEFT_VENDOR_H
#include "driver.h"

/* The version of the library at a path; 0 where it is not there, or lacks a function. */
size_t weft_vendor_load(const char *path);

/* Memory of the device that the library may use for a product while it computes it, where sums may be split. */
enum { WEFT_WORKSPACE = 1 << 25 };

/* As in `driver.h`, for the context that is current. `handle` is the library's, made when it is first needed. Some products
   need a workspace: `weft_vendor_needs` tells. */
int weft_vendor_algorithms(void **handle, const weft_product *product, weft_algorithm *found, int most, int *count);
int weft_vendor_prepare(void **handle, const weft_product *product, const weft_algorithm *algorithm, void **prepared);
size_t weft_vendor_needs(const void *prepared);
int weft_vendor_multiply(void *handle, void *prepared, const uint64_t places[3], uint64_t workspace, void *stream);
void weft_vendor_forget(void *prepared);
#endif
