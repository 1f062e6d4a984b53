/* The kernel as a subject: `rootdk run --subject ./libattention.so`. */
#include "attention.h"
#include "fault.h"

#include <rootdk/properties/subjects/rootdk_subject.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char* error_text = NULL;
static const char* last_error(void) { return error_text; }

static float* at(const rootdk_tensor* t, int64_t b, int64_t h) {
  return (float*)t->data + b * t->stride[0] + h * t->stride[1];
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

static void zero(const rootdk_tensor* t) {
  memset(t->data, 0,
         (size_t)(t->shape[0] * t->shape[1] * t->shape[2] * t->shape[3]) * sizeof(float));
}

static int run_attention(const rootdk_attributes* attributes, const rootdk_tensor* in,
                         int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  float factor;
  const int code = factor_of(attributes, &in[0], in_count > 3 ? &in[3] : NULL, &factor);
  (void)out_count;
  if (code != 0) return code;
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], &in[2], factor, b, h);
      attention_forward(&a, at(&out[0], b, h));
    }
  }
  if (FAULT == WRITES_PAST) {
    const rootdk_tensor* o = &out[0];
    ((float*)o->data)[o->shape[0] * o->shape[1] * o->shape[2] * o->shape[3]] = 0;
  }
  return 0;
}

static int run_attention_backward(const rootdk_attributes* attributes, const rootdk_tensor* in,
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
      dfactor += attention_backward(&a, at(d_o, b, h), at(&out[0], b, h), at(&out[1], b, h),
                                    at(&out[2], b, h));
    }
  }
  if (out_count > 3) *(float*)out[3].data = dfactor;
  return 0;
}

static int run_scores(const rootdk_attributes* attributes, const rootdk_tensor* in,
                      int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  float factor;
  const int code = factor_of(attributes, &in[0], in_count > 2 ? &in[2] : NULL, &factor);
  (void)out_count;
  if (code != 0) return code;
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], NULL, factor, b, h);
      scores_forward(&a, at(&out[0], b, h));
    }
  }
  return 0;
}

static int run_scores_backward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                               int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const rootdk_tensor* ds = &in[in_count - 1];
  float factor;
  float dfactor = 0;
  const int code = factor_of(attributes, &in[0], in_count > 3 ? &in[2] : NULL, &factor);
  if (code != 0) return code;
  zero(&out[0]);
  zero(&out[1]);
  for (int64_t b = 0; b < in[0].shape[0]; ++b) {
    for (int64_t h = 0; h < in[0].shape[1]; ++h) {
      const head a = head_of(attributes, &in[0], &in[1], NULL, factor, b, h);
      dfactor += scores_backward(&a, at(ds, b, h), at(&out[0], b, h), at(&out[1], b, h));
    }
  }
  if (out_count > 2) *(float*)out[2].data = dfactor;
  return 0;
}

static int run_softmax(const rootdk_attributes* attributes, const rootdk_tensor* in,
                       int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const int64_t m = in[0].shape[3];
  const int64_t rows = in[0].shape[0] * in[0].shape[1] * in[0].shape[2];
  (void)attributes, (void)in_count, (void)out_count;
  if (FAULT == CRASH) abort();
  for (volatile int hanging = FAULT == HANG; hanging;) continue;
  for (int64_t i = 0; i < rows; ++i)
    softmax_forward((float*)in[0].data + i * m, m, (float*)out[0].data + i * m);
  if (FAULT == CHANGES_INPUT) ((float*)in[0].data)[0] += 1;
  return 0;
}

static int run_softmax_backward(const rootdk_attributes* attributes, const rootdk_tensor* in,
                                int32_t in_count, const rootdk_tensor* out, int32_t out_count) {
  const int64_t m = in[0].shape[3];
  const int64_t rows = in[0].shape[0] * in[0].shape[1] * in[0].shape[2];
  float* p = malloc((size_t)m * sizeof(float));
  (void)attributes, (void)in_count, (void)out_count;
  for (int64_t i = 0; i < rows; ++i) {
    softmax_backward((float*)in[0].data + i * m, (float*)in[1].data + i * m, m, p,
                     (float*)out[0].data + i * m);
  }
  free(p);
  return 0;
}

static const rootdk_kernel kernels[] = {
    {"attention", ROOTDK_FORWARD, ROOTDK_F32, run_attention},
    {"attention", ROOTDK_BACKWARD, ROOTDK_F32, run_attention_backward},
    {"scores", ROOTDK_FORWARD, ROOTDK_F32, run_scores},
    {"scores", ROOTDK_BACKWARD, ROOTDK_F32, run_scores_backward},
    {"softmax", ROOTDK_FORWARD, ROOTDK_F32, run_softmax},
    {"softmax", ROOTDK_BACKWARD, ROOTDK_F32, run_softmax_backward},
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
