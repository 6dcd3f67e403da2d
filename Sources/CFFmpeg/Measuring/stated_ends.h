// What a file states about its own size.
#pragma once
#include "Common/common_internal.h"
#include "Samples/mp3_frames.h"

/// What an AVI states about the size of its packets.
typedef enum cff_packets {
  /// Not an AVI.
  CFF_PACKETS_NONE,
  /// Nothing: it was written to a pipe, or the writer stopped early.
  CFF_PACKETS_OPEN,
  CFF_PACKETS_WHOLE,
  /// More than is in the file.
  CFF_PACKETS_EXCEED,
} cff_packets;

cff_packets cff_packet_list_of_avi(const cff_demuxer *demuxer);

/// The duration that the header of an AVI that is cut short states for a stream, in its ticks, of which `present` are there; 0 if that can't be right, and
/// AV_NOPTS_VALUE for other files and headers that state none. libavformat's duration is shorter in proportion to the bytes that are missing.
int64_t cff_duration_of_cut_avi(const cff_demuxer *demuxer, const AVStream *stream, int64_t present);

/// What the header of an ASF file (Windows Media) states.
typedef struct cff_asf {
  /// Position of the first byte after the packets; 0 if not stated.
  int64_t packets_end;
  /// Duration in units of 100 ns; 0 if not stated.
  int64_t duration;
  bool is_broadcast;
} cff_asf;

/// All zeros for other files.
cff_asf cff_asf_header(const cff_demuxer *demuxer);

/// Bytes by which an MP3 may be shorter than stated without being cut short.
int64_t cff_mp3_slack(const cff_mp3_statement *statement);

/// Size of the file in bytes, as stated by the element or chunk that contains everything; 0 if not stated, or if the media is complete anyway.
int64_t cff_declared_file_size(const cff_demuxer *demuxer);

/// The same for a Matroska or WebM file; 0 for other files.
int64_t cff_declared_matroska_size(const cff_demuxer *demuxer);

/// Whether a Matroska or WebM file is as long as its elements state, and a packet, by its position, is in the last block of the last cluster: nothing of the media is
/// missing then. False if a size is unknown, as in recordings that are written to a pipe.
bool cff_has_all_elements(const cff_demuxer *demuxer, int64_t last_packet);

/// Whether the end of a file is empty, as after a copy that failed, in a container of which no element ends so.
bool cff_ends_in_zeros(const cff_demuxer *demuxer);
