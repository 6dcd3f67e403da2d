// Finds the restarts of a transport or program stream's clock by reading all of its packets.
#include "Times/sections.h"

enum {
  /// Timestamps farther than this from their neighbors' clock do not continue it.
  largest_step = 10 * clock_rate,
  /// Decoding times of a stream never go back, except by this much with careless muxers.
  largest_step_back = clock_rate / 50,
};

/// What is known of a stream in the newest section, and its packets that do not continue it.
typedef struct stream_clock {
  bool is_timed, is_video, has_candidate, has_suspect, has_before;
  int64_t last, last_position;
  /// The last timestamps in the newest section and in the one before, as they are written.
  int64_t last_stamp, before;
  /// A packet far from the clock; the packet after it tells whether it was a restart.
  int64_t candidate_position, candidate;
  /// A packet that is not later than the previous one: the first of a restart that another stream shows more clearly.
  int64_t suspect_position, suspect;
} stream_clock;

/// Presentation times of one type of stream in a section, without the offset.
typedef struct section_extent {
  int64_t start, end, last, before_last;
  /// End of the last packet by decoding times, and the delay of presentation relative to decoding.
  int64_t decoding_end, delay;
  bool lacks_presentation_times;
} section_extent;

typedef struct section_search {
  cff_demuxer *demuxer;
  cff_clock_section *sections;
  /// Video and audio extents of each section.
  section_extent (*extents)[2];
  int count, capacity;
  stream_clock *clocks;
  int clock_count;
  /// The latest decoding time in the newest section.
  int64_t newest;
} section_search;

static const section_extent no_extent = {
    AV_NOPTS_VALUE, AV_NOPTS_VALUE, AV_NOPTS_VALUE, AV_NOPTS_VALUE, AV_NOPTS_VALUE, 0, false};

static int add_section(section_search *search, int64_t position, int64_t first) {
  if (search->count == search->capacity) {
    int capacity = search->capacity > 0 ? 2 * search->capacity : 8;
    cff_clock_section *sections = av_realloc_array(search->sections, (size_t)capacity, sizeof *sections);
    if (!sections) return AVERROR(ENOMEM);
    search->sections = sections;
    section_extent(*extents)[2] = av_realloc_array(search->extents, (size_t)capacity, sizeof *extents);
    if (!extents) return AVERROR(ENOMEM);
    search->extents = extents;
    search->capacity = capacity;
  }
  search->sections[search->count] = (cff_clock_section){position, first - lead, 0, 0, 0};
  search->extents[search->count][0] = search->extents[search->count][1] = no_extent;
  search->count++;
  search->newest = AV_NOPTS_VALUE;
  for (int i = 0; i < search->clock_count; i++) {
    stream_clock *clock = &search->clocks[i];
    clock->has_before = clock->last != AV_NOPTS_VALUE;
    clock->before = clock->last_stamp;
    clock->last = AV_NOPTS_VALUE;
  }
  return 0;
}

static bool continues(const section_search *search, const stream_clock *clock, int64_t time) {
  if (clock->last != AV_NOPTS_VALUE && time < clock->last - largest_step_back) return false;
  if (search->newest == AV_NOPTS_VALUE) return true;
  return time <= search->newest + largest_step && time >= search->newest - largest_step;
}

static int64_t distance(int64_t left, int64_t right) {
  int64_t forward = (left - right) & wrap_mask;
  return FFMIN(forward, wrap_mask + 1 - forward);
}

/// Whether a packet of another stream that was not later than the previous one belongs to a restart rather than to the section that it seemed to continue.
static bool is_of_restart(const section_search *search, const stream_clock *other, const stream_clock *confirmed) {
  if (!other->has_suspect || other->suspect_position <= confirmed->last_position) return false;
  if (search->newest == AV_NOPTS_VALUE) return true;
  return distance(other->suspect, confirmed->candidate) < distance(other->suspect, search->newest);
}

/// Confirms a restart: a section begins at the first packet that did not continue.
static int begin_section(section_search *search, stream_clock *confirmed) {
  int64_t position = confirmed->candidate_position;
  for (int i = 0; i < search->clock_count; i++) {
    stream_clock *other = &search->clocks[i];
    if (other->has_candidate && distance(other->candidate, confirmed->candidate) <= largest_step) {
      position = FFMIN(position, other->candidate_position);
      other->has_candidate = false;
    } else if (is_of_restart(search, other, confirmed)) {
      position = FFMIN(position, other->suspect_position);
    }
    other->has_suspect = false;
  }
  confirmed->has_candidate = false;
  cff_clock_section *newest = &search->sections[search->count - 1];
  if (search->count > 1 && confirmed->candidate_position < newest->position && search->newest != AV_NOPTS_VALUE &&
      distance(confirmed->candidate, search->newest) <= largest_step) {
    // Another stream's packets of a section that was already found.
    newest->position = position;
    return 0;
  }
  return add_section(search, position, confirmed->candidate);
}

