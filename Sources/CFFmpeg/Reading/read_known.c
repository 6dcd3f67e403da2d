#include "Common/common_internal.h"

#include <libavcodec/avcodec.h>
#include <pthread.h>
#include <string.h>

// Caches what libavformat finds out about a file's streams by decoding its beginning (for H.264, at least seven frames each time), for the next time
// that the file is opened. Only MP4 and MOV files are cached, because their headers list all streams and give each packet both of its times; for
// other formats, libavformat needs the packets that it reads while it probes.

typedef struct {
  int id, index_entries;
  AVRational time_base;
  AVCodecParameters *declared, *found;
  AVRational average_rate, real_rate, aspect;
  int64_t start, duration;
} known_stream;

typedef struct {
  cff_file_identity identity;
  int count;
  known_stream *streams;
  int64_t start, duration, bit_rate;
  enum AVDurationEstimationMethod estimation;
} known_file;

enum { most_files = 256, most_streams = 64 };
static known_file files[most_files];
static int next_file;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void forget(known_file *file) {
  for (int i = 0; i < file->count; i++) {
    avcodec_parameters_free(&file->streams[i].declared);
    avcodec_parameters_free(&file->streams[i].found);
  }
  av_freep(&file->streams);
  memset(file, 0, sizeof *file);
}

static AVCodecParameters *copy_of(const AVCodecParameters *parameters) {
  AVCodecParameters *copy = avcodec_parameters_alloc();
  if (copy && avcodec_parameters_copy(copy, parameters) < 0) avcodec_parameters_free(&copy);
  return copy;
}

static bool has_whole_header(const cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  return demuxer->traits.has_sample_table && !(format->ctx_flags & AVFMTCTX_NOHEADER) && format->nb_streams > 0 &&
         format->nb_streams <= most_streams;
}

/// Whether the header describes a stream as it did when the stream was cached.
static bool is_same(const AVStream *stream, const known_stream *known) {
  const AVCodecParameters *now = stream->codecpar, *then = known->declared;
  return stream->id == known->id && av_cmp_q(stream->time_base, known->time_base) == 0 &&
         avformat_index_get_entries_count(stream) == known->index_entries && now->codec_type == then->codec_type &&
         now->codec_id == then->codec_id && now->codec_tag == then->codec_tag && now->width == then->width &&
         now->height == then->height && now->extradata_size == then->extradata_size &&
         (now->extradata_size == 0 || memcmp(now->extradata, then->extradata, (size_t)now->extradata_size) == 0);
}

AVCodecParameters **cff_declared_streams(const cff_demuxer *demuxer) {
  const AVFormatContext *format = demuxer->format;
  if (!has_whole_header(demuxer)) return NULL;
  AVCodecParameters **declared = av_calloc(format->nb_streams, sizeof *declared);
  for (unsigned i = 0; declared && i < format->nb_streams; i++) {
    declared[i] = copy_of(format->streams[i]->codecpar);
    if (!declared[i]) cff_free_declared(&declared, (int)format->nb_streams);
  }
  return declared;
}

void cff_free_declared(AVCodecParameters ***declared, int count) {
  for (int i = 0; *declared && i < count; i++) avcodec_parameters_free(&(*declared)[i]);
  av_freep(declared);
}

/// The cache entry of a file, or NULL if there is none. The lock must be held.
static known_file *find(const cff_file_identity *identity) {
  for (int i = 0; i < most_files; i++) {
    if (files[i].count > 0 && cff_same_identity(&files[i].identity, identity)) return &files[i];
  }
  return NULL;
}

bool cff_recall_streams(cff_demuxer *demuxer) {
  AVFormatContext *format = demuxer->format;
  if (!has_whole_header(demuxer)) return false;
  pthread_mutex_lock(&lock);
  const known_file *file = find(&demuxer->identity);
  bool is_known = file && file->count == (int)format->nb_streams;
  for (int i = 0; is_known && i < file->count; i++) is_known = is_same(format->streams[i], &file->streams[i]);
  for (int i = 0; is_known && i < file->count; i++) {
    AVStream *stream = format->streams[i];
    const known_stream *known = &file->streams[i];
    is_known = avcodec_parameters_copy(stream->codecpar, known->found) >= 0;
    stream->avg_frame_rate = known->average_rate;
    stream->r_frame_rate = known->real_rate;
    stream->sample_aspect_ratio = known->aspect;
    stream->start_time = known->start;
    stream->duration = known->duration;
  }
  if (is_known) {
    format->start_time = file->start;
    format->duration = file->duration;
    format->bit_rate = file->bit_rate;
    format->duration_estimation_method = file->estimation;
  }
  pthread_mutex_unlock(&lock);
  return is_known;
}

void cff_remember_streams(const cff_demuxer *demuxer, AVCodecParameters ***declared) {
  const AVFormatContext *format = demuxer->format;
  int count = (int)format->nb_streams;
  known_file file = {.identity = demuxer->identity, .start = format->start_time, .duration = format->duration,
                     .bit_rate = format->bit_rate, .estimation = format->duration_estimation_method};
  bool is_whole = *declared && has_whole_header(demuxer);
  file.streams = is_whole ? av_calloc((size_t)count, sizeof *file.streams) : NULL;
  if (!file.streams) {
    cff_free_declared(declared, count);
    return;
  }
  file.count = count;
  for (int i = 0; i < count; i++) {
    const AVStream *stream = format->streams[i];
    file.streams[i] = (known_stream){
        .id = stream->id, .index_entries = avformat_index_get_entries_count(stream), .time_base = stream->time_base,
        .declared = (*declared)[i], .found = copy_of(stream->codecpar), .average_rate = stream->avg_frame_rate,
        .real_rate = stream->r_frame_rate, .aspect = stream->sample_aspect_ratio, .start = stream->start_time,
        .duration = stream->duration};
    (*declared)[i] = NULL;
    is_whole = is_whole && file.streams[i].found;
  }
  cff_free_declared(declared, count);
  pthread_mutex_lock(&lock);
  if (is_whole && !find(&file.identity)) {
    forget(&files[next_file]);
    files[next_file] = file;
    next_file = (next_file + 1) % most_files;
    file.count = 0;
    file.streams = NULL;
  }
  pthread_mutex_unlock(&lock);
  forget(&file);
}
