#pragma once

// Cairo fills and strokes paths and scales pictures in bitmap contexts.
#include <cairo.h>