/// Counts a packet that continues the newest section, and keeps it as a suspect if its time is not after the last one's.
static void count_time(section_search *search, stream_clock *clock, int64_t time, int64_t stamp, int64_t position) {
  bool was_candidate = clock->has_candidate;
  clock->has_candidate = false;
  if (was_candidate) {
    clock->has_suspect = true;
    clock->suspect = clock->candidate;
    clock->suspect_position = clock->candidate_position;
  } else if (clock->last != AV_NOPTS_VALUE && time <= clock->last) {
    clock->has_suspect = true;
    clock->suspect = stamp;
    clock->suspect_position = position;
  }
  clock->last = time;
  clock->last_stamp = stamp;
  clock->last_position = position;
  if (search->newest == AV_NOPTS_VALUE || time > search->newest) search->newest = time;
}

/// Whether a packet whose place precedes the newest section belongs to the one before: the demuxer held it back, until the rest of its PES packet was read. One that
/// doesn't is of a stream that is written ahead of the one that showed the restart, so that the section begins with it.
static bool is_of_section_before(section_search *search, const stream_clock *clock, const AVPacket *packet, int64_t stamp, int64_t position) {
  cff_clock_section *newest = &search->sections[search->count - 1];
  if (search->count < 2 || position >= newest->position) return false;
  int64_t time = unwrapped(newest->base, stamp);
  if (search->newest == AV_NOPTS_VALUE || FFABS(time - search->newest) > largest_step) return true;
  int64_t step = (stamp - clock->before) & wrap_mask;
  if (clock->has_before && step < FFABS(time - search->newest)) return true;
  if (clock->has_before && packet->pos >= 0) newest->position = position;
  return false;
}

/// Checks whether a packet begins a section. Returns a libav error.
static int examine(section_search *search, const AVPacket *packet, int64_t position) {
  stream_clock *clock = &search->clocks[packet->stream_index];
  int64_t stamp = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
  if (!clock->is_timed || stamp == AV_NOPTS_VALUE) return 0;
  // The first packet after a joint is marked as corrupt unless the counters of the parts match by chance. Its time may be right, which the next packet
  // confirms; other corrupt packets say nothing.
  bool is_corrupt = packet->flags & AV_PKT_FLAG_CORRUPT;
  if (is_corrupt && search->count == 0) return 0;
  int result = search->count == 0 ? add_section(search, 0, stamp) : 0;
  if (result < 0) return result;
  if (is_of_section_before(search, clock, packet, stamp, position)) return 0;
  int64_t time = unwrapped(search->sections[search->count - 1].base, stamp);
  bool goes_on = continues(search, clock, time);
  if (is_corrupt && (goes_on || clock->has_candidate)) return 0;
  if (!goes_on) {
    if (!clock->has_candidate || ((stamp - clock->candidate) & wrap_mask) >= largest_step) {
      clock->has_candidate = true;
      clock->candidate = stamp;
      clock->candidate_position = position;
      return 0;
    }
    result = begin_section(search, clock);
    if (result < 0) return result;
    time = unwrapped(search->sections[search->count - 1].base, stamp);
  }
  count_time(search, clock, time, stamp, position);
  return 0;
}

/// Extends the extent of the section that contains a packet.
static void extend(section_search *search, const AVPacket *packet, int64_t position) {
  const stream_clock *clock = &search->clocks[packet->stream_index];
  int64_t stamp = packet->dts != AV_NOPTS_VALUE ? packet->dts : packet->pts;
  if (!clock->is_timed || stamp == AV_NOPTS_VALUE) return;
  int index = section_index(search->sections, search->count, position);
  section_extent *extent = &search->extents[index][clock->is_video ? 0 : 1];
  int64_t decoded = unwrapped(search->sections[index].base, stamp);
  int64_t neighbor = extent->last == AV_NOPTS_VALUE ? search->sections[index].base + lead : extent->last;
  if ((packet->flags & AV_PKT_FLAG_CORRUPT) && FFABS(decoded - neighbor) > largest_step) return;
  int64_t shown = packet->pts != AV_NOPTS_VALUE ? unwrapped(search->sections[index].base, packet->pts) : decoded;
  if (extent->start == AV_NOPTS_VALUE || shown < extent->start) extent->start = shown;
  if (extent->last == AV_NOPTS_VALUE || shown > extent->last) {
    extent->before_last = extent->last;
    extent->last = shown;
  }
  if (packet->duration > 0) extent->end = FFMAX(extent->end, shown + packet->duration);
  if (packet->pts == AV_NOPTS_VALUE) extent->lacks_presentation_times = true;
  else if (extent->decoding_end == AV_NOPTS_VALUE) extent->delay = shown - decoded;
  extent->decoding_end = decoded + packet->duration;
}

