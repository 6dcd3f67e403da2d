// A part of a file in memory, for reading headers one after another.
#pragma once
#include <stdint.h>

/// The bytes of a file around the place that was asked for last. All zero but for `descriptor` at first; to be closed.
typedef struct cff_window {
  int descriptor;
  int64_t start, count;
  uint8_t *bytes;
} cff_window;

/// `size` bytes from a position, at most 128 KiB, valid until the next call; NULL if the file ends before, or memory runs out. There may be more, up to
/// `start` + `count`.
const uint8_t *cff_window_at(cff_window *window, int64_t position, int size);
void cff_window_close(cff_window *window);
