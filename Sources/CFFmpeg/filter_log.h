// libav's messages while a graph is built or run, kept for the error instead of printed.
#pragma once
#include "common.h"

/// Keeps libav's error messages on this thread, until cff_log_end.
void cff_log_begin(char *text, size_t capacity);
void cff_log_end(void);
