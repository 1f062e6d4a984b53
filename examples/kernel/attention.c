/* A tiled attention kernel in float: streaming softmax forward, recomputation backward.
 *
 *   S = f Q K^T,  O = softmax(S) V,  f = 1, 1/sqrt(d_k), 1/sqrt(d_model) or a learnable alpha
 *
 * No array of queries by keys is ever stored: keys go by in tiles, and a row keeps its largest score, the sum
 * of its exponentials and its output so far. The backward pass computes the scores again.
 *
 * FAULT builds one of the broken variants that the tests must tell from the right one.
 */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <rootdk/properties/subjects/rootdk_subject.h>

enum { TILE = 16 };

/* The faults; NONE is the kernel as it should be. */
enum {
  NONE,
  SCALE_DROPPED,
  MASK_LEAK,
  WRONG_DK,
  CRASH,
  HANG,
  WRITES_PAST,
  CHANGES_INPUT,
  UNINITIALISED
};
#ifndef FAULT
#define FAULT NONE
#endif

static const char* error_text = NULL;
static const char* last_error(void) { return error_text; }

/* One head of one element of the batch. */
typedef struct {
  const float *q, *k, *v;
  int64_t n, m, d, width; /* queries, keys, columns of q and k, columns of v */
  int64_t causal, length;
  float factor;
} head;

static float* at(const rootdk_tensor* t, int64_t b, int64_t h) {
  return (float*)t->data + b * t->stride[0] + h * t->stride[1];
}

static int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }

/* Number of keys that query i sees; they are the first ones. */
static int64_t visible(const head* a, int64_t i) {
  int64_t count = a->length;
  if (a->causal) count = least(count, i + a->m - a->n + 1 + (FAULT == MASK_LEAK));
  count = least(count, a->m);
  return count < 0 ? 0 : count;
}

static float dot(const float* x, const float* y, int64_t n) {
  float sum = 0;
  for (int64_t i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}

/* exp(x) for x <= 0, with 0 in place of subnormal numbers, which are slow and good to few bits. */
static float decayed(float x) {
  const float e = expf(x);
  return e < FLT_MIN ? 0.0f : e;
}

static int factor_of(const rootdk_attributes* a, const rootdk_tensor* q,
                     const rootdk_tensor* parameter, float* factor) {
  const double d = (double)q->shape[3];
  const double model = a->d_model > 0 ? (double)a->d_model : (double)a->heads * d;
  if (strcmp(a->scheme, "none") == 0) {
    *factor = 1;
  } else if (strcmp(a->scheme, "sqrt_dk") == 0) {
    *factor = FAULT == SCALE_DROPPED ? 1.0f : (float)(1 / sqrt(d));
  } else if (strcmp(a->scheme, "sqrt_dmodel") == 0) {
    *factor = (float)(1 / sqrt(model));
  } else if (strcmp(a->scheme, "learnable") == 0 && parameter != NULL) {
    *factor = *(const float*)parameter->data;
  } else {
    error_text = "such scheme";
    return ROOTDK_NOT_APPLICABLE;
  }
  return 0;
}

static head head_of(const rootdk_attributes* a, const rootdk_tensor* q, const rootdk_tensor* k,
                    const rootdk_tensor* v, float factor, int64_t b, int64_t h) {
  head result = {at(q, b, h), at(k, b, h), v == NULL ? NULL : at(v, b, h), q->shape[2],
                 k->shape[2], q->shape[3], v == NULL ? 0 : v->shape[3],    a->causal,
                 k->shape[2], factor};
  if (a->key_lengths != NULL) result.length = a->key_lengths[b];
  return result;
}

/* The largest score of a row and the sum of exp(score - largest); with o, also its output. */
static void stream_row(const head* a, int64_t i, float* largest, float* sum, float* o) {
  const int64_t seen = visible(a, i);
  const float* q = a->q + i * a->d;
  float score[TILE];
  *largest = -INFINITY;
  *sum = 0;
  for (int64_t c = 0; o != NULL && c < a->width; ++c) o[c] = 0;
  for (int64_t start = 0; start < seen; start += TILE) {
    const int64_t count = least(TILE, seen - start);
    float top = *largest;
    for (int64_t j = 0; j < count; ++j) {
      score[j] = a->factor * dot(q, a->k + (start + j) * a->d, a->d);
      if (score[j] > top) top = score[j];
    }
    if (top == -INFINITY) continue;
    const float keep = *largest == -INFINITY ? 0.0f : decayed(*largest - top);
    *sum *= keep;
    for (int64_t c = 0; o != NULL && c < a->width; ++c) o[c] *= keep;
    for (int64_t j = 0; j < count; ++j) {
      const float e = decayed(score[j] - top);
      *sum += e;
      for (int64_t c = 0; o != NULL && c < a->width; ++c)
        o[c] += e * a->v[(start + j) * a->width + c];
    }
    *largest = top;
  }
  for (int64_t c = 0; o != NULL && *sum > 0 && c < a->width; ++c) o[c] /= *sum;
}

static int attention_forward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                             int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  float factor;
  const int code = factor_of(attributes, &in[0], in_count > 3 ? &in[3] : NULL, &factor);
  (void)out_count;
  if (code != 0) return code;
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], &in[2], factor, b, h);
      float largest, sum;
      for (int64_t i = 0; i < a.n; ++i) {
        if (FAULT == UNINITIALISED && visible(&a, i) == 0) continue;
        stream_row(&a, i, &largest, &sum, at(&out[0], b, h) + i * a.width);
      }
    }
  }
  if (FAULT == WRITES_PAST) {
    const rootdk_tensor* o = &out[0];
    ((float*)o->data)[o->shape[0] * o->shape[1] * o->shape[2] * o->shape[3]] = 0;
  }
  return 0;
}

