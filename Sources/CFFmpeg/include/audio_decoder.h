// Sound of one track as planar float at the track's own rate, with exact positions.
#pragma once
#include "common.h"

/// A decoder over a demuxer that it does not own and uses alone.
typedef struct cff_audio_decoder cff_audio_decoder;

/// Samples that were decoded. Valid until the next call.
typedef struct cff_audio_block {
  /// First sample, counted at the track's rate from media time 0. Negative in an encoder's run-in that was not cut off.
  int64_t position;
  int32_t count;
  const float *const *channels;
} cff_audio_block;

/// Opens a decoder for stream `stream_index`; channels are mixed to `channel_count` by the coefficients of ITU-R BS.775, lowered so
/// that no input exceeds full scale if `is_normalized`.
cff_status cff_audio_open(
    cff_demuxer *demuxer, int stream_index, int channel_count, bool is_normalized, cff_audio_decoder **decoder,
    cff_failure *failure);

/// Samples a second of the track.
int cff_audio_sample_rate(const cff_audio_decoder *decoder);

/// Whether positions follow from each packet alone, so that seeking costs little. Elsewhere seeking starts over.
bool cff_audio_seeks_exactly(const cff_audio_decoder *decoder);

/// The next samples; CFF_END after the last. Packets that give none are passed over: the samples after them stand where their
/// own packet says, so that silence lies between. These are losses.
cff_status cff_audio_next(cff_audio_decoder *decoder, cff_audio_block *block, cff_failure *failure);

/// Goes so far before `position` that the samples from there on are what decoding from the start gives.
cff_status cff_audio_seek(cff_audio_decoder *decoder, int64_t position, cff_failure *failure);

/// Samples that the container promised and the decoder did not give.
typedef struct cff_audio_loss {
  /// Positions like those of blocks: `start` ..< `end` is silent.
  int64_t start, end;
  /// Packets.
  int32_t count;
} cff_audio_loss;

/// Takes a loss that was found since the last call; false if there is none. What is decoded again is found again.
bool cff_audio_take_loss(cff_audio_decoder *decoder, cff_audio_loss *loss);

/// Damaged packets so far that left no gap.
int64_t cff_audio_concealed_count(const cff_audio_decoder *decoder);

/// Why the decoder refused a packet last, or why the packets ended early.
const char *cff_audio_reason(const cff_audio_decoder *decoder);

/// Whether the packets ended before the end of the file.
bool cff_audio_ended_early(const cff_audio_decoder *decoder);

/// Closes the decoder, not the demuxer; NULL is allowed.
void cff_audio_close(cff_audio_decoder *decoder);
