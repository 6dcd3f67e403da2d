#include "Writing/write_internal.h"

#include <libavutil/crc.h>
#include <libavutil/intfloat.h>
#include <libavutil/intreadwrite.h>
#include <libavutil/mem.h>
#include <string.h>

// An AAC encoder returns samples before its first input sample (its priming). Matroska states their duration as CodecDelay, which libavformat writes for Opus
// only before version 61. Placeholder bytes of the same length reserve space for CodecDelay in the header, and are replaced on their way to the file. If
// libavformat has written CodecDelay itself, the placeholder becomes a Void element.
//
// Readers subtract CodecDelay from the times of a track, so packets have to be written that much later. libavformat does so for the tracks whose CodecDelay it
// writes, but not before 59.31: all players but those that know of it then played these tracks early.
//
// The placeholder is a name of five bytes, or, for a track that has a name, eight bytes at the name's end, which is shortened by them.

enum {
  place_size = 8,
  mark_size = 5,
  tracks_id = 0x1654ae6b,
  info_id = 0x1549a966,
  crc_size = 6,
};

/// The bytes of a track's placeholder; titles have no control characters.
static void make_place(const cff_codec_delay *delay, int track, uint8_t place[place_size]) {
  // A custom name starts with its ID and size.
  static const uint8_t name[place_size - mark_size] = {0x53, 0x6e, 0x80 | mark_size};
  const uint8_t mark[mark_size] = {0x1b, 0x7f, (uint8_t)(1 + track), 0x7f, 0x1b};
  memset(place, 0x1b, place_size);
  if (delay->title_length == 0) memcpy(place, name, sizeof name);
  memcpy(place + sizeof name, mark, mark_size);
}

int cff_delay_reserve(cff_codec_delays *delays, AVStream *stream) {
  const AVCodecParameters *parameters = stream->codecpar;
  if (parameters->codec_type != AVMEDIA_TYPE_AUDIO || parameters->initial_padding <= 0) return 0;
  cff_codec_delay *delay = &delays->tracks[stream->index];
  AVRational sample = {1, parameters->sample_rate};
  delay->samples = parameters->initial_padding;
  delay->nanoseconds = av_rescale_q(parameters->initial_padding, sample, (AVRational){1, 1000000000});
  delay->is_reserved = true;
  const AVDictionaryEntry *title = av_dict_get(stream->metadata, "title", NULL, 0);
  delay->title_length = title ? strlen(title->value) : 0;
  uint8_t place[place_size + 1] = {0};
  make_place(delay, stream->index, place);
  const char *added = (const char *)place + (delay->title_length > 0 ? 0 : place_size - mark_size);
  return av_dict_set(&stream->metadata, "title", added, AV_DICT_APPEND);
}

bool cff_delay_any_reserved(const cff_codec_delays *delays) {
  for (int track = 0; track < CFF_MAXIMUM_TRACKS; track++)
    if (delays->tracks[track].is_reserved) return true;
  return false;
}

bool cff_delay_all_written(const cff_codec_delays *delays) {
  for (int track = 0; track < CFF_MAXIMUM_TRACKS; track++)
    if (delays->tracks[track].is_reserved && !delays->tracks[track].is_written) return false;
  return true;
}

static uint8_t *find(uint8_t *bytes, size_t count, const uint8_t *what, size_t length) {
  for (size_t i = 0; i + length <= count; i++) {
    if (memcmp(bytes + i, what, length) == 0) return bytes + i;
  }
  return NULL;
}

/// The contents of an element whose four-byte ID is at `element`; NULL if it isn't complete.
static uint8_t *content_of(uint8_t *element, const uint8_t *end, size_t *length) {
  if (end - element < 5 || !element[4]) return NULL;
  // The number of leading zeros in the first byte is the number of further bytes.
  int width = 1;
  while (!(element[4] & (0x80 >> (width - 1)))) width++;
  if (end - element < 4 + width) return NULL;
  uint64_t size = element[4] & (0x7f >> (width - 1));
  for (int i = 1; i < width; i++) size = size << 8 | element[4 + i];
  uint8_t *content = element + 4 + width;
  if (size > (uint64_t)(end - content)) return NULL;
  *length = (size_t)size;
  return content;
}

/// The contents of the element around a placeholder. IDs are in the index of the file too.
static uint8_t *around(const uint8_t *place, uint32_t element, uint8_t *bytes, size_t count, size_t *length) {
  uint8_t id[4];
  AV_WB32(id, element);
  uint8_t *end = bytes + count;
  for (uint8_t *at = bytes; (at = find(at, (size_t)(end - at), id, sizeof id)); at++) {
    uint8_t *content = content_of(at, end, length);
    if (content && content <= place && place + place_size <= content + *length) return content;
  }
  return NULL;
}

