#include "read_video_internal.h"

#include <libavutil/pixdesc.h>
#include <string.h>

/// Packets after a seek among which a key picture must stand.
enum { key_search_packets = 20000 };

struct cff_video {
  cff_demuxer *demuxer;
  int stream_index;
  AVCodecContext *decoder;
  AVPacket *packet;
  AVFrame *frame;
  /// A picture of another shape that waits until the deinterlacer has given out the ones before it.
  AVFrame *waiting;
  cff_converter converter;
  cff_deinterlacer deinterlacer;
  int deinterlacing;
  /// What the decoder was opened with; one thread after the first damage.
  int thread_count;
  int64_t maximum_pixels;
  AVRational stream_tick, tick;
  /// Stream time of media time 0.
  int64_t origin;

  /// `packet` holds one that was read and not yet decoded.
  bool has_packet;
  bool packets_ended;
  /// Decoding time of the last packet that was read.
  int64_t packet_time;
  /// Stream time of the key picture after a seek; earlier pictures are not to be trusted. AV_NOPTS_VALUE: all are.
  int64_t trusted_from;
  /// Where packets have no presentation times: pictures before the key picture are passed over, whatever their times.
  bool awaits_key;
  int64_t frame_time;
  /// Time of the last picture that decoding gave, and what it was when the decoder was replaced.
  int64_t given_out, skip_through;

  // The deinterlacer looks one picture back, so after a seek its first picture differs from what it would have been.
  bool filter_is_ending, filter_runs_in;
  int frames_filtered;
  int64_t filter_trusted_from;

  int64_t damage_count;
  char damage_message[AV_ERROR_MAX_STRING_SIZE];
};

static void note_damage(cff_video *v, int error) {
  v->damage_count++;
  av_strerror(error, v->damage_message, sizeof v->damage_message);
}

static void forget_decoding(cff_video *v) {
  if (v->decoder) avcodec_flush_buffers(v->decoder);
  av_packet_unref(v->packet);
  av_frame_unref(v->frame);
  v->has_packet = v->packets_ended = v->awaits_key = false;
  v->packet_time = v->trusted_from = v->frame_time = AV_NOPTS_VALUE;
}

static void forget_position(cff_video *v) {
  forget_decoding(v);
  v->given_out = v->skip_through = AV_NOPTS_VALUE;
  cff_deinterlacer_reset(&v->deinterlacer);
  av_frame_unref(v->waiting);
  v->filter_is_ending = v->filter_runs_in = false;
  v->filter_trusted_from = AV_NOPTS_VALUE;
  v->frames_filtered = 0;
}

// MARK: opening

static const AVCodec *decoder_for(const cff_demuxer *demuxer, int index) {
  enum AVCodecID codec = demuxer->format->streams[index]->codecpar->codec_id;
  cff_stream stream;
  cff_stream_describe(demuxer, index, &stream);
  // The native decoders drop the alpha layer silently; none at all is better than a wrong picture.
  if (stream.has_alpha_layer && codec == AV_CODEC_ID_VP8) return avcodec_find_decoder_by_name("libvpx");
  if (stream.has_alpha_layer && codec == AV_CODEC_ID_VP9) return avcodec_find_decoder_by_name("libvpx-vp9");
  return avcodec_find_decoder(codec);
}

