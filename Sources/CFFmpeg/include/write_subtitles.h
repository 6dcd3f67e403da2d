#pragma once
#include "write_muxer.h"

// Subtitle tracks. Their cues are ASS events, which libavcodec converts to the container's format.

/// Adds a subtitle track; before the header. `codec` is an encoder of libavcodec: "mov_text", "subrip", "ass". `header` is an ASS header with the styles that
/// events name. Times are in units of 1/`timescale` s.
cff_status cff_muxer_add_subtitles(
    cff_muxer *muxer, const char *codec, const char *header, int timescale, bool is_default, bool is_forced, int *track,
    cff_failure *failure);

/// Writes one cue, in order of start: "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text".
cff_status cff_muxer_write_cue(
    cff_muxer *muxer, int track, const char *event, int64_t start, int64_t duration, cff_failure *failure);
