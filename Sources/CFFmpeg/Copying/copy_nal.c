// NAL units of H.264 and HEVC, as far as needed for copying.
#include <libavutil/intreadwrite.h>
#include <string.h>

#include "Copying/copy_internal.h"

/// Iterates over the NAL units of a packet.
typedef struct nal_walk {
  const uint8_t *at, *end;
  int length_size;
  /// The end of the bytes that the last length counts. Some phones write the prefix unit of a packet (type 14) with the length of all that follows, which has
  /// start codes instead of lengths. libavcodec's decoders find those units, too.
  const uint8_t *counted_end;
} nal_walk;

static const uint8_t *start_code(const uint8_t *at, const uint8_t *end) {
  for (; at + 3 <= end; at++)
    if (at[0] == 0 && at[1] == 0 && at[2] == 1) return at;
  return end;
}

static nal_walk begin(const uint8_t *bytes, size_t count, int length_size) {
  nal_walk walk = {bytes, bytes + count, length_size, bytes};
  if (!length_size) walk.at = start_code(walk.at, walk.end);
  return walk;
}

/// The next unit with a length, or after a start code in the bytes of one; false at the end, and if a length is damaged. A unit's size includes start codes and
/// what follows them: most callers need its beginning only.
static bool next_with_length(nal_walk *walk, const uint8_t **unit, size_t *size) {
  const uint8_t *code = start_code(walk->at, walk->counted_end);
  if (code < walk->counted_end) {
    walk->at = code + 3;
  } else {
    walk->at = walk->counted_end;
    if (walk->end - walk->at < walk->length_size) return false;
    size_t length = 0;
    for (int byte = 0; byte < walk->length_size; byte++) length = length << 8 | *walk->at++;
    if (length > (size_t)(walk->end - walk->at)) return false;
    walk->counted_end = walk->at + length;
  }
  *unit = walk->at;
  *size = (size_t)(walk->counted_end - walk->at);
  return true;
}

/// The next unit; false at the end, and if a length is damaged.
static bool next(nal_walk *walk, const uint8_t **unit, size_t *size) {
  if (walk->length_size) return next_with_length(walk, unit, size);
  if (walk->end - walk->at < 3) return false;
  *unit = walk->at + 3;
  walk->at = start_code(*unit, walk->end);
  const uint8_t *last = walk->at;
  while (last > *unit && last[-1] == 0) last--;
  *size = (size_t)(last - *unit);
  return true;
}

int cff_copy_length_size(const AVCodecParameters *parameters) {
  const uint8_t *extra = parameters->extradata;
  if (!extra || extra[0] != 1) return 0;
  if (parameters->codec_id == AV_CODEC_ID_H264 && parameters->extradata_size >= 7) return (extra[4] & 3) + 1;
  if (parameters->codec_id == AV_CODEC_ID_HEVC && parameters->extradata_size >= 23) return (extra[21] & 3) + 1;
  return 0;
}

/// An SEI unit's statement about recovery.
typedef enum recovery { RECOVERY_UNSAID, RECOVERY_NOW, RECOVERY_LATER } recovery;

static recovery recovery_of(const uint8_t *unit, size_t size) {
  size_t at = 1;
  while (at + 2 < size) {
    unsigned type = 0, length = 0;
    while (at < size && unit[at] == 0xFF) type += 255, at++;
    if (at < size) type += unit[at++];
    while (at < size && unit[at] == 0xFF) length += 255, at++;
    if (at < size) length += unit[at++];
    // ue(v): a first bit of 1 is 0 frames.
    if (type == 6) return at < size && (unit[at] & 0x80) ? RECOVERY_NOW : RECOVERY_LATER;
    at += length;
  }
  return RECOVERY_UNSAID;
}

