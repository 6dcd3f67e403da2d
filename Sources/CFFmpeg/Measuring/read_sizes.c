// Sizes of samples in the headers of uncompressed audio: WAV, RF64, BW64, Wave64, AIFF, AIFC, CAF and AU.
//
// Programs that write to a pipe cannot state a size, and others state a wrong one. The demuxer sees such a header with the size that the samples have:
// reading replaces the bytes of the fields. Files that lack samples are left as they are. find_sizes.c finds the fields.
#include "read_sizes.h"

#include <libavutil/intreadwrite.h>
#include <string.h>
#include <unistd.h>

#include "Measuring/sizes_internal.h"

enum {
  /// Number of bytes by which sizes of complete files may be wrong: some writers include or exclude padding or the header incorrectly.
  size_tolerance = 8,
};

/// Sizes of 32 bits that writers to pipes leave in a header, each within a page: all ones, the greatest signed number, and those of MPlayer and SoX.
static const int64_t placeholders[] = {0xffffffff, 0x80000000, 0x7ffff000, 0x7f000000};

static bool is_placeholder(const cff_chunk *chunk) {
  if (chunk->size <= 0) return true;
  if (chunk->field_size == 8) return chunk->size > INT64_MAX / 2;
  enum { page = 4096 };
  for (size_t i = 0; i < sizeof placeholders / sizeof *placeholders; i++) {
    if (FFABS(chunk->size - placeholders[i]) <= page) return true;
  }
  return false;
}

static bool is_text(const char tag[4]) {
  for (int i = 0; i < 4; i++) {
    if (tag[i] < ' ' || tag[i] > '~') return false;
  }
  return true;
}

/// Bytes after a position that belong to no chunk. What follows complete chunks may be padding.
static int64_t bytes_after(const cff_demuxer *demuxer, const cff_audio_header *header, int64_t position) {
  for (int i = 0; i < cff_most_chunks && header->next; i++) {
    int64_t left = demuxer->file_size - position;
    cff_chunk found;
    char tag[4];
    if (left <= size_tolerance || !header->next(demuxer, position, tag, &found)) return 0;
    // Some writers forget to pad, and tags of MP3 files follow without a size.
    bool is_chunk = is_text(tag) && found.size >= 0 && found.size <= demuxer->file_size - found.start;
    if (!is_chunk) return memcmp(tag, "TAG", 3) == 0 || memcmp(tag, "ID3", 3) == 0 ? 0 : left;
    position = cff_chunk_end(&found, header->alignment);
  }
  int64_t left = demuxer->file_size - position;
  return left > size_tolerance ? left : 0;
}

static cff_stated_size compare(const cff_demuxer *demuxer, const cff_audio_header *header) {
  const cff_chunk *data = &header->data;
  int64_t room = demuxer->file_size - data->start;
  cff_stated_size size = {.kind = CFF_SIZE_RIGHT, .stated = data->size, .present = data->size};
  if (room <= header->head_size) {
    size.kind = data->size > room ? CFF_SIZE_EXCEEDS : CFF_SIZE_NONE;
    return size;
  }
  int64_t end = cff_chunk_end(data, header->alignment), following = end < demuxer->file_size ? bytes_after(demuxer, header, end) : 0;
  // Without padding.
  if (following > 0 && data->size % header->alignment != 0) following = FFMIN(following, bytes_after(demuxer, header, data->start + data->size));
  bool is_empty = data->size >= 0 && data->size <= header->head_size;
  // Four bytes count 4 GiB.
  bool has_wrapped = data->field_size == 4 && following > UINT32_MAX && (room - data->size) % ((int64_t)1 << 32) == 0;
  bool is_open = has_wrapped || (data->size > room ? is_placeholder(data) : data->size < 0 || (is_empty && following > 0));
  if (is_open) {
    size.kind = CFF_SIZE_OPEN;
    size.present = room;
  } else if (data->size > room) {
    // Some writers state the size of the file, or miscount.
    int64_t excess = data->size - room;
    bool is_miscounted = excess <= size_tolerance || excess == data->start || excess == data->start - size_tolerance;
    size.kind = is_miscounted ? CFF_SIZE_WRONG : CFF_SIZE_EXCEEDS;
    size.present = room;
  } else if (!header->next && data->size < room) {
    // Without chunks, everything after the header is samples.
    size.kind = CFF_SIZE_WRONG;
    size.present = room;
  } else if (following > 0 && !is_empty) {
    size.kind = CFF_SIZE_FOLLOWED;
    size.following = following;
  }
  return size;
}

