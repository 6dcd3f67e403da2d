#include "Common/common_internal.h"

#include <libavutil/log.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>

static void silence(void) { av_log_set_level(AV_LOG_QUIET); }

void cff_prepare(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, silence);
}

const char *cff_failure_message(const cff_failure *failure) { return failure->message; }

cff_status cff_fail(cff_failure *failure, cff_status status, const char *format, ...) {
  if (failure) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(failure->message, sizeof failure->message, format, arguments);
    va_end(arguments);
    failure->status = status;
    failure->system_error = 0;
  }
  return status;
}

static cff_status status_of(int error, cff_status fallback) {
  switch (error) {
  case AVERROR(ENOMEM): return CFF_NO_RESOURCE;
  case AVERROR(ENOENT): return CFF_NOT_FOUND;
  case AVERROR_DECODER_NOT_FOUND: return CFF_NO_DECODER;
  case AVERROR_ENCODER_NOT_FOUND: return CFF_NO_ENCODER;
  default: return fallback;
  }
}

cff_status cff_fail_av(cff_failure *failure, int error, cff_status fallback, const char *what) {
  char reason[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(error, reason, sizeof reason);
  return cff_fail(failure, status_of(error, fallback), "%s: %s", what, reason);
}

bool cff_is_out_of_memory(int error) {
  enum { plenty = 8 << 20 };
  if (error != AVERROR(ENOMEM)) return false;
  // libav reports impossible lengths with the same error. If this memory is available, lack of memory was not the reason.
  void *memory = av_malloc(plenty);
  av_free(memory);
  return !memory;
}

cff_status cff_fail_parsing(cff_failure *failure, int error, const char *what) {
  if (error != AVERROR(ENOMEM) || cff_is_out_of_memory(error)) return cff_fail_av(failure, error, CFF_UNREADABLE, what);
  return cff_fail(failure, CFF_UNREADABLE, "%s: a length in it is damaged", what);
}

cff_status cff_fail_read(const cff_demuxer *demuxer, cff_failure *failure) {
  if (demuxer->has_changed) return cff_fail(failure, CFF_CHANGED, "the file was written to or replaced while it was in use");
  if (demuxer->read_error == AVERROR(ENOMEM)) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  char reason[AV_ERROR_MAX_STRING_SIZE] = "";
  av_strerror(demuxer->read_error, reason, sizeof reason);
  return cff_fail(failure, CFF_IO_FAILED, "%s, near byte %lld", reason, (long long)demuxer->position);
}
