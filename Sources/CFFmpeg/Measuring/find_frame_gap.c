// Frames that are missing within an MP3. An encoder's first frame states how many frames follow and how many bytes that is. Where some are missing, the
// frame before them usually ends where no header is, or the frame after them has its data elsewhere than right after that of the frame before: frames lend
// each other the bytes that they don't need (ISO/IEC 11172-3, 2.4.3.4).
#include "Measuring/stated_ends.h"
#include "Common/file_window.h"
#include "Samples/read_counter.h"
#include "Times/pages.h"

enum {
  /// Frames after a gap whose data may look displaced, too.
  frames_of_gap = 2,
};

/// The frames so far.
typedef struct chain {
  cff_window window;
  int64_t end;
  /// Bytes for data in the frames so far, and where the last frame's data ends among them; -1 if that is unknown.
  int64_t room, data_end;
  int64_t frames;
  cff_mp3_frame last;
  /// Places where frames are certainly missing: their number, the first one, and the frame at the last one. Places before which bytes are unused, as encoders
  /// may leave some: their number, and the first one.
  int64_t breaks, break_place, break_frame;
  int64_t slips, slip_place;
} chain;

/// Whether a frame of the same stream begins at a position. The last one may not be whole.
static bool has_frame(chain *c, int64_t position, cff_mp3_frame *frame) {
  const uint8_t *bytes = cff_window_at(&c->window, position, cff_mp3_header_size);
  if (!bytes || position + cff_mp3_header_size > c->end || !cff_read_mp3_frame(bytes, frame)) return false;
  return c->frames == 0 || (frame->sample_rate == c->last.sample_rate && frame->is_first_version == c->last.is_first_version);
}

/// The next position at which two frames follow each other; the end if there is none.
static int64_t find_frame(chain *c, int64_t position) {
  cff_mp3_frame frame, next;
  for (; position < c->end; position++) {
    if (!has_frame(c, position, &frame)) continue;
    if (position + frame.size == c->end || has_frame(c, position + frame.size, &next)) return position;
  }
  return c->end;
}

static void note_break(chain *c, int64_t place) {
  bool is_same = c->breaks > 0 && c->frames - c->break_frame <= frames_of_gap;
  if (!is_same && c->breaks++ == 0) c->break_place = place;
  c->break_frame = c->frames;
}

/// Takes a frame: its data follows that of the frame before, or leaves bytes unused.
static void take(chain *c, int64_t place, const cff_mp3_frame *frame) {
  int64_t start = c->room - frame->reservoir;
  if (c->data_end >= 0 && start < c->data_end) note_break(c, place);
  else if (c->data_end >= 0 && start > c->data_end && c->slips++ == 0) c->slip_place = place;
  c->data_end = start + frame->data;
  c->room += frame->room;
  c->last = *frame;
  c->frames++;
}

/// Looks at all frames. Returns their number. `place` receives a byte of the frame before which some are missing, INT64_MAX for the end, or -1 if that is
/// unknown.
static int64_t count_frames(const cff_demuxer *demuxer, const cff_mp3_statement *statement, int64_t *place) {
  chain c = {.window.descriptor = demuxer->descriptor, .end = cff_mp3_audio_end(demuxer), .data_end = -1};
  int64_t position = statement->start + statement->size;
  cff_mp3_frame frame;
  while (position < c.end) {
    bool is_whole = has_frame(&c, position, &frame) && position + frame.size <= c.end;
    int64_t next = is_whole ? position : find_frame(&c, FFMAX(position - c.last.size + 4, statement->start + statement->size));
    if (next != position) note_break(&c, next < c.end ? next : INT64_MAX);
    if (next >= c.end || !has_frame(&c, next, &frame)) break;
    take(&c, next, &frame);
    position = next + frame.size;
  }
  cff_window_close(&c.window);
  *place = c.breaks == 1 ? c.break_place : c.breaks == 0 && c.slips == 1 ? c.slip_place : -1;
  return c.frames;
}

/// Counts the samples of all packets, of which libavformat may make too few after a gap. Returns a libav error.
static int count_samples(cff_demuxer *demuxer, int64_t *count) {
  AVPacket *packet = av_packet_alloc();
  int error = packet ? cff_counters_open(demuxer) : AVERROR(ENOMEM);
  int64_t first = AV_NOPTS_VALUE;
  while (error >= 0 && (error = cff_read_packet(demuxer, packet)) >= 0) {
    int64_t position = packet->stream_index == 0 ? cff_counter_take(&demuxer->counters[0], packet) : AV_NOPTS_VALUE;
    if (first == AV_NOPTS_VALUE) first = position;
    av_packet_unref(packet);
  }
  *count = first == AV_NOPTS_VALUE || demuxer->counters[0].has_failed ? 0 : demuxer->counters[0].next - first;
  av_packet_free(&packet);
  cff_counters_free(demuxer);
  return error == AVERROR(ENOMEM) ? error : 0;
}

/// Bytes that an MP3 lacks; 0 if it lacks none, or so many that it was cut short.
static int64_t missing_bytes(const cff_demuxer *demuxer, const cff_mp3_statement *statement) {
  int64_t missing = statement->bytes - (cff_mp3_audio_end(demuxer) - statement->start);
  return missing > 0 && missing <= cff_mp3_slack(statement) ? missing : 0;
}

static cff_status find(cff_demuxer *demuxer, cff_failure *failure) {
  cff_mp3_statement statement;
  demuxer->frame_gap = (cff_frame_gap){0};
  bool is_stated = demuxer->traits.has_tags && cff_demuxer_is_small(demuxer) && demuxer->format->nb_streams > 0 &&
                   cff_read_mp3_statement(demuxer, &statement) && statement.frames > 0 && statement.bytes > 0;
  int64_t bytes = is_stated ? missing_bytes(demuxer, &statement) : 0, usual = is_stated ? statement.bytes / statement.frames : 0;
  int64_t size = demuxer->format->nb_streams > 0 ? demuxer->format->streams[0]->codecpar->frame_size : 0, count = 0;
  if (bytes * 2 < usual || bytes == 0 || size <= 0) return CFF_OK;
  int64_t place, missing = statement.frames - count_frames(demuxer, &statement, &place);
  // Some encoders count the first frame, others tags: both numbers have to tell it.
  if (missing <= 0 || (missing - 1) * usual > 2 * bytes) return CFF_OK;
  int error = count_samples(demuxer, &count);
  if (demuxer->read_error) return cff_fail_read(demuxer, failure);
  if (error < 0) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int64_t samples = statement.frames * size - count;
  if (count > 0 && samples > 0) {
    demuxer->frame_gap = (cff_frame_gap){
        .stated = statement.frames, .missing = missing, .samples = samples, .padding = statement.padding, .place = place};
  }
  return cff_demuxer_rewind(demuxer, failure);
}

cff_status cff_demuxer_find_gaps(cff_demuxer *demuxer, cff_failure *failure) {
  cff_status status = cff_find_page_gaps(demuxer, failure);
  return status == CFF_OK ? find(demuxer, failure) : status;
}

cff_frame_gap cff_demuxer_frame_gap(const cff_demuxer *demuxer) { return demuxer->frame_gap; }

void cff_demuxer_use_frame_gap(cff_demuxer *demuxer, cff_frame_gap gap) { demuxer->frame_gap = gap; }
