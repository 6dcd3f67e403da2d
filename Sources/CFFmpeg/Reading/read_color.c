#include "Reading/read_internal.h"

#include <libavutil/dovi_meta.h>
#include <libavutil/mastering_display_metadata.h>

/// libav has curves of its own above the code points of H.273; here, they count as unspecified.
static uint8_t code_point(unsigned value) { return value <= UINT8_MAX ? (uint8_t)value : 2; }

cff_color cff_color_from_tags(const cff_tags *tags) {
  uint8_t range = tags->range == AVCOL_RANGE_MPEG ? 1 : tags->range == AVCOL_RANGE_JPEG ? 2 : 0;
  return (cff_color){
      code_point(tags->primaries), code_point(tags->transfer), code_point(tags->matrix), range, (uint8_t)tags->location};
}

static void take_mastering(cff_hdr *hdr, const AVMasteringDisplayMetadata *data) {
  hdr->lacks_luminance = data->has_primaries && !data->has_luminance;
  if (!data->has_primaries || !data->has_luminance) return;
  for (int i = 0; i < 3; i++) {
    hdr->mastering[2 * i] = av_q2d(data->display_primaries[i][0]);
    hdr->mastering[2 * i + 1] = av_q2d(data->display_primaries[i][1]);
  }
  hdr->mastering[6] = av_q2d(data->white_point[0]);
  hdr->mastering[7] = av_q2d(data->white_point[1]);
  hdr->mastering[8] = av_q2d(data->max_luminance);
  hdr->mastering[9] = av_q2d(data->min_luminance);
  hdr->has_mastering = true;
}

static void take_light(cff_hdr *hdr, const AVContentLightMetadata *data) {
  hdr->maximum_content_light = data->MaxCLL > INT32_MAX ? INT32_MAX : (int32_t)data->MaxCLL;
  hdr->maximum_average_light = data->MaxFALL > INT32_MAX ? INT32_MAX : (int32_t)data->MaxFALL;
  hdr->has_light = true;
}

void cff_hdr_from_stream(cff_hdr *hdr, const AVStream *stream) {
  const uint8_t *data = cff_stream_side_data(stream, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, NULL);
  if (data) take_mastering(hdr, (const AVMasteringDisplayMetadata *)data);
  data = cff_stream_side_data(stream, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, NULL);
  if (data) take_light(hdr, (const AVContentLightMetadata *)data);
}

void cff_hdr_from_frame(cff_hdr *hdr, const AVFrame *frame) {
  const AVFrameSideData *side = av_frame_get_side_data(frame, AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
  if (side) take_mastering(hdr, (const AVMasteringDisplayMetadata *)side->data);
  side = av_frame_get_side_data(frame, AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
  if (side) take_light(hdr, (const AVContentLightMetadata *)side->data);
}

void cff_dolby_vision_from_stream(cff_dolby_vision *result, const AVStream *stream) {
  size_t size = 0;
  const uint8_t *data = cff_stream_side_data(stream, AV_PKT_DATA_DOVI_CONF, &size);
  // The record has grown at its end from version to version.
  if (!data || size < offsetof(AVDOVIDecoderConfigurationRecord, dv_bl_signal_compatibility_id) + 1) return;
  const AVDOVIDecoderConfigurationRecord *record = (const AVDOVIDecoderConfigurationRecord *)data;
  *result = (cff_dolby_vision){
      true, record->dv_profile, record->dv_level, record->dv_bl_signal_compatibility_id, record->el_present_flag != 0};
}

bool cff_frame_has_dolby_vision(const AVFrame *frame) {
  return av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_RPU_BUFFER) ||
         av_frame_get_side_data(frame, AV_FRAME_DATA_DOVI_METADATA);
}

bool cff_frame_has_hdr10_plus(const AVFrame *frame) {
  return av_frame_get_side_data(frame, AV_FRAME_DATA_DYNAMIC_HDR_PLUS) != NULL;
}
