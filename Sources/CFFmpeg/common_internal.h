// What the parts of the shim share and Swift does not see.
#pragma once
#include "common.h"
#include <libavformat/avformat.h>
#include <libavutil/pixfmt.h>

/// Color tags of one side, container or bitstream, as libav enumerations (which are H.273 code points).
typedef struct cff_tags {
  enum AVColorPrimaries primaries;
  enum AVColorTransferCharacteristic transfer;
  enum AVColorSpace matrix;
  enum AVColorRange range;
  enum AVChromaLocation location;
} cff_tags;

/// What the times of Opus tracks and of all others are late by, in microseconds, where a writer took Opus's delay off twice.
typedef struct cff_opus_shift {
  int64_t opus, others;
} cff_opus_shift;

struct cff_demuxer {
  /// NULL only while a rewind failed.
  AVFormatContext *format;
  /// The file's name without its folder.
  char *name;
  int descriptor;
  int64_t file_size;
  /// What the file was when it was opened.
  cff_file_identity identity;
  bool forbids_change, has_changed;
  int64_t position;
  /// What the operating system refused to read since the container was opened, as a libav error; 0: nothing. Demuxers may take
  /// such an error for the end of the file.
  int read_error;
  /// Earliest start of a stream, in `origin_tick`s.
  int64_t origin;
  AVRational origin_tick;
  cff_opus_shift opus_shift;
  /// What the container says about each stream's color, before any bitstream was looked at.
  cff_tags *container_tags;
  int container_tags_count;
  /// Timestamps of each stream's packets, as far as `cff_demuxer_measure` met them; NULL before. A rewind keeps them.
  struct cff_stamps *stamps;
  int stamps_count;
  /// Where the clock of a transport or program stream starts anew; see read_sections.c.
  cff_clock_section *sections;
  int section_count;
  /// Whether timestamps do not rise through the whole file, so that libav's search by time fails.
  bool has_restarts;
  /// Position of the last packet of each stream that had one; later packets of the same PES packet have none.
  int64_t *packet_positions;
  int packet_positions_count;
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

/// Reads the next packet, as av_read_frame does, its timestamps on the file's one rising clock.
int cff_read_packet(cff_demuxer *demuxer, AVPacket *packet);

/// Goes to a key packet at or before a stream time, as av_seek_frame does. It may be a later one.
int cff_seek_packet(cff_demuxer *demuxer, int stream_index, int64_t time);

/// Prepares reading packets of a container that was just opened: sections, and the origin on their clock.
cff_status cff_start_sections(cff_demuxer *demuxer, cff_failure *failure);
/// Forgets what belongs to the open container; sections stay.
void cff_stop_sections(cff_demuxer *demuxer);

/// What a libav error means that came while a file was parsed: lengths that no memory satisfies are damage.
cff_status cff_fail_parsing(cff_failure *failure, int error, const char *what);
/// Whether a libav error that came while a file was parsed is a true want of memory.
bool cff_is_out_of_memory(int error);

/// Fills `failure` and returns `status`.
cff_status cff_fail(cff_failure *failure, cff_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/// Fills `failure` with what a libav error number means; `fallback` is the status where the number says nothing better.
cff_status cff_fail_av(cff_failure *failure, int error, cff_status fallback, const char *what);

/// Fills `failure` with the demuxer's `read_error`.
cff_status cff_fail_read(const cff_demuxer *demuxer, cff_failure *failure);

/// Whether a stream is a picture beside the movie: cover art, or the still item of an image sequence.
bool cff_stream_is_cover(const cff_demuxer *demuxer, const AVStream *stream);

/// A stream's side data of a kind, wherever this libav version keeps it; NULL where there is none.
const uint8_t *cff_stream_side_data(const AVStream *stream, enum AVPacketSideDataType type, size_t *size);