static void replace(cff_demuxer *demuxer, bool is_big_endian, int64_t position, int count, uint64_t value) {
  if (demuxer->patch_count == CFF_MOST_PATCHES) return;
  cff_patch *patch = &demuxer->patches[demuxer->patch_count++];
  *patch = (cff_patch){.position = position, .count = count};
  for (int i = 0; i < count; i++) patch->bytes[is_big_endian ? count - 1 - i : i] = (uint8_t)(value >> (8 * i));
}

/// Replaces a count of samples that contradicts their size.
static void mend_count(cff_demuxer *demuxer, const cff_audio_header *header, const cff_stated_size *size) {
  if (!header->is_pcm || header->count_field == 0) return;
  int64_t count = (size->present - header->head_size) / header->block_size;
  bool is_wrong = count > 0 && count <= UINT32_MAX && count != header->count;
  if (is_wrong) replace(demuxer, header->is_big_endian, header->count_field, 4, (uint64_t)count);
}

/// Replaces a size of the whole file that the chunk of samples exceeds, because demuxers stop there.
static void mend_file(cff_demuxer *demuxer, const cff_audio_header *header, int64_t end) {
  uint8_t bytes[8];
  int count = header->file_field_size;
  if (count == 0 || pread(demuxer->descriptor, bytes, (size_t)count, header->file_field) != count) return;
  uint64_t stated = count == 8 ? AV_RL64(bytes) : AV_RB32(bytes);
  if (stated < (uint64_t)end && end < UINT32_MAX) replace(demuxer, header->is_big_endian, header->file_field, count, (uint64_t)end);
}

static void mend_size(cff_demuxer *demuxer, const cff_audio_header *header, const cff_stated_size *size) {
  int64_t field = size->present + header->data.field_offset;
  bool fits = header->data.field_size == 8 || field < UINT32_MAX;
  // Sizes that the field cannot hold stay open, which demuxers understand.
  replace(demuxer, header->is_big_endian, header->data.field, header->data.field_size, fits ? (uint64_t)field : UINT32_MAX);
}

void cff_mend_sizes(cff_demuxer *demuxer) {
  cff_audio_header header = {0};
  if (!cff_find_audio_header(demuxer, &header)) return;
  cff_stated_size size = compare(demuxer, &header);
  if (size.kind == CFF_SIZE_NONE) return;
  if (header.is_pcm && size.stated > 0) size.stated_samples = (size.stated - header.head_size) / header.block_size;
  if (size.kind == CFF_SIZE_OPEN || size.kind == CFF_SIZE_WRONG || size.kind == CFF_SIZE_EXCEEDS) {
    // A sample that is not complete cannot be decoded.
    if (header.block_size > 0) size.present -= (size.present - header.head_size) % header.block_size;
    mend_size(demuxer, &header, &size);
  }
  if (size.kind == CFF_SIZE_FOLLOWED) demuxer->visible_size = cff_chunk_end(&header.data, header.alignment);
  mend_count(demuxer, &header, &size);
  mend_file(demuxer, &header, demuxer->visible_size - header.file_field_start);
  demuxer->stated_size = size;
}

void cff_apply_patches(const cff_demuxer *demuxer, int64_t position, uint8_t *buffer, int64_t count) {
  for (int i = 0; i < demuxer->patch_count; i++) {
    const cff_patch *patch = &demuxer->patches[i];
    for (int k = 0; k < patch->count; k++) {
      int64_t offset = patch->position + k - position;
      if (offset >= 0 && offset < count) buffer[offset] = patch->bytes[k];
    }
  }
}

cff_stated_size cff_demuxer_stated_size(const cff_demuxer *demuxer) { return demuxer->stated_size; }
