// Writes packets to another container, and encoders whose packets fit between them.
#include <libavutil/display.h>
#include <string.h>

#include "Common/common_internal.h"
#include "Copying/copy_internal.h"
#include "Writing/write_internal.h"

static int replace_extradata(AVCodecParameters *parameters, const uint8_t *bytes, int size) {
  uint8_t *copy = av_mallocz((size_t)size + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!copy) return AVERROR(ENOMEM);
  memcpy(copy, bytes, (size_t)size);
  av_freep(&parameters->extradata);
  parameters->extradata = copy;
  parameters->extradata_size = size;
  return 0;
}

/// Side data that older versions of libavformat keep outside the codec's parameters: display matrix, mastering display, Dolby Vision …
static int copy_side_data(AVStream *target, const AVStream *source) {
#if LIBAVFORMAT_VERSION_INT < AV_VERSION_INT(60, 15, 100)
  for (int index = 0; index < source->nb_side_data; index++) {
    const AVPacketSideData *data = &source->side_data[index];
    uint8_t *bytes = av_stream_new_side_data(target, data->type, data->size);
    if (!bytes) return AVERROR(ENOMEM);
    memcpy(bytes, data->data, data->size);
  }
#else
  (void)target, (void)source;
#endif
  return 0;
}

/// Adds a track with another container's description of its codec. The codec's tag is the new container's, unless both know it.
static int add_stream(AVFormatContext *context, const AVStream *source, int timescale, AVStream **result) {
  if (context->nb_streams >= CFF_MAXIMUM_TRACKS) return AVERROR(EINVAL);
  AVStream *stream = avformat_new_stream(context, NULL);
  if (!stream) return AVERROR(ENOMEM);
  int error = avcodec_parameters_copy(stream->codecpar, source->codecpar);
  if (error >= 0) error = copy_side_data(stream, source);
  if (error < 0) return error;
  unsigned int tag = source->codecpar->codec_tag;
  bool is_known = tag && context->oformat->codec_tag
    && av_codec_get_id(context->oformat->codec_tag, tag) == source->codecpar->codec_id;
  stream->codecpar->codec_tag = is_known ? tag : 0;
  stream->time_base = (AVRational){1, timescale};
  // The container's pixel aspect takes precedence over the bitstream's. Muxers read either, and refuse two that differ.
  AVRational aspect = source->sample_aspect_ratio.num > 0 ? source->sample_aspect_ratio : source->codecpar->sample_aspect_ratio;
  stream->sample_aspect_ratio = stream->codecpar->sample_aspect_ratio = aspect;
  *result = stream;
  return 0;
}

/// Writes the header of a movie of one track to memory, which the caller frees with av_free. Returns a libav error or the number of bytes.
static int write_header(const AVOutputFormat *output, const AVStream *source, uint8_t **bytes) {
  AVFormatContext *context = NULL;
  AVStream *stream = NULL;
  int count = 0, rate = source->codecpar->sample_rate;
  int error = avformat_alloc_output_context2(&context, output, NULL, NULL);
  if (error >= 0) error = add_stream(context, source, rate > 0 ? rate : 1000, &stream);
  if (error >= 0) error = avio_open_dyn_buf(&context->pb);
  if (error >= 0) {
    context->flags |= AVFMT_FLAG_BITEXACT;
    error = avformat_write_header(context, NULL);
    count = avio_close_dyn_buf(context->pb, bytes);
  }
  avformat_free_context(context);
  return error < 0 ? error : count;
}

/// Whether a muxer accepts a track: what it demands beyond knowing the codec differs between versions.
static bool takes_header(const AVOutputFormat *output, const AVStream *source) {
  uint8_t *bytes = NULL;
  int count = write_header(output, source, &bytes);
  av_free(bytes);
  return count >= 0;
}

