// AVI has no presentation times: a packet's time is its number among the packets, of which empty ones repeat the frame before. A decoder that holds frames back
// returns each when a later packet is decoded, with that packet's number, and the last ones after the last packet. Numbers are therefore late by the distance of
// the first packets, as many as are held back; players show the first frame at once.
#include "Times/read_numbered.h"

#include <libavcodec/avcodec.h>

enum {
  /// Steps above this are not told apart.
  longest_step = 256,
  /// How many entries of the index before and after a packet's number are compared with its place.
  searched_entries = 1024,
  /// Bytes of a chunk's name and size, before its data.
  chunk_header = 8,
};

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
  if (!demuxer->traits.numbers_packets) return 0;
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
  if (!demuxer->traits.numbers_packets || held <= 0) return 0;
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

// MARK: numbers by the index

/// The index's entry for the packet whose data is at a place of the file, near the one with a number; NULL if there is none.
static const AVIndexEntry *entry_at(AVStream *stream, int64_t position, int64_t number) {
  int count = avformat_index_get_entries_count(stream);
  int near = FFMAX(av_index_search_timestamp(stream, number, AVSEEK_FLAG_ANY | AVSEEK_FLAG_BACKWARD), 0);
  for (int i = 0; i < 2 * searched_entries; i++) {
    // By turns: the entry itself, the next one, the one before, and so on.
    int index = near + (i % 2 == 1 ? (i + 1) / 2 : -i / 2);
    const AVIndexEntry *entry = index >= 0 && index < count ? avformat_index_get_entry(stream, index) : NULL;
    if (entry && entry->size > 0 && (entry->pos == position || entry->pos + chunk_header == position)) return entry;
  }
  return NULL;
}

/// Whether libavformat takes from the bitstream, not from the index, which packets are key frames.
static bool has_parser(enum AVCodecID codec) {
  void *state = NULL;
  const AVCodecParser *parser;
  while ((parser = av_parser_iterate(&state))) {
    for (size_t i = 0; i < FF_ARRAY_ELEMS(parser->codec_ids); i++) {
      if (parser->codec_ids[i] == (int)codec) return true;
    }
  }
  return false;
}

/// Whether a stream of audio has one packet in each tick, as of a varying bit rate. Otherwise, the index counts bytes or samples.
static bool counts_packets(AVStream *stream) {
  int count = avformat_index_get_entries_count(stream);
  const AVIndexEntry *last = count > 0 ? avformat_index_get_entry(stream, count - 1) : NULL;
  return last && last->timestamp == count - 1;
}

int cff_indexed_bytes_of_tick(AVStream *stream) {
  const AVCodecParameters *parameters = stream->codecpar;
  bool is_uncompressed = parameters->codec_id >= AV_CODEC_ID_FIRST_AUDIO && parameters->codec_id < AV_CODEC_ID_ADPCM_IMA_QT;
  int count = is_uncompressed ? avformat_index_get_entries_count(stream) : 0;
  for (int i = 0; i < 2 && count >= 2; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i * (count - 2));
    const AVIndexEntry *next = avformat_index_get_entry(stream, i * (count - 2) + 1);
    if (next->timestamp - entry->timestamp != entry->size) return 0;
  }
  return count >= 2 ? parameters->block_align : 0;
}

/// Gives a packet of uncompressed audio, of which a chunk may have several, the time of its place in the chunk.
static void number_by_bytes(AVStream *stream, int bytes, AVPacket *packet) {
  int count = avformat_index_get_entries_count(stream);
  int index = FFMAX(av_index_search_timestamp(stream, FFMIN(packet->dts, INT64_MAX / bytes) * bytes, AVSEEK_FLAG_ANY | AVSEEK_FLAG_BACKWARD), 0);
  for (int i = index; i < count && i < index + searched_entries; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry(stream, i);
    int64_t offset = packet->pos - entry->pos - chunk_header;
    if (offset < 0 || offset >= entry->size) continue;
    packet->dts = FFMAX(packet->dts, (entry->timestamp + offset) / bytes);
    packet->pts = packet->pts == AV_NOPTS_VALUE ? packet->pts : packet->dts;
    return;
  }
}

void cff_number_packet(const cff_demuxer *demuxer, AVPacket *packet) {
  if (packet->pos < 0 || packet->dts == AV_NOPTS_VALUE || !demuxer->traits.numbers_packets) return;
  AVStream *stream = demuxer->format->streams[packet->stream_index];
  bool is_video = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
  int bytes = cff_indexed_bytes_of_tick(stream);
  if (bytes > 0) {
    number_by_bytes(stream, bytes, packet);
    return;
  }
  bool is_counted = is_video || (stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO && counts_packets(stream));
  const AVIndexEntry *entry = is_counted ? entry_at(stream, packet->pos, packet->dts) : NULL;
  // Packets of audio may have several frames, of which the first has the number.
  if (!entry || (is_video ? entry->timestamp == packet->dts : entry->timestamp <= packet->dts)) return;
  if (packet->pts != AV_NOPTS_VALUE) packet->pts = av_sat_add64(packet->pts, entry->timestamp - packet->dts);
  packet->dts = entry->timestamp;
  if (!is_video || has_parser(stream->codecpar->codec_id)) return;
  packet->flags = (packet->flags & ~AV_PKT_FLAG_KEY) | (entry->flags & AVINDEX_KEYFRAME ? AV_PKT_FLAG_KEY : 0);
}

int cff_entry_of_numbered(const cff_demuxer *demuxer, const AVPacket *packet) {
  if (!demuxer->traits.numbers_packets || packet->dts == AV_NOPTS_VALUE || packet->size == 0) return -1;
  AVStream *stream = demuxer->format->streams[packet->stream_index];
  int bytes = cff_indexed_bytes_of_tick(stream);
  bool is_video = stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO;
  if (bytes == 0 && !is_video && !counts_packets(stream)) return -1;
  int64_t number = bytes > 0 ? FFMIN(packet->dts, INT64_MAX / bytes) * bytes : packet->dts;
  int index = av_index_search_timestamp(stream, number, AVSEEK_FLAG_ANY | AVSEEK_FLAG_BACKWARD);
  return is_video && index >= 0 && avformat_index_get_entry(stream, index)->timestamp != number ? -1 : index;
}

int64_t cff_time_of_entry(AVStream *stream, const AVIndexEntry *entry) {
  int bytes = cff_indexed_bytes_of_tick(stream);
  return bytes > 0 ? entry->timestamp / bytes : entry->timestamp;
}
