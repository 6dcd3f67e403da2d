#pragma once

#include <stddef.h>
#include <stdint.h>

/// Runs libFuzzer with the command line of a program and the function to be tested (llvm.org/docs/LibFuzzer.html).
int LLVMFuzzerRunDriver(int *argc, char ***argv, int (*test)(const uint8_t *data, size_t size));

/// A file with these bytes that is on no disk: its descriptor, or -1.
int fuzzer_file(const void *bytes, size_t count);
