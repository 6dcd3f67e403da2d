#include "tier.h"

#define TIER_NAME "plain"
#include "bodies/reducing_blocks.h"
#include "bodies/common.h"
#include "bodies/curving.h"
#include "bodies/warping.h"
#include "bodies/warping_words.h"
#include "bodies/banding.h"
#include "bodies/reducing_rows.h"
#include "bodies/filtering.h"
#include "bodies/lighting.h"
#include "bodies/table.h"

const cpk_kernels *cpk_plain(void) { return &table_of_this_tier; }
