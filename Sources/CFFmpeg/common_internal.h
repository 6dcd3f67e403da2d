// What the parts of the shim share and Swift does not see.
#pragma once
#include "common.h"
#include <libavformat/avformat.h>
#include <libavutil/pixfmt.h>

/// Colour tags of one side, container or bitstream, as libav enumerations (which are H.273 code points).
typedef struct cff_tags {
  enum AVColorPrimaries primaries;
  enum AVColorTransferCharacteristic transfer;
  enum AVColorSpace matrix;
  enum AVColorRange range;
  enum AVChromaLocation location;
} cff_tags;

struct cff_demuxer {
  /// NULL only while a rewind failed.
  AVFormatContext *format;
  /// The file's name without its folder.
  char *name;
  int descriptor;
  int64_t file_size;
  int64_t position;
  /// What the operating system refused to read since the container was opened, as a libav error; 0: nothing. Demuxers may take
  /// such an error for the end of the file.
  int read_error;
  /// Earliest start of a stream, in `origin_tick`s.
  int64_t origin;
  AVRational origin_tick;
  /// What the container says about each stream's colour, before any bitstream was looked at.
  cff_tags *container_tags;
  int container_tags_count;
  /// Timestamps of each stream's packets, as far as `cff_demuxer_measure` met them; NULL before. A rewind keeps them.
  struct cff_stamps *stamps;
  int stamps_count;
};

/// Timestamps of one video stream in the order of its packets, in its time base.
typedef struct cff_stamps {
  int64_t *times;
  int count, capacity;
} cff_stamps;

/// Forgets the timestamps that were measured.
void cff_stamps_free(cff_demuxer *demuxer);

/// Keeps libav from printing. To be called before anything of it is used.
void cff_prepare(void);

/// Fills `failure` and returns `status`.
cff_status cff_fail(cff_failure *failure, cff_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Fills `failure` with what a libav error number means; `fallback` is the status where the number says nothing better.
cff_status cff_fail_av(cff_failure *failure, int error, cff_status fallback, const char *what);

/// Fills `failure` with the demuxer's `read_error`.
cff_status cff_fail_read(const cff_demuxer *demuxer, cff_failure *failure);

/// A stream's side data of a kind, wherever this libav version keeps it; NULL where there is none.
const uint8_t *cff_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size);