static cff_entry h264_entry(nal_walk walk, bool is_key) {
  const uint8_t *unit;
  size_t size;
  recovery recovers = RECOVERY_UNSAID;
  while (next(&walk, &unit, &size)) {
    if (size == 0) continue;
    int type = unit[0] & 0x1F;
    if (type == 5) return CFF_ENTRY_CLOSED;
    if (type == 6 && recovers == RECOVERY_UNSAID) recovers = recovery_of(unit, (size_t)(start_code(unit, unit + size) - unit));
    if (type == 1 || type == 2) {
      // Cameras mark frames of open groups as keys without a recovery message.
      bool enters = recovers == RECOVERY_NOW || (recovers == RECOVERY_UNSAID && is_key);
      return enters ? CFF_ENTRY_OPEN : CFF_ENTRY_NONE;
    }
  }
  return CFF_ENTRY_NONE;
}

static cff_entry hevc_entry(nal_walk walk) {
  const uint8_t *unit;
  size_t size;
  while (next(&walk, &unit, &size)) {
    if (size == 0) continue;
    int type = unit[0] >> 1 & 0x3F;
    if (type == 19 || type == 20) return CFF_ENTRY_CLOSED;
    if (type >= 16 && type <= 21) return CFF_ENTRY_OPEN;
    if (type < 16) return CFF_ENTRY_NONE;
  }
  return CFF_ENTRY_NONE;
}

cff_entry cff_copy_entry(const AVCodecParameters *parameters, const AVPacket *packet) {
  const AVCodecDescriptor *codec = avcodec_descriptor_get(parameters->codec_id);
  if (codec && (codec->props & AV_CODEC_PROP_INTRA_ONLY)) return CFF_ENTRY_CLOSED;
  size_t size = packet->size > 0 ? (size_t)packet->size : 0;
  nal_walk walk = begin(packet->data, size, cff_copy_length_size(parameters));
  switch (parameters->codec_id) {
  case AV_CODEC_ID_H264: return h264_entry(walk, (packet->flags & AV_PKT_FLAG_KEY) != 0);
  case AV_CODEC_ID_HEVC: return hevc_entry(walk);
  // Nothing refers beyond a key frame of these codecs; for others, frames that are shown before it may follow.
  case AV_CODEC_ID_FFV1:
  case AV_CODEC_ID_VP8:
  case AV_CODEC_ID_VP9: return packet->flags & AV_PKT_FLAG_KEY ? CFF_ENTRY_CLOSED : CFF_ENTRY_NONE;
  default: return packet->flags & AV_PKT_FLAG_KEY ? CFF_ENTRY_OPEN : CFF_ENTRY_NONE;
  }
}

/// Whether a unit is a parameter set, which the track's header contains, or a delimiter.
static bool is_left_out(enum AVCodecID codec, const uint8_t *unit) {
  int h264 = unit[0] & 0x1F, hevc = unit[0] >> 1 & 0x3F;
  return codec == AV_CODEC_ID_H264 ? h264 == 7 || h264 == 8 || h264 == 9 : hevc >= 32 && hevc <= 35;
}

int cff_copy_use_lengths(enum AVCodecID codec, AVPacket *packet, int length_size) {
  const uint8_t *unit;
  size_t size, total = 0;
  nal_walk walk = begin(packet->data, (size_t)packet->size, 0);
  while (next(&walk, &unit, &size)) {
    if (size == 0 || is_left_out(codec, unit)) continue;
    if (length_size < 4 && size >> (8 * length_size)) return AVERROR(ERANGE);
    total += (size_t)length_size + size;
  }
  if (total == 0 || total > INT32_MAX / 2) return AVERROR_INVALIDDATA;
  AVBufferRef *buffer = av_buffer_allocz(total + AV_INPUT_BUFFER_PADDING_SIZE);
  if (!buffer) return AVERROR(ENOMEM);
  uint8_t *at = buffer->data;
  walk = begin(packet->data, (size_t)packet->size, 0);
  while (next(&walk, &unit, &size)) {
    if (size == 0 || is_left_out(codec, unit)) continue;
    for (int byte = length_size - 1; byte >= 0; byte--) *at++ = (uint8_t)(size >> (8 * byte));
    memcpy(at, unit, size);
    at += size;
  }
  av_buffer_unref(&packet->buf);
  packet->buf = buffer;
  packet->data = buffer->data;
  packet->size = (int)total;
  return 0;
}
