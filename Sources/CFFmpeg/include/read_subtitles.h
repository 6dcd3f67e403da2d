// Subtitle cues as ASS events, to which libavcodec converts every text format.
#pragma once
#include "common.h"

/// Cues with their strings, independent of the file.
typedef struct cff_subtitles cff_subtitles;

/// A cue. The strings belong to the subtitles.
typedef struct cff_cue {
  /// Times in time units; `end` is CFF_NO_TIME if it is not stated.
  int64_t start, end;
  /// "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text" of ASS, in UTF-8.
  const char *event;
  /// Settings of a WebVTT cue, such as "line:0 align:start"; empty for others.
  const char *settings;
} cff_cue;

/// Reads text from memory, in UTF-8 without byte order mark. The bytes are not needed afterward. `formats` are the allowed demuxers of libavformat, separated by
/// commas.
cff_status cff_subtitles_read_text(
    const uint8_t *bytes, size_t count, const char *formats, cff_subtitles **subtitles, cff_failure *failure);

/// Reads a whole subtitle track from a demuxer at its start, from which nothing else can be read afterward. CFF_NO_DECODER for bitmap subtitles, or for a
/// codec without a decoder.
cff_status cff_subtitles_read_track(
    cff_demuxer *demuxer, int stream_index, cff_subtitles **subtitles, cff_failure *failure);

/// Whether the events of a track are the text of its packets with its own markup, not events of ASS: for SubRip, WebVTT and plain text.
bool cff_subtitles_have_own_markup(const cff_subtitles *subtitles);

/// Index of the `ordinal`-th subtitle stream; -1 if there is none.
int cff_demuxer_subtitle_stream(const cff_demuxer *demuxer, int ordinal);

/// Whether a stream has bitmap subtitles.
bool cff_stream_is_bitmap_subtitle(const cff_demuxer *demuxer, int stream_index);

/// Short name of the codec: "subrip", "webvtt", "ass", "mov_text".
const char *cff_subtitles_codec(const cff_subtitles *subtitles);

/// The script's header, with its styles and canvas size; empty if there is none.
const char *cff_subtitles_header(const cff_subtitles *subtitles);

/// Duration of a time unit in seconds, as a ratio.
void cff_subtitles_time_base(const cff_subtitles *subtitles, int32_t *numerator, int32_t *denominator);

/// Number of cues, in file order.
size_t cff_subtitles_count(const cff_subtitles *subtitles);
cff_cue cff_subtitles_cue(const cff_subtitles *subtitles, size_t index);

/// Frees everything; NULL is allowed.
void cff_subtitles_free(cff_subtitles *subtitles);

/// Converts a string from another encoding to UTF-8; free it with `cff_text_free`. `encoding` is a name that the system's iconv knows, such as "ISO-8859-1".
/// CFF_INVALID for an unknown name, CFF_UNREADABLE for bytes that are invalid in the encoding.
cff_status cff_text_to_utf8(
    const char *encoding, const uint8_t *bytes, size_t count, uint8_t **text, size_t *text_count, cff_failure *failure);
void cff_text_free(uint8_t *text);
