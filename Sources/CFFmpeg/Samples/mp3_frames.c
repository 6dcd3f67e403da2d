#include "Samples/mp3_frames.h"

#include <libavutil/intreadwrite.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  /// Bytes of side information by version and channels.
  first_stereo = 32, first_mono = 17, second_stereo = 17, second_mono = 9,
  /// Bits of a channel's part in a granule after its size, by version.
  first_rest = 47, second_rest = 51,
};

static int side_size(bool is_first_version, bool is_mono) {
  return is_first_version ? (is_mono ? first_mono : first_stereo) : is_mono ? second_mono : second_stereo;
}

/// Up to 16 bits from a position in bits, which is moved on.
static unsigned bits(const uint8_t *bytes, int *position, int count) {
  unsigned value = 0;
  for (int i = 0; i < count; i++, ++*position) value = value << 1 | (bytes[*position >> 3] >> (7 - (*position & 7)) & 1);
  return value;
}

/// Reads where a frame's data begins and how much it is (11172-3, 2.4.1.7; 13818-3, 2.4.1.7).
static void read_side(const uint8_t *side, cff_mp3_frame *frame) {
  int channels = frame->is_mono ? 1 : 2, position = 0, total = 0;
  frame->reservoir = (int)bits(side, &position, frame->is_first_version ? 9 : 8);
  // Private bits, and in MPEG-1 which scale factors are shared.
  position += frame->is_first_version ? (frame->is_mono ? 5 : 3) + 4 * channels : channels;
  for (int i = 0; i < channels * (frame->is_first_version ? 2 : 1); i++) {
    total += (int)bits(side, &position, 12);
    position += frame->is_first_version ? first_rest : second_rest;
  }
  frame->data = (total + 7) / 8;
}

bool cff_read_mp3_frame(const uint8_t bytes[cff_mp3_header_size], cff_mp3_frame *frame) {
  static const int first_rates[] = {0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 0};
  static const int second_rates[] = {0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160, 0};
  static const int sample_rates[] = {44100, 48000, 32000, 0};
  int version = bytes[1] >> 3 & 3, rate_index = bytes[2] >> 4, sample_rate = sample_rates[bytes[2] >> 2 & 3];
  bool is_layer = bytes[0] == 0xff && (bytes[1] & 0xe6) == 0xe2, has_checksum = (bytes[1] & 1) == 0;
  if (!is_layer || version == 1 || sample_rate == 0) return false;
  *frame = (cff_mp3_frame){.is_first_version = version == 3, .is_mono = bytes[3] >> 6 == 3};
  frame->sample_rate = version == 3 ? sample_rate : version == 2 ? sample_rate / 2 : sample_rate / 4;
  frame->samples = frame->is_first_version ? 1152 : 576;
  int bit_rate = 1000 * (frame->is_first_version ? first_rates : second_rates)[rate_index];
  if (bit_rate == 0) return false;
  frame->size = frame->samples / 8 * bit_rate / frame->sample_rate + (bytes[2] >> 1 & 1);
  int head = 4 + (has_checksum ? 2 : 0), side = side_size(frame->is_first_version, frame->is_mono);
  frame->room = frame->size - head - side;
  if (frame->room < 0) return false;
  read_side(bytes + head, frame);
  return true;
}

// MARK: what is stated

/// Bytes before the first frame of an MP3: a tag of ID3v2.
static int64_t id3_size(const uint8_t head[10]) {
  if (memcmp(head, "ID3", 3) != 0) return 0;
  int64_t size = (head[6] & 127) << 21 | (head[7] & 127) << 14 | (head[8] & 127) << 7 | (head[9] & 127);
  return 10 + size + (head[5] & 16 ? 10 : 0);
}

