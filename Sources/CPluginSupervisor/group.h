// A control group of the kernel's for a worker, where the system lends one (cgroup v2).
#pragma once

#include "CPluginSupervisor.h"

struct group {
  int parent;    // the folder that the group is in
  int members;   // for entering it; -1 if there is no group
  char name[48];
};

/// Makes a group with limits somewhat above those that the supervisor checks, below the group of the tool: the kernel counts what /proc doesn't show, and
/// without pauses. There is none if the tool's group is not its own.
void wall_group_make(struct group *group, const struct wall_limits *limits);
/// To be called in the worker.
void wall_group_enter(const struct group *group);
/// The KiB that the group used at most if the kernel ended processes of it for their memory; otherwise 0.
int64_t wall_group_excess(const struct group *group, const struct wall_limits *limits);
/// To be called when its processes are gone.
void wall_group_remove(const struct group *group);
