#include <stdio.h>

#include "kernel_driver.h"

int main(int count, char **arguments) {
  if (count != 2) {
    fputs("usage: kernel-driver compare|planted|digests|fused-digests|kernels|functions\n", stderr);
    return 64;
  }
  return driver_run(arguments[1]);
}
