#include "Filters/filter_log.h"

#include <libavutil/log.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char *kept_text;
static _Thread_local size_t kept_capacity;

/// Keeps the first message only: the following are usually consequences.
static void keep(void *object, int level, const char *format, va_list arguments) {
  if (!kept_text) {
    av_log_default_callback(object, level, format, arguments);
    return;
  }
  size_t length = strlen(kept_text);
  if (level > AV_LOG_ERROR || length + 2 >= kept_capacity) return;
  if (length > 0) {
    memcpy(kept_text + length, "; ", 3);
    length += 2;
  }
  vsnprintf(kept_text + length, kept_capacity - length, format, arguments);
  for (length = strlen(kept_text); length > 0 && strchr("\n\r .;", kept_text[length - 1]); length--) kept_text[length - 1] = 0;
}

static void install(void) {
  // Filters also print measurements when they are freed.
  av_log_set_level(AV_LOG_QUIET);
  av_log_set_callback(keep);
}

void cff_log_begin(char *text, size_t capacity) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  text[0] = 0;
  kept_text = text;
  kept_capacity = capacity;
}

void cff_log_end(void) { kept_text = NULL; }

cff_status cff_fail_logged(cff_failure *failure, const char *log, int error, const char *what) {
  return log[0] ? cff_fail(failure, CFF_INVALID, "%s", log) : cff_fail_av(failure, error, CFF_INVALID, what);
}
