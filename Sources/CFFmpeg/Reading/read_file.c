// A demuxer's file: opened once, read through our own descriptor, and watched for changes.
#include "Common/common_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static cff_file_identity identity_of(const struct stat *information) {
  return (cff_file_identity){(uint64_t)information->st_dev, (uint64_t)information->st_ino, information->st_size,
                             information->st_mtim.tv_sec, information->st_mtim.tv_nsec};
}

bool cff_same_identity(const cff_file_identity *left, const cff_file_identity *right) {
  return left->device == right->device && left->inode == right->inode && left->byte_count == right->byte_count &&
         left->modified_seconds == right->modified_seconds && left->modified_nanoseconds == right->modified_nanoseconds;
}

bool cff_identify_file(const char *path, cff_file_identity *identity) {
  struct stat information;
  if (stat(path, &information) != 0 || !S_ISREG(information.st_mode)) return false;
  *identity = identity_of(&information);
  return true;
}

cff_file_identity cff_demuxer_identity(const cff_demuxer *demuxer) { return demuxer->identity; }

void cff_demuxer_forbid_change(cff_demuxer *demuxer) { demuxer->forbids_change = true; }

/// Checked after each read, so that nothing written meanwhile is mistaken for the file's own contents.
static bool notes_change(cff_demuxer *demuxer) {
  struct stat information;
  if (!demuxer->forbids_change || fstat(demuxer->descriptor, &information) != 0) return false;
  cff_file_identity now = identity_of(&information);
  demuxer->has_changed = demuxer->has_changed || !cff_same_identity(&now, &demuxer->identity);
  return demuxer->has_changed;
}

static int read_file(void *opaque, uint8_t *buffer, int count) {
  cff_demuxer *demuxer = opaque;
  int64_t place = demuxer->media_start + demuxer->position, left = FFMAX(0, FFMIN(count, demuxer->visible_size - place));
  ssize_t got;
  do {
    got = pread(demuxer->descriptor, buffer, (size_t)left, place);
  } while (got < 0 && errno == EINTR);
  if (got < 0) return demuxer->read_error = AVERROR(errno);
  if (notes_change(demuxer)) return demuxer->read_error = AVERROR(ESTALE);
  if (got == 0) return AVERROR_EOF;
  cff_apply_patches(demuxer, place, buffer, got);
  demuxer->position += got;
  return (int)got;
}

static int64_t seek_file(void *opaque, int64_t offset, int whence) {
  cff_demuxer *demuxer = opaque;
  int64_t size = demuxer->visible_size - demuxer->media_start, base = 0;
  if (whence & AVSEEK_SIZE) return size;
  switch (whence & ~AVSEEK_FORCE) {
  case SEEK_SET: break;
  case SEEK_CUR: base = demuxer->position; break;
  case SEEK_END: base = size; break;
  default: return AVERROR(EINVAL);
  }
  int64_t position;
  if (__builtin_add_overflow(base, offset, &position) || position < 0) return AVERROR(EINVAL);
  demuxer->position = position;
  return position;
}

static int refuse_nested_open(
    AVFormatContext *format, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
  (void)format, (void)url, (void)flags, (void)options;
  *io = NULL;
  return AVERROR(EPERM);
}

static bool looks_like_url(const char *path) {
  size_t length = strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+.-_,");
  return length > 1 && path[length] == ':';
}

static cff_status status_of_opening(int number) {
  switch (number) {
  case EIO: case ESTALE: case ETIMEDOUT: return CFF_IO_FAILED;
  case ENOMEM: case EMFILE: case ENFILE: return CFF_NO_RESOURCE;
  default: return CFF_UNREADABLE;
  }
}

cff_status cff_open_regular_file(cff_demuxer *demuxer, const char *path, cff_failure *failure) {
  struct stat information;
  if (stat(path, &information) != 0) {
    if (looks_like_url(path)) return cff_fail(failure, CFF_REFUSED, "an address is not a local file");
    if (errno == ENOENT || errno == ENOTDIR) return cff_fail(failure, CFF_NOT_FOUND, "%s", strerror(errno));
    return cff_fail(failure, status_of_opening(errno), "%s", strerror(errno));
  }
  // Checked before opening, because opening alone can act on a device or wait for a pipe's other end.
  if (!S_ISREG(information.st_mode)) return cff_fail(failure, CFF_REFUSED, "not a regular file");
  demuxer->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (demuxer->descriptor < 0) return cff_fail(failure, status_of_opening(errno), "%s", strerror(errno));
  // Checked again afterward, because the name may refer to something else by then.
  if (fstat(demuxer->descriptor, &information) != 0 || !S_ISREG(information.st_mode)) {
    return cff_fail(failure, CFF_REFUSED, "not a regular file");
  }
  demuxer->file_size = information.st_size;
  demuxer->identity = identity_of(&information);
  if (demuxer->file_size == 0) return cff_fail(failure, CFF_UNREADABLE, "the file is empty");
  demuxer->visible_size = demuxer->file_size;
  cff_mend_sizes(demuxer);
  return CFF_OK;
}

cff_status cff_allocate_format(cff_demuxer *demuxer, cff_failure *failure) {
  enum { buffer_size = 1 << 16 };
  demuxer->format = avformat_alloc_context();
  uint8_t *buffer = av_malloc(buffer_size);
  AVIOContext *io = buffer ? avio_alloc_context(buffer, buffer_size, 0, demuxer, read_file, NULL, seek_file) : NULL;
  if (!demuxer->format || !io) {
    if (!io) av_free(buffer);
    else av_freep(&io->buffer), avio_context_free(&io);
    return cff_fail(failure, CFF_NO_RESOURCE, "out of memory");
  }
  demuxer->format->pb = io;
  demuxer->format->flags |= AVFMT_FLAG_CUSTOM_IO;
  demuxer->format->io_open = refuse_nested_open;
  return CFF_OK;
}
