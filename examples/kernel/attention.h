/* A tiled attention kernel in float: streaming softmax forward, recomputation backward.
 *
 *   S = f Q K^T,  O = softmax(S) V
 *
 * No array of queries by keys is ever stored: keys go by in tiles, and a row keeps its largest score, the sum
 * of its exponentials and its output so far. The backward pass computes the scores again.
 *
 * It knows nothing of those who judge it: subject.c serves it as a shared library,
 * ../out_of_tree/subjects/tiled.cpp within a C++ program.
 */
#ifndef KERNEL_ATTENTION_H
#define KERNEL_ATTENTION_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* One head of one element of a batch; matrices lie row by row without gaps. */
typedef struct {
  const float* q; /* [n, d] */
  const float* k; /* [m, d] */
  const float* v; /* [m, width]; null for scores alone */
  int64_t n, m, d, width;
  int causal;     /* a query sees no key after its own place, the last ones aligned */
  int64_t length; /* and none from this one on */
  float factor;   /* f */
} head;

/* o: [n, width]; 0 for a query that sees no key. */
void attention_forward(const head* a, float* o);
/* Adds to the gradients, of the shapes of q, k and v; returns that of the factor. */
float attention_backward(const head* a, const float* d_o, float* dq, float* dk, float* dv);

/* s: [n, m], all of them, whatever the mask. */
void scores_forward(const head* a, float* s);
float scores_backward(const head* a, const float* ds, float* dq, float* dk);

/* One row of m scores. */
void softmax_forward(const float* z, int64_t m, float* p);
/* p: room for m numbers. */
void softmax_backward(const float* z, const float* dp, int64_t m, float* p, float* dz);

#ifdef __cplusplus
}
#endif

#endif
