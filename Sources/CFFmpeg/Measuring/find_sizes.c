// Finds the size of the samples in headers of uncompressed audio.
#include "Measuring/sizes_internal.h"

#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

static bool read_at(const cff_demuxer *demuxer, int64_t position, uint8_t *bytes, int count) {
  return position >= 0 && pread(demuxer->descriptor, bytes, (size_t)count, position) == count;
}

// MARK: chunks

static bool next_riff(const cff_demuxer *demuxer, int64_t position, char tag[4], cff_chunk *chunk) {
  uint8_t head[8];
  if (!read_at(demuxer, position, head, sizeof head)) return false;
  memcpy(tag, head, 4);
  uint32_t size = AV_RL32(head + 4);
  chunk->start = position + 8;
  chunk->size = size == UINT32_MAX ? -1 : (int64_t)size;
  chunk->field = position + 4;
  chunk->field_size = 4;
  chunk->field_offset = 0;
  return true;
}

static bool next_big_endian(const cff_demuxer *demuxer, int64_t position, char tag[4], cff_chunk *chunk) {
  uint8_t head[8];
  if (!next_riff(demuxer, position, tag, chunk) || !read_at(demuxer, position, head, sizeof head)) return false;
  uint32_t size = AV_RB32(head + 4);
  chunk->size = size == UINT32_MAX ? -1 : (int64_t)size;
  return true;
}

static bool next_caf(const cff_demuxer *demuxer, int64_t position, char tag[4], cff_chunk *chunk) {
  uint8_t head[12];
  if (!read_at(demuxer, position, head, sizeof head)) return false;
  memcpy(tag, head, 4);
  chunk->start = position + 12;
  chunk->size = (int64_t)AV_RB64(head + 4);
  chunk->field = position + 4;
  chunk->field_size = 8;
  chunk->field_offset = 0;
  return true;
}

/// Sizes of Wave64 include the 24 bytes of the chunk's head.
static bool next_wave64(const cff_demuxer *demuxer, int64_t position, char tag[4], cff_chunk *chunk) {
  uint8_t head[24];
  static const uint8_t rest[12] = {0xf3, 0xac, 0xd3, 0x11, 0x8c, 0xd1, 0x00, 0xc0, 0x4f, 0x8e, 0xdb, 0x8a};
  if (!read_at(demuxer, position, head, sizeof head)) return false;
  memcpy(tag, memcmp(head + 4, rest, sizeof rest) == 0 ? (const char *)head : "????", 4);
  int64_t size = (int64_t)AV_RL64(head + 16);
  chunk->start = position + 24;
  chunk->size = size < 24 ? (size < 0 ? -1 : 0) : size - 24;
  chunk->field = position + 16;
  chunk->field_size = 8;
  chunk->field_offset = 24;
  return true;
}

// MARK: headers

static void take_wave_format(const cff_demuxer *demuxer, int64_t start, cff_audio_header *header) {
  uint8_t format[26] = {0};
  if (!read_at(demuxer, start, format, 16)) return;
  unsigned tag = AV_RL16(format);
  if (tag == 0xfffe && read_at(demuxer, start, format, sizeof format)) tag = AV_RL16(format + 24);
  header->block_size = AV_RL16(format + 12);
  header->is_pcm = (tag == 1 || tag == 3 || tag == 6 || tag == 7) && header->block_size > 0;
}

