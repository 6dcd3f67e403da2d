// Finds missing pages of an Ogg file: each page of a stream has the number after the one before, and a checksum (RFC 3533, 6). A damaged page counts as
// missing, as libavformat leaves it out.
#include "Common/file_window.h"
#include "Times/pages.h"

#include <libavutil/crc.h>
#include <libavutil/intreadwrite.h>
#include <string.h>

enum {
  header_size = 27,
  checksum_offset = 22,
  /// Flags of a page: its first packet began in the one before; it begins a stream; it ends one.
  continued = 1,
  begins_stream = 2,
  ends_stream = 4,
  /// Numbers that are farther apart are those of another stream, or no numbers.
  most_missing = 1 << 16,
  /// Places that are kept: a file with more is no recording that lost some pages.
  most_places = 4096,
};

typedef struct page {
  int64_t place, granule;
  int size;
  uint32_t serial, number;
  uint8_t flags;
  /// Whether a packet ends in it, and whether its last one ends later.
  bool ends_packet, is_open;
  bool has_checksum;
} page;

/// A stream so far.
typedef struct lane {
  uint32_t serial;
  /// Number and position of the last page that is whole, and of the last damaged one after it; `damaged` is 0 in number if there is none.
  uint32_t number, damaged_number;
  int64_t granule, damaged_granule;
  /// Bytes of the file before that page that belong to none.
  int64_t foreign;
  bool has_media, is_later;
  /// The index of a place in which no packet has ended yet; -1 if there is none.
  int open_place;
} lane;

typedef struct search {
  lane *lanes;
  int lane_count;
  cff_missing_pages *found;
  int found_count;
  int64_t foreign;
  /// Whether media was seen, so that streams that begin are those of another link of a chain.
  bool has_media, has_links;
} search;

/// The next position from which a page may begin; -1 if there is none.
static int64_t find_capture(cff_window *w, int64_t position) {
  const uint8_t *bytes;
  while ((bytes = cff_window_at(w, position, header_size))) {
    const uint8_t *end = w->bytes + w->count - 3, *found = bytes;
    while (found < end && (found = memchr(found, 'O', (size_t)(end - found))) && memcmp(found, "OggS", 4) != 0) found++;
    if (found && found < end) return position + (found - bytes);
    position += end - bytes;
  }
  return -1;
}

static bool has_checksum(const uint8_t *bytes, int size) {
  static const uint8_t zeros[4];
  const AVCRC *table = av_crc_get_table(AV_CRC_32_IEEE);
  uint32_t sum = av_crc(table, 0, bytes, checksum_offset);
  sum = av_crc(table, sum, zeros, sizeof zeros);
  sum = av_crc(table, sum, bytes + checksum_offset + 4, (size_t)(size - checksum_offset - 4));
  return sum == AV_RB32(bytes + checksum_offset);
}

/// Reads the page at a position; false if the file ends within it.
static bool read_page(cff_window *w, int64_t position, page *result) {
  const uint8_t *bytes = cff_window_at(w, position, header_size);
  int segments = bytes ? bytes[header_size - 1] : 0, size = header_size + segments;
  bytes = bytes ? cff_window_at(w, position, size) : NULL;
  if (!bytes) return false;
  bool ends_packet = false;
  for (int i = 0; i < segments; i++) {
    size += bytes[header_size + i];
    ends_packet = ends_packet || bytes[header_size + i] < 255;
  }
  bytes = cff_window_at(w, position, size);
  if (!bytes) return false;
  *result = (page){.place = position, .size = size, .flags = bytes[5], .granule = (int64_t)AV_RL64(bytes + 6), .serial = AV_RL32(bytes + 14),
                   .number = AV_RL32(bytes + 18), .ends_packet = ends_packet, .is_open = segments > 0 && bytes[header_size + segments - 1] == 255};
  result->has_checksum = bytes[4] == 0 && has_checksum(bytes, size);
  return true;
}

static lane *lane_of(search *s, uint32_t serial) {
  for (int i = s->lane_count - 1; i >= 0; i--) {
    if (s->lanes[i].serial == serial) return &s->lanes[i];
  }
  return NULL;
}

/// Begins a stream. Returns a libav error.
static int begin(search *s, const page *page) {
  lane *known = lane_of(s, page->serial);
  if (!known) {
    lane *grown = av_realloc_array(s->lanes, (size_t)s->lane_count + 1, sizeof *grown);
    if (!grown) return AVERROR(ENOMEM);
    s->lanes = grown;
    known = &s->lanes[s->lane_count++];
  }
  *known = (lane){.serial = page->serial, .number = page->number, .foreign = s->foreign, .is_later = s->has_media, .open_place = -1};
  s->has_links = s->has_links || s->has_media;
  return 0;
}

