// AVI has no presentation times: a packet's time is its number among the packets, of which empty ones repeat the frame before. A decoder that holds frames back
// returns each when a later packet is decoded, with that packet's number, and the last ones after the last packet. Numbers are therefore late by the distance of
// the first packets, as many as are held back; players show the first frame at once.
#include "read_numbered.h"

#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>

enum {
  /// Steps above this are not told apart.
  longest_step = 256,
};

static bool is_numbered(const cff_demuxer *demuxer) {
  return demuxer->format && av_match_name("avi", demuxer->format->iformat->name);
}

/// The number of the `ordinal`-th packet with content, from the file's index; AV_NOPTS_VALUE if there is none.
static int64_t number_of_packet(const AVStream *stream, int ordinal) {
  int count = avformat_index_get_entries_count(stream);
  for (int i = 0; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry((AVStream *)stream, i);
    if (entry->size > 0 && ordinal-- == 0) return entry->timestamp;
  }
  return AV_NOPTS_VALUE;
}

/// The steps from packet to packet.
typedef struct steps {
  int counts[longest_step + 1];
  int all;
  /// The last packet's number.
  int64_t last;
} steps;

static steps count_steps(const AVStream *stream) {
  steps found = {.last = AV_NOPTS_VALUE};
  int count = avformat_index_get_entries_count(stream);
  for (int i = 0; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry((AVStream *)stream, i);
    if (entry->size <= 0) continue;
    if (found.last != AV_NOPTS_VALUE && entry->timestamp > found.last) {
      found.counts[FFMIN(entry->timestamp - found.last, longest_step)]++;
      found.all++;
    }
    found.last = entry->timestamp;
  }
  return found;
}

/// The step that a `part` of them doesn't exceed.
static int quantile(const steps *found, double part) {
  int step = 1;
  for (int passed = found->counts[1]; step < longest_step && passed < part * found->all; passed += found->counts[++step]) {}
  return step;
}

int64_t cff_numbered_step(const cff_demuxer *demuxer, int stream_index) {
  if (!is_numbered(demuxer)) return 0;
  const AVStream *stream = demuxer->format->streams[stream_index];
  steps found = count_steps(stream);
  int median = quantile(&found, 0.5), held = FFMAX(stream->codecpar->video_delay, 0);
  if (found.last == AV_NOPTS_VALUE || stream->duration == AV_NOPTS_VALUE || stream->duration <= found.last) return median;
  // The header counts the numbers: the frames held back are shown before their end.
  bool fits = found.last + (int64_t)held * median < stream->duration + cff_numbered_delay(demuxer, stream);
  return fits ? median : quantile(&found, 0.1);
}

int64_t cff_numbered_delay(const cff_demuxer *demuxer, const AVStream *stream) {
  int held = stream->codecpar->video_delay;
  if (!is_numbered(demuxer) || held <= 0) return 0;
  int64_t first = number_of_packet(stream, 0);
  // Without an index, no number is known to be left out.
  if (first == AV_NOPTS_VALUE) {
    return stream->avg_frame_rate.num > 0 ? held * av_rescale_q(1, av_inv_q(stream->avg_frame_rate), stream->time_base) : 0;
  }
  int64_t number = number_of_packet(stream, held);
  if (number != AV_NOPTS_VALUE) return number - first;
  // So few frames are all returned after the last packet.
  int64_t last = first, next;
  for (int i = 1; i < held && (next = number_of_packet(stream, i)) != AV_NOPTS_VALUE; i++) last = next;
  steps found = count_steps(stream);
  return last + quantile(&found, 0.5) - first;
}
