// What is known of a stream from its packets, and where it ends.
#pragma once
#include "Measuring/lost_packets.h"
#include "Measuring/read_damage.h"

/// What is known of a stream from its packets so far.
typedef struct cff_stretch {
  int64_t first, last, before_last, end;
  /// End of the last packet by decoding times, and the delay of presentation relative to decoding.
  int64_t decoding_end, delay;
  bool knows_delay, knows_delay_of_key;
  int packets;
  /// Position of the packet that is farthest in the file, in bytes; -1 if unknown.
  int64_t position;
  /// Number of bytes of the packets that an edit list doesn't leave out.
  int64_t bytes;
  /// Number of fields of the packets, in a bitstream without times; in MPEG-2, those of the last frame that others refer to.
  int64_t fields, held_fields;
  bool is_damaged, lacks_presentation_times;
  cff_damage damage;
  cff_lost_packets lost;
  /// Whether packets were decoded in another order than they are shown, and whether their durations vary.
  bool is_reordered, varies;
  bool is_encrypted;
  /// Whether a presentation time differs from the decoding time.
  bool has_own_times;
  /// Durations of the last packet and the one before.
  int64_t duration, duration_before;
  int64_t dropped_first, dropped_last;
  /// Whether an edit list leaves packets out.
  bool has_discarded;
} cff_stretch;

/// Takes the stream's next packet. `stamps` receives its times if it is a frame that is shown; NULL for other streams than video.
void cff_stretch_take(cff_stretch *s, const cff_demuxer *demuxer, const AVPacket *packet, cff_stamps *stamps);

/// Gives a packet of a bitstream without times the time after the packets before it, each of which lasts as its parser states.
void cff_stretch_count(cff_stretch *s, const cff_demuxer *demuxer, AVPacket *packet);

/// The end of what the decoder returns for a stream; AV_NOPTS_VALUE without packets.
int64_t cff_end_of_stretch(const cff_demuxer *demuxer, const cff_stretch *s, const AVStream *stream);

/// The end that the header states for a stream as it is shown; AV_NOPTS_VALUE if it states none.
int64_t cff_promised_end(const cff_demuxer *demuxer, const AVStream *stream, const cff_stretch *s);

/// The end that the container states for the last frame of the video stream `index`, which may be that of the file; AV_NOPTS_VALUE if it is not known.
/// `stretches` has an element for each stream.
int64_t cff_end_of_slide(const cff_demuxer *demuxer, const cff_stretch *stretches, int index);

/// Whether the last frame of a Matroska file without missing packets is held until the end that `cff_end_of_slide` returns: for half a step more than a step. Its
/// packets don't state how long they are shown.
bool cff_is_held(const cff_demuxer *demuxer, const cff_stretch *s, int64_t slide_end);

/// Whether the header lists packets beyond the end of the file, and the last key packet that is not; INT64_MAX if there is none.
bool cff_index_exceeds_file(const cff_demuxer *demuxer, AVStream *stream, int64_t *last_key);

/// Whether packets end before the end that the header states, in containers without an index that would tell.
bool cff_ends_before_promise(const cff_demuxer *demuxer, const cff_stretch *stretches, bool is_small);

/// Whether a file whose header promises more was cut by copying its frames, of which the last is whole.
bool cff_was_cut(const cff_demuxer *demuxer);

/// Whether a file is shorter than the element or chunk that contains everything states.
bool cff_is_shorter_than_declared(const cff_demuxer *demuxer);
