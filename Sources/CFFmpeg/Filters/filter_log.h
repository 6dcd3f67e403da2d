// libav's messages while a graph is built or run, kept for the error instead of printed.
#pragma once
#include "Common/common_internal.h"

/// Keeps libav's error messages on this thread, until cff_log_end.
void cff_log_begin(char *text, size_t capacity);
void cff_log_end(void);

/// Fails with the kept messages, or with libav's `error` in `what` if there are none.
cff_status cff_fail_logged(cff_failure *failure, const char *log, int error, const char *what);
