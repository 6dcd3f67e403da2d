#include "Video/read_video_internal.h"

/// Number of packets after a seek among which there must be a key frame.
enum { key_search_packets = 20000 };

static void note_refusal(cff_video *v, int error) {
  v->error_count++;
  cff_ledger_refuse(&v->ledger, error);
}

void cff_forget_decoding(cff_video *v) {
  if (v->decoder) avcodec_flush_buffers(v->decoder);
  av_packet_unref(v->packet);
  av_frame_unref(v->frame);
  cff_forget_held(v);
  v->has_packet = v->packets_ended = v->awaits_key = v->has_recovered = false;
  v->incomplete_age = 0;
  v->packet_time = v->trusted_from = v->frame_time = AV_NOPTS_VALUE;
  v->field_count = 0;
  v->ended_early = false;
  cff_ledger_restart(&v->ledger);
}

// MARK: the decoder

static const AVCodec *decoder_for(const cff_demuxer *demuxer, int index) {
  enum AVCodecID codec = demuxer->format->streams[index]->codecpar->codec_id;
  cff_stream stream;
  cff_stream_describe(demuxer, index, &stream);
  // The native decoders silently drop the alpha layer; no decoder is better than a wrong frame.
  if (stream.has_alpha_layer && codec == AV_CODEC_ID_VP8) return avcodec_find_decoder_by_name("libvpx");
  if (stream.has_alpha_layer && codec == AV_CODEC_ID_VP9) return avcodec_find_decoder_by_name("libvpx-vp9");
  return avcodec_find_decoder(codec);
}

bool cff_decodes_in_slices(const char *codec) {
  const AVCodecDescriptor *descriptor = avcodec_descriptor_get_by_name(codec);
  if (!descriptor || !(descriptor->props & AV_CODEC_PROP_INTRA_ONLY)) return false;
  const AVCodec *decoder = avcodec_find_decoder(descriptor->id);
  return decoder && (decoder->capabilities & AV_CODEC_CAP_SLICE_THREADS);
}

cff_status cff_open_decoder(cff_video *v, cff_failure *failure) {
  const AVStream *stream = v->demuxer->format->streams[v->stream_index];
  const AVCodecParameters *parameters = stream->codecpar;
  const AVCodec *codec = decoder_for(v->demuxer, v->stream_index);
  if (!codec) {
    return cff_fail(failure, CFF_NO_DECODER, "no decoder for codec %s", cff_stream_codec(v->demuxer, v->stream_index));
  }
  if ((int64_t)parameters->width * parameters->height > v->maximum_pixels) {
    return cff_fail(failure, CFF_TOO_LARGE, "%d x %d pixels", parameters->width, parameters->height);
  }
  AVCodecContext *decoder = v->decoder = avcodec_alloc_context3(codec);
  if (!decoder) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int result = avcodec_parameters_to_context(decoder, parameters);
  if (result < 0) return cff_fail_av(failure, result, CFF_UNREADABLE, "the codec's parameters");
  // The decoder's output then has the bitstream's values only.
  decoder->color_primaries = AVCOL_PRI_UNSPECIFIED;
  decoder->color_trc = AVCOL_TRC_UNSPECIFIED;
  decoder->colorspace = AVCOL_SPC_UNSPECIFIED;
  decoder->color_range = AVCOL_RANGE_UNSPECIFIED;
  decoder->chroma_sample_location = AVCHROMA_LOC_UNSPECIFIED;
  decoder->pkt_timebase = stream->time_base;
  decoder->framerate = stream->avg_frame_rate;
  decoder->thread_count = v->thread_count;
  if (cff_decodes_in_slices(avcodec_get_name(codec->id))) decoder->thread_type = FF_THREAD_SLICE;
  decoder->max_pixels = v->maximum_pixels;
  // Cropping must be exact even if the first sample of a row gets an odd address.
  decoder->flags |= AV_CODEC_FLAG_UNALIGNED;
  if (codec->id == AV_CODEC_ID_H264) decoder->flags |= AV_CODEC_FLAG_OUTPUT_CORRUPT;
  if (v->pool.memory.allocate && !v->deinterlacing) cff_use_pool(&v->pool, decoder);
  result = avcodec_open2(decoder, codec, NULL);
  return result < 0 ? cff_fail_av(failure, result, CFF_DECODE_FAILED, "the decoder does not start") : CFF_OK;
}

