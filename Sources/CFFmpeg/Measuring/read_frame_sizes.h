// The sizes of a stream's frames, as far as packets were read.
#pragma once
#include "Reading/read_internal.h"

#include <libavcodec/avcodec.h>

enum { CFF_MOST_SIZES = 16 };

typedef struct cff_pixel_size {
  int width, height;
} cff_pixel_size;

typedef struct cff_size_account {
  cff_frame_size sizes[CFF_MOST_SIZES];
  int count;
  /// The size of the last packet, and of VP9's references.
  cff_pixel_size last, references[8];
  /// Place of the last packet's frame in presentation order, as its header states it, and whether one was before the previous packet's.
  int output_number;
  bool is_reordered;
  /// The time at which the last reference of MPEG-1, -2 or -4 is shown, and whether one was shown no later than the one before: such times are those of decoding,
  /// at least some of them.
  int64_t reference_time;
  bool has_reference, is_out_of_order;
  AVCodecParserContext *parser;
  AVCodecContext *context;
  bool has_failed;
} cff_size_account;

/// Counts a packet of a video stream.
void cff_size_account_take(cff_size_account *account, const cff_demuxer *demuxer, const AVPacket *packet);

/// Discards the accounts of all streams.
void cff_size_accounts_free(cff_demuxer *demuxer);
