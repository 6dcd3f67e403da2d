#include "Writing/write_internal.h"

#include <libavcodec/bsf.h>
#include <libavutil/opt.h>
#include <string.h>

// libavcodec's AV1 encoders write neither HDR metadata nor chroma siting, so both are inserted into the packets here. AV1 bitstream specification, 5.3
// (headers), 5.8.3 (light levels), 5.8.4 (mastering display), 6.4.2 (siting).

enum { obu_sequence_header = 1, obu_temporal_delimiter = 2, obu_metadata = 5, metadata_light = 1, metadata_display = 2 };

static uint8_t *put_u16(uint8_t *out, uint32_t value) {
  *out++ = (uint8_t)(value >> 8);
  *out++ = (uint8_t)value;
  return out;
}

static uint8_t *put_u32(uint8_t *out, uint64_t value) { return put_u16(put_u16(out, (uint32_t)(value >> 16) & 0xffff), (uint32_t)value & 0xffff); }

/// Converts units of 1/50000 to 0.16 fixed point.
static uint8_t *put_point(uint8_t *out, const int32_t point[2]) {
  for (int axis = 0; axis < 2; axis++) {
    int64_t value = ((int64_t)point[axis] * 65536 + 25000) / 50000;
    out = put_u16(out, value > 65535 ? 65535 : (uint32_t)value);
  }
  return out;
}

/// Converts 1/10000 cd/m² to fixed point with `bits` fractional bits.
static uint64_t luminance(int64_t value, int bits) {
  int64_t scaled = ((value << bits) + 5000) / 10000;
  return scaled > UINT32_MAX ? UINT32_MAX : (uint64_t)scaled;
}

static uint8_t *begin_metadata(uint8_t *out, int type, int payload_size) {
  *out++ = obu_metadata << 3 | 1 << 1;
  // The type precedes the payload, trailing bits follow it. Both sizes fit one byte of LEB128.
  *out++ = (uint8_t)(payload_size + 2);
  *out++ = (uint8_t)type;
  return out;
}

int cff_av1_metadata(const cff_mastering_metadata *metadata, uint8_t bytes[CFF_AV1_METADATA_CAPACITY]) {
  uint8_t *out = bytes;
  if (metadata->has_light_level) {
    out = begin_metadata(out, metadata_light, 4);
    out = put_u16(put_u16(out, metadata->maximum_content), metadata->maximum_average);
    *out++ = 0x80;
  }
  if (metadata->has_display) {
    out = begin_metadata(out, metadata_display, 24);
    out = put_point(put_point(put_point(out, metadata->red), metadata->green), metadata->blue);
    out = put_point(out, metadata->white);
    out = put_u32(put_u32(out, luminance(metadata->maximum_luminance, 8)), luminance(metadata->minimum_luminance, 14));
    *out++ = 0x80;
  }
  return (int)(out - bytes);
}

/// Size of the OBU at `data` including its header, and its type; 0 if it is invalid.
static int obu_size(const uint8_t *data, int count, int *type) {
  if (count < 2 || !(data[0] & 2)) return 0;
  *type = data[0] >> 3 & 15;
  int position = data[0] & 4 ? 2 : 1;
  int64_t size = 0;
  for (int shift = 0; shift < 56 && position < count; shift += 7) {
    uint8_t byte = data[position++];
    size |= (int64_t)(byte & 127) << shift;
    if (!(byte & 128)) return position + size <= count ? (int)(position + size) : 0;
  }
  return 0;
}

/// Inserts the metadata of `encoder` after the sequence header of a key frame.
static int insert_metadata(cff_encoder *encoder, AVPacket *packet) {
  int count = encoder->metadata_size;
  if (count == 0 || !(packet->flags & AV_PKT_FLAG_KEY)) return 0;
  int position = 0, type = 0, size;
  while ((size = obu_size(packet->data + position, packet->size - position, &type)) > 0 &&
         (type == obu_temporal_delimiter || type == obu_sequence_header)) {
    position += size;
  }
  int old_size = packet->size;
  int error = av_grow_packet(packet, count);
  if (error >= 0) error = av_packet_make_writable(packet);
  if (error < 0) return error;
  memmove(packet->data + position + count, packet->data + position, (size_t)(old_size - position));
  memcpy(packet->data + position, encoder->metadata, (size_t)count);
  return 0;
}

int cff_av1_open(cff_encoder *encoder, int chroma_location) {
  // BT.709's siting is called vertical, BT.2020's colocated; others have no number.
  if (chroma_location != 0 && chroma_location != 2) return 0;
  const AVBitStreamFilter *filter = av_bsf_get_by_name("av1_metadata");
  if (!filter) return 0;
  int error = av_bsf_alloc(filter, &encoder->filter);
  if (error < 0) return error;
  error = av_opt_set(encoder->filter, "chroma_sample_position", chroma_location == 0 ? "vertical" : "colocated",
                     AV_OPT_SEARCH_CHILDREN);
  if (error >= 0) error = avcodec_parameters_from_context(encoder->filter->par_in, encoder->context);
  encoder->filter->time_base_in = encoder->context->time_base;
  return error < 0 ? error : av_bsf_init(encoder->filter);
}

int cff_av1_finish_packet(cff_encoder *encoder, AVPacket *packet) {
  if (encoder->filter) {
    int error = av_bsf_send_packet(encoder->filter, packet);
    if (error >= 0) error = av_bsf_receive_packet(encoder->filter, packet);
    if (error < 0) return error;
  }
  return insert_metadata(encoder, packet);
}
