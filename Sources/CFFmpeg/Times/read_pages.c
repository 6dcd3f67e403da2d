// Ogg files of which pages are missing: the packets after them get the times that place_pages.c found, whether they were read in order or found by a jump.
#include "Times/pages.h"

#include <libavutil/intreadwrite.h>
#include <string.h>

/// A gap, and how far the packets after it were read.
struct cff_known_page_gap {
  cff_page_gap gap;
  /// Number of packets so far, -1 after a jump until the first one is read; and the time of the next one.
  int packets;
  int64_t next;
};

typedef struct cff_known_page_gap known_gap;

void cff_page_gaps_free(cff_demuxer *demuxer) {
  av_freep(&demuxer->page_gaps);
  demuxer->page_gap_count = 0;
}

int cff_demuxer_page_gap_count(const cff_demuxer *demuxer) { return demuxer->page_gap_count; }

cff_page_gap cff_demuxer_page_gap(const cff_demuxer *demuxer, int index) { return demuxer->page_gaps[index].gap; }

cff_status cff_demuxer_use_page_gaps(cff_demuxer *demuxer, const cff_page_gap *gaps, int count, cff_failure *failure) {
  if (count < 1 || !demuxer->traits.has_pages) return CFF_OK;
  cff_page_gaps_free(demuxer);
  demuxer->page_gaps = av_calloc((size_t)count, sizeof *demuxer->page_gaps);
  if (!demuxer->page_gaps) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  for (int i = 0; i < count; i++) demuxer->page_gaps[i].gap = gaps[i];
  demuxer->page_gap_count = count;
  // The packets' times and the origin depend on them.
  return cff_demuxer_rewind(demuxer, failure);
}

void cff_forget_gap_packets(cff_demuxer *demuxer, bool is_start) {
  for (int i = 0; i < demuxer->page_gap_count; i++) demuxer->page_gaps[i].packets = is_start ? 0 : -1;
}

bool cff_lacks_first_pages(const cff_demuxer *demuxer) {
  for (int i = 0; i < demuxer->page_gap_count; i++) {
    if (demuxer->page_gaps[i].gap.is_beginning) return true;
  }
  return false;
}

static bool is_after(const cff_page_gap *gap, const AVPacket *packet) {
  return packet->stream_index == gap->stream && packet->pos >= gap->place && packet->pos <= gap->last_place;
}

const cff_page_gap *cff_page_gap_before(const cff_demuxer *demuxer, const AVPacket *packet) {
  for (int i = 0; i < demuxer->page_gap_count; i++) {
    const cff_page_gap *gap = &demuxer->page_gaps[i].gap;
    if (is_after(gap, packet) && packet->pts == gap->start) return gap;
  }
  return NULL;
}

const cff_page_gap *cff_page_gap_at_end(const cff_demuxer *demuxer, int stream_index) {
  for (int i = 0; i < demuxer->page_gap_count; i++) {
    const cff_page_gap *gap = &demuxer->page_gaps[i].gap;
    if (gap->stream == stream_index && gap->place == INT64_MAX) return gap;
  }
  return NULL;
}

/// Ends a packet where its page does. Returns a libav error.
static int drop_padding(const cff_page_gap *gap, AVPacket *packet) {
  enum { skips_size = 10, end_offset = 4 };
  packet->duration = FFMAX(gap->end - packet->pts, 1);
  if (gap->padding <= 0) return 0;
  size_t size = 0;
  uint8_t *skips = av_packet_get_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, &size);
  if (!skips || size < skips_size) {
    skips = av_packet_new_side_data(packet, AV_PKT_DATA_SKIP_SAMPLES, skips_size);
    if (!skips) return AVERROR(ENOMEM);
    memset(skips, 0, skips_size);
  }
  AV_WL32(skips + end_offset, (uint32_t)FFMIN(gap->padding, INT32_MAX));
  return 0;
}

int cff_place_after_gap(cff_demuxer *demuxer, AVPacket *packet) {
  for (int i = 0; i < demuxer->page_gap_count; i++) {
    known_gap *known = &demuxer->page_gaps[i];
    if (!is_after(&known->gap, packet)) continue;
    // A jump may end within them.
    if (known->packets < 0 && packet->pos != known->gap.place) return 0;
    if (known->packets <= 0) {
      known->packets = 0;
      known->next = known->gap.start;
    }
    packet->pts = packet->dts = known->next;
    known->next = av_sat_add64(known->next, packet->duration);
    return ++known->packets == known->gap.packets ? drop_padding(&known->gap, packet) : 0;
  }
  return 0;
}
