// Boxes of ISO/IEC 14496-12, read as far as the edit list of a track: moov > mvhd, moov > trak > tkhd, edts > elst.
#include "Times/edit_list.h"

#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

/// The contents of a box.
typedef struct box {
  int64_t start, end;
} box;

enum {
  /// Boxes in a row after which a search ends, and the parts of a list that are read at most.
  most_boxes = 4096,
  most_edits = 65536,
};

static bool read_at(const cff_demuxer *demuxer, int64_t position, uint8_t *bytes, size_t count) {
  return pread(demuxer->descriptor, bytes, count, position) == (ssize_t)count;
}

/// Reads the head of the box at `position`, which must lie before `end`.
static bool read_box(const cff_demuxer *demuxer, int64_t position, int64_t end, box *result, char name[4]) {
  uint8_t head[16];
  if (end - position < 8 || !read_at(demuxer, position, head, 8)) return false;
  int64_t size = AV_RB32(head), head_size = 8;
  memcpy(name, head + 4, 4);
  if (size == 1) {
    if (end - position < 16 || !read_at(demuxer, position, head, 16)) return false;
    size = (int64_t)AV_RB64(head + 8);
    head_size = 16;
  } else if (size == 0) {
    size = end - position;
  }
  if (size < head_size || size > end - position) return false;
  *result = (box){position + head_size, position + size};
  return true;
}

/// Finds the box with a name among those of `parent`, after the first `skip` ones of that name.
static bool find_box(const cff_demuxer *demuxer, box parent, const char *name, int skip, box *result) {
  char found[4];
  int64_t position = parent.start;
  for (int i = 0; i < most_boxes && read_box(demuxer, position, parent.end, result, found); i++) {
    if (memcmp(found, name, 4) == 0 && skip-- == 0) return true;
    position = result->end;
  }
  return false;
}

/// A number of 32 bits in a box whose first byte is its version, at an offset that depends on it.
static bool read_number(const cff_demuxer *demuxer, box box, const int offsets[2], uint32_t *result) {
  uint8_t version, bytes[4];
  if (box.end - box.start < offsets[1] + 4 && box.end - box.start < offsets[0] + 4) return false;
  if (!read_at(demuxer, box.start, &version, 1)) return false;
  int offset = offsets[version == 1];
  if (box.end - box.start < offset + 4 || !read_at(demuxer, box.start + offset, bytes, 4)) return false;
  *result = AV_RB32(bytes);
  return true;
}

/// The track of a stream, which libavformat numbers by the track's identifier.
static bool find_track(const cff_demuxer *demuxer, box movie, const AVStream *stream, box *track) {
  static const int identifier_offsets[2] = {12, 20};
  for (int i = 0; find_box(demuxer, movie, "trak", i, track); i++) {
    box header;
    uint32_t identifier;
    if (!find_box(demuxer, *track, "tkhd", 0, &header) || !read_number(demuxer, header, identifier_offsets, &identifier)) continue;
    if ((int64_t)identifier == stream->id) return true;
  }
  return false;
}

/// Reads the entries of a list.
static bool read_entries(const cff_demuxer *demuxer, box box, int timescale, const AVStream *stream, cff_edit_list *list) {
  uint8_t head[8], entry[20];
  if (box.end - box.start < 8 || !read_at(demuxer, box.start, head, 8)) return false;
  bool is_long = head[0] == 1;
  int64_t size = is_long ? 20 : 12, count = AV_RB32(head + 4);
  if (count < 1 || count > most_edits || count * size > box.end - box.start - 8) return false;
  list->edits = av_malloc_array((size_t)count, sizeof *list->edits);
  if (!list->edits) return false;
  int64_t start = 0;
  for (int64_t i = 0; i < count; i++) {
    if (!read_at(demuxer, box.start + 8 + i * size, entry, (size_t)size)) return false;
    int64_t stated = is_long ? (int64_t)AV_RB64(entry) : AV_RB32(entry);
    int64_t media_time = is_long ? (int64_t)AV_RB64(entry + 8) : (int32_t)AV_RB32(entry + 4);
    if (AV_RB32(entry + size - 4) != 1 << 16 || stated < 0) return false;
    int64_t duration = av_rescale(stated, stream->time_base.den, (int64_t)timescale * stream->time_base.num);
    list->edits[i] = (cff_edit){start, duration, media_time};
    list->count = (int)i + 1;
    start = av_sat_add64(start, duration);
  }
  return true;
}

bool cff_read_edit_list(const cff_demuxer *demuxer, const AVStream *stream, cff_edit_list *list) {
  static const int timescale_offsets[2] = {12, 20};
  box file = {0, demuxer->file_size}, movie, header, track, edits, entries;
  uint32_t timescale;
  *list = (cff_edit_list){0};
  bool has_list = find_box(demuxer, file, "moov", 0, &movie) && find_box(demuxer, movie, "mvhd", 0, &header) &&
                  read_number(demuxer, header, timescale_offsets, &timescale) && timescale > 0 && timescale <= INT32_MAX &&
                  find_track(demuxer, movie, stream, &track) && find_box(demuxer, track, "edts", 0, &edits) &&
                  find_box(demuxer, edits, "elst", 0, &entries);
  if (has_list && read_entries(demuxer, entries, (int)timescale, stream, list)) return true;
  av_freep(&list->edits);
  return false;
}
