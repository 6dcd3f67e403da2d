// The edit list of a track of MP4 and QuickTime files, which libavformat applies but doesn't tell.
#pragma once
#include "Common/common_internal.h"

/// A part of a track: what is shown of the media, or a pause.
typedef struct cff_edit {
  /// Where it begins in the movie, and its duration, in the time base of the stream. Both are rounded as libavformat rounds them.
  int64_t start, duration;
  /// Where it begins in the media, in the time base of the stream; -1 for a pause.
  int64_t media_time;
} cff_edit;

typedef struct cff_edit_list {
  /// To be freed with `av_free`.
  cff_edit *edits;
  int count;
} cff_edit_list;

/// Reads the edit list of a stream's track. False if there is none, it can't be read, or a part doesn't play at its own speed.
bool cff_read_edit_list(const cff_demuxer *demuxer, const AVStream *stream, cff_edit_list *list);