/// Whether QuickTime can say how uncompressed frames are stored. Others get a tag that libavformat says makes them unreadable.
static bool has_quicktime_tag(const AVCodecParameters *parameters) {
  switch (parameters->format) {
    case AV_PIX_FMT_YUYV422: case AV_PIX_FMT_UYVY422: case AV_PIX_FMT_GRAY16BE: case AV_PIX_FMT_RGB48BE:
    case AV_PIX_FMT_RGB24: case AV_PIX_FMT_BGR24: case AV_PIX_FMT_ARGB: case AV_PIX_FMT_ABGR: case AV_PIX_FMT_RGBA: case AV_PIX_FMT_BGRA:
    case AV_PIX_FMT_RGB555LE: case AV_PIX_FMT_RGB555BE: case AV_PIX_FMT_RGB565LE: case AV_PIX_FMT_RGB565BE: return true;
    // Told by the depth.
    case AV_PIX_FMT_GRAY8: return parameters->bits_per_coded_sample == 8;
    // Among others those with a palette, which packets of another container have elsewhere.
    default: return false;
  }
}

bool cff_container_holds(const char *format, const cff_demuxer *demuxer, int stream) {
  const AVOutputFormat *output = av_guess_format(format, NULL, NULL);
  const AVStream *source = demuxer->format->streams[stream];
  const AVCodecParameters *parameters = source->codecpar;
  // The muxer of MP3 answers for its covers only.
  bool is_usual = output && output->audio_codec == parameters->codec_id;
  if (!output || (!is_usual && avformat_query_codec(output, parameters->codec_id, FF_COMPLIANCE_NORMAL) != 1)) return false;
  bool needs_tag = parameters->codec_id == AV_CODEC_ID_RAWVIDEO && cff_output_traits_of(format).has_quicktime_tags;
  return (!needs_tag || has_quicktime_tag(parameters)) && takes_header(output, source);
}

/// Whether a header contains the angle of a Matroska track (ProjectionPoseRoll, of eight bytes).
static bool has_angle(const uint8_t *bytes, int count) {
  for (int i = 0; i + 3 <= count; i++)
    if (bytes[i] == 0x76 && bytes[i + 1] == 0x75 && bytes[i + 2] == 0x88) return true;
  return false;
}

bool cff_container_holds_rotation(const char *format) {
  cff_output_traits traits = cff_output_traits_of(format);
  if (traits.holds_matrix) return true;
  const AVOutputFormat *output = traits.may_hold_angle ? av_guess_format(format, NULL, NULL) : NULL;
  AVFormatContext *model = avformat_alloc_context();
  AVStream *stream = output && model ? avformat_new_stream(model, NULL) : NULL;
  uint8_t *bytes = NULL, *matrix = stream ? cff_new_side_data(stream, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t)) : NULL;
  bool holds = false;
  if (matrix) {
    av_display_rotation_set((int32_t *)(void *)matrix, 90);
    stream->codecpar->codec_type = AVMEDIA_TYPE_VIDEO;
    stream->codecpar->codec_id = AV_CODEC_ID_VP8;
    stream->codecpar->width = stream->codecpar->height = 16;
    int count = write_header(output, stream, &bytes);
    holds = has_angle(bytes, bytes ? count : 0);
    av_free(bytes);
  }
  avformat_free_context(model);
  return holds;
}

bool cff_container_holds_alpha_layer(const char *format) { return cff_output_traits_of(format).holds_alpha_layer; }

