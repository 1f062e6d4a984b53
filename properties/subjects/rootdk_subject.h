#ifndef ROOTDK_SUBJECT_H
#define ROOTDK_SUBJECT_H

/* The C interface of a subject in a shared library: `rootdk run --subject ./my_kernels.so`.
 *
 * The library exports one function,
 *
 *     const rootdk_subject *rootdk_subject_get(void);
 *
 * which returns a description that lives as long as the library. It is loaded by a program of its own,
 * which guards and poisons the outputs, checks that the inputs are left alone and that a second call gives
 * the same bits, so that a fault in it ends that program and not the verification.
 */

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define ROOTDK_SUBJECT_VERSION 1u

enum rootdk_dtype { ROOTDK_F64 = 0, ROOTDK_F32 = 1, ROOTDK_F16 = 2, ROOTDK_BF16 = 3 };
enum rootdk_pass { ROOTDK_FORWARD = 0, ROOTDK_BACKWARD = 1 };

/* Four dimensions, [batch, heads, rows, columns], the unused leading ones 1; strides in scalars. */
typedef struct {
  void* data;
  int32_t dtype;
  int64_t shape[4];
  int64_t stride[4];
} rootdk_tensor;

/* What an operation depends on and what is not differentiated; it reads the fields that concern it. */
typedef struct {
  uint32_t size; /* of this struct, in bytes: newer fields lie at its end */
  const char* scheme;
  const char* initialiser;
  const char* activation;
  int64_t heads;
  int64_t layer;
  int64_t d_model; /* 0: heads times the width of q */
  int32_t causal;
  const int64_t* key_lengths; /* one an element of the batch, or null: no padding */
  int64_t key_lengths_count;
  double epsilon;
  double slope;
  double gain;
  double fan_in;
  double fan_out;
  double d_k;
  double branches;
  uint64_t seed;
  const char* recipe; /* init_parameter: of which model, which of its matrices */
  const char* role;
  int64_t vocabulary;
  int64_t shards;
  int64_t shard;
  const uint64_t* words; /* transforms: what the generator gave */
  int64_t words_count;
  const int64_t* labels; /* cross_entropy: class of each row */
  int64_t labels_count;
} rootdk_attributes;

#define ROOTDK_NOT_APPLICABLE (-1)

/* One kernel. Returns 0; ROOTDK_NOT_APPLICABLE for what it does not do, which `last_error` names; or another
 * number for a failure that `last_error` describes. Outputs are uninitialised; inputs must not be changed.
 *
 * forward: in = the operation's inputs, out = its outputs. backward: in = the inputs, then a cotangent
 * an output; out = a gradient an input. The operations, their inputs and outputs are those of the table
 * in rootdk/properties/subject.hpp. */
typedef int (*rootdk_kernel_fn)(const rootdk_attributes* attributes, const rootdk_tensor* in,
                                int32_t in_count, const rootdk_tensor* out, int32_t out_count);

typedef struct {
  const char* op;
  int32_t pass;
  int32_t dtype;
  rootdk_kernel_fn run;
} rootdk_kernel;

/* Capabilities; a call that needs one which is not declared is not made. */
#define ROOTDK_CAN_CAUSAL (1ull << 0) /* causal masks, aligned at the last query and the last key */
#define ROOTDK_CAN_PADDING (1ull << 1) /* key_lengths */
#define ROOTDK_CAN_BATCH (1ull << 2)   /* shape[0] or shape[1] above 1 */

typedef struct {
  uint32_t version; /* ROOTDK_SUBJECT_VERSION */
  uint32_t size;    /* of this struct, in bytes */
  const char* name;
  uint64_t capabilities;
  const rootdk_kernel* kernels;
  int64_t kernel_count;
  /* Scaling schemes that scores and attention know, separated by commas. */
  const char* schemes;
  const char* (*last_error)(void);
} rootdk_subject;

const rootdk_subject* rootdk_subject_get(void);

#ifdef __cplusplus
}
#endif

#endif /* ROOTDK_SUBJECT_H */
