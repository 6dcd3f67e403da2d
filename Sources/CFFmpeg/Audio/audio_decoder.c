#include "audio_decoder.h"

#include <libavcodec/avcodec.h>
#include <libavutil/avstring.h>
#include <libavutil/channel_layout.h>
#include <math.h>
#include <string.h>

#include "Audio/audio_decoder_internal.h"
#include "Samples/split_packet.h"

void cff_audio_select_stream(cff_audio_decoder *decoder) {
  AVFormatContext *format = decoder->demuxer->format;
  for (unsigned i = 0; i < format->nb_streams; i++) {
    format->streams[i]->discard = (int)i == decoder->stream_index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

bool cff_audio_start_counting(cff_audio_decoder *decoder) {
  const AVCodecParameters *parameters = cff_audio_stream(decoder)->codecpar;
  cff_counter_close(&decoder->counter);
  decoder->is_counted = parameters->sample_rate > 0 && !decoder->cannot_count &&
                        !cff_times_count_samples(decoder->demuxer, decoder->stream_index, parameters->sample_rate);
  return !decoder->is_counted || cff_counter_open(&decoder->counter, decoder->demuxer, decoder->stream_index, false) >= 0;
}

cff_status cff_audio_open_codec(cff_audio_decoder *decoder, cff_failure *failure) {
  avcodec_free_context(&decoder->context);
  if (!cff_audio_start_counting(decoder)) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  AVStream *stream = cff_audio_stream(decoder);
  const AVCodec *codec = avcodec_find_decoder(stream->codecpar->codec_id);
  if (!codec) {
    const char *name = cff_stream_codec(decoder->demuxer, decoder->stream_index);
    return cff_fail(failure, CFF_NO_DECODER, "no decoder for codec %s", name);
  }
  decoder->context = avcodec_alloc_context3(codec);
  if (!decoder->context) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int error = avcodec_parameters_to_context(decoder->context, stream->codecpar);
  decoder->context->pkt_timebase = decoder->is_counted ? (AVRational){1, stream->codecpar->sample_rate} : stream->time_base;
  decoder->context->thread_count = 1;
  // The decoder of Windows Media Audio drops its first two frames, of which one may be audio.
  bool is_windows_media = codec->id == AV_CODEC_ID_WMAV1 || codec->id == AV_CODEC_ID_WMAV2;
  if (decoder->shows_hidden || is_windows_media) decoder->context->flags2 |= AV_CODEC_FLAG2_SKIP_MANUAL;
  if (error >= 0) error = avcodec_open2(decoder->context, codec, NULL);
  if (error < 0) return cff_fail_av(failure, error, CFF_DECODE_FAILED, "the decoder cannot be opened");
  decoder->sample_rate = decoder->context->sample_rate;
  if (decoder->sample_rate <= 0) return cff_fail(failure, CFF_UNREADABLE, "the track has no sample rate");
  decoder->seeks_exactly = cff_times_count_samples(decoder->demuxer, decoder->stream_index, decoder->sample_rate);
  return CFF_OK;
}

cff_status cff_audio_open(
    cff_demuxer *demuxer, int stream_index, int channel_count, bool is_normalized, const cff_audio_take *take,
    cff_audio_decoder **result, cff_failure *failure) {
  *result = NULL;
  if (stream_index < 0 || channel_count < 1 || channel_count > 8) return cff_fail(failure, CFF_INVALID, "no such channels");
  cff_audio_decoder *decoder = av_mallocz(sizeof *decoder);
  if (!decoder) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  decoder->demuxer = demuxer;
  decoder->stream_index = stream_index;
  decoder->format = AV_SAMPLE_FMT_NONE;
  decoder->channel_count = channel_count;
  decoder->is_normalized = is_normalized;
  decoder->take = *take;
  decoder->packet = av_packet_alloc();
  decoder->rest = av_packet_alloc();
  decoder->frame = av_frame_alloc();
  bool has_memory = decoder->packet && decoder->rest && decoder->frame;
  cff_status status = has_memory ? cff_audio_open_codec(decoder, failure) : cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  if (status != CFF_OK) {
    cff_audio_close(decoder);
    return status;
  }
  cff_audio_select_stream(decoder);
  *result = decoder;
  return CFF_OK;
}

int cff_audio_sample_rate(const cff_audio_decoder *decoder) { return decoder->sample_rate; }

bool cff_audio_seeks_exactly(const cff_audio_decoder *decoder) { return decoder->seeks_exactly; }

// MARK: samples

/// The layout stays: only the format changes here, and a rate that changes within the track is converted to the original one.
static int prepare(cff_audio_decoder *decoder, AVChannelLayout *layout) {
  const AVFrame *frame = decoder->frame;
  if (decoder->converter && frame->format == decoder->format && frame->sample_rate == decoder->rate &&
      av_channel_layout_compare(layout, &decoder->layout) == 0) {
    return 0;
  }
  int error = cff_audio_matrix_fill(&decoder->matrix, layout, decoder->channel_count, decoder->is_normalized);
  if (error >= 0) error = cff_audio_matrix_take(&decoder->matrix, layout, decoder->channel_count, &decoder->take);
  decoder->input_capacity = 0;
  if (error < 0) return error;
  swr_free(&decoder->converter);
  error = swr_alloc_set_opts2(
      &decoder->converter, layout, AV_SAMPLE_FMT_FLTP, decoder->sample_rate, layout, frame->format, frame->sample_rate, 0, NULL);
  if (error >= 0) error = swr_init(decoder->converter);
  if (error >= 0) error = av_channel_layout_copy(&decoder->layout, layout);
  decoder->format = frame->format;
  decoder->rate = frame->sample_rate;
  return error;
}

static int reserve(float **channels, int channel_count, int *capacity, int count) {
  if (count <= *capacity) return 0;
  for (int channel = 0; channel < channel_count; channel++) {
    av_freep(&channels[channel]);
    channels[channel] = av_malloc_array((size_t)count, sizeof(float));
    if (!channels[channel]) {
      *capacity = 0;
      return AVERROR(ENOMEM);
    }
  }
  *capacity = count;
  return 0;
}

static int convert_frame(cff_audio_decoder *decoder) {
  const AVFrame *frame = decoder->frame;
  const cff_audio_matrix *matrix = &decoder->matrix;
  int room = frame->sample_rate == decoder->sample_rate ? frame->nb_samples
                                                        : swr_get_out_samples(decoder->converter, frame->nb_samples);
  int error = reserve(decoder->samples, decoder->channel_count, &decoder->capacity, room);
  if (error < 0) return error;
  if (matrix->is_identity) {
    return swr_convert(
        decoder->converter, (uint8_t **)decoder->samples, room, (const uint8_t **)frame->extended_data, frame->nb_samples);
  }
  error = reserve(decoder->inputs, matrix->input_count, &decoder->input_capacity, room);
  if (error < 0) return error;
  int count = swr_convert(
      decoder->converter, (uint8_t **)decoder->inputs, room, (const uint8_t **)frame->extended_data, frame->nb_samples);
  if (count > 0) cff_audio_matrix_run(matrix, (const float *const *)decoder->inputs, count, decoder->samples);
  return count;
}

static int convert(cff_audio_decoder *decoder) {
  const AVFrame *frame = decoder->frame;
  AVChannelLayout layout = {0};
  int error;
  if (frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    av_channel_layout_default(&layout, frame->ch_layout.nb_channels);
    // Channels without positions can be chosen, but not mixed.
    error = layout.order == AV_CHANNEL_ORDER_UNSPEC && decoder->take.count == 0 ? AVERROR(EINVAL) : 0;
  } else {
    error = av_channel_layout_copy(&layout, &frame->ch_layout);
  }
  if (error >= 0) error = prepare(decoder, &layout);
  av_channel_layout_uninit(&layout);
  return error < 0 ? error : convert_frame(decoder);
}

/// Preroll before time 0 is whole packets, so even if a container rounded its start, the number of samples is known.
static int64_t whole_run_in(const cff_audio_decoder *decoder, int64_t position) {
  int64_t size = decoder->context->frame_size;
  AVRational base = cff_audio_stream(decoder)->time_base;
  if (position >= 0 || size <= 0 || decoder->seeks_exactly) return position;
  int64_t whole = (position - size / 2) / size * size;
  int64_t tick = av_rescale_rnd(decoder->sample_rate, base.num, base.den, AV_ROUND_UP);
  return FFABS(whole - position) <= tick ? whole : position;
}

static int64_t rounded_position(const cff_audio_decoder *decoder, int64_t time) {
  if (decoder->is_counted) return time;
  int64_t origin = cff_demuxer_origin(decoder->demuxer, decoder->stream_index);
  int64_t position = av_rescale_q(time - origin, cff_audio_stream(decoder)->time_base, (AVRational){1, decoder->sample_rate});
  return whole_run_in(decoder, position);
}

/// Samples after the preroll dropped before time 0 begin at 0, even if a container rounded their packet's time.
static int64_t whole_start(const cff_audio_decoder *decoder, int64_t position) {
  AVRational base = cff_audio_stream(decoder)->time_base;
  int64_t tick = av_rescale_rnd(decoder->sample_rate, base.num, base.den, AV_ROUND_UP);
  const cff_packet_run *run = &decoder->run;
  bool follows_dropped = run->is_placed && run->start < -tick && position > run->start;
  return follows_dropped && FFABS(position) <= tick ? 0 : position;
}

/// Exact if packets count samples. In other containers (milliseconds, 90 kHz), samples follow each other, unless the packets have a gap that rounding cannot
/// explain.
static int64_t position_of_frame(const cff_audio_decoder *decoder) {
  int64_t time = decoder->frame->pts != AV_NOPTS_VALUE ? decoder->frame->pts : decoder->frame->best_effort_timestamp;
  if (time == AV_NOPTS_VALUE) return decoder->position_is_known ? decoder->next_position : 0;
  int64_t position = rounded_position(decoder, time);
  // Times within a PES packet are counted at the original rate of the track, and a converted rate gives some samples later than their packet says.
  bool has_other_rate = decoder->frame->sample_rate != decoder->sample_rate;
  if (decoder->seeks_exactly || (decoder->is_counted && !has_other_rate)) return position;
  if (!decoder->position_is_known) return whole_start(decoder, position);
  int64_t difference = position - decoder->next_position;
  int64_t tolerance = has_other_rate ? decoder->sample_rate / 10
                                     : decoder->run.refused_count > 0 || decoder->run.has_pause ? 0 : decoder->sample_rate / 50;
  return difference > tolerance || difference < -tolerance ? position : decoder->next_position;
}

/// Uses the stream's own times from now on.
static void stop_counting(cff_audio_decoder *decoder) {
  decoder->is_counted = false;
  decoder->cannot_count = true;
  decoder->context->pkt_timebase = cff_audio_stream(decoder)->time_base;
}

// MARK: losses

/// Packets at the beginning of a recording that may be parts of frames.
enum { most_first_fragments = 4 };

static void lose(cff_audio_decoder *decoder, int64_t start, int64_t end) {
  cff_audio_loss loss = {FFMAX(start, 0), FFMAX(end, 0), FFMAX(1, decoder->run.refused_count)};
  if (loss.start >= loss.end || decoder->loss_count == most_losses) return;
  decoder->losses[decoder->loss_count++] = loss;
}

/// Records a packet that is about to be given to the decoder.
static void extend_run(cff_audio_decoder *decoder) {
  const AVPacket *packet = decoder->packet;
  int64_t time = cff_packet_time(packet);
  if (packet->flags & AV_PKT_FLAG_DISCARD) return;
  decoder->run.count++;
  if (time == AV_NOPTS_VALUE) return;
  int64_t start = rounded_position(decoder, time);
  int64_t end = rounded_position(decoder, av_sat_add64(time, packet->duration));
  if (!decoder->run.is_placed) decoder->run.start = start;
  decoder->run.end = end;
  decoder->run.is_placed = true;
}

/// Decides what the packets without samples mean once samples come at `position`.
static void settle_run(cff_audio_decoder *decoder, int64_t position) {
  cff_packet_run *run = &decoder->run;
  int64_t start = decoder->position_is_known ? decoder->next_position : run->start;
  bool is_placed = decoder->position_is_known || run->is_placed;
  AVRational base = cff_audio_stream(decoder)->time_base;
  int64_t tick = av_rescale_rnd(decoder->sample_rate, base.num, base.den, AV_ROUND_UP);
  bool is_gap = is_placed && position - start > (run->refused_count > 0 ? 2 * tick : decoder->sample_rate / 50);
  bool is_missing = run->refused_count > 0 || (run->count > 1 && decoder->position_is_known);
  // A recording of a broadcast or a part of a disc begins anywhere, also within a packet. libavformat, which searches for headers, may take several frames of MPEG audio for
  // two until two headers are in step.
  bool begins_within =
      !decoder->has_decoded && run->refused_count > 0 && run->refused_count <= most_first_fragments && cff_demuxer_has_sections(decoder->demuxer);
  if (is_gap && is_missing && !decoder->is_running_in && !begins_within) lose(decoder, start, position);
  else if (!begins_within) decoder->concealed_count += run->refused_count;
  *run = (cff_packet_run){0};
}

/// Whether nothing promises the last packet: it may have been cut off with the recording, or bytes after the audio may look like one, because packets are found
/// by searching for their headers.
static bool may_end_anywhere(const cff_audio_decoder *decoder) {
  if (cff_demuxer_has_sections(decoder->demuxer) && decoder->run.refused_count == 1) return true;
  return decoder->demuxer->traits.is_searched_for_headers;
}

/// Handles the end. Fails if a track was read from its start and nothing could be decoded.
static cff_status end(cff_audio_decoder *decoder, cff_failure *failure) {
  cff_packet_run *run = &decoder->run;
  if (run->refused_count > 0 && !decoder->has_decoded) {
    return cff_fail(failure, CFF_DECODE_FAILED, "none of its packets can be decoded: %s", decoder->reason);
  }
  if (run->refused_count > 0 && run->is_placed && !may_end_anywhere(decoder) && !decoder->is_running_in) {
    lose(decoder, decoder->position_is_known ? decoder->next_position : run->start, run->end);
  } else {
    decoder->concealed_count += run->refused_count;
  }
  *run = (cff_packet_run){0};
  return CFF_END;
}

/// Makes samples silent that are no numbers, or infinite: sums, levels and encoders would fail at them.
static void silence_undefined(cff_audio_decoder *decoder, int count) {
  enum AVSampleFormat packed = av_get_packed_sample_fmt(decoder->frame->format);
  if (packed != AV_SAMPLE_FMT_FLT && packed != AV_SAMPLE_FMT_DBL) return;
  int found = 0;
  for (int channel = 0; channel < decoder->channel_count; channel++) {
    float *samples = decoder->samples[channel];
    for (int i = 0; i < count; i++) {
      if (isfinite(samples[i])) continue;
      samples[i] = 0;
      found++;
    }
  }
  if (found == 0) return;
  decoder->concealed_count++;
  av_strlcpy(decoder->reason, "samples that are no finite numbers are silent", sizeof decoder->reason);
}

static cff_status deliver(cff_audio_decoder *decoder, cff_audio_block *block, cff_failure *failure) {
  int count = convert(decoder);
  if (count == AVERROR(EINVAL) && decoder->frame->ch_layout.order == AV_CHANNEL_ORDER_UNSPEC) {
    return cff_fail(
        failure, CFF_DECODE_FAILED, "its %d channels have no positions by which they could be mixed: choose one of them",
        decoder->frame->ch_layout.nb_channels);
  }
  if (count < 0) return cff_fail_av(failure, count, CFF_DECODE_FAILED, "the channels cannot be mixed");
  silence_undefined(decoder, count);
  block->position = position_of_frame(decoder);
  // More samples than the packets say: theirs cannot be counted.
  if (decoder->is_counted && decoder->frame->nb_samples > decoder->counter.largest) stop_counting(decoder);
  settle_run(decoder, block->position);
  block->count = count;
  block->channels = (const float *const *)decoder->samples;
  decoder->next_position = block->position + count;
  decoder->position_is_known = true;
  decoder->is_running_in = false;
  decoder->has_decoded = true;
  return CFF_OK;
}

// MARK: packets

/// Skips what cannot be decoded. Only a lack of memory is a failure.
static cff_status pass_over(cff_audio_decoder *decoder, int error, cff_failure *failure) {
  if (cff_is_out_of_memory(error)) return cff_fail_av(failure, error, CFF_DECODE_FAILED, "the audio cannot be decoded");
  if (decoder->is_running_in) return CFF_OK;
  decoder->run.refused_count++;
  // Some decoders have error numbers of their own without messages.
  if (error == AVERROR(ENOMEM) || av_strerror(error, decoder->reason, sizeof decoder->reason) < 0) {
    av_strerror(AVERROR_INVALIDDATA, decoder->reason, sizeof decoder->reason);
  }
  return CFF_OK;
}

/// Leaves one frame in `packet`, and the others in `rest`.
static int split_packet(cff_audio_decoder *decoder) {
  // A decoder finds no frame behind a tag.
  bool may_have_tag = decoder->context->codec_id == AV_CODEC_ID_MP3 && decoder->demuxer->traits.has_tags;
  int offset = may_have_tag ? cff_mp3_frame_offset(decoder->packet) : 0;
  if (offset > 0) {
    decoder->packet->data += offset;
    decoder->packet->size -= offset;
  }
  return cff_split_packet(decoder->packet, decoder->rest, decoder->context->codec_id, cff_audio_stream(decoder)->time_base);
}

int cff_audio_read_packet(cff_audio_decoder *decoder) {
  int error;
  if (decoder->rest->size > 0) {
    av_packet_move_ref(decoder->packet, decoder->rest);
    return split_packet(decoder);
  }
  while ((error = cff_read_packet(decoder->demuxer, decoder->packet)) >= 0) {
    // Some writers end a stream with an empty packet, which has no samples.
    bool is_empty = decoder->packet->size == 0 && decoder->packet->side_data_elems == 0;
    bool is_wanted = decoder->packet->stream_index == decoder->stream_index && !is_empty;
    if (is_wanted || decoder->demuxer->read_error) break;
    av_packet_unref(decoder->packet);
  }
  if (error < 0 || decoder->demuxer->read_error) return error;
  decoder->packet_count++;
  return split_packet(decoder);
}

/// Replaces a packet's times by the positions of its samples, if they are counted.
static void place_packet(cff_audio_decoder *decoder) {
  AVPacket *packet = decoder->packet;
  if (!decoder->is_counted) return;
  int64_t position = cff_counter_take(&decoder->counter, packet);
  if (packet->flags & AV_PKT_FLAG_DISCARD) return;
  if (position == AV_NOPTS_VALUE && decoder->counter.packets == 0) return stop_counting(decoder);
  cff_counter_amend(&decoder->counter, packet);
  packet->pts = packet->dts = position;
  packet->duration = position == AV_NOPTS_VALUE ? 0 : decoder->counter.next - position;
}

/// Gives the decoder one more packet, or the end.
static cff_status feed(cff_audio_decoder *decoder, cff_failure *failure) {
  int error = decoder->holds_packet ? 0 : cff_audio_read_packet(decoder);
  decoder->holds_packet = false;
  if (decoder->demuxer->read_error) {
    av_packet_unref(decoder->packet);
    return cff_fail_read(decoder->demuxer, failure);
  }
  if (cff_is_out_of_memory(error)) return cff_fail_av(failure, error, CFF_NO_RESOURCE, "the audio cannot be read");
  bool is_end = error < 0;
  if (is_end && error != AVERROR_EOF) {
    decoder->ended_early = true;
    av_strerror(error, decoder->reason, sizeof decoder->reason);
  }
  if (!is_end) cff_audio_keep_recent(decoder);
  if (!is_end) place_packet(decoder);
  bool is_pause = !is_end && cff_is_pause(decoder->packet, decoder->context->codec_id);
  decoder->run.has_pause = decoder->run.has_pause || is_pause;
  if (is_pause || (!is_end && decoder->is_counted && decoder->counter.is_foreign)) {
    av_packet_unref(decoder->packet);
    return CFF_OK;
  }
  if (!is_end) extend_run(decoder);
  error = avcodec_send_packet(decoder->context, is_end ? NULL : decoder->packet);
  av_packet_unref(decoder->packet);
  if (is_end) decoder->is_drained = true;
  return error < 0 && error != AVERROR_EOF ? pass_over(decoder, error, failure) : CFF_OK;
}

cff_status cff_audio_next(cff_audio_decoder *decoder, cff_audio_block *block, cff_failure *failure) {
  for (;;) {
    av_frame_unref(decoder->frame);
    int error = avcodec_receive_frame(decoder->context, decoder->frame);
    if (error >= 0) {
      if (decoder->frame->nb_samples == 0) continue;
      return deliver(decoder, block, failure);
    }
    if (error == AVERROR_EOF) return end(decoder, failure);
    cff_status status = error == AVERROR(EAGAIN) ? CFF_OK : pass_over(decoder, error, failure);
    if (status != CFF_OK) return status;
    if (decoder->is_drained) return end(decoder, failure);
    status = feed(decoder, failure);
    if (status != CFF_OK) return status;
  }
}

bool cff_audio_take_loss(cff_audio_decoder *decoder, cff_audio_loss *loss) {
  if (decoder->loss_count == 0) return false;
  *loss = decoder->losses[--decoder->loss_count];
  return true;
}

int64_t cff_audio_concealed_count(const cff_audio_decoder *decoder) { return decoder->concealed_count; }

const char *cff_audio_reason(const cff_audio_decoder *decoder) { return decoder->reason; }

bool cff_audio_ended_early(const cff_audio_decoder *decoder) { return decoder->ended_early; }

void cff_audio_close(cff_audio_decoder *decoder) {
  if (!decoder) return;
  avcodec_free_context(&decoder->context);
  cff_counter_close(&decoder->counter);
  for (int i = 0; i < kept_packets; i++) {
    av_packet_free(&decoder->recent[i]);
    av_packet_free(&decoder->primers[i]);
  }
  av_free(decoder->marks);
  av_packet_free(&decoder->packet);
  av_packet_free(&decoder->rest);
  av_frame_free(&decoder->frame);
  swr_free(&decoder->converter);
  av_channel_layout_uninit(&decoder->layout);
  for (int channel = 0; channel < 8; channel++) av_free(decoder->samples[channel]);
  for (int channel = 0; channel < cff_audio_most_channels; channel++) av_free(decoder->inputs[channel]);
  av_free(decoder);
}