/// RIFF and its variants of 64 bits, whose sizes are in `ds64`.
static bool find_riff(const cff_demuxer *demuxer, bool is_64, cff_audio_header *header) {
  cff_chunk found, sizes = {0};
  char tag[4];
  int64_t position = 12;
  header->next = next_riff;
  header->alignment = 2;
  for (int i = 0; i < cff_most_chunks && next_riff(demuxer, position, tag, &found); i++) {
    uint8_t bytes[28];
    if (memcmp(tag, "fmt ", 4) == 0) take_wave_format(demuxer, found.start, header);
    if (memcmp(tag, "fact", 4) == 0 && found.size >= 4 && read_at(demuxer, found.start, bytes, 4)) {
      header->count_field = found.start;
      header->count = AV_RL32(bytes);
    }
    if (is_64 && memcmp(tag, "ds64", 4) == 0 && read_at(demuxer, found.start, bytes, 24)) {
      sizes = (cff_chunk){.field = found.start + 8, .field_size = 8, .size = (int64_t)AV_RL64(bytes + 8)};
    }
    if (memcmp(tag, "data", 4) == 0) {
      if (is_64 && sizes.field > 0) {
        sizes.start = found.start;
        found = sizes;
      }
      header->data = found;
      return true;
    }
    position = cff_chunk_end(&found, 2);
  }
  return false;
}

static bool find_wave64(const cff_demuxer *demuxer, cff_audio_header *header) {
  cff_chunk found;
  char tag[4];
  int64_t position = 40;
  header->next = next_wave64;
  header->file_field = 16;
  header->file_field_size = 8;
  header->alignment = 8;
  for (int i = 0; i < cff_most_chunks && next_wave64(demuxer, position, tag, &found); i++) {
    if (memcmp(tag, "fmt ", 4) == 0) take_wave_format(demuxer, found.start, header);
    if (memcmp(tag, "data", 4) == 0) {
      header->data = found;
      return true;
    }
    position = cff_chunk_end(&found, 8);
  }
  return false;
}

static void take_aiff_format(const cff_demuxer *demuxer, const cff_chunk *found, bool is_compressed, cff_audio_header *header) {
  uint8_t bytes[22] = {0};
  if (!read_at(demuxer, found->start, bytes, is_compressed ? 22 : 18)) return;
  static const char plain[][5] = {"NONE", "none", "twos", "sowt", "fl32", "FL32", "fl64", "FL64", "in24", "in32", "raw ", "ulaw", "alaw"};
  header->is_pcm = !is_compressed;
  for (size_t i = 0; is_compressed && i < sizeof plain / sizeof *plain; i++) {
    header->is_pcm = header->is_pcm || memcmp(bytes + 18, plain[i], 4) == 0;
  }
  int bits = AV_RB16(bytes + 6);
  if (is_compressed && (memcmp(bytes + 18, "ulaw", 4) == 0 || memcmp(bytes + 18, "alaw", 4) == 0)) bits = 8;
  header->block_size = header->is_pcm ? (int64_t)AV_RB16(bytes) * ((bits + 7) / 8) : 0;
  header->is_pcm = header->block_size > 0;
  header->count_field = found->start + 2;
  header->count = AV_RB32(bytes + 2);
}

static bool find_aiff(const cff_demuxer *demuxer, bool is_compressed, cff_audio_header *header) {
  cff_chunk found;
  char tag[4];
  bool has_data = false;
  int64_t position = 12;
  header->next = next_big_endian;
  header->file_field = 4;
  header->file_field_size = 4;
  header->file_field_start = 8;
  header->alignment = 2;
  header->is_big_endian = true;
  header->head_size = 8;
  for (int i = 0; i < cff_most_chunks && next_big_endian(demuxer, position, tag, &found); i++) {
    if (memcmp(tag, "COMM", 4) == 0) take_aiff_format(demuxer, &found, is_compressed, header);
    if (memcmp(tag, "SSND", 4) == 0) {
      header->data = found;
      has_data = true;
      // The format may follow.
      if (found.size <= header->head_size || header->count_field > 0) break;
    }
    position = cff_chunk_end(&found, 2);
  }
  return has_data;
}

