// The shim over libav*: our own functions and plain structs, so that Swift sees no libav type and none of its macros.
// Written for libavcodec 59 to 62. One header per concern; each may be included alone.
#pragma once
#include "audio_decoder.h"
#include "audio_filter.h"
#include "audio_resampler.h"
#include "common.h"
#include "filter_graph.h"
#include "filter_options.h"
#include "read_image.h"
#include "read_probe.h"
#include "read_subtitles.h"
#include "read_video.h"
#include "write_encoder.h"
#include "write_hardware.h"
#include "write_muxer.h"
#include "write_palette.h"
#include "write_subtitles.h"
#include "write_webp.h"
