// What containers do unlike others when they are written. Functions ask these traits instead of the container's name: the table in write_traits.c says which has which.
#pragma once
#include <stdbool.h>

/// Where a container has its cover image.
typedef enum cff_cover_place {
  /// In a track of video with one frame that is marked as a picture, of which libavformat makes what the container has for it.
  CFF_COVER_TRACK = 0,
  /// In a comment of the file: Ogg, as FLAC's picture block (RFC 9639, 8.8).
  CFF_COVER_COMMENT,
  /// In an attached file: Matroska (RFC 9559, 5.1.6).
  CFF_COVER_ATTACHMENT,
} cff_cover_place;

/// What a container does unlike others when it is written. None is set for most.
typedef struct cff_output_traits {
  /// It says by a tag of QuickTime how uncompressed frames are stored, so that it holds those that have one.
  bool has_quicktime_tags : 1;
  /// It holds a display matrix for each track (ISO/IEC 14496-12, 8.3.2).
  bool holds_matrix : 1;
  /// It can hold an angle for each track: Matroska, ProjectionPoseRoll. Only newer versions of libavformat write it.
  bool may_hold_angle : 1;
  /// It holds layers of alpha beside the packets of VP8 and VP9: Matroska, BlockAdditions (RFC 9559, 5.1.3.5.2).
  bool holds_alpha_layer : 1;
  /// It holds a packet's own duration (Matroska, BlockDuration: RFC 9559, 5.1.3.5.3). The length of tracks in others follows from decoding times.
  bool holds_durations : 1;
  /// It states the priming of audio (Matroska, CodecDelay: RFC 9559, 5.1.4.1.25), which libavformat writes for Opus only; see write_delay.c.
  bool states_codec_delay : 1;
  /// It has comments of Vorbis, in which chapters are entries, too.
  bool has_vorbis_comments : 1;
  /// libavformat gives its last frame the duration of the one before: GIF.
  bool repeats_last_duration : 1;
  /// Where the cover image is.
  cff_cover_place cover;
} cff_output_traits;

/// The traits of the container with a muxer's name in libavformat; none if it isn't in the table.
cff_output_traits cff_output_traits_of(const char *muxer);
