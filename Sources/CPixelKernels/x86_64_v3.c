#include "tier.h"

#ifdef CPK_X86_64_TIERS
  #include <immintrin.h>

  #define TIER_NAME "x86-64-v3"
  #pragma clang attribute push(__attribute__((target("arch=x86-64-v3"))), apply_to = function)
  #include "bodies/reducing_blocks_v3.h"
  #include "bodies/common.h"
  #include "bodies/curving.h"
  #include "bodies/warping.h"
  #include "bodies/warping_words.h"
  #include "bodies/banding.h"
  #include "bodies/reducing_rows.h"
  #include "bodies/filtering_v3.h"
  #include "bodies/lighting_v3.h"
  #pragma clang attribute pop
  #include "bodies/table.h"

const cpk_kernels *cpk_x86_64_v3(void) { return &table_of_this_tier; }
#endif
