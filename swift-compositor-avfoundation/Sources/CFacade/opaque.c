// A barrier for the optimizer: see Sources/AVFoundation/Compositing/Instantiation.swift.

#include "CFacade.h"

__attribute__((noinline)) const void *cfacade_opaque(const void *pointer) {
  __asm__ volatile("" : "+r"(pointer) : : "memory");
  return pointer;
}
