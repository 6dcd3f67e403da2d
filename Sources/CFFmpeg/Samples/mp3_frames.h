// Frames of MP3 (ISO/IEC 11172-3 and 13818-3, layer III), and what an encoder's first frame states of all of them.
#pragma once
#include "Common/common_internal.h"

/// The header of a frame and of its data.
typedef struct cff_mp3_frame {
  /// Bytes and samples of the frame.
  int size, samples;
  /// Whether it is of MPEG-1, and whether it has one channel.
  bool is_first_version, is_mono;
  int sample_rate;
  /// How many bytes before the frame's own its data begins (`main_data_begin`), how many bytes it has, and how many bytes for data are in the frame.
  int reservoir, data, room;
} cff_mp3_frame;

enum {
  /// Bytes from which a frame's header is read.
  cff_mp3_header_size = 38,
};

/// Reads a frame's header; false if there is none, or one that leaves the size open (free format).
bool cff_read_mp3_frame(const uint8_t bytes[cff_mp3_header_size], cff_mp3_frame *frame);

/// Whether a frame of `size` bytes is an encoder's statement (Xing, LAME), which has no audio.
bool cff_is_mp3_statement(const uint8_t *bytes, int size);

/// What an encoder's first frame states (Xing, LAME): 0 where it doesn't.
typedef struct cff_mp3_statement {
  /// Where that frame begins, and its own size.
  int64_t start;
  int size;
  /// Number of frames without it, bytes with it, and samples after the last audible one.
  int64_t frames, bytes, padding;
} cff_mp3_statement;

/// Reads the first frame of an MP3; false if it is no statement.
bool cff_read_mp3_statement(const cff_demuxer *demuxer, cff_mp3_statement *statement);

/// Where the audio of an MP3 ends: before tags (ID3v1, APEv2, Lyrics3).
int64_t cff_mp3_audio_end(const cff_demuxer *demuxer);
