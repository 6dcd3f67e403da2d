// libavfilter graphs for audio: planar 32-bit float in and out.
#pragma once
#include "common.h"

/// A configured graph; used by one thread at a time, but not always the same one.
typedef struct cff_audio_filter cff_audio_filter;

/// Builds a graph from libavfilter's own notation, with one open input and one open output. Both have the same rate and libavutil's default layout for the
/// number of channels.
cff_status cff_audio_filter_open(
    const char *text, int sample_rate, int channel_count, cff_audio_filter **graph, cff_failure *failure);

/// Frees a graph; NULL is allowed.
void cff_audio_filter_close(cff_audio_filter *graph);

/// Copies the next samples into the graph. `channels` has a pointer for each channel.
cff_status cff_audio_filter_send(
    cff_audio_filter *graph, const float *const *channels, int count, cff_failure *failure);

/// Signals the end of the input: the graph outputs what it holds.
cff_status cff_audio_filter_send_end(cff_audio_filter *graph, cff_failure *failure);

/// Copies up to `capacity` available samples; `*count` is 0 if the graph needs more input. CFF_END after the last.
cff_status cff_audio_filter_receive(
    cff_audio_filter *graph, float *const *channels, int capacity, int *count, cff_failure *failure);

/// Sends a command to the first filter of a name. It takes effect for the samples processed from now on.
cff_status cff_audio_filter_command(
    cff_audio_filter *graph, const char *filter, const char *command, const char *value, cff_failure *failure);

/// Metadata that a filter attached to the samples received last; NULL if there is none. Valid until the next call.
const char *cff_audio_filter_metadata(const cff_audio_filter *graph, const char *key);
