import Foundation
import Testing

/// A library that, loaded before the C library, makes reading one file fail from its middle on, as a failing disk does.
enum FailingDisk {
  private static let source = """
    #define _GNU_SOURCE
    #include <dlfcn.h>
    #include <errno.h>
    #include <stdarg.h>
    #include <stdlib.h>
    #include <string.h>
    #include <sys/types.h>
    #include <unistd.h>

    static int opened, failing[1024];

    static int note(const char *path, int descriptor) {
      const char *name = getenv("FAILING_NAME"), *turn = getenv("FAILING_OPEN");
      size_t length = strlen(path), tail = name ? strlen(name) : 0;
      int is_meant = tail && length >= tail && strcmp(path + length - tail, name) == 0;
      if (descriptor >= 0 && descriptor < 1024) failing[descriptor] = is_meant && ++opened >= atoi(turn ? turn : "1");
      return descriptor;
    }

    #define OPEN(NAME)                                                            \\
      int NAME(const char *path, int flags, ...) {                               \\
        int (*next)(const char *, int, ...) = dlsym(RTLD_NEXT, #NAME);           \\
        va_list list;                                                            \\
        va_start(list, flags);                                                   \\
        int mode = va_arg(list, int);                                            \\
        va_end(list);                                                            \\
        return note(path, next(path, flags, mode));                              \\
      }
    OPEN(open)
    OPEN(open64)

    #define PREAD(NAME)                                                           \\
      ssize_t NAME(int descriptor, void *buffer, size_t count, off_t offset) {   \\
        ssize_t (*next)(int, void *, size_t, off_t) = dlsym(RTLD_NEXT, #NAME);   \\
        int is_failing = descriptor >= 0 && descriptor < 1024 && failing[descriptor];  \\
        if (is_failing && offset + (off_t)count > lseek(descriptor, 0, SEEK_END) / 2) return errno = EIO, -1;  \\
        return next(descriptor, buffer, count, offset);                          \\
      }
    PREAD(pread)
    PREAD(pread64)
    """

  /// What to run the tool with, so that reading `name` fails from its `open`-th opening on.
  static func environment(for name: String, fromOpening open: Int, in scratch: Scratch) throws -> [String: String] {
    let (code, library) = (try scratch.file("disk.c", source), try scratch.file("disk.so"))
    let made = try ToolRun.program("clang", "-shared", "-fPIC", "-o", library.path, code.path, "-ldl")
    try #require(made.status == 0, "\(made.errors)")
    return ["LD_PRELOAD": library.path, "FAILING_NAME": name, "FAILING_OPEN": "\(open)"]
  }
}
