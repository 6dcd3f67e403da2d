// Where the last frame of a slideshow ends. A packet's duration doesn't tell: for reordered frames of MP4 and for Matroska without durations, libavformat derives it
// from a frame rate, which is often that of the images before they were made into a slideshow.
#include "Times/read_slides.h"

enum {
  /// Milliseconds that a last frame is shown at least, if its duration is meant: a writer that doesn't know it states none or one tick of its clock, which may
  /// have been that of the file of milliseconds that it read.
  shortest_slide = 2,
  /// Seconds by which the end of a track may follow the last frame, or its step if that is longer.
  longest_slide = 10,
};

/// Whether an end more than a step after the last frame is that of the frame.
static bool may_last_longer(const cff_demuxer *demuxer, const AVStream *stream, const cff_slide *slide, int64_t length) {
  // The duration of a Matroska file is the duration of its longest track.
  if (demuxer->traits.stated_duration != CFF_DURATION_OF_TRACK) return slide->is_longest;
  int64_t longest = FFMAX(slide->step, av_rescale_q(longest_slide, (AVRational){1, 1}, stream->time_base));
  // The duration of a track may include what its edit list leaves out.
  return length <= longest && !slide->has_discarded;
}

/// The end that the header of a Matroska file states; AV_NOPTS_VALUE if it states none. If all tracks begin late, writers differ in whether they count from there.
static int64_t end_of_file(const cff_demuxer *demuxer, const AVStream *stream, const cff_slide *slide) {
  const AVFormatContext *format = demuxer->format;
  bool is_stated = format->duration > 0 && format->duration_estimation_method == AVFMT_DURATION_FROM_STREAM;
  bool begins_late = slide->first > 0 && (format->start_time == AV_NOPTS_VALUE || format->start_time > 0);
  return is_stated && !begins_late ? av_rescale_q(format->duration, AV_TIME_BASE_Q, stream->time_base) : AV_NOPTS_VALUE;
}

/// Whether the header of a movie with this track alone states a later end than that of the track, whose duration is then only the sum of decoding times.
static bool is_contradicted(const cff_demuxer *demuxer, const AVStream *stream, const cff_slide *slide) {
  int64_t length = av_rescale_q(stream->duration, stream->time_base, AV_TIME_BASE_Q);
  // Twice a millisecond, to which the movie's duration is rounded.
  int64_t rounding = shortest_slide * (AV_TIME_BASE / 1000);
  return demuxer->format->nb_streams == 1 && slide->first <= 0 && demuxer->format->duration > length + rounding;
}

int64_t cff_slide_end(const cff_demuxer *demuxer, const AVStream *stream, const cff_slide *slide) {
  if (demuxer->traits.stated_duration == CFF_DURATION_UNKNOWN) return AV_NOPTS_VALUE;
  if (demuxer->traits.stated_duration == CFF_DURATION_OF_FRAME) {
    return slide->duration > 0 ? av_sat_add64(slide->last, slide->duration) : AV_NOPTS_VALUE;
  }
  bool is_of_track = demuxer->traits.stated_duration == CFF_DURATION_OF_TRACK;
  // Without a duration of the track, that of the movie would be taken.
  if (is_of_track && (stream->duration <= 0 || is_contradicted(demuxer, stream, slide))) return AV_NOPTS_VALUE;
  int64_t end = is_of_track ? slide->promised : end_of_file(demuxer, stream, slide);
  if (end == AV_NOPTS_VALUE || end <= slide->last) return AV_NOPTS_VALUE;
  int64_t length = end - slide->last;
  if (length < FFMAX(2, av_rescale_q(shortest_slide, (AVRational){1, 1000}, stream->time_base))) return AV_NOPTS_VALUE;
  if (length > slide->step) return may_last_longer(demuxer, stream, slide, length) ? end : AV_NOPTS_VALUE;
  // A Matroska file whose frames have the duration of a step (`DefaultDuration`) contradicts a shorter one; it's then not known which is right.
  return is_of_track || slide->duration < slide->step - slide->step / 10 ? end : AV_NOPTS_VALUE;
}
