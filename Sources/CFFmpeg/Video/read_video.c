#include "Times/read_numbered.h"
#include "Video/read_video_internal.h"

static void forget_position(cff_video *v) {
  cff_forget_decoding(v);
  v->given_out = v->skip_through = AV_NOPTS_VALUE;
  cff_deinterlacer_reset(&v->deinterlacer);
  av_frame_unref(v->waiting);
  v->filter_is_ending = v->filter_runs_in = false;
  v->filter_trusted_from = AV_NOPTS_VALUE;
  v->frames_filtered = 0;
}

// MARK: opening

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
  v->deinterlacing = options->deinterlacing;
  v->pool.memory = options->memory;
  pthread_mutex_init(&v->pool.lock, NULL);
  if (status == CFF_OK) status = cff_open_decoder(v, failure);
  if (status != CFF_OK) {
    cff_video_close(v);
    return status;
  }
  v->stream_tick = v->tick = demuxer->format->streams[index]->time_base;
  if (v->deinterlacing) v->tick = av_mul_q(v->stream_tick, (AVRational){1, 2});
  v->deinterlacer.time_base = v->stream_tick;
  v->deinterlacer.by_field = v->deinterlacing == 2;
  v->origin = cff_demuxer_origin(demuxer, index);
  v->numbered_step = cff_numbered_step(demuxer, index);
  v->skip_before = v->skipped_last = AV_NOPTS_VALUE;
  forget_position(v);
  cff_select_stream(v);
  *result = v;
  return CFF_OK;
}

void cff_video_close(cff_video *v) {
  if (!v) return;
  avcodec_free_context(&v->decoder);
  cff_deinterlacer_reset(&v->deinterlacer);
  cff_converter_close(&v->converter);
  cff_fitter_close(&v->fitter);
  cff_pool_close(&v->pool);
  av_packet_free(&v->packet);
  if (v->held) cff_forget_held(v);
  av_fifo_freep2(&v->held);
  av_frame_free(&v->frame);
  av_frame_free(&v->waiting);
  cff_ledger_close(&v->ledger);
  av_free(v);
}

void cff_video_tick(const cff_video *v, int32_t *numerator, int32_t *denominator) {
  *numerator = v->tick.num;
  *denominator = v->tick.den;
}

// MARK: losses

const char *cff_loss_reason(const cff_loss *loss) { return loss->reason; }

bool cff_video_take_loss(cff_video *v, cff_loss *loss) {
  if (v->ledger.loss_count == 0) return false;
  *loss = v->ledger.losses[--v->ledger.loss_count];
  loss->time = av_sat_sub64(loss->time, v->origin);
  if (v->deinterlacing) loss->time = av_sat_add64(loss->time, loss->time);
  return true;
}

int64_t cff_video_concealed_count(const cff_video *v) { return v->ledger.concealed_count; }

const char *cff_video_concealed_reason(cff_video *v) {
  av_strerror(v->ledger.concealed_error, v->reason, sizeof v->reason);
  return v->reason;
}

const char *cff_video_early_end(const cff_video *v) { return v->ended_early ? v->reason : NULL; }

// MARK: deinterlacing

static bool filter_takes(const cff_video *v) {
  const cff_deinterlacer *d = &v->deinterlacer;
  return !d->graph || (d->width == v->frame->width && d->height == v->frame->height && d->format == v->frame->format);
}

/// Sends `frame` to the filter and records the time from which its output is the same as without the seek.
static int send_to_filter(cff_video *v) {
  if (v->frames_filtered++ == 1) {
    v->filter_trusted_from = av_rescale_q(v->frame->pts, v->stream_tick, v->tick);
  }
  int result = cff_deinterlacer_send(&v->deinterlacer, v->frame);
  av_frame_unref(v->frame);
  return result;
}

/// Sends one frame to the filter, or the end.
static int advance_filter(cff_video *v) {
  int result = cff_decode(v);
  if (result == AVERROR_EOF) {
    v->filter_is_ending = true;
    return cff_deinterlacer_send(&v->deinterlacer, NULL);
  }
  if (result < 0) return result;
  cff_take_stated_fields(v->demuxer->format->streams[v->stream_index], v->frame);
  if (filter_takes(v)) return send_to_filter(v);
  av_frame_move_ref(v->waiting, v->frame);
  v->filter_is_ending = true;
  return cff_deinterlacer_send(&v->deinterlacer, NULL);
}

/// Stores the next deinterlaced frame in `frame`.
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

// MARK: output

/// Image codecs code R, G, B and gray in full range, whatever their container.
static bool is_image_codec(enum AVCodecID codec) {
  return codec == AV_CODEC_ID_PNG || codec == AV_CODEC_ID_APNG || codec == AV_CODEC_ID_GIF;
}

