// Preloaded: replaces the file SWAP_TO by SWAP_FROM in the moment between a program's look at it and its loading. The program calls
// dlopen in that moment.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *dlopen(const char *name, int flags) {
  void *(*next)(const char *, int) = (void *(*)(const char *, int))dlsym(RTLD_NEXT, "dlopen");
  const char *from = getenv("SWAP_FROM"), *to = getenv("SWAP_TO");
  if (name && from && to && (!strcmp(name, to) || !strncmp(name, "/proc/self/fd/", 14)) && rename(from, to) == 0)
    fprintf(stderr, "swapped\n");
  return next(name, flags);
}
