#pragma once
#include "common.h"

// Encoding devices. Opening one can take long, or forever with a broken driver; the caller limits the time.

/// A VA-API device.
typedef struct cff_hardware_device cff_hardware_device;

/// Opens the device of a node such as /dev/dri/renderD128.
cff_status cff_hardware_device_open(const char *node, cff_hardware_device **device, cff_failure *failure);

/// Releases a device; encoders that were opened with it keep it. Accepts a pointer to NULL.
void cff_hardware_device_close(cff_hardware_device **device);
