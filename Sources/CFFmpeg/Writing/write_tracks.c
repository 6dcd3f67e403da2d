// What a container says of itself and its tracks, before the header is written.
#define _GNU_SOURCE
#include "write_muxer.h"

#include <libavutil/mastering_display_metadata.h>
#include <libavutil/pixdesc.h>
#include <string.h>
#include <time.h>

#include "Common/common_internal.h"
#include "Writing/write_internal.h"

static cff_status writing(int error, cff_failure *failure) { return cff_fail_writing(failure, error, CFF_IO_FAILED); }

uint8_t *cff_new_side_data(AVStream *stream, enum AVPacketSideDataType type, size_t size) {
#if LIBAVFORMAT_VERSION_INT >= AV_VERSION_INT(60, 15, 100)
  AVPacketSideData *data = av_packet_side_data_new(
    &stream->codecpar->coded_side_data, &stream->codecpar->nb_coded_side_data, type, size, 0);
  return data ? data->data : NULL;
#else
  return av_stream_new_side_data(stream, type, size);
#endif
}

/// Attaches a value that libavutil allocates (its size is not part of its interface) to the track.
static int attach(AVStream *stream, enum AVPacketSideDataType type, void *value, size_t size) {
  uint8_t *bytes = value ? cff_new_side_data(stream, type, size) : NULL;
  if (bytes) memcpy(bytes, value, size);
  av_free(value);
  return bytes ? 0 : AVERROR(ENOMEM);
}

static AVRational chromaticity(int32_t value) { return (AVRational){value, 50000}; }

static int attach_mastering(AVStream *stream, const cff_mastering_metadata *metadata) {
  if (metadata->has_display) {
    AVMasteringDisplayMetadata *display = av_mastering_display_metadata_alloc();
    if (!display) return AVERROR(ENOMEM);
    const int32_t *points[3] = {metadata->red, metadata->green, metadata->blue};
    for (int color = 0; color < 3; color++)
      for (int axis = 0; axis < 2; axis++) display->display_primaries[color][axis] = chromaticity(points[color][axis]);
    for (int axis = 0; axis < 2; axis++) display->white_point[axis] = chromaticity(metadata->white[axis]);
    display->max_luminance = (AVRational){(int)metadata->maximum_luminance, 10000};
    display->min_luminance = (AVRational){(int)metadata->minimum_luminance, 10000};
    display->has_primaries = display->has_luminance = 1;
    int error = attach(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, display, sizeof *display);
    if (error < 0) return error;
  }
  if (metadata->has_light_level) {
    size_t size = 0;
    AVContentLightMetadata *light = av_content_light_metadata_alloc(&size);
    if (!light) return AVERROR(ENOMEM);
    light->MaxCLL = metadata->maximum_content;
    light->MaxFALL = metadata->maximum_average;
    return attach(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, light, size);
  }
  return 0;
}

static int add_track(
    cff_muxer *muxer, cff_encoder *encoder, int timescale, int rate_num, int rate_den, const char *tag,
    const cff_mastering_metadata *mastering) {
  if (cff_muxer_context(muxer)->nb_streams >= CFF_MAXIMUM_TRACKS) return AVERROR(EINVAL);
  AVStream *stream = avformat_new_stream(cff_muxer_context(muxer), NULL);
  if (!stream) return AVERROR(ENOMEM);
  int error = avcodec_parameters_from_context(stream->codecpar, encoder->context);
  // The filter has also corrected the header outside the packets.
  if (error >= 0 && encoder->filter) error = avcodec_parameters_copy(stream->codecpar, encoder->filter->par_out);
  if (error < 0) return error;
  if (tag) stream->codecpar->codec_tag = MKTAG(tag[0], tag[1], tag[2], tag[3]);
  stream->time_base = (AVRational){1, timescale};
  encoder->length_from_decode_times = !cff_muxer_traits(muxer).holds_durations;
  if (encoder->context->codec_type == AVMEDIA_TYPE_VIDEO) {
    stream->codecpar->field_order = AV_FIELD_PROGRESSIVE;
    stream->sample_aspect_ratio = encoder->context->sample_aspect_ratio;
    if (rate_num > 0) stream->avg_frame_rate = stream->r_frame_rate = (AVRational){rate_num, rate_den};
    // YUV4MPEG2 derives its rate from the time base.
    if (rate_num > 0 && cff_muxer_takes_pictures(muxer)) stream->time_base = (AVRational){rate_den, rate_num};
  }
  if (mastering) {
    error = attach_mastering(stream, mastering);
    if (error < 0) return error;
  }
  return stream->index;
}

cff_status cff_muxer_add_track(
    cff_muxer *muxer, cff_encoder *encoder, int timescale, int rate_num, int rate_den, const char *tag,
    const cff_mastering_metadata *mastering, int *track, cff_failure *failure) {
  *track = add_track(muxer, encoder, timescale, rate_num, rate_den, tag, mastering);
  return writing(*track, failure);
}

cff_status cff_muxer_set_track_metadata(
    cff_muxer *muxer, int track, const char *key, const char *value, cff_failure *failure) {
  return writing(av_dict_set(&cff_muxer_context(muxer)->streams[track]->metadata, key, value, 0), failure);
}

static int tell_color(AVStream *stream) {
  const AVCodecParameters *color = stream->codecpar;
  const struct {
    const char *key, *value;
  } entries[] = {
    {"color_range", av_color_range_name(color->color_range)},
    {"color_space", av_color_space_name(color->color_space)},
    {"color_primaries", av_color_primaries_name(color->color_primaries)},
    {"color_transfer", av_color_transfer_name(color->color_trc)},
    {"chroma_location", av_chroma_location_name(color->chroma_location)},
  };
  int error = 0;
  for (size_t index = 0; error >= 0 && index < sizeof entries / sizeof *entries; index++)
    if (entries[index].value) error = av_dict_set(&stream->metadata, entries[index].key, entries[index].value, 0);
  return error;
}

cff_status cff_muxer_tell_color(cff_muxer *muxer, int track, cff_failure *failure) {
  return writing(tell_color(cff_muxer_context(muxer)->streams[track]), failure);
}

void cff_muxer_set_default(cff_muxer *muxer, int track, bool is_default) {
  AVStream *stream = cff_muxer_context(muxer)->streams[track];
  if (is_default) stream->disposition |= AV_DISPOSITION_DEFAULT;
  else stream->disposition &= ~AV_DISPOSITION_DEFAULT;
}

cff_status cff_muxer_set_display_matrix(
    cff_muxer *muxer, int track, const int32_t elements[9], cff_failure *failure) {
  size_t size = 9 * sizeof *elements;
  uint8_t *bytes = cff_new_side_data(cff_muxer_context(muxer)->streams[track], AV_PKT_DATA_DISPLAYMATRIX, size);
  if (!bytes) return writing(AVERROR(ENOMEM), failure);
  memcpy(bytes, elements, size);
  return CFF_OK;
}

cff_status cff_muxer_set_metadata(cff_muxer *muxer, const char *key, const char *value, cff_failure *failure) {
  return writing(av_dict_set(&cff_muxer_context(muxer)->metadata, key, value, 0), failure);
}

cff_status cff_muxer_set_creation_time(cff_muxer *muxer, int64_t seconds, cff_failure *failure) {
  char text[32];
  struct tm parts;
  time_t value = (time_t)seconds;
  if (!gmtime_r(&value, &parts) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts)) {
    return writing(AVERROR(EINVAL), failure);
  }
  return cff_muxer_set_metadata(muxer, "creation_time", text, failure);
}