/* The broken one forgets the columns after the last full vector. */
static int64_t columns_of_dk(int64_t d) { return FAULT == WRONG_DK ? d - d % 16 : d; }

/* Adds the row's part to the gradients; returns that of the factor. */
static float row_backward(const head* a, int64_t i, const float* d_o, float* dq, float* dk,
                          float* dv) {
  const int64_t seen = visible(a, i);
  const float* q = a->q + i * a->d;
  const int64_t kept = columns_of_dk(a->d);
  float largest, sum;
  float dfactor = 0;
  float mean = 0;
  stream_row(a, i, &largest, &sum, NULL);
  if (!(sum > 0)) return 0;
  /* Differences to the winner's cotangent: in a row that is almost one-hot nothing cancels. */
  int64_t best = 0;
  float best_raw = -INFINITY;
  for (int64_t j = 0; j < seen; ++j) {
    const float raw = a->factor * dot(q, a->k + j * a->d, a->d);
    if (raw > best_raw) best_raw = raw, best = j;
  }
  const float winner = dot(d_o, a->v + best * a->width, a->width);
  for (int64_t j = 0; j < seen; ++j) {
    const float p = decayed(a->factor * dot(q, a->k + j * a->d, a->d) - largest) / sum;
    mean += p * (dot(d_o, a->v + j * a->width, a->width) - winner);
    for (int64_t c = 0; c < a->width; ++c) dv[j * a->width + c] += p * d_o[c];
  }
  for (int64_t j = 0; j < seen; ++j) {
    const float raw = dot(q, a->k + j * a->d, a->d);
    const float p = decayed(a->factor * raw - largest) / sum;
    const float ds = p * ((dot(d_o, a->v + j * a->width, a->width) - winner) - mean);
    dfactor += ds * raw;
    for (int64_t c = 0; c < a->d; ++c) dq[i * a->d + c] += a->factor * ds * a->k[j * a->d + c];
    for (int64_t c = 0; c < kept; ++c) dk[j * a->d + c] += a->factor * ds * q[c];
  }
  return dfactor;
}

static void zero(const rootdk_tensor* t) {
  memset(t->data, 0,
         (size_t)(t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3]) * sizeof(float));
}

static int attention_backward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                              int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const rootdk_tensor* d_o = &in[in_count - 1];
  float factor;
  float dfactor = 0;
  const int code = factor_of(attributes, &in[0], in_count > 4 ? &in[3] : NULL, &factor);
  if (code != 0) return code;
  for (int32_t g = 0; g < 3; ++g) zero(&out[g]);
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], &in[2], factor, b, h);
      for (int64_t i = 0; i < a.n; ++i) {
        dfactor += row_backward(&a, i, at(d_o, b, h) + i * a.width, at(&out[0], b, h),
                                at(&out[1], b, h), at(&out[2], b, h));
      }
    }
  }
  if (out_count > 3) *(float*)out[3].data = dfactor;
  return 0;
}

static int scores_forward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                          int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  float factor;
  const int code = factor_of(attributes, &in[0], in_count > 2 ? &in[2] : NULL, &factor);
  (void)out_count;
  if (code != 0) return code;
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], NULL, factor, b, h);
      float* s = at(&out[0], b, h);
      for (int64_t i = 0; i < a.n; ++i) {
        for (int64_t j = 0; j < a.m; ++j)
          s[i * a.m + j] = factor * dot(a.q + i * a.d, a.k + j * a.d, a.d);
      }
    }
  }
  return 0;
}

