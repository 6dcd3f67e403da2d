// What libav says while a graph is built or run, kept for the error instead of printed.
#pragma once
#include "common.h"

/// Keeps what libav logs as an error on this thread, from now until cff_log_end.
void cff_log_begin(char *text, size_t capacity);
void cff_log_end(void);
