// The chunks of uncompressed audio: where a header states the size of the samples.
#pragma once
#include "Common/common_internal.h"

/// A chunk of a file and its size.
typedef struct cff_chunk {
  /// First byte of the contents.
  int64_t start;
  /// The stated size; -1 for all ones.
  int64_t size;
  /// Position and number of bytes of the size.
  int64_t field;
  int field_size;
  /// What to add to the size of the contents for the field.
  int field_offset;
} cff_chunk;

/// The header of a file of uncompressed audio.
typedef struct cff_audio_header {
  bool is_big_endian;
  cff_chunk data;
  /// Number of bytes at the start of the chunk that are not samples.
  int head_size;
  /// Chunks begin at multiples of this number of bytes.
  int alignment;
  /// Bytes of a sample of all channels; 0 if unknown.
  int64_t block_size;
  /// Whether `block_size` tells the number of samples.
  bool is_pcm;
  /// The field with a number of samples per channel; 0 if there is none.
  int64_t count_field;
  int64_t count;
  /// The field with the size of the whole file from `file_field_start` on, for demuxers that read it; no bytes if there is none.
  int64_t file_field, file_field_start;
  int file_field_size;
  /// Reads the chunk at `position`; false at the end. NULL for a file without chunks.
  bool (*next)(const cff_demuxer *, int64_t position, char tag[4], cff_chunk *);
} cff_audio_header;

enum {
  /// Number of chunks after which a search ends.
  cff_most_chunks = 1024,
};

/// Finds the samples of a WAV, RF64, BW64, Wave64, AIFF, AIFC, CAF or AU file; false for other files.
bool cff_find_audio_header(const cff_demuxer *demuxer, cff_audio_header *header);

/// Finds the packet table of a CAF file: the number of audible samples, and of those before and after them (Apple, Core Audio Format
/// Specification 1.0, "Packet Table Chunk"). False if there is none.
bool cff_find_packet_table(const cff_demuxer *demuxer, int64_t *samples, uint32_t *priming, uint32_t *padding);

/// The position after a chunk, where the next one begins.
static inline int64_t cff_chunk_end(const cff_chunk *chunk, int alignment) {
  int64_t size = FFMAX(chunk->size, 0);
  if (size > INT64_MAX / 2) return INT64_MAX / 2;
  return chunk->start + (size + alignment - 1) / alignment * alignment;
}
