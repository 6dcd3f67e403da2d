// Pages that are missing in an Ogg file (RFC 3533). find_pages.c finds them by the numbers of those that are there, place_pages.c says when the packets
// after them are heard or shown, and read_pages.c gives packets these times.
#pragma once
#include "Reading/read_internal.h"

/// What the pages tell of a place at which some are missing.
typedef struct cff_missing_pages {
  /// The serial number of the stream.
  uint32_t serial;
  /// The first page after them, and the first from there on in which a packet ends, which states a position; INT64_MAX if the stream ends before.
  int64_t place, last_place;
  /// The positions of the pages before them and of `last_place`, in the units of the codec; that of the page right before `place` if that is damaged but
  /// its header is not, else -1. Without a `last_place`, that of the last damaged page.
  int64_t before, damaged, after;
  /// The number of missing pages.
  uint32_t count;
  /// Whether they are the first pages with media.
  bool is_beginning;
  /// Whether the first packet of `place` began earlier, and whether the last one of `last_place` ends later.
  bool continues, is_open;
  /// Whether `last_place` is the end of the stream, whose position may leave out some of the last packet's samples.
  bool is_end;
} cff_missing_pages;

/// Looks at all pages of a file. Returns the number of places at which some are missing, or a libav error; `found` is to be freed.
int cff_find_missing_pages(const cff_demuxer *demuxer, cff_missing_pages **found);

/// Finds the gaps of a file of pages; returns to the start.
cff_status cff_find_page_gaps(cff_demuxer *demuxer, cff_failure *failure);
