// Movies of boxes whose packets have one size but times that waver by a few samples.
#pragma once
#include <libavformat/avformat.h>
#include <stdbool.h>

/// Whether packets of one size have times that waver by a few samples, as recorders write them that derive times from a clock, and
/// encoders that take those of Matroska. The audio would click if it followed them. The index of a file in fragments is not complete,
/// so its times are believed.
bool cff_times_waver(const AVStream *stream, int rate);

/// Whether an end that is `difference` samples before that of the packets is but a time that wavers: all samples of the packets are audio.
bool cff_end_wavers(const AVStream *stream, int rate, int64_t difference);