void cff_select_stream(cff_video *v) {
  for (unsigned i = 0; i < v->demuxer->format->nb_streams; i++) {
    v->demuxer->format->streams[i]->discard = (int)i == v->stream_index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

// MARK: packets

/// Reads the stream's next packet into `packet`; false if there is none, or none can be read (`read_error`).
static bool read_packet(cff_video *v) {
  if (!v->demuxer->format || v->demuxer->read_error) return false;
  int result;
  while ((result = cff_read_packet(v->demuxer, v->packet)) >= 0) {
    // A packet read up to the error is incomplete.
    if (v->demuxer->read_error) {
      av_packet_unref(v->packet);
      return false;
    }
    if (v->packet->stream_index == v->stream_index) {
      // Times that libavformat makes up for a bitstream without times are not those of its frames.
      if (v->demuxer->counts_frames) v->packet->pts = v->packet->dts = AV_NOPTS_VALUE;
      if (v->stream_index < 64 && v->demuxer->decoding_times >> v->stream_index & 1) v->packet->pts = AV_NOPTS_VALUE;
      v->packet_time = v->packet->dts != AV_NOPTS_VALUE ? v->packet->dts : v->packet->pts;
      return true;
    }
    av_packet_unref(v->packet);
  }
  if (cff_is_out_of_memory(result)) v->demuxer->read_error = result;
  if (result != AVERROR_EOF && !v->demuxer->read_error) {
    v->ended_early = true;
    av_strerror(result == AVERROR(ENOMEM) ? AVERROR_INVALIDDATA : result, v->reason, sizeof v->reason);
  }
  return false;
}

/// Notes a packet of which parts were lost once two others follow it, none of them a key frame; see `count_damaged`. Decoders show what they can of it.
static void note_incomplete(cff_video *v) {
  int flags = v->packet->flags;
  if (flags & AV_PKT_FLAG_KEY) v->incomplete_age = 0;
  if (flags & AV_PKT_FLAG_CORRUPT) {
    v->incomplete_age = 1;
  } else if (v->incomplete_age > 0 && v->incomplete_age++ == 2) {
    cff_ledger_conceal(&v->ledger, AVERROR_INVALIDDATA);
    v->incomplete_age = 0;
  }
}

/// Gives the decoder its next packet, or the end. Returns a libav error if the file cannot be read.
static int feed_decoder(cff_video *v) {
  if (!v->has_packet) v->has_packet = read_packet(v);
  if (!v->has_packet && v->demuxer->read_error) return v->demuxer->read_error;
  if (!v->has_packet) {
    v->packets_ended = true;
    avcodec_send_packet(v->decoder, NULL);
    return 0;
  }
  if (cff_passes_over(v)) {
    av_packet_unref(v->packet);
    v->has_packet = false;
    return 0;
  }
  note_incomplete(v);
  cff_ledger_send(&v->ledger, v->decoder, v->packet);
  int result = avcodec_send_packet(v->decoder, v->packet);
  if (result < 0 && result != AVERROR(EAGAIN)) note_refusal(v, result);
  av_packet_unref(v->packet);
  v->has_packet = false;
  return 0;
}

// MARK: frames

static int64_t later(int64_t left, int64_t right) {
  if (left == AV_NOPTS_VALUE || right == AV_NOPTS_VALUE) return left == AV_NOPTS_VALUE ? right : left;
  return left > right ? left : right;
}

/// The time of the next frame in a bitstream without times.
static int64_t counted_time(cff_video *v) {
  int64_t time = cff_counted_time(v->demuxer, v->field_count);
  v->field_count += 2 + FFMAX(0, v->frame->repeat_pict);
  return v->frame_time = time;
}

static int64_t time_of_frame(cff_video *v) {
  if (v->demuxer->counts_frames) return counted_time(v);
  int64_t time = v->frame->pts != AV_NOPTS_VALUE ? v->frame->pts : v->frame->pkt_dts;
  if (time == AV_NOPTS_VALUE) time = v->frame->best_effort_timestamp;
  if (time == AV_NOPTS_VALUE) {
    // The decoder returns the frames held back: after the last frame, and after the last packet if all were read.
    int64_t step = FFMAX3(v->numbered_step, cff_frame_duration(v->frame), 1);
    int64_t before = later(v->frame_time, v->packets_ended ? v->packet_time : v->trusted_from);
    time = before == AV_NOPTS_VALUE ? v->origin : av_sat_add64(before, step);
  }
  v->frame_time = time;
  return time;
}

/// Seeks to the demuxer's key frame for a stream time, and reads its packet.
bool cff_find_key(cff_video *v, int64_t time) {
  if (!v->demuxer->format || v->demuxer->counts_frames) return false;
  if (cff_seek_packet(v->demuxer, v->stream_index, time) < 0) return false;
  for (int i = 0; i < key_search_packets && read_packet(v); i++) {
    int64_t found = cff_packet_time(v->packet);
    if ((v->packet->flags & AV_PKT_FLAG_KEY) && found != AV_NOPTS_VALUE) {
      v->has_packet = true;
      v->trusted_from = v->ledger.trusted_from = found;
      v->awaits_key = v->packet->pts == AV_NOPTS_VALUE;
      return true;
    }
    av_packet_unref(v->packet);
  }
  return false;
}

cff_status cff_start_over(cff_video *v, cff_failure *failure) {
  cff_forget_decoding(v);
  cff_status status = cff_demuxer_rewind(v->demuxer, failure);
  if (status != CFF_OK) return status;
  if (v->stream_index >= cff_demuxer_stream_count(v->demuxer)) {
    return cff_fail(failure, CFF_UNREADABLE, "the file changed while it was read");
  }
  cff_select_stream(v);
  return CFF_OK;
}

/// Restarts decoding with one thread at the last frame returned. The concealment of damaged frames depends on the number of threads, but a reader's output must
/// not.
static int decode_alone(cff_video *v) {
  int64_t resume_at = v->given_out != AV_NOPTS_VALUE ? v->given_out : v->trusted_from;
  cff_failure failure = {0};
  v->thread_count = 1;
  avcodec_free_context(&v->decoder);
  if (cff_open_decoder(v, &failure) != CFF_OK) return AVERROR(ENOMEM);
  cff_forget_decoding(v);
  v->skip_through = v->given_out;
  if (resume_at != AV_NOPTS_VALUE && cff_find_key(v, resume_at) && v->trusted_from <= resume_at) return 0;
  return cff_start_over(v, &failure) == CFF_OK ? 0 : AVERROR(EIO);
}

static bool is_to_be_shown(cff_video *v) {
  int64_t time = v->frame->pts;
  if (v->awaits_key && !cff_frame_is_key(v->frame)) return false;
  v->awaits_key = false;
  return (v->trusted_from == AV_NOPTS_VALUE || time >= v->trusted_from) &&
         (v->skip_through == AV_NOPTS_VALUE || time > v->skip_through);
}

/// Whether a frame of H.264 is before the point from which a stream that is entered at a key frame is whole again. By itself libavcodec leaves such frames out, but, when the
/// packets end, also those that follow a key frame of an open group.
static bool is_unrecovered(cff_video *v) {
  if (v->decoder->codec_id != AV_CODEC_ID_H264) return false;
  v->has_recovered = v->has_recovered || !(v->frame->flags & AV_FRAME_FLAG_CORRUPT);
  return !v->has_recovered;
}

/// Receives a frame from the decoder, or gives it a packet. Returns 1 for a frame that is to be shown, AVERROR_EOF at the end.
static int advance(cff_video *v, int64_t errors_before) {
  int result = avcodec_receive_frame(v->decoder, v->frame);
  if (v->thread_count > 1 && (v->error_count > errors_before || (result >= 0 && v->frame->decode_error_flags))) {
    return decode_alone(v);
  }
  if (result == AVERROR_EOF || (result < 0 && v->packets_ended)) {
    cff_ledger_end(&v->ledger, cff_demuxer_has_sections(v->demuxer));
    return AVERROR_EOF;
  }
  if (result < 0) {
    if (result != AVERROR(EAGAIN)) note_refusal(v, result);
    return feed_decoder(v);
  }
  if (is_unrecovered(v)) {
    av_frame_unref(v->frame);
    return 0;
  }
  v->frame->pts = time_of_frame(v);
  bool is_discarded = cff_ledger_receive(&v->ledger, v->frame);
  if (!is_discarded && is_to_be_shown(v)) return 1;
  av_frame_unref(v->frame);
  return 0;
}

/// Decodes the next reliable frame, or takes one that was held. Returns AVERROR_EOF at the end.
static int next_frame(cff_video *v) {
  int64_t errors_before = v->error_count;
  for (;;) {
    if (!cff_ledger_waits(&v->ledger) && cff_take_held(v)) return 0;
    int result = advance(v, errors_before);
    bool must_wait = cff_ledger_waits(&v->ledger) || cff_holds_frames(v);
    if (result > 0 && !must_wait) return 0;
    if (result > 0) result = cff_hold_frame(v);
    if (result < 0) return cff_take_held(v) ? 0 : result;
  }
}

/// Decodes the next reliable frame into `frame`. Returns AVERROR_EOF at the end.
int cff_decode(cff_video *v) {
  if (!v->decoder) return AVERROR(ENOMEM);
  int result = next_frame(v);
  if (result < 0) return result;
  v->given_out = v->frame->pts;
  if (v->frame->decode_error_flags) cff_ledger_conceal(&v->ledger, AVERROR_INVALIDDATA);
  return 0;
}
