// Audio of one track as planar float at the track's own rate, with exact positions.
#pragma once
#include "common.h"

/// A decoder over a demuxer that it does not own but uses exclusively.
typedef struct cff_audio_decoder cff_audio_decoder;

/// Decoded samples. Valid until the next call.
typedef struct cff_audio_block {
  /// First sample, counted at the track's rate from media time 0. Negative in an encoder's preroll that was not cut off.
  int64_t position;
  int32_t count;
  const float *const *channels;
} cff_audio_block;

/// Which channels of a track are used.
typedef struct cff_audio_take {
  /// The number of chosen channels, at most 8; 0 for all of them.
  int32_t count;
  int32_t channels[8];
  /// Whether all channels are mixed down to one first.
  bool mixes_down;
} cff_audio_take;

/// Opens a decoder for stream `stream_index`. Channels are mixed to `channel_count` with the coefficients of ITU-R BS.775; if `is_normalized`, gains are
/// reduced so that no sum of full-scale inputs exceeds full scale.
cff_status cff_audio_open(
    cff_demuxer *demuxer, int stream_index, int channel_count, bool is_normalized, const cff_audio_take *take,
    cff_audio_decoder **decoder, cff_failure *failure);

/// Sample rate of the track in Hz.
int cff_audio_sample_rate(const cff_audio_decoder *decoder);

/// Whether positions follow from each packet alone, so that seeking is cheap. In other containers, seeking needs marks, or starts over.
bool cff_audio_seeks_exactly(const cff_audio_decoder *decoder);

/// A packet at which decoding can start in a container whose times don't count samples.
typedef struct cff_audio_mark {
  /// The packet's samples, `position` ..< `end`; its time in the stream's ticks, the place of its first byte in the file, and its size.
  int64_t position, end, time, byte_position, byte_count;
} cff_audio_mark;

/// Makes seeking cheap with the marks of `cff_demuxer_marks`, in rising order. The decoder copies them.
cff_status cff_audio_use_marks(cff_audio_decoder *decoder, const cff_audio_mark *marks, int count, cff_failure *failure);

/// Number of packets of the track that were read so far.
int64_t cff_audio_packet_count(const cff_audio_decoder *decoder);

/// Returns the next samples; CFF_END after the last. Packets without samples are skipped: the samples after them are at the position that their own packet
/// states, with silence in between. Such packets are losses.
cff_status cff_audio_next(cff_audio_decoder *decoder, cff_audio_block *block, cff_failure *failure);

/// Seeks far enough before `position` that the samples from there are the same as when decoding from the start.
cff_status cff_audio_seek(cff_audio_decoder *decoder, int64_t position, cff_failure *failure);

/// Samples that the container promised but the decoder did not return.
typedef struct cff_audio_loss {
  /// Positions like those of blocks: `start` ..< `end` is silent.
  int64_t start, end;
  /// Number of packets.
  int32_t count;
} cff_audio_loss;

/// Takes a loss found since the last call; false if there is none. Losses are found again if their packets are decoded again.
bool cff_audio_take_loss(cff_audio_decoder *decoder, cff_audio_loss *loss);

/// Number of damaged packets so far that left no gap.
int64_t cff_audio_concealed_count(const cff_audio_decoder *decoder);

/// The reason why the decoder last rejected a packet, or why the packets ended early.
const char *cff_audio_reason(const cff_audio_decoder *decoder);

/// Whether the packets ended before the end of the file.
bool cff_audio_ended_early(const cff_audio_decoder *decoder);

/// Whether a track can continue another one: both have the same codec and parameters.
bool cff_audio_can_continue(const cff_audio_decoder *decoder, const cff_audio_decoder *previous);

/// Starts over as the continuation of another file's track, whose most recent packets must be its last ones: the first samples overlap with them, and samples
/// that the container hides before time 0 are returned, too. `previous` NULL ends the continuation. Used in the same thread as the other decoder.
cff_status cff_audio_continue(cff_audio_decoder *decoder, const cff_audio_decoder *previous, cff_failure *failure);

/// Closes the decoder, not the demuxer; NULL is allowed.
void cff_audio_close(cff_audio_decoder *decoder);
