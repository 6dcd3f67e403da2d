// Tracks which packets became frames: the container's promises against the decoder's output.
#pragma once
#include "read_video.h"
#include <libavcodec/avcodec.h>

/// The meaning of a packet for which the decoder returns neither a frame nor an error.
typedef enum cff_silence {
  CFF_SILENCE_IS_LOSS = 0,
  /// Nothing is missing.
  CFF_SILENCE_IS_MEANT,
  /// Nothing is missing, unless the decoder rejected another packet near it: some wrappers do not state which one it was.
  CFF_SILENCE_IS_MEANT_UNLESS_REFUSED,
} cff_silence;

/// A packet that was given to the decoder and whose frame has not come yet.
typedef struct cff_sent_packet {
  int64_t serial;
  /// Presentation time, or decoding time if there is no other.
  int64_t time;
  /// The error with which the decoder rejected it; 0 if it did not.
  int error;
  bool is_key;
  /// Whether `time` is a presentation time, so that a later frame implies that this one will not come.
  bool is_ordered;
  /// Whether an edit list cuts its frame away, which not every decoder heeds (FFmpeg 5.1's wrapper of dav1d).
  bool is_discarded;
  /// Whether a frame with a later time has come.
  bool is_passed;
  cff_silence silence;
} cff_sent_packet;

/// The packets in progress in one decoder. An empty ledger is all zero.
typedef struct cff_ledger {
  cff_sent_packet *sent;
  int count, capacity;
  int64_t last_serial;
  /// How many packets a frame that was passed is waited for; 0 if the decoder returns frames in the order of their packets.
  int patience;
  /// Time of the newest key packet; AV_NOPTS_VALUE before the first.
  int64_t key_time;
  /// Frames before this time are not requested; AV_NOPTS_VALUE: all are.
  int64_t trusted_from;
  bool has_picture, has_error, has_fields;
  /// Losses that were not taken yet.
  cff_loss *losses;
  int loss_count, loss_capacity;
  /// Number of damaged packets that still gave a frame, and the reason of the last one's damage.
  int64_t concealed_count;
  int concealed_error;
} cff_ledger;

/// Records a packet that is about to be given to the decoder, and numbers its frame.
void cff_ledger_send(cff_ledger *ledger, AVCodecContext *decoder, AVPacket *packet);
/// Records that the decoder rejected the last packet.
void cff_ledger_refuse(cff_ledger *ledger, int error);
/// Records a frame from a damaged packet.
void cff_ledger_conceal(cff_ledger *ledger, int error);
/// Records a frame. Frames that should have come before it, by a large distance in order or by time, are lost; those by time once they were waited for. Returns
/// whether its packet was to be discarded.
bool cff_ledger_receive(cff_ledger *ledger, const AVFrame *frame);
/// Whether a frame was passed by a later one and may still come: times that were made up where parts of movies were joined don't follow the order of frames.
bool cff_ledger_waits(const cff_ledger *ledger);
/// Records that no more frames come.
///
/// - `may_end_anywhere`: whether the last packet may be incomplete, as in a recording that was cut off.
void cff_ledger_end(cff_ledger *ledger, bool may_end_anywhere);
/// Forgets packets in progress, to decode from another position. Losses stay.
void cff_ledger_restart(cff_ledger *ledger);
/// Frees everything.
void cff_ledger_close(cff_ledger *ledger);