static bool find_caf(const cff_demuxer *demuxer, cff_audio_header *header) {
  cff_chunk found;
  char tag[4];
  int64_t position = 8;
  header->next = next_caf;
  header->alignment = 1;
  header->is_big_endian = true;
  // The number of edits.
  header->head_size = 4;
  for (int i = 0; i < cff_most_chunks && next_caf(demuxer, position, tag, &found); i++) {
    uint8_t bytes[32];
    if (memcmp(tag, "desc", 4) == 0 && read_at(demuxer, found.start, bytes, sizeof bytes)) {
      header->is_pcm = memcmp(bytes + 8, "lpcm", 4) == 0;
      header->block_size = AV_RB32(bytes + 16);
    }
    if (memcmp(tag, "data", 4) == 0) {
      header->data = found;
      return true;
    }
    position = cff_chunk_end(&found, 1);
  }
  return false;
}

bool cff_find_packet_table(const cff_demuxer *demuxer, int64_t *samples, uint32_t *priming, uint32_t *padding) {
  cff_chunk found;
  char tag[4];
  uint8_t bytes[24];
  int64_t position = 8;
  if (!read_at(demuxer, 0, bytes, 4) || memcmp(bytes, "caff", 4) != 0) return false;
  for (int i = 0; i < cff_most_chunks && next_caf(demuxer, position, tag, &found); i++) {
    if (memcmp(tag, "pakt", 4) == 0) {
      if (!read_at(demuxer, found.start, bytes, sizeof bytes)) return false;
      *samples = (int64_t)AV_RB64(bytes + 8);
      *priming = AV_RB32(bytes + 16);
      *padding = AV_RB32(bytes + 20);
      return true;
    }
    // The size of a last chunk of samples may be unknown.
    if (found.size < 0) return false;
    position = cff_chunk_end(&found, 1);
  }
  return false;
}

static bool find_au(const cff_demuxer *demuxer, cff_audio_header *header) {
  static const int widths[] = {0, 1, 1, 2, 3, 4, 4, 8};
  uint8_t bytes[24];
  if (!read_at(demuxer, 0, bytes, sizeof bytes)) return false;
  uint32_t size = AV_RB32(bytes + 8), encoding = AV_RB32(bytes + 12);
  int width = encoding < sizeof widths / sizeof *widths ? widths[encoding] : encoding == 27 ? 1 : 0;
  header->is_big_endian = true;
  header->block_size = width * (int64_t)FFMIN(AV_RB32(bytes + 20), 1024);
  header->is_pcm = header->block_size > 0;
  header->alignment = 1;
  header->data = (cff_chunk){.start = AV_RB32(bytes + 4), .size = size == UINT32_MAX ? -1 : (int64_t)size, .field = 8, .field_size = 4};
  return header->data.start >= (int64_t)sizeof bytes;
}

bool cff_find_audio_header(const cff_demuxer *demuxer, cff_audio_header *header) {
  static const uint8_t wave64[16] = {0x72, 0x69, 0x66, 0x66, 0x2e, 0x91, 0xcf, 0x11, 0xa5, 0xd6, 0x28, 0xdb, 0x04, 0xc1, 0x00, 0x00};
  uint8_t head[16];
  if (!read_at(demuxer, 0, head, sizeof head)) return false;
  bool is_wave = memcmp(head + 8, "WAVE", 4) == 0;
  if (is_wave && memcmp(head, "RIFF", 4) == 0) return find_riff(demuxer, false, header);
  if (is_wave && (memcmp(head, "RF64", 4) == 0 || memcmp(head, "BW64", 4) == 0)) return find_riff(demuxer, true, header);
  if (memcmp(head, wave64, sizeof wave64) == 0) return find_wave64(demuxer, header);
  if (memcmp(head, "FORM", 4) == 0 && memcmp(head + 8, "AIFF", 4) == 0) return find_aiff(demuxer, false, header);
  if (memcmp(head, "FORM", 4) == 0 && memcmp(head + 8, "AIFC", 4) == 0) return find_aiff(demuxer, true, header);
  if (memcmp(head, "caff", 4) == 0) return find_caf(demuxer, header);
  if (memcmp(head, ".snd", 4) == 0) return find_au(demuxer, header);
  return false;
}