static int64_t end_of(const section_extent *extent) {
  // A frame without a presentation time of its own may be the last one shown.
  if (extent->lacks_presentation_times && extent->delay > 0) {
    return FFMAX(extent->end, extent->decoding_end + extent->delay);
  }
  if (extent->end != AV_NOPTS_VALUE && extent->end > extent->last) return extent->end;
  return extent->before_last == AV_NOPTS_VALUE ? extent->last : 2 * extent->last - extent->before_last;
}

/// Puts each section after the previous one by its video, so that no frame is lost, or by its audio if there is no video.
static void join_sections(section_search *search) {
  int64_t ends[2] = {0, 0};
  for (int i = 0; i < search->count; i++) {
    cff_clock_section *section = &search->sections[i];
    section_extent *extents = search->extents[i];
    int64_t start = AV_NOPTS_VALUE, end = AV_NOPTS_VALUE;
    for (int kind = 1; kind >= 0; kind--) {
      if (extents[kind].start == AV_NOPTS_VALUE) continue;
      if (i > 0) section->offset = ends[kind] - extents[kind].start;
      start = start == AV_NOPTS_VALUE ? extents[kind].start : FFMIN(start, extents[kind].start);
      end = end == AV_NOPTS_VALUE ? end_of(&extents[kind]) : FFMAX(end, end_of(&extents[kind]));
    }
    if (start == AV_NOPTS_VALUE) start = end = section->base + lead;
    section->start = start + section->offset;
    section->end = end + section->offset;
    for (int kind = 0; kind < 2; kind++) {
      // If a section lacks one type of stream, that type's end moves along with the others.
      ends[kind] = extents[kind].start != AV_NOPTS_VALUE ? end_of(&extents[kind]) + section->offset : section->end;
    }
  }
}

/// Reads every packet of the file, to find where sections begin or, once that is known, when they start and end.
static int read_all(section_search *search, bool finds) {
  cff_demuxer *demuxer = search->demuxer;
  AVPacket *packet = av_packet_alloc();
  if (!packet) return AVERROR(ENOMEM);
  int result;
  while ((result = av_read_frame(demuxer->format, packet)) >= 0) {
    result = cff_reserve_positions(demuxer);
    if (result >= 0 && packet->stream_index < search->clock_count) {
      int64_t position = cff_place_of(demuxer, packet);
      if (finds) result = examine(search, packet, position);
      else extend(search, packet, position);
    }
    av_packet_unref(packet);
    if (result < 0) break;
  }
  av_packet_free(&packet);
  return result == AVERROR(ENOMEM) ? result : 0;
}

cff_status cff_demuxer_find_sections(cff_demuxer *demuxer, cff_failure *failure) {
  if (!cff_demuxer_has_sections(demuxer)) return CFF_OK;
  section_search search = {.demuxer = demuxer, .clock_count = (int)demuxer->format->nb_streams};
  search.clocks = av_calloc((size_t)FFMAX(1, search.clock_count), sizeof *search.clocks);
  int result = search.clocks ? 0 : AVERROR(ENOMEM);
  for (int i = 0; i < search.clock_count && result >= 0; i++) {
    const AVStream *stream = demuxer->format->streams[i];
    bool is_video = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
    search.clocks[i] = (stream_clock){.is_timed = is_timed(stream), .is_video = is_video, .last = AV_NOPTS_VALUE};
  }
  if (result >= 0) result = read_all(&search, true);
  cff_status status = CFF_OK;
  if (result >= 0 && !demuxer->read_error && search.count > 0) {
    status = cff_demuxer_rewind(demuxer, failure);
    if (status == CFF_OK) result = read_all(&search, false);
  }
  if (status != CFF_OK) {
    // A failed rewind has already set the failure.
  } else if (demuxer->read_error) {
    status = cff_fail_read(demuxer, failure);
  } else if (result < 0) {
    status = cff_fail_av(failure, result, CFF_UNREADABLE, "the timestamps cannot be read");
  } else if (search.count > 0) {
    join_sections(&search);
    status = cff_demuxer_use_sections(demuxer, search.sections, search.count, failure);
  }
  av_free(search.sections);
  av_free(search.extents);
  av_free(search.clocks);
  return status == CFF_OK ? cff_demuxer_rewind(demuxer, failure) : status;
}
