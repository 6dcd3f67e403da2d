// The audible samples of AAC and other codecs that begin with samples of their own, and end with padding: iTunes' tag, and the packet table of CAF.
//
// The tag is " 00000000 00000840 000003C0 0000000000164000 …", hexadecimal numbers of which the second is the number of samples before the first audible one, the
// third that of samples after the last one, and the fourth that of audible ones.
#include <inttypes.h>
#include <stdio.h>

#include "Common/common_internal.h"
#include "Measuring/sizes_internal.h"

/// The only audio stream of a file without video; -1 if there are others.
static int only_audio_stream(const cff_demuxer *demuxer) {
  int found = -1;
  for (int i = 0; i < cff_demuxer_stream_count(demuxer); i++) {
    const AVStream *stream = demuxer->format->streams[i];
    enum AVMediaType type = stream->codecpar->codec_type;
    if (type == AVMEDIA_TYPE_VIDEO && !cff_stream_is_cover(demuxer, stream)) return -1;
    if (type != AVMEDIA_TYPE_AUDIO) continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

enum {
  most_priming = 16384,
  largest_packet = 2048,
};

static bool counts_samples(const AVStream *stream) {
  int rate = stream->codecpar->sample_rate;
  return rate > 0 && av_cmp_q(stream->time_base, (AVRational){1, rate}) == 0;
}

/// Reads the packet table of CAF, of which libavformat takes the packets' places only.
static void find_in_packet_table(cff_demuxer *demuxer) {
  int64_t samples;
  uint32_t priming, padding;
  if (!demuxer->traits.has_packet_table || demuxer->format->nb_streams != 1) return;
  const AVStream *stream = demuxer->format->streams[0];
  if (!counts_samples(stream) || stream->duration <= 0 || !cff_find_packet_table(demuxer, &samples, &priming, &padding)) return;
  bool has_both = priming <= most_priming && samples > 0 && samples <= stream->duration - priming;
  // What the table says of the whole must be what it says of the packets.
  if (!has_both || priming + padding == 0 || samples + priming + padding != stream->duration) return;
  demuxer->gapless = (cff_gapless){0, priming, samples, padding};
}

void cff_find_gapless(cff_demuxer *demuxer) {
  AVFormatContext *format = demuxer->format;
  demuxer->gapless = (cff_gapless){.stream_index = -1};
  find_in_packet_table(demuxer);
  const AVDictionaryEntry *tag = av_dict_get(format->metadata, "iTunSMPB", NULL, 0);
  int index = tag && demuxer->traits.may_have_itunes_tag ? only_audio_stream(demuxer) : -1;
  if (index < 0) return;
  AVStream *stream = format->streams[index];
  uint32_t priming, padding;
  uint64_t samples;
  if (sscanf(tag->value, "%*x %" SCNx32 " %" SCNx32 " %" SCNx64, &priming, &padding, &samples) != 3) return;
  int count = avformat_index_get_entries_count(stream);
  if (count < 1 || stream->duration <= 0 || !counts_samples(stream)) return;
  const AVIndexEntry *first = avformat_index_get_entry(stream, 0), *last = avformat_index_get_entry(stream, count - 1);
  // An edit list shifts the packets before the first audible sample to times before 0.
  bool has_edits = !first || !last || first->timestamp != 0;
  uint64_t end = has_edits ? 0 : (uint64_t)last->timestamp + largest_packet;
  if (has_edits || priming > most_priming || samples == 0 || samples > end || priming + samples > end) return;
  demuxer->gapless = (cff_gapless){index, priming, (int64_t)samples, padding};
}
