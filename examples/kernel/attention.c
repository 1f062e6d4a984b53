#include "attention.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

#include "fault.h"

enum { TILE = 16 };

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

void attention_forward(const head* a, float* o) {
  float largest, sum;
  for (int64_t i = 0; i < a->n; ++i) {
    if (FAULT == UNINITIALISED && visible(a, i) == 0) continue;
    stream_row(a, i, &largest, &sum, o + i * a->width);
  }
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

float attention_backward(const head* a, const float* d_o, float* dq, float* dk, float* dv) {
  float dfactor = 0;
  for (int64_t i = 0; i < a->n; ++i) dfactor += row_backward(a, i, d_o + i * a->width, dq, dk, dv);
  return dfactor;
}

void scores_forward(const head* a, float* s) {
  for (int64_t i = 0; i < a->n; ++i) {
    for (int64_t j = 0; j < a->m; ++j)
      s[i * a->m + j] = a->factor * dot(a->q + i * a->d, a->k + j * a->d, a->d);
  }
}

float scores_backward(const head* a, const float* ds, float* dq, float* dk) {
  float dfactor = 0;
  for (int64_t i = 0; i < a->n; ++i) {
    for (int64_t j = 0; j < a->m; ++j) {
      const float g = a->factor * ds[i * a->m + j];
      dfactor += ds[i * a->m + j] * dot(a->q + i * a->d, a->k + j * a->d, a->d);
      for (int64_t c = 0; c < a->d; ++c) dq[i * a->d + c] += g * a->k[j * a->d + c];
      for (int64_t c = 0; c < columns_of_dk(a->d); ++c) dk[j * a->d + c] += g * a->q[i * a->d + c];
    }
  }
  return dfactor;
}

void softmax_forward(const float* z, int64_t m, float* p) {
  float top = -INFINITY;
  float sum = 0;
  for (int64_t j = 0; j < m; ++j) top = z[j] > top ? z[j] : top;
  for (int64_t j = 0; j < m; ++j) {
    p[j] = top == -INFINITY ? 0.0f : decayed(z[j] - top);
    sum += p[j];
  }
  for (int64_t j = 0; j < m && sum > 0; ++j) p[j] /= sum;
}

void softmax_backward(const float* z, const float* dp, int64_t m, float* p, float* dz) {
  int64_t best = 0;
  float mean = 0;
  softmax_forward(z, m, p);
  for (int64_t j = 1; j < m; ++j) best = p[j] > p[best] ? j : best;
  /* Differences to the winner's cotangent: in a row that is almost one-hot nothing cancels. */
  for (int64_t j = 0; j < m; ++j) mean += p[j] * (dp[j] - dp[best]);
  for (int64_t j = 0; j < m; ++j) dz[j] = p[j] * ((dp[j] - dp[best]) - mean);
}
