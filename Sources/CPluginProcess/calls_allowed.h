// The system calls that code which renders frames needs: ALLOWED(name, number on x86-64, number on AArch64, reason). -1: the machine has no such call.
#pragma once

// Files that are open: its own, and pipes.
  ALLOWED(read, 0, 63, OPEN_FILES) ALLOWED(readv, 19, 65, OPEN_FILES) ALLOWED(pread64, 17, 67, OPEN_FILES) ALLOWED(preadv, 295, 69, OPEN_FILES)
  ALLOWED(preadv2, 327, 286, OPEN_FILES) ALLOWED(write, 1, 64, OPEN_FILES) ALLOWED(writev, 20, 66, OPEN_FILES)
  ALLOWED(pwrite64, 18, 68, OPEN_FILES) ALLOWED(pwritev, 296, 70, OPEN_FILES) ALLOWED(pwritev2, 328, 287, OPEN_FILES)
  ALLOWED(close, 3, 57, OPEN_FILES) ALLOWED(lseek, 8, 62, OPEN_FILES) ALLOWED(dup, 32, 23, OPEN_FILES) ALLOWED(dup2, 33, -1, OPEN_FILES)
  ALLOWED(dup3, 292, 24, OPEN_FILES) ALLOWED(fadvise64, 221, 223, OPEN_FILES) ALLOWED(readahead, 187, 213, OPEN_FILES)

// Names and facts of files. Contents are behind open.
  ALLOWED(stat, 4, -1, FILE_NAMES) ALLOWED(fstat, 5, 80, FILE_NAMES) ALLOWED(lstat, 6, -1, FILE_NAMES) ALLOWED(newfstatat, 262, 79, FILE_NAMES)
  ALLOWED(statx, 332, 291, FILE_NAMES) ALLOWED(access, 21, -1, FILE_NAMES) ALLOWED(faccessat, 269, 48, FILE_NAMES)
  ALLOWED(faccessat2, 439, 439, FILE_NAMES) ALLOWED(readlink, 89, -1, FILE_NAMES) ALLOWED(readlinkat, 267, 78, FILE_NAMES)
  ALLOWED(getdents, 78, -1, FILE_NAMES) ALLOWED(getdents64, 217, 61, FILE_NAMES) ALLOWED(statfs, 137, 43, FILE_NAMES)
  ALLOWED(fstatfs, 138, 44, FILE_NAMES) ALLOWED(getcwd, 79, 17, FILE_NAMES) ALLOWED(chdir, 80, 49, FILE_NAMES) ALLOWED(fchdir, 81, 50, FILE_NAMES)
  ALLOWED(umask, 95, 166, FILE_NAMES)

// Waiting, with descriptors that the limit counts.
  ALLOWED(poll, 7, -1, WAITING) ALLOWED(ppoll, 271, 73, WAITING) ALLOWED(select, 23, -1, WAITING) ALLOWED(pselect6, 270, 72, WAITING)
  ALLOWED(epoll_create, 213, -1, WAITING) ALLOWED(epoll_create1, 291, 20, WAITING)
  ALLOWED(epoll_wait, 232, -1, WAITING) ALLOWED(epoll_pwait, 281, 22, WAITING) ALLOWED(epoll_pwait2, 441, 441, WAITING)
  ALLOWED(eventfd, 284, -1, WAITING) ALLOWED(eventfd2, 290, 19, WAITING) ALLOWED(timerfd_create, 283, 85, WAITING)
  ALLOWED(timerfd_settime, 286, 86, WAITING) ALLOWED(timerfd_gettime, 287, 87, WAITING) ALLOWED(pipe, 22, -1, WAITING)
  ALLOWED(pipe2, 293, 59, WAITING) ALLOWED(pause, 34, -1, WAITING) ALLOWED(nanosleep, 35, 101, WAITING) ALLOWED(clock_nanosleep, 230, 115, WAITING)
  ALLOWED(restart_syscall, 219, 128, WAITING) ALLOWED(getitimer, 36, 102, WAITING) ALLOWED(setitimer, 38, 103, WAITING)
  ALLOWED(alarm, 37, -1, WAITING) ALLOWED(wait4, 61, 260, WAITING) ALLOWED(waitid, 247, 95, WAITING)

// The channel to the host, which is open already.
  ALLOWED(recvfrom, 45, 207, CHANNEL) ALLOWED(recvmsg, 47, 212, CHANNEL)
  ALLOWED(shutdown, 48, 210, CHANNEL) ALLOWED(getsockname, 51, 204, CHANNEL) ALLOWED(getpeername, 52, 205, CHANNEL)

