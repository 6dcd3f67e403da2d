// Which packets became pictures: what the container promised against what the decoder gave.
#pragma once
#include "read_video.h"
#include <libavcodec/avcodec.h>

/// What it means that the decoder gives no picture for a packet and refuses none.
typedef enum cff_silence {
  CFF_SILENCE_IS_LOSS = 0,
  /// Nothing is missing.
  CFF_SILENCE_IS_MEANT,
  /// Nothing is missing, unless the decoder refused another packet near it: some wrappers do not say which one it was.
  CFF_SILENCE_IS_MEANT_UNLESS_REFUSED,
} cff_silence;

/// A packet that was given to the decoder and whose picture has not come yet.
typedef struct cff_sent_packet {
  int64_t serial;
  /// Presentation time; decoding time if that is all there is.
  int64_t time;
  /// Why the decoder refused it; 0: it did not.
  int error;
  bool is_key;
  /// Whether `time` is a presentation time, so that a later picture says that this one will not come.
  bool is_ordered;
  cff_silence silence;
} cff_sent_packet;

/// The packets on their way through one decoder. All zero is an empty ledger.
typedef struct cff_ledger {
  cff_sent_packet *sent;
  int count, capacity;
  int64_t last_serial;
  /// Time of the newest key packet; AV_NOPTS_VALUE before the first.
  int64_t key_time;
  /// What comes before this time is not asked for; AV_NOPTS_VALUE: everything is.
  int64_t trusted_from;
  bool has_picture, has_error, has_fields;
  /// Losses that were not fetched yet.
  cff_loss *losses;
  int loss_count, loss_capacity;
  /// Damaged packets that gave a picture all the same, and why the last of them was damaged.
  int64_t concealed_count;
  int concealed_error;
} cff_ledger;

/// Notes a packet that is about to be given to the decoder, and has its picture carry its number.
void cff_ledger_send(cff_ledger *ledger, AVCodecContext *decoder, AVPacket *packet);
/// Notes that the decoder refused the packet that was given last.
void cff_ledger_refuse(cff_ledger *ledger, int error);
/// Notes a picture that came of a damaged packet.
void cff_ledger_conceal(cff_ledger *ledger, int error);
/// Notes a picture. What should have come before it, by time or by far in order, is lost.
void cff_ledger_receive(cff_ledger *ledger, const AVFrame *frame);
/// Notes that no more pictures come.
///
/// - `may_end_anywhere`: whether the last packet may be incomplete, as in a recording that was cut off.
void cff_ledger_end(cff_ledger *ledger, bool may_end_anywhere);
/// Forgets packets under way, for decoding from another place on. Losses stay.
void cff_ledger_restart(cff_ledger *ledger);
/// Frees everything.
void cff_ledger_close(cff_ledger *ledger);