static int scores_backward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                           int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const rootdk_tensor* upstream = &in[in_count - 1];
  float factor;
  float dfactor = 0;
  const int code = factor_of(attributes, &in[0], in_count > 3 ? &in[2] : NULL, &factor);
  if (code != 0) return code;
  zero(&out[0]);
  zero(&out[1]);
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], NULL, factor, b, h);
      const float* ds = at(upstream, b, h);
      float* dq = at(&out[0], b, h);
      float* dk = at(&out[1], b, h);
      for (int64_t i = 0; i < a.n; ++i) {
        for (int64_t j = 0; j < a.m; ++j) {
          const float g = factor * ds[i * a.m + j];
          dfactor += ds[i * a.m + j] * dot(a.q + i * a.d, a.k + j * a.d, a.d);
          for (int64_t c = 0; c < a.d; ++c) dq[i * a.d + c] += g * a.k[j * a.d + c];
          for (int64_t c = 0; c < columns_of_dk(a.d); ++c) dk[j * a.d + c] += g * a.q[i * a.d + c];
        }
      }
    }
  }
  if (out_count > 2) *(float*)out[2].data = dfactor;
  return 0;
}

static void softmax_row(const float* z, int64_t m, float* p) {
  float top = -INFINITY;
  float sum = 0;
  for (int64_t j = 0; j < m; ++j) top = z[j] > top ? z[j] : top;
  for (int64_t j = 0; j < m; ++j) {
    p[j] = top == -INFINITY ? 0.0f : decayed(z[j] - top);
    sum += p[j];
  }
  for (int64_t j = 0; j < m && sum > 0; ++j) p[j] /= sum;
}

static int softmax_forward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                           int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const int64_t m = in[0].shape[3];
  const int64_t rows = in[0].shape[0] * in[0].shape[1] * in[0].shape[2];
  (void)attributes, (void)in_count, (void)out_count;
  if (FAULT == CRASH) abort();
  for (volatile int hanging = FAULT == HANG; hanging;) continue;
  for (int64_t i = 0; i < rows; ++i)
    softmax_row((float*)in[0].data + i * m, m, (float*)out[0].data + i * m);
  if (FAULT == CHANGES_INPUT) ((float*)in[0].data)[0] += 1;
  return 0;
}

static int softmax_backward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                            int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const int64_t m = in[0].shape[3];
  const int64_t rows = in[0].shape[0] * in[0].shape[1] * in[0].shape[2];
  float* p = malloc((size_t)m * sizeof(float));
  (void)attributes, (void)in_count, (void)out_count;
  for (int64_t i = 0; i < rows; ++i) {
    const float* dp = (const float*)in[1].data + i * m;
    float* dz = (float*)out[0].data + i * m;
    int64_t best = 0;
    float mean = 0;
    softmax_row((const float*)in[0].data + i * m, m, p);
    for (int64_t j = 1; j < m; ++j) best = p[j] > p[best] ? j : best;
    /* Differences to the winner's cotangent: in a row that is almost one-hot nothing cancels. */
    for (int64_t j = 0; j < m; ++j) mean += p[j] * (dp[j] - dp[best]);
    for (int64_t j = 0; j < m; ++j) dz[j] = p[j] * ((dp[j] - dp[best]) - mean);
  }
  free(p);
  return 0;
}

static const rootdk_kernel kernels[] = {
    {"attention", ROOTDK_FORWARD, ROOTDK_F32, attention_forward},
    {"attention", ROOTDK_BACKWARD, ROOTDK_F32, attention_backward},
    {"scores", ROOTDK_FORWARD, ROOTDK_F32, scores_forward},
    {"scores", ROOTDK_BACKWARD, ROOTDK_F32, scores_backward},
    {"softmax", ROOTDK_FORWARD, ROOTDK_F32, softmax_forward},
    {"softmax", ROOTDK_BACKWARD, ROOTDK_F32, softmax_backward},
};

static const rootdk_subject subject = {
    .version = ROOTDK_SUBJECT_VERSION,
    .size = sizeof(rootdk_subject),
    .name = "tiled attention in float",
    .capabilities = ROOTDK_CAN_CAUSAL | ROOTDK_CAN_PADDING | ROOTDK_CAN_BATCH,
    .kernels = kernels,
    .kernel_count = sizeof kernels / sizeof kernels[0],
    .schemes = "none,sqrt_dk,sqrt_dmodel,learnable",
    .last_error = last_error,
};

const rootdk_subject* rootdk_subject_get(void) { return &subject; }