static int add_track(
    AVFormatContext *context, const AVStream *source, int timescale, const uint8_t *extradata, int extradata_size, const char *tag) {
  AVStream *stream = NULL;
  int error = add_stream(context, source, timescale, &stream);
  if (error >= 0 && extradata_size > 0) error = replace_extradata(stream->codecpar, extradata, extradata_size);
  if (error < 0) return error;
  if (tag) stream->codecpar->codec_tag = MKTAG(tag[0], tag[1], tag[2], tag[3]);
  stream->avg_frame_rate = source->avg_frame_rate;
  stream->r_frame_rate = source->r_frame_rate;
  stream->disposition = source->disposition | AV_DISPOSITION_DEFAULT;
  // "alpha_mode" makes Matroska's packets keep the layer of alpha that is beside them.
  static const char *const entries[] = {"language", "title", "handler_name", "alpha_mode"};
  for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
    const AVDictionaryEntry *entry = av_dict_get(source->metadata, entries[i], NULL, 0);
    error = entry ? av_dict_set(&stream->metadata, entries[i], entry->value, 0) : 0;
    if (error < 0) return error;
  }
  return stream->index;
}

/// The container's color takes precedence over the bitstream's, with which libavformat replaces it.
static void keep_container_color(AVCodecParameters *parameters, const cff_tags *tags) {
  if (tags->primaries != AVCOL_PRI_UNSPECIFIED) parameters->color_primaries = tags->primaries;
  if (tags->transfer != AVCOL_TRC_UNSPECIFIED) parameters->color_trc = tags->transfer;
  if (tags->matrix != AVCOL_SPC_UNSPECIFIED) parameters->color_space = tags->matrix;
  if (tags->range != AVCOL_RANGE_UNSPECIFIED) parameters->color_range = tags->range;
}

cff_status cff_muxer_add_copied_track(
    cff_muxer *muxer, const cff_demuxer *source, int stream, int timescale, const uint8_t *extradata, int extradata_size,
    const char *tag, int *track, cff_failure *failure) {
  AVFormatContext *context = cff_muxer_context(muxer);
  *track = add_track(context, source->format->streams[stream], timescale, extradata, extradata_size, tag);
  if (*track >= 0 && stream < source->container_tags_count) {
    keep_container_color(context->streams[*track]->codecpar, &source->container_tags[stream]);
  }
  return cff_fail_writing(failure, *track, CFF_IO_FAILED);
}

cff_status cff_muxer_write_copied(
    cff_muxer *muxer, int track, const void *packet, int64_t time, int64_t decode_time, int64_t duration, int timescale,
    cff_failure *failure) {
  AVPacket *copy = av_packet_clone(packet);
  int error = copy ? 0 : AVERROR(ENOMEM);
  if (error >= 0) {
    copy->stream_index = track;
    copy->pts = time;
    copy->dts = decode_time;
    copy->duration = duration;
    copy->pos = -1;
    copy->flags &= ~AV_PKT_FLAG_DISCARD;
    error = cff_muxer_write_raw(muxer, copy, (AVRational){1, timescale});
  }
  av_packet_free(&copy);
  return cff_fail_writing(failure, error, CFF_IO_FAILED);
}

static int add_part_track(AVFormatContext *context, const AVStream *source, const cff_part_track *part) {
  AVStream *stream = NULL;
  int error = add_stream(context, source, part->timescale, &stream);
  if (error < 0) return error;
  stream->codecpar->bit_rate = part->bit_rate;
  if (stream->codecpar->codec_type == AVMEDIA_TYPE_VIDEO) {
    stream->codecpar->field_order = AV_FIELD_PROGRESSIVE;
    stream->avg_frame_rate = stream->r_frame_rate = (AVRational){part->rate_numerator, part->rate_denominator};
    // AV1 streams do not state it.
    AVRational aspect = {part->aspect_numerator, part->aspect_denominator};
    stream->sample_aspect_ratio = stream->codecpar->sample_aspect_ratio = aspect;
  } else {
    stream->codecpar->initial_padding = part->priming;
    stream->codecpar->frame_size = part->frame_size;
  }
  stream->disposition = AV_DISPOSITION_DEFAULT;
  return stream->index;
}

cff_status cff_muxer_add_part_track(
    cff_muxer *muxer, const cff_demuxer *source, int stream, const cff_part_track *part, int *track, cff_failure *failure) {
  *track = add_part_track(cff_muxer_context(muxer), source->format->streams[stream], part);
  return cff_fail_writing(failure, *track, CFF_IO_FAILED);
}

