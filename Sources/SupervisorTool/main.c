// The program `compositor-supervisor`, which the tool starts for each worker of a plugin.
#include <CPluginSupervisor.h>

#include <stdio.h>
#include <string.h>

int main(int argc, char *argv[]) {
  if (argc < 3 || strcmp(argv[2], "supervise") != 0) {
    fputs("compositor-supervisor: the tool “compositor” starts this program for the processes of plugins.\n", stderr);
    return 64;
  }
  return wall_supervise(argc, argv, false);
}
