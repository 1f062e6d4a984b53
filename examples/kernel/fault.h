/* The broken variants that the tests must tell from the right kernel. */
#ifndef KERNEL_FAULT_H
#define KERNEL_FAULT_H

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

#endif
