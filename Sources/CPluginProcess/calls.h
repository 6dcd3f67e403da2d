// The denied system calls: one table for the filter, for display and for tests.
#pragma once

#include <sys/syscall.h>

#include "CPluginProcess.h"

/// The uses of a call to which a rule applies.
enum {
  MODULE_CALL_ALWAYS,
  MODULE_CALL_IF_ONE_OF,
  MODULE_CALL_UNLESS_ONE_OF,
  MODULE_CALL_IF_ALL_BITS,
  MODULE_CALL_IF_ANY_BIT,
  MODULE_CALL_UNLESS_ANY_BIT,
};

struct call_rule {
  const char *name;
  int number;        // -1 if this machine has no such call
  uint16_t outcome;  // the error returned by the call; 0 ends the process
  uint8_t test, argument, count;
  /// Whether the rule applies only to calls with one value in another argument.
  uint8_t has_condition, condition_argument;
  uint32_t condition_value;
  uint32_t values[7];
  const char *when;
};

/// Installs the filter. Returns the bits of its restrictions.
int module_confine_calls(bool makes_frames);

// Calls that newer architectures do not have.
#ifndef SYS_fork
#define SYS_fork -1
#endif
#ifndef SYS_vfork
#define SYS_vfork -1
#endif
#ifndef SYS_chmod
#define SYS_chmod -1
#endif
#ifndef SYS_chown
#define SYS_chown -1
#endif
#ifndef SYS_lchown
#define SYS_lchown -1
#endif
#ifndef SYS_utime
#define SYS_utime -1
#endif
#ifndef SYS_utimes
#define SYS_utimes -1
#endif
#ifndef SYS_futimesat
#define SYS_futimesat -1
#endif
#ifndef SYS_inotify_init
#define SYS_inotify_init -1
#endif
#ifndef SYS_open
#define SYS_open -1
#endif
#ifndef SYS_creat
#define SYS_creat -1
#endif
#ifndef SYS_rename
#define SYS_rename -1
#endif
#ifndef SYS_link
#define SYS_link -1
#endif
#ifndef SYS_symlink
#define SYS_symlink -1
#endif
#ifndef SYS_unlink
#define SYS_unlink -1
#endif
#ifndef SYS_mkdir
#define SYS_mkdir -1
#endif
#ifndef SYS_rmdir
#define SYS_rmdir -1
#endif
#ifndef SYS_mknod
#define SYS_mknod -1
#endif
#ifndef SYS_iopl
#define SYS_iopl -1
#endif
#ifndef SYS_ioperm
#define SYS_ioperm -1
#endif
#ifndef SYS_renameat
#define SYS_renameat -1
#endif
// Calls that may be newer than the C library's header; their numbers are the same on every architecture.
#ifndef SYS_pidfd_send_signal
#define SYS_pidfd_send_signal 424
#endif
#ifndef SYS_io_uring_setup
#define SYS_io_uring_setup 425
#endif
#ifndef SYS_io_uring_enter
#define SYS_io_uring_enter 426
#endif
#ifndef SYS_io_uring_register
#define SYS_io_uring_register 427
#endif
#ifndef SYS_open_tree
#define SYS_open_tree 428
#endif
#ifndef SYS_move_mount
#define SYS_move_mount 429
#endif
#ifndef SYS_fsopen
#define SYS_fsopen 430
#endif
#ifndef SYS_fsconfig
#define SYS_fsconfig 431
#endif
#ifndef SYS_fsmount
#define SYS_fsmount 432
#endif
#ifndef SYS_fspick
#define SYS_fspick 433
#endif
#ifndef SYS_pidfd_open
#define SYS_pidfd_open 434
#endif
#ifndef SYS_clone3
#define SYS_clone3 435
#endif
#ifndef SYS_openat2
#define SYS_openat2 437
#endif
#ifndef SYS_pidfd_getfd
#define SYS_pidfd_getfd 438
#endif
#ifndef SYS_process_madvise
#define SYS_process_madvise 440
#endif
#ifndef SYS_mount_setattr
#define SYS_mount_setattr 442
#endif
#ifndef SYS_quotactl_fd
#define SYS_quotactl_fd 443
#endif
#ifndef SYS_memfd_secret
#define SYS_memfd_secret 447
#endif
#ifndef SYS_process_mrelease
#define SYS_process_mrelease 448
#endif
#ifndef SYS_fchmodat2
#define SYS_fchmodat2 452
#endif
#ifndef SYS_statmount
#define SYS_statmount 457
#endif
#ifndef SYS_listmount
#define SYS_listmount 458
#endif
#ifndef SYS_lsm_set_self_attr
#define SYS_lsm_set_self_attr 460
#endif
