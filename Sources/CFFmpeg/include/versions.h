// Builds of the loaded libraries, on which their output depends.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// An FFmpeg library and its loaded version.
typedef struct cff_library {
  const char *name;
  int32_t major, minor, micro;
} cff_library;

/// FFmpeg's libraries, from index 0. After the last one, returns a library without a name.
cff_library cff_library_at(int index);

/// FFmpeg's own name for the build, such as "5.1.6-0+deb12u1".
const char *cff_build_name(void);

/// The library that contains an encoder of libavcodec, as its file name and the version it reports: "libx265.so.199 3.5+1".
///
/// Returns false for libavcodec's own encoders, and if the library cannot be found.
bool cff_encoder_library(const char *encoder, char *text, size_t size);
