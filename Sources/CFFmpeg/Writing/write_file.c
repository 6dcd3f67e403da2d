// Regular files to which a container is written, and their way to the disk.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "Writing/write_internal.h"

/// Number of bytes after which writing them to the disk begins.
#define SENT_AT_ONCE ((off_t)8 << 20)
/// Number of bytes at the end of a large file that stay in memory.
#define KEPT_IN_MEMORY ((off_t)256 << 20)

int cff_file_open(cff_file *file, const char *path) {
  *file = (cff_file){.descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666)};
  return file->descriptor < 0 ? AVERROR(errno) : 0;
}

void cff_file_expect(cff_file *file, int64_t byte_count) {
  // Blocks that are reserved in one piece cost less than each of them alone while it is written. What is too much is returned by
  // `cff_file_close`. A full disk is reported by the write that finds it full.
  if (byte_count <= 0) return;
  fallocate(file->descriptor, FALLOC_FL_KEEP_SIZE, 0, byte_count);
  file->is_reserved = true;
  file->is_large = byte_count > KEPT_IN_MEMORY;
}

/// Lets the disk begin with what was written, so that little is left for the `fsync` at the end. Of a large file, memory written
/// before is reused: pages that the system (or the host of a virtual machine) has to find cost more than the writing. Only hints:
/// errors of the disk are reported by `fsync`.
static void send_to_disk(cff_file *file) {
  off_t end = lseek(file->descriptor, 0, SEEK_CUR), count = file->unsent;
  file->unsent = 0;
  if (end < count) return;
  sync_file_range(file->descriptor, end - count, count, SYNC_FILE_RANGE_WRITE);
  off_t old = end - count - KEPT_IN_MEMORY;
  if (!file->is_large || old < 0) return;
  unsigned whole = SYNC_FILE_RANGE_WAIT_BEFORE | SYNC_FILE_RANGE_WRITE | SYNC_FILE_RANGE_WAIT_AFTER;
  if (sync_file_range(file->descriptor, old, count, whole) == 0) {
    posix_fadvise(file->descriptor, old, count, POSIX_FADV_DONTNEED);
  }
}

int cff_file_write(cff_file *file, const uint8_t *bytes, int count) {
  int written = 0;
  while (written < count) {
    ssize_t step = write(file->descriptor, bytes + written, (size_t)(count - written));
    if (step < 0 && errno == EINTR) continue;
    if (step <= 0) return AVERROR(step < 0 ? errno : EIO);
    written += (int)step;
  }
  file->unsent += count;
  if (file->unsent >= SENT_AT_ONCE) send_to_disk(file);
  return count;
}

int64_t cff_file_seek(cff_file *file, int64_t offset, int whence) {
  if (whence & AVSEEK_SIZE) {
    struct stat status;
    return fstat(file->descriptor, &status) < 0 ? AVERROR(errno) : (int64_t)status.st_size;
  }
  off_t position = lseek(file->descriptor, (off_t)offset, whence & ~AVSEEK_FORCE);
  return position < 0 ? AVERROR(errno) : (int64_t)position;
}

int cff_file_close(cff_file *file, int64_t *byte_count) {
  struct stat status;
  int error = 0;
  if (fstat(file->descriptor, &status) == 0) {
    *byte_count = (int64_t)status.st_size;
    if (file->is_reserved && ftruncate(file->descriptor, status.st_size) < 0) error = AVERROR(errno);
  }
  // A device that cannot be synchronized (EINVAL, EROFS) has nothing to make durable.
  if (fsync(file->descriptor) < 0 && errno != EINVAL && errno != EROFS) error = AVERROR(errno);
  if (close(file->descriptor) < 0 && !error) error = AVERROR(errno);
  file->descriptor = -1;
  return error;
}
