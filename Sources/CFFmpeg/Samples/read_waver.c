#include "Samples/read_waver.h"

#include <libavutil/intreadwrite.h>

#include "Samples/read_lossless.h"

enum {
  /// Times waver if they differ from the samples by at most one of this many parts of a packet.
  few_samples = 16,
};

/// Samples of each frame of FLAC, by the smallest and the largest number in STREAMINFO (RFC 9639, 8.2); 0 if they vary.
static int64_t flac_size(const AVCodecParameters *parameters) {
  if (parameters->extradata_size < 34) return 0;
  int64_t smallest = AV_RB16(parameters->extradata), largest = AV_RB16(parameters->extradata + 2);
  return smallest == largest ? largest : 0;
}

/// Packets of Opus last a multiple of 2.5 ms, up to 120 ms (RFC 6716, 3.2.5), at 48 kHz: the one that is nearest to the time until the next packet.
static int64_t opus_size(int64_t step) {
  enum { part = 120, most_parts = 48 };
  return FFMIN(FFMAX((step + part / 2) / part, 1), most_parts) * part;
}

/// The number of samples of each packet but the last one; 0 if it is unknown. libavformat knows it only of codecs whose packets all have the same.
static int64_t usual_size(const AVCodecParameters *parameters, int64_t step) {
  enum { ac3_samples = 1536, opus_rate = 48000 };
  if (parameters->frame_size > 0) return parameters->frame_size;
  switch (parameters->codec_id) {
  case AV_CODEC_ID_ALAC: return cff_alac_usual_samples(parameters);
  case AV_CODEC_ID_FLAC: return flac_size(parameters);
  case AV_CODEC_ID_OPUS: return parameters->sample_rate == opus_rate ? opus_size(step) : 0;
  // Samples of E-AC-3 in a movie have six blocks, as all frames of AC-3 do (ETSI TS 102 366, F.6.1).
  case AV_CODEC_ID_AC3:
  case AV_CODEC_ID_EAC3: return ac3_samples;
  default: return 0;
  }
}

bool cff_times_waver(const AVStream *stream, int rate) {
  bool may_waver = stream->nb_frames > 0 && usual_size(stream->codecpar, 0) >= few_samples;
  int count = may_waver ? avformat_index_get_entries_count((AVStream *)stream) : 0;
  const AVIndexEntry *before = count > 0 ? avformat_index_get_entry((AVStream *)stream, 0) : NULL;
  bool is_constant = stream->codecpar->frame_size > 0, is_late = false, is_early = false;
  for (int i = 1; i < count; i++) {
    const AVIndexEntry *entry = avformat_index_get_entry((AVStream *)stream, i);
    int64_t step = av_rescale_q(entry->timestamp - before->timestamp, stream->time_base, (AVRational){1, rate});
    int64_t size = usual_size(stream->codecpar, step);
    before = entry;
    if (size < few_samples || step == size || FFABS(step - size) > size / few_samples) continue;
    is_late = is_late || step > size;
    is_early = is_early || step < size;
    // A joint of an edit list may look like one such time, but hardly like two to both sides.
    if (is_constant || (is_late && is_early)) return true;
  }
  return false;
}

bool cff_end_wavers(const AVStream *stream, int rate, int64_t difference) {
  switch (stream->codecpar->codec_id) {
  case AV_CODEC_ID_ALAC:
  case AV_CODEC_ID_FLAC:
  case AV_CODEC_ID_AC3:
  case AV_CODEC_ID_EAC3: return difference <= usual_size(stream->codecpar, 0) / few_samples && cff_times_waver(stream, rate);
  // Encoders fill the last packet of others, and the stated end is that of the audio.
  default: return false;
  }
}
