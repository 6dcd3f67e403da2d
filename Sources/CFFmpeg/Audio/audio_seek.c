// Seeking in an audio track, so that the samples are those of reading in order.
#include "Audio/audio_decoder_internal.h"

/// Number of samples that have to be decoded before a position for correct output: MP3 keeps half a second of bits in reserve, Opus predicts from earlier
/// packets, other codecs overlap a few blocks.
static int64_t run_in(const cff_audio_decoder *decoder) {
  switch (decoder->context->codec_id) {
  case AV_CODEC_ID_MP3:
  case AV_CODEC_ID_MP2: return decoder->sample_rate;
  case AV_CODEC_ID_OPUS: return decoder->sample_rate * 2;
  default: return decoder->sample_rate / 4;
  }
}

/// The last mark at or before a position; NULL if the beginning is the best place to start.
static const cff_audio_mark *mark_before(const cff_audio_decoder *decoder, int64_t position) {
  int low = 0, high = decoder->mark_count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (decoder->marks[middle].position <= position) low = middle + 1;
    else high = middle;
  }
  return low > 1 ? &decoder->marks[low - 1] : NULL;
}

/// Whether packets are found by their place in the bytes, so that decoding can start at any of them but times follow from the beginning: by their headers, or by
/// blocks of one size.
static bool is_found_by_bytes(const cff_audio_decoder *decoder) {
  const cff_container_traits *traits = &decoder->demuxer->traits;
  return traits->is_searched_for_headers || traits->jumps_by_bytes;
}

/// Reads on to the packet of a mark, which is then the decoder's next one. Returns false if it isn't found.
static bool find_mark(cff_audio_decoder *decoder, const cff_audio_mark *mark) {
  AVPacket *packet = decoder->packet;
  bool is_by_bytes = is_found_by_bytes(decoder);
  int error = is_by_bytes ? av_seek_frame(decoder->demuxer->format, -1, mark->byte_position, AVSEEK_FLAG_BYTE)
                          : cff_seek_packet(decoder->demuxer, decoder->stream_index, mark->time);
  while (error >= 0 && (error = cff_audio_read_packet(decoder)) >= 0) {
    bool is_known = is_by_bytes ? packet->pos >= 0 : packet->pts != AV_NOPTS_VALUE;
    int64_t distance = is_by_bytes ? packet->pos - mark->byte_position : packet->pts - mark->time;
    if (is_known && distance == 0 && packet->size == mark->byte_count) return true;
    av_packet_unref(packet);
    if (is_known && distance > 0) return false;
  }
  return false;
}

/// Whether a decoder's state depends on all that it decoded before, since packets don't restore it.
static bool keeps_state(const cff_audio_decoder *decoder) {
  switch (decoder->context->codec_id) {
  case AV_CODEC_ID_ADPCM_YAMAHA:
  case AV_CODEC_ID_ADPCM_G722:
  case AV_CODEC_ID_ADPCM_G726:
  case AV_CODEC_ID_ADPCM_G726LE: return true;
  default: return false;
  }
}

/// Continues at a mark before the position. Returns false if that is not possible.
static bool seek_to_mark(cff_audio_decoder *decoder, int64_t position) {
  const cff_audio_mark *mark = decoder->is_counted && !keeps_state(decoder) ? mark_before(decoder, position) : NULL;
  decoder->holds_packet = mark && find_mark(decoder, mark);
  if (decoder->holds_packet) cff_counter_continue(&decoder->counter, mark, is_found_by_bytes(decoder));
  return decoder->holds_packet;
}

static bool seek_in_file(cff_audio_decoder *decoder, int64_t target) {
  if (!decoder->seeks_exactly || target <= 0) return false;
  int64_t time = av_rescale_q(target, (AVRational){1, decoder->sample_rate}, cff_audio_stream(decoder)->time_base);
  time = av_sat_add64(time, cff_demuxer_origin(decoder->demuxer, decoder->stream_index));
  return av_seek_frame(decoder->demuxer->format, decoder->stream_index, time, AVSEEK_FLAG_BACKWARD) >= 0;
}

cff_status cff_audio_seek(cff_audio_decoder *decoder, int64_t position, cff_failure *failure) {
  int64_t target = position - run_in(decoder);
  av_packet_unref(decoder->packet);
  decoder->holds_packet = false;
  av_packet_unref(decoder->rest);
  cff_status status = cff_audio_open_codec(decoder, failure);
  if (status != CFF_OK) return status;
  bool is_start = !seek_in_file(decoder, target) && !seek_to_mark(decoder, target);
  if (is_start) {
    if (decoder->demuxer->read_error) return cff_fail_read(decoder->demuxer, failure);
    // Only at the beginning does every container know its position.
    status = cff_demuxer_rewind(decoder->demuxer, failure);
    if (status != CFF_OK) return status;
    cff_audio_select_stream(decoder);
    if (!cff_audio_start_counting(decoder)) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  decoder->is_running_in = true;
  decoder->is_drained = decoder->position_is_known = decoder->ended_early = false;
  decoder->run = (cff_packet_run){0};
  decoder->recent_count = decoder->recent_index = 0;
  if (is_start) cff_audio_prime(decoder);
  return CFF_OK;
}

cff_status cff_audio_use_marks(cff_audio_decoder *decoder, const cff_audio_mark *marks, int count, cff_failure *failure) {
  if (count < 1) return CFF_OK;
  decoder->marks = av_memdup(marks, (size_t)count * sizeof *marks);
  if (!decoder->marks) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  decoder->mark_count = count;
  return CFF_OK;
}

int64_t cff_audio_packet_count(const cff_audio_decoder *decoder) { return decoder->packet_count; }