/// Notes that pages are missing between the last one of a stream and this. Returns a libav error.
static int note_missing(search *s, lane *lane, const page *page) {
  uint32_t count = page->number - lane->number - 1;
  bool has_foreign = s->foreign > lane->foreign;
  // A stream that was tuned in to begins with any page; where something was damaged, its bytes are there. Streams of later links have times of their own.
  bool is_lost = count > 0 && count <= most_missing && (lane->has_media || (has_foreign && !lane->is_later));
  if (!is_lost || s->found_count >= most_places) return 0;
  cff_missing_pages *grown = av_realloc_array(s->found, (size_t)s->found_count + 1, sizeof *grown);
  if (!grown) return AVERROR(ENOMEM);
  s->found = grown;
  lane->open_place = s->found_count;
  s->found[s->found_count++] = (cff_missing_pages){
      .serial = lane->serial, .place = page->place, .last_place = INT64_MAX, .before = lane->granule, .count = count,
      .damaged = lane->damaged_number + 1 == page->number && lane->damaged_number > lane->number ? lane->damaged_granule : -1,
      .is_beginning = !lane->has_media, .continues = page->flags & continued};
  return 0;
}

/// Takes a whole page. Returns a libav error.
static int take(search *s, const page *page) {
  lane *lane = lane_of(s, page->serial);
  if (page->flags & begins_stream) return begin(s, page);
  if (!lane) return 0;
  int error = note_missing(s, lane, page);
  if (error < 0) return error;
  bool is_placed = page->ends_packet && page->granule >= 0;
  if (is_placed && lane->open_place >= 0) {
    cff_missing_pages *missing = &s->found[lane->open_place];
    missing->last_place = page->place;
    missing->after = page->granule;
    missing->is_open = page->is_open;
    missing->is_end = page->flags & ends_stream;
    lane->open_place = -1;
  }
  lane->number = page->number;
  lane->damaged_number = 0;
  lane->foreign = s->foreign;
  if (is_placed) lane->granule = page->granule;
  lane->has_media = lane->has_media || (is_placed && page->granule > 0);
  s->has_media = s->has_media || lane->has_media;
  return 0;
}

/// Takes a page with a wrong checksum. Its header is believed if it continues that of the pages before.
static void take_damaged(search *s, const page *page) {
  lane *lane = lane_of(s, page->serial);
  if (!lane || (page->flags & begins_stream) || page->granule < lane->granule) return;
  uint32_t last = lane->damaged_number > lane->number ? lane->damaged_number : lane->number;
  if (page->number != last + 1) return;
  lane->damaged_number = page->number;
  lane->damaged_granule = page->granule;
}

/// The position of a damaged last page is the end of its stream.
static int note_ends(search *s) {
  for (int i = 0; i < s->lane_count && !s->has_links; i++) {
    const lane *lane = &s->lanes[i];
    if (lane->damaged_number <= lane->number || lane->open_place >= 0 || !lane->has_media) continue;
    cff_missing_pages *grown = av_realloc_array(s->found, (size_t)s->found_count + 1, sizeof *grown);
    if (!grown) return AVERROR(ENOMEM);
    s->found = grown;
    s->found[s->found_count++] = (cff_missing_pages){
        .serial = lane->serial, .place = INT64_MAX, .last_place = INT64_MAX, .before = lane->granule, .damaged = lane->damaged_granule,
        .after = lane->damaged_granule, .count = lane->damaged_number - lane->number};
  }
  return 0;
}

int cff_find_missing_pages(const cff_demuxer *demuxer, cff_missing_pages **found) {
  cff_window w = {.descriptor = demuxer->descriptor};
  search s = {0};
  int error = 0;
  int64_t position = 0;
  while (error >= 0) {
    int64_t capture = find_capture(&w, position);
    page page;
    if (capture < 0) break;
    s.foreign += capture - position;
    position = capture;
    bool is_whole = read_page(&w, position, &page);
    if (is_whole && page.has_checksum) {
      error = take(&s, &page);
      position += page.size;
      continue;
    }
    if (is_whole) take_damaged(&s, &page);
    s.foreign++;
    position++;
  }
  if (error >= 0) error = note_ends(&s);
  cff_window_close(&w);
  av_free(s.lanes);
  if (error < 0) av_freep(&s.found);
  *found = s.found;
  return error < 0 ? error : s.found_count;
}
