#include "ConvertRows.h"

void cpk_convert_prefetch(const void *bytes, ptrdiff_t count) {
  for (ptrdiff_t at = 0; at < count; at += 64) __builtin_prefetch((const char *)bytes + at, 0, 2);
}
