// Cues of subtitles, as events of ASS: libavcodec turns every format of text into these.
#pragma once
#include "common.h"

/// Cues that were read, with their texts. A value of its own: no file is open.
typedef struct cff_subtitles cff_subtitles;

/// One cue. The strings belong to the subtitles.
typedef struct cff_cue {
  /// In time units; `end` is CFF_NO_TIME where it is not said.
  int64_t start, end;
  /// "ReadOrder,Layer,Style,Name,MarginL,MarginR,MarginV,Effect,Text" of ASS, in UTF-8.
  const char *event;
  /// Settings of a WebVTT cue, such as "line:0 align:start"; empty for others.
  const char *settings;
} cff_cue;

/// Reads SRT, WebVTT or ASS from memory, in UTF-8 without byte order mark. The bytes need not stay.
cff_status cff_subtitles_read_text(
    const uint8_t *bytes, size_t count, cff_subtitles **subtitles, cff_failure *failure);

/// Reads a whole track of subtitles from a demuxer that is at its start; nothing else can be read from that afterwards.
/// CFF_NO_DECODER for subtitles that are bitmaps, or of a codec without a decoder.
cff_status cff_subtitles_read_track(
    cff_demuxer *demuxer, int stream_index, cff_subtitles **subtitles, cff_failure *failure);

/// Index of the `ordinal`-th subtitle stream; -1 where there is none.
int cff_demuxer_subtitle_stream(const cff_demuxer *demuxer, int ordinal);

/// Whether the subtitles of a stream are pictures.
bool cff_stream_is_bitmap_subtitle(const cff_demuxer *demuxer, int stream_index);

/// Short name of the codec: "subrip", "webvtt", "ass", "mov_text".
const char *cff_subtitles_codec(const cff_subtitles *subtitles);

/// The script's header: its styles, and how large its canvas is; empty if there is none.
const char *cff_subtitles_header(const cff_subtitles *subtitles);

/// Seconds of a time unit, as a ratio.
void cff_subtitles_time_base(const cff_subtitles *subtitles, int32_t *numerator, int32_t *denominator);

/// Number of cues, in the order of the file.
size_t cff_subtitles_count(const cff_subtitles *subtitles);
cff_cue cff_subtitles_cue(const cff_subtitles *subtitles, size_t index);

/// Frees everything; NULL is allowed.
void cff_subtitles_free(cff_subtitles *subtitles);

/// Turns a text of another encoding into UTF-8, which the caller frees with `cff_text_free`. `encoding` is a name that the system's iconv
/// knows, such as "ISO-8859-1". CFF_INVALID for a name that it does not know, CFF_UNREADABLE for bytes that mean nothing in it.
cff_status cff_text_to_utf8(
    const char *encoding, const uint8_t *bytes, size_t count, uint8_t **text, size_t *text_count, cff_failure *failure);
void cff_text_free(uint8_t *text);