static int write_part(cff_muxer *muxer, int track, const AVPacket *packet, const cff_part_stamp *stamp) {
  AVPacket *copy = av_packet_clone(packet);
  if (!copy) return AVERROR(ENOMEM);
  // Samples discarded at the part's own ends are not those discarded in the movie.
  av_packet_free_side_data(copy);
  copy->stream_index = track;
  copy->pts = stamp->time;
  copy->dts = stamp->decode_time;
  copy->duration = stamp->duration;
  copy->pos = -1;
  copy->flags &= AV_PKT_FLAG_KEY;
  int error = stamp->discarded > 0 ? cff_packet_discard(copy, stamp->discarded) : 0;
  if (error >= 0) {
    error = cff_muxer_write_encoded(muxer, copy, (AVRational){stamp->tick_numerator, stamp->tick_denominator});
  }
  av_packet_free(&copy);
  return error;
}

cff_status cff_muxer_write_part(
    cff_muxer *muxer, int track, const void *packet, const cff_part_stamp *stamp, cff_failure *failure) {
  return cff_fail_writing(failure, write_part(muxer, track, packet, stamp), CFF_IO_FAILED);
}

static void configure(AVCodecContext *context, const AVStream *stream, const char *pixel_format) {
  const AVCodecParameters *source = stream->codecpar;
  context->width = source->width;
  context->height = source->height;
  context->pix_fmt = av_get_pix_fmt(pixel_format);
  AVRational aspect = stream->sample_aspect_ratio.num > 0 ? stream->sample_aspect_ratio : source->sample_aspect_ratio;
  context->sample_aspect_ratio = aspect;
  context->color_primaries = source->color_primaries;
  context->color_trc = source->color_trc;
  context->colorspace = source->color_space;
  context->color_range = source->color_range;
  context->chroma_sample_location = source->chroma_location;
  context->field_order = AV_FIELD_PROGRESSIVE;
  context->framerate = stream->avg_frame_rate.num > 0 ? stream->avg_frame_rate : (AVRational){25, 1};
  // Times are frame numbers: the caller assigns the real ones to the packets.
  context->time_base = av_inv_q(context->framerate);
  context->flags |= AV_CODEC_FLAG_GLOBAL_HEADER;
}

cff_status cff_copy_encoder_open(
    const cff_demuxer *source, int stream, const char *encoder, const char *pixel_format, const char *options,
    cff_encoder **result, cff_failure *failure) {
  int error = cff_encoder_allocate(encoder, NULL, result);
  if (error >= 0) {
    configure((*result)->context, source->format->streams[stream], pixel_format);
    error = cff_encoder_open_with(*result, options);
    if (error < 0) cff_encoder_destroy(result);
  }
  return cff_encoding(error, failure);
}

const uint8_t *cff_copy_encoder_extradata(const cff_encoder *encoder, int *size) {
  *size = encoder->context->extradata_size;
  return encoder->context->extradata;
}

cff_status cff_copy_encoder_take(cff_encoder *encoder, int length_size, cff_packet *result, cff_failure *failure) {
  AVPacket *packet = av_packet_alloc();
  int error = packet ? 0 : AVERROR(ENOMEM);
  if (error >= 0) {
    av_packet_move_ref(packet, encoder->packet);
    if (length_size > 0) error = cff_copy_use_lengths(encoder->context->codec_id, packet, length_size);
  }
  if (error < 0) {
    av_packet_free(&packet);
    return cff_encoding(error, failure);
  }
  *result = (cff_packet){
      .reference = packet,
      .time = packet->pts,
      .decode_time = packet->dts,
      .duration = packet->duration,
      .byte_count = packet->size,
      .entry = packet->flags & AV_PKT_FLAG_KEY ? CFF_ENTRY_CLOSED : CFF_ENTRY_NONE,
  };
  return CFF_OK;
}