static cff_status open_decoder(cff_video *v, cff_failure *failure) {
  const AVStream *stream = v->demuxer->format->streams[v->stream_index];
  const AVCodecParameters *parameters = stream->codecpar;
  const AVCodec *codec = decoder_for(v->demuxer, v->stream_index);
  if (!codec) {
    return cff_fail(failure, CFF_NO_DECODER, "no decoder for %s", cff_stream_codec(v->demuxer, v->stream_index));
  }
  if ((int64_t)parameters->width * parameters->height > v->maximum_pixels) {
    return cff_fail(failure, CFF_TOO_LARGE, "%d x %d pixels", parameters->width, parameters->height);
  }
  AVCodecContext *decoder = v->decoder = avcodec_alloc_context3(codec);
  if (!decoder) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  int result = avcodec_parameters_to_context(decoder, parameters);
  if (result < 0) return cff_fail_av(failure, result, CFF_UNREADABLE, "the codec's parameters");
  // What comes out of the decoder is then what the bitstream says, and nothing else.
  decoder->color_primaries = AVCOL_PRI_UNSPECIFIED;
  decoder->color_trc = AVCOL_TRC_UNSPECIFIED;
  decoder->colorspace = AVCOL_SPC_UNSPECIFIED;
  decoder->color_range = AVCOL_RANGE_UNSPECIFIED;
  decoder->chroma_sample_location = AVCHROMA_LOC_UNSPECIFIED;
  decoder->pkt_timebase = stream->time_base;
  decoder->framerate = stream->avg_frame_rate;
  decoder->thread_count = v->thread_count;
  decoder->max_pixels = v->maximum_pixels;
  // Cropping must be exact even where it puts a row's first sample on an odd address.
  decoder->flags |= AV_CODEC_FLAG_UNALIGNED;
  result = avcodec_open2(decoder, codec, NULL);
  return result < 0 ? cff_fail_av(failure, result, CFF_DECODE_FAILED, "the decoder does not start") : CFF_OK;
}

