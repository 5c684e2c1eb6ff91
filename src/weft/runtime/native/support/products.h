/* Products of matrices that the vendor's library may compute: which way was chosen for which of them. */
#ifndef WEFT_PRODUCTS_H
#define WEFT_PRODUCTS_H
#include "driver.h"
#include <pthread.h>

enum { WEFT_KNOWN_PRODUCTS = 64 };

typedef enum { WEFT_UNDECIDED, WEFT_OWN_WAY, WEFT_BY_LIBRARY } weft_way;

/* A product, of whose addresses only the alignment counts, and how it is computed. */
typedef struct {
    weft_product product;
    weft_way way;
    void *prepared;
} weft_chosen_product;

/* The latest choices of a device. */
typedef struct {
    pthread_mutex_t lock;
    weft_chosen_product chosen[WEFT_KNOWN_PRODUCTS];
    int next;
} weft_products;

/* Asked once for every product that a process computes anew; NULL: all are computed in their own way. */
extern weft_way (*weft_choose_product)(const weft_device *device, const weft_product *product, weft_algorithm *algorithm);

/* Seconds that a way takes, of so many runs one after the other; within `weft_choose_product` only, also without an algorithm:
   then in the own way of the product that is asked about. A status. */
int weft_time_product(const weft_device *device, const weft_product *product, const weft_algorithm *algorithm, int runs,
                      double *seconds);

int weft_find_algorithms(const weft_device *device, const weft_product *product, weft_algorithm *found, int most, int *count);
#endif
