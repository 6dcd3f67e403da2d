#include "Common/file_window.h"

#include <libavutil/mem.h>
#include <unistd.h>

enum { window_size = 1 << 18 };

const uint8_t *cff_window_at(cff_window *window, int64_t position, int size) {
  if (!window->bytes && !(window->bytes = av_malloc(window_size))) return NULL;
  if (position < window->start || position + size > window->start + window->count) {
    ssize_t count = pread(window->descriptor, window->bytes, window_size, (off_t)position);
    window->start = position;
    window->count = count > 0 ? count : 0;
  }
  return position + size <= window->start + window->count ? window->bytes + (position - window->start) : NULL;
}

void cff_window_close(cff_window *window) { av_freep(&window->bytes); }
