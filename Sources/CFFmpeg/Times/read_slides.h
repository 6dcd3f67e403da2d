// The last frame of a slideshow, which lasts as long as the container states.
#pragma once

#include "Common/common_internal.h"

/// What the packets of a stream tell about its last frame, in its time base.
typedef struct cff_slide {
  /// Time of the first and of the last frame, distance of the last two, and the duration of the last packet, as libavformat states it.
  int64_t first, last, step, duration;
  /// The end that the header of an MP4 or QuickTime file states for the stream; AV_NOPTS_VALUE if it states none.
  int64_t promised;
  /// Whether an edit list leaves packets out.
  bool has_discarded;
  /// Whether the duration that the header of a Matroska file states can only be that of the stream.
  bool is_longest;
} cff_slide;

/// The end of the last frame as an MP4, QuickTime or Matroska file, a GIF or an APNG states it; AV_NOPTS_VALUE if it states none that can be meant.
int64_t cff_slide_end(const cff_demuxer *demuxer, const AVStream *stream, const cff_slide *slide);
