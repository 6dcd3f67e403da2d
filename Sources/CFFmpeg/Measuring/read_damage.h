// Packets of which parts were lost on the way, such as in a broadcast that was received badly.
#pragma once
#include "Reading/read_internal.h"

/// What is known of a stream's losses from its packets so far. All zero before the first one, except for times.
typedef struct cff_damage {
  /// Packets of which parts were lost (of audio: places), and the time of the first of them.
  int count;
  int64_t first;
  /// The same of the latest ones, which are not counted yet, and how many packets ago they were, from 1.
  int pending_count, pending_age;
  int64_t pending_time;
  /// End of the latest packet of audio.
  int64_t heard_end;
  /// Whether the packets of the transport stream were looked at, and the place in the file of the first loss among them.
  bool is_searched;
  int64_t place;
} cff_damage;

/// Counts a packet of pictures.
void cff_damage_take_picture(cff_damage *damage, const AVPacket *packet, int64_t time);
/// Counts a packet of audio.
void cff_damage_take_audio(cff_damage *damage, const cff_demuxer *demuxer, const AVPacket *packet, int64_t time);

/// Losses in a stream of a transport stream.
typedef struct cff_transport_losses {
  int count;
  /// Where the first unit of which something was lost begins in the file; -1 if there is none.
  int64_t first_place;
} cff_transport_losses;

/// Looks for losses in all packets of a stream of a transport stream. Reads the whole file.
///
/// - `identifier`: the stream's packet identifier (PID).
cff_transport_losses cff_find_transport_losses(const cff_demuxer *demuxer, int identifier);
