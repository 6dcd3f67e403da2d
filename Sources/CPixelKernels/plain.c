#include "tiers.h"

#define TIER_NAME "plain"
#include "mixing.h"
#include "masking.h"
#include "reducing.h"
#include "sampling.h"
#include "tiles.h"
#include "warping.h"
#include "banding.h"
#include "lighting.h"
#include "table.h"

const cpk_kernels *cpk_plain(void) { return &table_of_this_tier; }