static void select_stream(cff_video *v) {
  for (unsigned i = 0; i < v->demuxer->format->nb_streams; i++) {
    v->demuxer->format->streams[i]->discard = (int)i == v->stream_index ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

cff_status cff_video_open(
    cff_demuxer *demuxer, int index, const cff_video_options *options, cff_video **result, cff_failure *failure) {
  *result = NULL;
  if (index < 0 || index >= cff_demuxer_stream_count(demuxer)) return cff_fail(failure, CFF_NO_STREAM, "no such track");
  cff_video *v = av_mallocz(sizeof *v);
  if (!v) return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  v->demuxer = demuxer;
  v->stream_index = index;
  v->packet = av_packet_alloc();
  v->frame = av_frame_alloc();
  v->waiting = av_frame_alloc();
  cff_status status =
      v->packet && v->frame && v->waiting ? CFF_OK : cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  v->thread_count = options->thread_count;
  v->maximum_pixels = options->maximum_pixels;
  if (status == CFF_OK) status = open_decoder(v, failure);
  if (status != CFF_OK) {
    cff_video_close(v);
    return status;
  }
  v->stream_tick = v->tick = demuxer->format->streams[index]->time_base;
  v->deinterlacing = options->deinterlacing;
  if (v->deinterlacing) v->tick = av_mul_q(v->stream_tick, (AVRational){1, 2});
  v->deinterlacer.time_base = v->stream_tick;
  v->deinterlacer.by_field = v->deinterlacing == 2;
  v->origin = cff_demuxer_origin(demuxer, index);
  forget_position(v);
  select_stream(v);
  *result = v;
  return CFF_OK;
}

void cff_video_close(cff_video *v) {
  if (!v) return;
  avcodec_free_context(&v->decoder);
  cff_deinterlacer_reset(&v->deinterlacer);
  cff_converter_close(&v->converter);
  av_packet_free(&v->packet);
  av_frame_free(&v->frame);
  av_frame_free(&v->waiting);
  av_free(v);
}

void cff_video_tick(const cff_video *v, int32_t *numerator, int32_t *denominator) {
  *numerator = v->tick.num;
  *denominator = v->tick.den;
}

int64_t cff_video_damage_count(const cff_video *v) { return v->damage_count; }

const char *cff_video_damage_message(const cff_video *v) { return v->damage_message; }

// MARK: packets

/// Reads the stream's next packet into `packet`; false where there is none.
static bool read_packet(cff_video *v) {
  if (!v->demuxer->format) return false;
  int result;
  while ((result = av_read_frame(v->demuxer->format, v->packet)) >= 0) {
    if (v->packet->stream_index == v->stream_index) {
      v->packet_time = v->packet->dts != AV_NOPTS_VALUE ? v->packet->dts : v->packet->pts;
      return true;
    }
    av_packet_unref(v->packet);
  }
  if (result != AVERROR_EOF) note_damage(v, result);
  return false;
}

/// Gives the decoder its next packet, or the news that there is none.
static void feed_decoder(cff_video *v) {
  if (!v->has_packet) v->has_packet = read_packet(v);
  if (!v->has_packet) {
    v->packets_ended = true;
    avcodec_send_packet(v->decoder, NULL);
    return;
  }
  int result = avcodec_send_packet(v->decoder, v->packet);
  if (result < 0 && result != AVERROR(EAGAIN)) note_damage(v, result);
  av_packet_unref(v->packet);
  v->has_packet = false;
}

// MARK: pictures

static int64_t later(int64_t left, int64_t right) {
  if (left == AV_NOPTS_VALUE || right == AV_NOPTS_VALUE) return left == AV_NOPTS_VALUE ? right : left;
  return left > right ? left : right;
}

static int64_t time_of_frame(cff_video *v) {
  int64_t time = v->frame->pts != AV_NOPTS_VALUE ? v->frame->pts : v->frame->pkt_dts;
  if (time == AV_NOPTS_VALUE) time = v->frame->best_effort_timestamp;
  if (time == AV_NOPTS_VALUE) {
    // The decoder gives out what it held back: after the last picture, and after the last packet where all were read.
    int64_t step = cff_frame_duration(v->frame) > 0 ? cff_frame_duration(v->frame) : 1;
    int64_t before = later(v->frame_time, v->packets_ended ? v->packet_time : v->trusted_from);
    time = before == AV_NOPTS_VALUE ? v->origin : av_sat_add64(before, step);
  }
  v->frame_time = time;
  return time;
}

/// Goes to the key picture that the demuxer has for a stream time, and reads its packet.
static bool find_key(cff_video *v, int64_t time) {
  if (!v->demuxer->format) return false;
  if (av_seek_frame(v->demuxer->format, v->stream_index, time, AVSEEK_FLAG_BACKWARD) < 0) return false;
  for (int i = 0; i < key_search_packets && read_packet(v); i++) {
    int64_t found = cff_packet_time(v->packet);
    if ((v->packet->flags & AV_PKT_FLAG_KEY) && found != AV_NOPTS_VALUE) {
      v->has_packet = true;
      v->trusted_from = found;
      v->awaits_key = v->packet->pts == AV_NOPTS_VALUE;
      return true;
    }
    av_packet_unref(v->packet);
  }
  return false;
}

static cff_status start_over(cff_video *v, cff_failure *failure) {
  forget_decoding(v);
  cff_status status = cff_demuxer_rewind(v->demuxer, failure);
  if (status != CFF_OK) return status;
  if (v->stream_index >= cff_demuxer_stream_count(v->demuxer)) {
    return cff_fail(failure, CFF_UNREADABLE, "the file changed while it was read");
  }
  select_stream(v);
  return CFF_OK;
}

/// Takes up decoding again with one thread, where the last picture was given. How damaged pictures are concealed depends on
/// the number of threads; what a reader gives must not.
static int decode_alone(cff_video *v) {
  int64_t resume_at = v->given_out != AV_NOPTS_VALUE ? v->given_out : v->trusted_from;
  cff_failure failure = {0};
  v->thread_count = 1;
  avcodec_free_context(&v->decoder);
  if (open_decoder(v, &failure) != CFF_OK) return AVERROR(ENOMEM);
  forget_decoding(v);
  v->skip_through = v->given_out;
  if (resume_at != AV_NOPTS_VALUE && find_key(v, resume_at) && v->trusted_from <= resume_at) return 0;
  return start_over(v, &failure) == CFF_OK ? 0 : AVERROR(EIO);
}

static bool is_to_be_shown(cff_video *v) {
  int64_t time = v->frame->pts;
  if (v->awaits_key && !cff_frame_is_key(v->frame)) return false;
  v->awaits_key = false;
  return (v->trusted_from == AV_NOPTS_VALUE || time >= v->trusted_from) &&
         (v->skip_through == AV_NOPTS_VALUE || time > v->skip_through);
}

/// Decodes the next trustworthy picture into `frame`. Returns AVERROR_EOF at the end.
static int decode(cff_video *v) {
  int64_t damage_before = v->damage_count;
  if (!v->decoder) return AVERROR(ENOMEM);
  for (;;) {
    int result = avcodec_receive_frame(v->decoder, v->frame);
    if (v->thread_count > 1 && (v->damage_count > damage_before || (result >= 0 && v->frame->decode_error_flags))) {
      result = decode_alone(v);
      if (result < 0) return result;
      continue;
    }
    if (result == AVERROR_EOF || (result < 0 && v->packets_ended)) return AVERROR_EOF;
    if (result < 0) {
      if (result != AVERROR(EAGAIN)) note_damage(v, result);
      feed_decoder(v);
      continue;
    }
    v->frame->pts = time_of_frame(v);
    if (is_to_be_shown(v)) {
      v->given_out = v->frame->pts;
      return 0;
    }
    av_frame_unref(v->frame);
  }
}

static bool filter_takes(const cff_video *v) {
  const cff_deinterlacer *d = &v->deinterlacer;
  return !d->graph || (d->width == v->frame->width && d->height == v->frame->height && d->format == v->frame->format);
}

/// Gives the filter `frame` and remembers from when on its pictures are what they would be without the seek.
static int send_to_filter(cff_video *v) {
  if (v->frames_filtered++ == 1) {
    v->filter_trusted_from = av_rescale_q(v->frame->pts, v->stream_tick, v->tick);
  }
  int result = cff_deinterlacer_send(&v->deinterlacer, v->frame);
  av_frame_unref(v->frame);
  return result;
}

/// Moves one picture towards the filter, or ends it.
static int advance_filter(cff_video *v) {
  int result = decode(v);
  if (result == AVERROR_EOF) {
    v->filter_is_ending = true;
    return cff_deinterlacer_send(&v->deinterlacer, NULL);
  }
  if (result < 0) return result;
  if (filter_takes(v)) return send_to_filter(v);
  av_frame_move_ref(v->waiting, v->frame);
  v->filter_is_ending = true;
  return cff_deinterlacer_send(&v->deinterlacer, NULL);
}

/// The next deinterlaced picture into `frame`.
static int filter(cff_video *v) {
  for (;;) {
    int result = cff_deinterlacer_receive(&v->deinterlacer, v->frame);
    bool is_untrusted = v->filter_runs_in &&
                        (v->filter_trusted_from == AV_NOPTS_VALUE || v->frame->pts < v->filter_trusted_from);
    if (result >= 0 && !is_untrusted) return 0;
    if (result >= 0) {
      av_frame_unref(v->frame);
      continue;
    }
    if (result != AVERROR(EAGAIN) && result != AVERROR_EOF) return result;
    if (v->filter_is_ending && result == AVERROR_EOF) {
      if (!v->waiting->buf[0]) return AVERROR_EOF;
      cff_deinterlacer_reset(&v->deinterlacer);
      v->filter_is_ending = false;
      av_frame_move_ref(v->frame, v->waiting);
      result = send_to_filter(v);
    } else {
      result = advance_filter(v);
    }
    if (result < 0) return result;
  }
}

// MARK: handing out

static void describe_frame(const cff_video *v, const AVFrame *frame, cff_picture *picture) {
  picture->time = av_sat_sub64(frame->pts, v->deinterlacing ? av_sat_add64(v->origin, v->origin) : v->origin);
  picture->duration = cff_frame_duration(frame);
  if (v->deinterlacing == 1) picture->duration *= 2;
  picture->width = frame->width;
  picture->height = frame->height;
  picture->aspect_numerator = frame->sample_aspect_ratio.num;
  picture->aspect_denominator = frame->sample_aspect_ratio.den;
  cff_tags tags = {
      frame->color_primaries, frame->color_trc, frame->colorspace, frame->color_range, frame->chroma_location};
  picture->color = cff_color_from_tags(&tags);
  picture->is_interlaced = cff_frame_is_interlaced(frame);
  picture->is_top_first = cff_frame_is_top_first(frame);
  cff_hdr_from_frame(&picture->hdr, frame);
}

static cff_status hand_out(cff_video *v, cff_picture *picture, cff_failure *failure) {
  AVFrame *frame = v->frame;
  const cff_format_rule *rule = cff_rule_for(frame->format);
  const AVPixFmtDescriptor *descriptor = av_pix_fmt_desc_get(frame->format);
  if (!rule || !descriptor) {
    const char *name = descriptor ? descriptor->name : "unknown";
    av_frame_unref(frame);
    return cff_fail(failure, CFF_NO_FORMAT, "the pixel format %s has no equivalent", name);
  }
  *picture = (cff_picture){0};
  describe_frame(v, frame, picture);
  picture->is_rgb = (descriptor->flags & (AV_PIX_FMT_FLAG_RGB | AV_PIX_FMT_FLAG_PAL)) || strncmp(rule->name, "rgb", 3) == 0;
  picture->has_alpha = descriptor->flags & AV_PIX_FMT_FLAG_ALPHA;
  if (rule->is_full_range) picture->color.range = 2;
  if (rule->from != rule->to) {
    int result = cff_convert(&v->converter, frame, rule);
    if (result < 0) {
      av_frame_unref(frame);
      return cff_fail_av(failure, result, CFF_NO_FORMAT, "the pixel format cannot be converted");
    }
  }
  picture->format = rule->name;
  picture->plane_count = av_pix_fmt_count_planes(rule->to);
  for (int i = 0; i < picture->plane_count && i < 4; i++) {
    picture->planes[i] = frame->data[i];
    picture->strides[i] = frame->linesize[i];
  }
  AVFrame *reference = av_frame_alloc();
  if (!reference) {
    av_frame_unref(frame);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  av_frame_move_ref(reference, frame);
  picture->reference = reference;
  return CFF_OK;
}

cff_status cff_video_next(cff_video *v, cff_picture *picture, cff_failure *failure) {
  int result = v->deinterlacing ? filter(v) : decode(v);
  if (result == AVERROR_EOF) return CFF_END;
  if (result < 0) return cff_fail_av(failure, result, CFF_DECODE_FAILED, "the picture cannot be decoded");
  return hand_out(v, picture, failure);
}

void cff_picture_release(void *reference) {
  AVFrame *frame = reference;
  av_frame_free(&frame);
}

// MARK: going elsewhere

static int64_t stream_time(const cff_video *v, int64_t time) {
  if (v->deinterlacing) time = time >= 0 ? time / 2 : (time - 1) / 2;
  return av_sat_add64(time, v->origin);
}

cff_status cff_video_seek(cff_video *v, int64_t time, int64_t *key_time, cff_failure *failure) {
  if (!v->demuxer->format) return cff_fail(failure, CFF_UNREADABLE, "the file could not be opened again");
  forget_position(v);
  if (!find_key(v, stream_time(v, time))) return CFF_END;
  v->filter_runs_in = true;
  int64_t key = av_sat_sub64(v->trusted_from, v->origin);
  *key_time = v->deinterlacing ? av_sat_add64(key, key) : key;
  return CFF_OK;
}

cff_status cff_video_rewind(cff_video *v, cff_failure *failure) {
  forget_position(v);
  return start_over(v, failure);
}

int cff_video_has_key_before(const cff_video *v, int64_t time) {
  if (!v->demuxer->format) return -1;
  AVStream *stream = v->demuxer->format->streams[v->stream_index];
  int64_t target = stream_time(v, time);
  int entry_index = av_index_search_timestamp(stream, target, AVSEEK_FLAG_BACKWARD);
  if (entry_index < 0 || v->packet_time == AV_NOPTS_VALUE) return -1;
  const AVIndexEntry *entry = avformat_index_get_entry(stream, entry_index);
  if (entry && entry->timestamp > v->packet_time) return 1;
  const AVIndexEntry *last = avformat_index_get_entry(stream, avformat_index_get_entries_count(stream) - 1);
  return last && last->timestamp >= target ? 0 : -1;
}