/// Samples after the last audible one by LAME's part of the frame, without the delay of a decoder; only libavformat's encoders have the same.
static int64_t padding_of(const uint8_t *part) {
  enum { place = 21, decoder_delay = 529 };
  bool is_known = memcmp(part, "LAME", 4) == 0 || memcmp(part, "Lavf", 4) == 0 || memcmp(part, "Lavc", 4) == 0;
  int64_t padding = (AV_RB24(part + place) & 0xfff) - decoder_delay;
  return is_known ? FFMAX(padding, 0) : 0;
}

/// Where an encoder's statement begins in a frame; NULL if it has none.
static const uint8_t *statement_in(const uint8_t *bytes, int size, cff_mp3_frame *frame) {
  enum { longest_side = 4 + first_stereo };
  if (size < longest_side + 8 || !cff_read_mp3_frame(bytes, frame)) return NULL;
  const uint8_t *tag = bytes + 4 + side_size(frame->is_first_version, frame->is_mono);
  return memcmp(tag, "Xing", 4) == 0 || memcmp(tag, "Info", 4) == 0 ? tag : NULL;
}

bool cff_is_mp3_statement(const uint8_t *bytes, int size) {
  cff_mp3_frame frame;
  return statement_in(bytes, size, &frame) != NULL;
}

/// A number that is stated; 0 if it is left open, as all ones.
static int64_t stated(const uint8_t *field) { return AV_RB32(field) == UINT32_MAX ? 0 : AV_RB32(field); }

bool cff_read_mp3_statement(const cff_demuxer *demuxer, cff_mp3_statement *statement) {
  enum { has_frames = 1, has_bytes = 2, has_table = 4, has_quality = 8, table_size = 100, longest = 192 };
  uint8_t bytes[longest] = {0};
  *statement = (cff_mp3_statement){0};
  if (pread(demuxer->descriptor, bytes, 10, 0) != 10) return false;
  statement->start = id3_size(bytes);
  ssize_t count = pread(demuxer->descriptor, bytes, sizeof bytes, (off_t)statement->start);
  cff_mp3_frame frame;
  const uint8_t *tag = count < 64 ? NULL : statement_in(bytes, (int)count, &frame), *field = tag ? tag + 8 : NULL;
  if (!tag) return false;
  uint32_t flags = AV_RB32(tag + 4);
  if (flags & has_frames) {
    statement->frames = stated(field);
    field += 4;
  }
  if (flags & has_bytes) {
    statement->bytes = stated(field);
    field += 4;
  }
  field += (flags & has_table ? table_size : 0) + (flags & has_quality ? 4 : 0);
  statement->size = frame.size;
  if (field + 24 <= bytes + count) statement->padding = padding_of(field);
  return true;
}

// MARK: the end

/// The size of the tag that ends at a position; 0 if there is none.
static int64_t tag_before(const cff_demuxer *demuxer, int64_t end) {
  enum { id3_tag = 128, ape_footer = 32, lyrics_footer = 15 };
  uint8_t bytes[id3_tag];
  if (end < id3_tag || pread(demuxer->descriptor, bytes, sizeof bytes, (off_t)(end - id3_tag)) != id3_tag) return 0;
  if (memcmp(bytes, "TAG", 3) == 0) return id3_tag;
  const uint8_t *ape = bytes + id3_tag - ape_footer, *lyrics = bytes + id3_tag - lyrics_footer;
  if (memcmp(ape, "APETAGEX", 8) == 0) {
    // The size counts the footer, not the header.
    bool has_header = AV_RL32(ape + 20) >> 31;
    return (int64_t)AV_RL32(ape + 12) + (has_header ? ape_footer : 0);
  }
  if (memcmp(lyrics + 6, "LYRICS200", 9) != 0) return 0;
  char digits[7] = {0};
  memcpy(digits, lyrics, 6);
  return strtol(digits, NULL, 10) + lyrics_footer;
}

int64_t cff_mp3_audio_end(const cff_demuxer *demuxer) {
  enum { most_tags = 8 };
  int64_t end = demuxer->file_size;
  for (int i = 0; i < most_tags; i++) {
    int64_t size = tag_before(demuxer, end);
    if (size <= 0 || size > end) break;
    end -= size;
  }
  return end;
}
