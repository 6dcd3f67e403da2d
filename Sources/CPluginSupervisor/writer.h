// Writes messages to a stream without waiting for its reader.
#pragma once

#include <stddef.h>

/// Takes a line to be written after those before it, and writes what the stream takes now. Lines that exceed what can wait are dropped.
void wall_writer_put(int output, const char *line, size_t count);
/// Writes what the stream takes now of the lines that wait; to be called from time to time.
void wall_writer_flush(int output);
/// Writes what still waits, as long as the stream takes some of it, for a second at most.
void wall_writer_finish(int output);