// Memory of its own, which the limit counts.
  ALLOWED(mprotect, 10, 226, MEMORY) ALLOWED(munmap, 11, 215, MEMORY) ALLOWED(mremap, 25, 216, MEMORY) ALLOWED(brk, 12, 214, MEMORY)
  ALLOWED(madvise, 28, 233, MEMORY) ALLOWED(mincore, 27, 232, MEMORY) ALLOWED(msync, 26, 227, MEMORY) ALLOWED(mlock, 149, 228, MEMORY)
  ALLOWED(mlock2, 325, 284, MEMORY) ALLOWED(munlock, 150, 229, MEMORY) ALLOWED(mlockall, 151, 230, MEMORY) ALLOWED(munlockall, 152, 231, MEMORY)
  ALLOWED(pkey_mprotect, 329, 288, MEMORY) ALLOWED(pkey_alloc, 330, 289, MEMORY) ALLOWED(pkey_free, 331, 290, MEMORY)
  ALLOWED(mbind, 237, 235, MEMORY) ALLOWED(set_mempolicy, 238, 237, MEMORY) ALLOWED(get_mempolicy, 239, 236, MEMORY)
  ALLOWED(mseal, 462, 462, MEMORY) ALLOWED(map_shadow_stack, 453, 453, MEMORY) ALLOWED(membarrier, 324, 283, MEMORY)

// Threads of its own, which the limit counts.
  ALLOWED(futex, 202, 98, THREADS) ALLOWED(futex_wait, 455, 455, THREADS) ALLOWED(futex_wake, 454, 454, THREADS)
  ALLOWED(futex_waitv, 449, 449, THREADS) ALLOWED(futex_requeue, 456, 456, THREADS) ALLOWED(set_robust_list, 273, 99, THREADS)
  ALLOWED(get_robust_list, 274, 100, THREADS) ALLOWED(set_tid_address, 218, 96, THREADS) ALLOWED(rseq, 334, 293, THREADS)
  ALLOWED(gettid, 186, 178, THREADS) ALLOWED(sched_yield, 24, 124, THREADS) ALLOWED(sched_getaffinity, 204, 123, THREADS)
  ALLOWED(sched_getparam, 143, 121, THREADS) ALLOWED(sched_getscheduler, 145, 120, THREADS) ALLOWED(sched_getattr, 315, 275, THREADS)
  ALLOWED(sched_get_priority_max, 146, 125, THREADS) ALLOWED(sched_get_priority_min, 147, 126, THREADS)
  ALLOWED(sched_rr_get_interval, 148, 127, THREADS) ALLOWED(getpriority, 140, 141, THREADS) ALLOWED(getcpu, 309, 168, THREADS)
  ALLOWED(arch_prctl, 158, -1, THREADS) ALLOWED(exit, 60, 93, THREADS) ALLOWED(exit_group, 231, 94, THREADS)

// Signals that it receives.
  ALLOWED(rt_sigaction, 13, 134, SIGNALS) ALLOWED(rt_sigprocmask, 14, 135, SIGNALS) ALLOWED(rt_sigreturn, 15, 139, SIGNALS)
  ALLOWED(rt_sigpending, 127, 136, SIGNALS) ALLOWED(rt_sigsuspend, 130, 133, SIGNALS) ALLOWED(rt_sigtimedwait, 128, 137, SIGNALS)
  ALLOWED(sigaltstack, 131, 132, SIGNALS)

// Facts about the process and the machine.
  ALLOWED(getpid, 39, 172, FACTS) ALLOWED(getppid, 110, 173, FACTS) ALLOWED(getpgid, 121, 155, FACTS) ALLOWED(getpgrp, 111, -1, FACTS)
  ALLOWED(getsid, 124, 156, FACTS) ALLOWED(getuid, 102, 174, FACTS) ALLOWED(geteuid, 107, 175, FACTS) ALLOWED(getgid, 104, 176, FACTS)
  ALLOWED(getegid, 108, 177, FACTS) ALLOWED(getgroups, 115, 158, FACTS) ALLOWED(getresuid, 118, 148, FACTS) ALLOWED(getresgid, 120, 150, FACTS)
  ALLOWED(capget, 125, 90, FACTS) ALLOWED(getrlimit, 97, 163, FACTS) ALLOWED(getrusage, 98, 165, FACTS) ALLOWED(times, 100, 153, FACTS)
  ALLOWED(sysinfo, 99, 179, FACTS) ALLOWED(uname, 63, 160, FACTS) ALLOWED(time, 201, -1, FACTS) ALLOWED(gettimeofday, 96, 169, FACTS)
  ALLOWED(clock_gettime, 228, 113, FACTS) ALLOWED(clock_getres, 229, 114, FACTS) ALLOWED(getrandom, 318, 278, FACTS)
  ALLOWED(ioprio_get, 252, 31, FACTS)