/// Updates the checksum, which comes first in the element and covers the rest of it.
static void update_checksum(uint8_t *content, size_t length) {
  if (length < crc_size || content[0] != 0xbf || content[1] != 0x84) return;
  const AVCRC *table = av_crc_get_table(AV_CRC_32_IEEE_LE);
  AV_WL32(content + 2, av_crc(table, UINT32_MAX, content + crc_size, length - crc_size) ^ UINT32_MAX);
}

/// Whether the element already exists in the shortest form, as libavformat writes numbers; ours has one byte more.
static bool has_codec_delay(const cff_codec_delay *delay, uint8_t *content, size_t length) {
  uint8_t element[3 + 8] = {0x56, 0xaa};
  int width = 1;
  while (width < 8 && delay->nanoseconds >> (8 * width)) width++;
  element[2] = (uint8_t)(0x80 | width);
  for (int i = 0; i < width; i++) element[3 + i] = (uint8_t)(delay->nanoseconds >> (8 * (width - 1 - i)));
  return find(content, length, element, 3 + (size_t)width) != NULL;
}

/// Whether the loaded libavformat delays packets by the CodecDelay that it has written.
static bool muxer_moves_packets(void) { return avformat_version() >= AV_VERSION_INT(59, 31, 100); }

static bool any_moves_packets(const cff_codec_delays *delays) {
  for (int track = 0; track < CFF_MAXIMUM_TRACKS; track++)
    if (delays->tracks[track].moves_packets) return true;
  return false;
}

/// Corrects the header's duration to the end of the last block in ms, once it is known.
static void correct_duration(const cff_codec_delays *delays, uint8_t *bytes, size_t count) {
  // Element Duration (0x4489) of eight bytes, a floating-point number.
  static const uint8_t duration[3] = {0x44, 0x89, 0x88};
  size_t length = 0;
  uint8_t *place = find(bytes, count, duration, sizeof duration);
  uint8_t *content = place && place + place_size + 3 <= bytes + count ? around(place, info_id, bytes, count, &length) : NULL;
  if (!content || place + 3 + 8 > content + length) return;
  double stated = av_int2double(AV_RB64(place + 3));
  if (stated <= (double)delays->end) return;
  AV_WB64(place + 3, av_double2int((double)delays->end));
  update_checksum(content, length);
}

/// Shortens the name (0x536e) before the placeholder by it; false if there is no such name.
static bool shorten_name(const uint8_t *content, uint8_t *place, size_t title_length) {
  size_t stated = title_length + place_size;
  size_t width = stated < 0x7f ? 1 : 2;
  uint8_t *size = place - title_length - width;
  if (size - 2 < content || size[-2] != 0x53 || size[-1] != 0x6e) return false;
  if (width == 1) {
    if (size[0] != (0x80 | stated)) return false;
    size[0] = (uint8_t)(0x80 | title_length);
  } else {
    if (AV_RB16(size) != (0x4000 | stated)) return false;
    AV_WB16(size, (uint16_t)(0x4000 | title_length));
  }
  return true;
}

/// Fills the placeholder of one track.
static void write_delay(cff_codec_delay *delay, int track, uint8_t *bytes, size_t count) {
  uint8_t kept[place_size];
  make_place(delay, track, kept);
  uint8_t *place = find(bytes, count, kept, place_size);
  if (!place) return;
  size_t length = 0;
  uint8_t *content = around(place, tracks_id, bytes, count, &length);
  if (!content) return;
  if (delay->title_length > 0 && !shorten_name(content, place, delay->title_length)) return;
  static const uint8_t nothing[place_size] = {0xec, 0x80 | (place_size - 2)};
  uint8_t element[place_size] = {0x56, 0xaa, 0x85, (uint8_t)(delay->nanoseconds >> 32)};
  AV_WB32(element + 4, (uint32_t)delay->nanoseconds);
  bool is_there = has_codec_delay(delay, content, length);
  delay->moves_packets = !is_there || !muxer_moves_packets();
  delay->is_written = true;
  memcpy(place, is_there ? nothing : element, place_size);
  update_checksum(content, length);
}

void cff_delay_write(cff_codec_delays *delays, uint8_t *bytes, size_t count) {
  if (any_moves_packets(delays) && delays->end > 0) correct_duration(delays, bytes, count);
  for (int track = 0; track < CFF_MAXIMUM_TRACKS; track++)
    if (delays->tracks[track].is_reserved) write_delay(&delays->tracks[track], track, bytes, count);
}
