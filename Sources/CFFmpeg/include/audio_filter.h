// Graphs of libavfilter for audio: planar 32-bit float in, the same out.
#pragma once
#include "common.h"

/// A configured graph; one thread at a time, not always the same one.
typedef struct cff_audio_filter cff_audio_filter;

/// Builds a graph from libavfilter's own notation: one open input and one open output, both with the same rate and the default layout
/// of as many channels.
cff_status cff_audio_filter_open(
    const char *text, int sample_rate, int channel_count, cff_audio_filter **graph, cff_failure *failure);

/// Frees a graph; NULL is allowed.
void cff_audio_filter_close(cff_audio_filter *graph);

/// Gives the next samples to the graph; they are copied. `channels` has a pointer for each channel.
cff_status cff_audio_filter_send(
    cff_audio_filter *graph, const float *const *channels, int count, cff_failure *failure);

/// Says that no more samples come: the graph gives what it holds.
cff_status cff_audio_filter_send_end(cff_audio_filter *graph, cff_failure *failure);

/// Copies up to `capacity` samples that are ready; `*count` is 0 where the graph waits for more. CFF_END once all has been given.
cff_status cff_audio_filter_receive(
    cff_audio_filter *graph, float *const *channels, int capacity, int *count, cff_failure *failure);

/// Gives a command to the first filter of a name, for the samples that it works on from now on.
cff_status cff_audio_filter_command(
    cff_audio_filter *graph, const char *filter, const char *command, const char *value, cff_failure *failure);

/// What a filter wrote beside the samples that were received last; NULL where there is nothing. Valid until the next call.
const char *cff_audio_filter_metadata(const cff_audio_filter *graph, const char *key);
