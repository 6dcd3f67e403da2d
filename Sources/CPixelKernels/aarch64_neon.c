#include "tier.h"

#ifdef CPK_AARCH64_TIERS
  #include <arm_neon.h>

  #define TIER_NAME "aarch64-neon"
  #include "bodies/reducing_blocks.h"
  #include "bodies/common.h"
  #include "bodies/shared_neon.h"
  #include "bodies/curving_neon.h"
  #include "bodies/warping_neon.h"
  #include "bodies/warping_words.h"
  #include "bodies/banding.h"
  #include "bodies/reducing_rows.h"
  #include "bodies/filtering.h"
  #include "bodies/lighting_neon.h"
  #include "bodies/table.h"

const cpk_kernels *cpk_aarch64_neon(void) { return &table_of_this_tier; }
#endif