/// Whether the bitstream states another pixel aspect for a frame than it did at the beginning, which the container describes.
static bool has_own_aspect(const cff_video *v, const cff_picture *picture) {
  AVRational own = {picture->aspect_numerator, picture->aspect_denominator};
  AVRational first = v->demuxer->format->streams[v->stream_index]->codecpar->sample_aspect_ratio;
  return own.num > 0 && own.den > 0 && first.num > 0 && first.den > 0 && av_cmp_q(own, first) != 0;
}

static bool differs(uint8_t own, int first) { return own != 2 && first != 2 && own != first; }

/// The same for the color. What is unspecified at either time doesn't count.
static bool has_own_color(const cff_video *v, const cff_picture *picture) {
  const AVCodecParameters *first = v->demuxer->format->streams[v->stream_index]->codecpar;
  const cff_color *own = &picture->color;
  return differs(own->primaries, first->color_primaries) || differs(own->transfer, first->color_trc) ||
         differs(own->matrix, first->color_space);
}

static cff_status hand_out(cff_video *v, cff_picture *picture, cff_failure *failure) {
  enum AVPixelFormat format = v->frame->format;
  const cff_format_rule *rule =
      is_image_codec(v->decoder->codec_id) ? cff_image_rule_for(format) : cff_rule_for(format);
  if (cff_may_exceed_depth(v->decoder->codec_id) && cff_clamp_to_depth(v->frame) < 0) {
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  cff_status status = cff_picture_take(v->frame, rule, &v->converter, picture, failure);
  if (status != CFF_OK) return status;
  picture->has_own_aspect = has_own_aspect(v, picture);
  picture->has_own_color = has_own_color(v, picture);
  const AVFrame *taken = picture->reference;
  picture->time = av_sat_sub64(taken->pts, v->deinterlacing ? av_sat_add64(v->origin, v->origin) : v->origin);
  picture->duration = cff_frame_duration(taken);
  if (v->deinterlacing == 1) picture->duration *= 2;
  bool is_decoders_own = rule->from == rule->to && v->pool.memory.allocate && !v->deinterlacing;
  if (is_decoders_own) picture->owner = cff_pool_owner(taken);
  return CFF_OK;
}

cff_status cff_video_next(cff_video *v, cff_picture *picture, cff_failure *failure) {
  int result = v->deinterlacing ? filter(v) : cff_decode(v);
  if (result == AVERROR_EOF) return CFF_END;
  if (v->demuxer->read_error && result < 0) return cff_fail_read(v->demuxer, failure);
  if (result < 0) return cff_fail_av(failure, result, CFF_DECODE_FAILED, "the frame cannot be decoded");
  return hand_out(v, picture, failure);
}

// MARK: seeking

static int64_t stream_time(const cff_video *v, int64_t time) {
  if (v->deinterlacing) time = time >= 0 ? time / 2 : (time - 1) / 2;
  return av_sat_add64(time, v->origin);
}

cff_status cff_video_seek(cff_video *v, int64_t time, int64_t *key_time, cff_failure *failure) {
  if (!v->demuxer->format) return cff_fail(failure, CFF_UNREADABLE, "the file could not be opened again");
  forget_position(v);
  if (!cff_find_key(v, stream_time(v, time))) {
    return v->demuxer->read_error ? cff_fail_read(v->demuxer, failure) : CFF_END;
  }
  v->filter_runs_in = true;
  int64_t key = av_sat_sub64(v->trusted_from, v->origin);
  *key_time = v->deinterlacing ? av_sat_add64(key, key) : key;
  return CFF_OK;
}

cff_status cff_video_rewind(cff_video *v, cff_failure *failure) {
  forget_position(v);
  return cff_start_over(v, failure);
}

cff_answer cff_video_has_key_before(const cff_video *v, int64_t time) {
  if (v->demuxer->format && v->demuxer->counts_frames) return CFF_NO;
  // An index by libav's own timestamps is useless for a clock that restarts.
  if (!v->demuxer->format || v->demuxer->has_restarts) return CFF_UNKNOWN;
  AVStream *stream = v->demuxer->format->streams[v->stream_index];
  int64_t target = stream_time(v, time);
  int entry_index = av_index_search_timestamp(stream, target, AVSEEK_FLAG_BACKWARD);
  if (entry_index < 0 || v->packet_time == AV_NOPTS_VALUE) return CFF_UNKNOWN;
  const AVIndexEntry *entry = avformat_index_get_entry(stream, entry_index);
  if (entry && entry->timestamp > v->packet_time) return CFF_YES;
  const AVIndexEntry *last = avformat_index_get_entry(stream, avformat_index_get_entries_count(stream) - 1);
  return last && last->timestamp >= target ? CFF_NO : CFF_UNKNOWN;
}
