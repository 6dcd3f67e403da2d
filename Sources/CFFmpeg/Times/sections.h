// The 33-bit clock of transport and program streams, and the sections in which it rises; see read_sections.c.
#pragma once
#include "Reading/read_internal.h"

enum {
  clock_rate = 90000,
  /// Timestamps this far before the first one of a section still belong to it, such as those of frames that are decoded before they are shown.
  lead = 60 * clock_rate,
};

static const int64_t wrap_mask = ((int64_t)1 << 33) - 1;

static inline bool is_timed(const AVStream *stream) {
  enum AVMediaType type = stream->codecpar->codec_type;
  return (type == AVMEDIA_TYPE_VIDEO || type == AVMEDIA_TYPE_AUDIO) && !(stream->disposition & AV_DISPOSITION_ATTACHED_PIC);
}

static inline int64_t unwrapped(int64_t base, int64_t stamp) { return base + ((stamp - base) & wrap_mask); }

static inline int64_t on_clock(const cff_clock_section *section, int64_t stamp) {
  return stamp == AV_NOPTS_VALUE ? stamp : unwrapped(section->base, stamp) + section->offset;
}

/// The last of the sections that begin at or before a position.
static inline int section_index(const cff_clock_section *sections, int count, int64_t position) {
  int low = 0, high = count - 1;
  while (low < high) {
    int middle = (low + high + 1) / 2;
    if (sections[middle].position <= position) low = middle;
    else high = middle - 1;
  }
  return low;
}

/// The packet's position in the file, or that of the previous packet in the stream if it has none.
int64_t cff_place_of(cff_demuxer *demuxer, const AVPacket *packet);
/// Makes room for the positions of streams that appeared after the header. Returns a libav error.
int cff_reserve_positions(cff_demuxer *demuxer);
