// What audio files state about the size of their samples, compared with what is in the file.
#pragma once
#include "common.h"

/// How a header's size relates to the file.
typedef enum cff_size_kind {
  /// Not a container of uncompressed audio, or one whose samples were not found.
  CFF_SIZE_NONE = 0,
  /// The size is right.
  CFF_SIZE_RIGHT,
  /// The header states no size: programs that write to a pipe leave 0, all ones or another placeholder. The samples go on to the end of the file.
  CFF_SIZE_OPEN,
  /// The header states another size than the samples have, although they are complete.
  CFF_SIZE_WRONG,
  /// The header states more samples than the file has: the file is cut short.
  CFF_SIZE_EXCEEDS,
  /// The samples are followed by bytes that belong to no chunk.
  CFF_SIZE_FOLLOWED,
} cff_size_kind;

/// The size of an audio file's samples in bytes.
typedef struct cff_stated_size {
  cff_size_kind kind;
  /// What the header states; -1 for all ones.
  int64_t stated;
  /// What is read.
  int64_t present;
  /// The number of samples per channel that the header states; 0 if unknown.
  int64_t stated_samples;
  /// Bytes after the samples that belong to no chunk.
  int64_t following;
} cff_stated_size;

/// What the header of a WAV, RF64, BW64, Wave64, AIFF, AIFC, CAF or AU file states about the size of its samples.
cff_stated_size cff_demuxer_stated_size(const cff_demuxer *demuxer);
