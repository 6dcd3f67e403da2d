#include "CPluginProcess.h"

#include <stddef.h>

// Defined by the target of libavfilter's filters, in programs that contain it.
extern void *module_linked_filters(void) __attribute__((weak));

void *module_filters(void) { return module_linked_filters ? module_linked_filters() : NULL; }
